// RUN: ein-opt %s --ein-split-complex | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Four products of planes; the sum starts from the planes of the constant.
// CHECK-LABEL: func @matmul
// CHECK-SAME: (%[[A:.*]]: tensor<4x?xcomplex<f32>>, %[[B:.*]]: tensor<?x7xcomplex<f32>>, %[[C:.*]]: tensor<4x7xcomplex<f32>>
func.func @matmul(%a: tensor<4x?xcomplex<f32>>, %b: tensor<?x7xcomplex<f32>>,
                  %c: tensor<4x7xcomplex<f32>>) -> tensor<4x7xcomplex<f32>> {
  // CHECK: %[[AR:.*]] = linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%{{.*}} : tensor<4x?xf32>)
  // CHECK: complex.re
  // CHECK: %[[AI:.*]] = linalg.generic {{.*}} ins(%[[A]]
  // CHECK: complex.im
  // CHECK: %[[AM:.*]] = linalg.generic {{.*}} ins(%[[A]]
  // CHECK: %[[IM:.*]] = complex.im
  // CHECK: arith.negf %[[IM]]
  // CHECK: %[[BR:.*]] = linalg.generic {{.*}} ins(%[[B]]
  // CHECK: %[[BI:.*]] = linalg.generic {{.*}} ins(%[[B]]
  // CHECK: %[[CR0:.*]] = linalg.fill ins(%{{.*}} : f32)
  // CHECK: %[[CR1:.*]] = linalg.contract {{.*}} ins(%[[AR]], %[[BR]] : {{.*}}) outs(%[[CR0]] :
  // CHECK: %[[CR:.*]] = linalg.contract {{.*}} ins(%[[AM]], %[[BI]] : {{.*}}) outs(%[[CR1]] :
  // CHECK: %[[CI0:.*]] = linalg.fill ins(%{{.*}} : f32)
  // CHECK: %[[CI1:.*]] = linalg.contract {{.*}} ins(%[[AR]], %[[BI]] : {{.*}}) outs(%[[CI0]] :
  // CHECK: %[[CI:.*]] = linalg.contract {{.*}} ins(%[[AI]], %[[BR]] : {{.*}}) outs(%[[CI1]] :
  // CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[CR]], %[[CI]] : {{.*}}) outs(%[[C]] :
  // CHECK: complex.create
  // CHECK: return %[[R]]
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %init = linalg.fill ins(%zero : complex<f32>) outs(%c : tensor<4x7xcomplex<f32>>) -> tensor<4x7xcomplex<f32>>
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x?xcomplex<f32>>, tensor<?x7xcomplex<f32>>)
    outs(%init : tensor<4x7xcomplex<f32>>) -> tensor<4x7xcomplex<f32>>
  return %r : tensor<4x7xcomplex<f32>>
}

// A sum that continues starts from the planes of what is there.
// CHECK-LABEL: func @continued
// CHECK-COUNT-7: linalg.generic
// CHECK-COUNT-2: linalg.contract
func.func @continued(%a: tensor<2x3xcomplex<f64>>, %b: tensor<3x5xcomplex<f64>>,
                     %c: tensor<2x5xcomplex<f64>>) -> tensor<2x5xcomplex<f64>> {
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<2x3xcomplex<f64>>, tensor<3x5xcomplex<f64>>)
    outs(%c : tensor<2x5xcomplex<f64>>) -> tensor<2x5xcomplex<f64>>
  return %r : tensor<2x5xcomplex<f64>>
}

// Real contractions, and whatever else is complex, are left alone.
// CHECK-LABEL: func @others
// CHECK-NEXT: linalg.contract
// CHECK-NEXT: linalg.add
// CHECK-NEXT: return
func.func @others(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<2x5xf32>,
                  %x: tensor<2xcomplex<f32>>) -> (tensor<2x5xf32>, tensor<2xcomplex<f32>>) {
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<2x3xf32>, tensor<3x5xf32>) outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.add ins(%x, %x : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
    outs(%x : tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %r, %s : tensor<2x5xf32>, tensor<2xcomplex<f32>>
}


// A matrix times a vector is one op, on the elements where they are; only the
// result has planes. The innermost loop goes along the rows of the matrix.
// CHECK-LABEL: func @matvec
// CHECK-SAME: (%[[A:[^:]*]]: tensor<4x?xcomplex<f32>>, %[[X:[^:]*]]: tensor<?xcomplex<f32>>
// CHECK: %[[S:.*]]:2 = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[A]], %[[X]] : {{.*}}) outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
// CHECK: arith.mulf %{{.*}} fastmath<contract> : f32
// CHECK: arith.addf %{{.*}} fastmath<reassoc,contract> : f32
// CHECK: arith.subf %{{.*}} fastmath<reassoc,contract> : f32
// CHECK-NOT: linalg.contract
// CHECK: linalg.generic {{.*}} ins(%[[S]]#0, %[[S]]#1
// CHECK: complex.create
func.func @matvec(%a: tensor<4x?xcomplex<f32>>, %x: tensor<?xcomplex<f32>>,
                  %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %init = linalg.fill ins(%zero : complex<f32>) outs(%y : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %r = linalg.contract indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>,
                                        affine_map<(m, k) -> (m)>]
    ins(%a, %x : tensor<4x?xcomplex<f32>>, tensor<?xcomplex<f32>>)
    outs(%init : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// A vector times a matrix has the sum outside.
// CHECK-LABEL: func @vecmat
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%{{.*}}, %{{.*}} : tensor<?xcomplex<f64>>, tensor<?x7xcomplex<f64>>)
func.func @vecmat(%x: tensor<?xcomplex<f64>>, %b: tensor<?x7xcomplex<f64>>,
                  %y: tensor<7xcomplex<f64>>) -> tensor<7xcomplex<f64>> {
  %r = linalg.contract indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (k, n)>,
                                        affine_map<(n, k) -> (n)>]
    ins(%x, %b : tensor<?xcomplex<f64>>, tensor<?x7xcomplex<f64>>)
    outs(%y : tensor<7xcomplex<f64>>) -> tensor<7xcomplex<f64>>
  return %r : tensor<7xcomplex<f64>>
}
