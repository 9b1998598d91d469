// RUN: ein-opt %s --ein-split-complex | FileCheck %s
// RUN: ein-opt %s --ein-split-complex=planes=true | FileCheck %s --check-prefix=PLANES

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// What has rows and columns stays, for register tiles. With `planes`: four
// products of planes; the sum starts from the planes of the constant.
// CHECK-LABEL: func @matmul
// CHECK: linalg.contract {{.*}} : tensor<4x?xcomplex<f32>>, tensor<?x7xcomplex<f32>>
// CHECK-NOT: linalg.contract
// CHECK: return
// PLANES-LABEL: func @matmul
// PLANES-SAME: (%[[A:.*]]: tensor<4x?xcomplex<f32>>, %[[B:.*]]: tensor<?x7xcomplex<f32>>, %[[C:.*]]: tensor<4x7xcomplex<f32>>
func.func @matmul(%a: tensor<4x?xcomplex<f32>>, %b: tensor<?x7xcomplex<f32>>,
                  %c: tensor<4x7xcomplex<f32>>) -> tensor<4x7xcomplex<f32>> {
  // PLANES: %[[AR:.*]] = linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%{{.*}} : tensor<4x?xf32>)
  // PLANES: complex.re
  // PLANES: %[[AI:.*]] = linalg.generic {{.*}} ins(%[[A]]
  // PLANES: complex.im
  // PLANES: %[[AM:.*]] = linalg.generic {{.*}} ins(%[[A]]
  // PLANES: %[[IM:.*]] = complex.im
  // PLANES: arith.negf %[[IM]]
  // PLANES: %[[BR:.*]] = linalg.generic {{.*}} ins(%[[B]]
  // PLANES: %[[BI:.*]] = linalg.generic {{.*}} ins(%[[B]]
  // PLANES: %[[CR0:.*]] = linalg.fill ins(%{{.*}} : f32)
  // PLANES: %[[CR1:.*]] = linalg.contract {{.*}} ins(%[[AR]], %[[BR]] : {{.*}}) outs(%[[CR0]] :
  // PLANES: %[[CR:.*]] = linalg.contract {{.*}} ins(%[[AM]], %[[BI]] : {{.*}}) outs(%[[CR1]] :
  // PLANES: %[[CI0:.*]] = linalg.fill ins(%{{.*}} : f32)
  // PLANES: %[[CI1:.*]] = linalg.contract {{.*}} ins(%[[AR]], %[[BI]] : {{.*}}) outs(%[[CI0]] :
  // PLANES: %[[CI:.*]] = linalg.contract {{.*}} ins(%[[AI]], %[[BR]] : {{.*}}) outs(%[[CI1]] :
  // PLANES: %[[R:.*]] = linalg.generic {{.*}} ins(%[[CR]], %[[CI]] : {{.*}}) outs(%[[C]] :
  // PLANES: complex.create
  // PLANES: return %[[R]]
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %init = linalg.fill ins(%zero : complex<f32>) outs(%c : tensor<4x7xcomplex<f32>>) -> tensor<4x7xcomplex<f32>>
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x?xcomplex<f32>>, tensor<?x7xcomplex<f32>>)
    outs(%init : tensor<4x7xcomplex<f32>>) -> tensor<4x7xcomplex<f32>>
  return %r : tensor<4x7xcomplex<f32>>
}

// A sum that continues starts from the planes of what is there.
// CHECK-LABEL: func @continued
// CHECK-NEXT: linalg.contract
// CHECK-NEXT: return
// PLANES-LABEL: func @continued
// PLANES-COUNT-7: linalg.generic
// PLANES-COUNT-2: linalg.contract
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


// A matrix times a vector is one reduction of complex numbers. The innermost loop
// goes along the rows of the matrix.
// CHECK-LABEL: func @matvec
// CHECK-SAME: (%[[A:[^:]*]]: tensor<4x?xcomplex<f32>>, %[[X:[^:]*]]: tensor<?xcomplex<f32>>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[A]], %[[X]] : {{.*}}) outs(%{{.*}} : tensor<4xcomplex<f32>>)
// CHECK: complex.mul %{{.*}} fastmath<contract> : complex<f32>
// CHECK: complex.add %{{.*}} fastmath<reassoc,contract> : complex<f32>
// CHECK-NOT: linalg.contract
// CHECK: return
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

// Where the vector is a column of another matrix, elements are read where they
// are and the result has planes.
// CHECK-LABEL: func @column
// CHECK: %[[S:.*]]:2 = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}} outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
// CHECK: arith.mulf %{{.*}} fastmath<contract> : f32
// CHECK: arith.addf %{{.*}} fastmath<reassoc,contract> : f32
// CHECK: arith.subf %{{.*}} fastmath<reassoc,contract> : f32
// CHECK: linalg.generic {{.*}} ins(%[[S]]#0, %[[S]]#1
// CHECK: complex.create
func.func @column(%a: tensor<4x?xcomplex<f32>>, %x: tensor<?x4xcomplex<f32>>,
                  %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %r = linalg.contract indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k, m)>,
                                        affine_map<(m, k) -> (m)>]
    ins(%a, %x : tensor<4x?xcomplex<f32>>, tensor<?x4xcomplex<f32>>)
    outs(%y : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
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

// Tiles cannot write C along a dim that both inputs have, nor read every other
// element of a row, nor multiply halves.
// CHECK-LABEL: func @batch_last
// CHECK-COUNT-4: linalg.contract {{.*}} tensor<2x3x7xf32>
// CHECK-LABEL: func @strided
// CHECK-COUNT-4: linalg.contract {{.*}} tensor<2x5xf32>
// CHECK-LABEL: func @halves
// CHECK-COUNT-4: linalg.contract {{.*}} tensor<2x5xf16>
#mkb = affine_map<(m, n, k, b) -> (m, k, b)>
#knb = affine_map<(m, n, k, b) -> (k, n, b)>
#mnb = affine_map<(m, n, k, b) -> (m, n, b)>
func.func @batch_last(%a: tensor<2x4x7xcomplex<f32>>, %b: tensor<4x3x7xcomplex<f32>>,
                      %c: tensor<2x3x7xcomplex<f32>>) -> tensor<2x3x7xcomplex<f32>> {
  %r = linalg.contract indexing_maps = [#mkb, #knb, #mnb]
    ins(%a, %b : tensor<2x4x7xcomplex<f32>>, tensor<4x3x7xcomplex<f32>>)
    outs(%c : tensor<2x3x7xcomplex<f32>>) -> tensor<2x3x7xcomplex<f32>>
  return %r : tensor<2x3x7xcomplex<f32>>
}
func.func @strided(%a: tensor<2x3xcomplex<f32>>, %b: tensor<3x10xcomplex<f32>>,
                   %c: tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>> {
  %s = tensor.extract_slice %b[0, 0] [3, 5] [1, 2] : tensor<3x10xcomplex<f32>> to tensor<3x5xcomplex<f32>>
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %s : tensor<2x3xcomplex<f32>>, tensor<3x5xcomplex<f32>>)
    outs(%c : tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
  return %r : tensor<2x5xcomplex<f32>>
}
func.func @halves(%a: tensor<2x3xcomplex<f16>>, %b: tensor<3x5xcomplex<f16>>,
                  %c: tensor<2x5xcomplex<f16>>) -> tensor<2x5xcomplex<f16>> {
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<2x3xcomplex<f16>>, tensor<3x5xcomplex<f16>>)
    outs(%c : tensor<2x5xcomplex<f16>>) -> tensor<2x5xcomplex<f16>>
  return %r : tensor<2x5xcomplex<f16>>
}
