// ein.contract is what its generic is: every kind, and each conversion.
// RUN: ein-opt %s -ein-generalize-contract -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @maximum
// CHECK-NOT: ein.contract
// CHECK: linalg.generic {indexing_maps = [#[[MK]], #[[KN]], #[[MN]]], iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} attrs = {mine}
// CHECK: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f32):
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK: %[[R:.*]] = arith.maximumf %{{.*}}, %{{.*}} : f32
// CHECK: linalg.yield %[[R]]
func.func @maximum(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = <maximumf> {mine}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#k = affine_map<(k) -> (k)>
#o = affine_map<(k) -> ()>

// CHECK-LABEL: func @floats
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK-NEXT: arith.mulf
// CHECK: arith.minimumf
// CHECK: arith.minnumf
// CHECK: arith.maxnumf
func.func @floats(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<f32>) {
  ein.contract indexing_maps = [#k, #k, #o] ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<f32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <mul> ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<f32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <minimumf> ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<f32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <minnumf> ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<f32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <maxnumf> ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<f32>)
  return
}

// -----

#k = affine_map<(k) -> (k)>
#o = affine_map<(k) -> ()>

// CHECK-LABEL: func @integers
// CHECK: arith.addi
// CHECK: arith.minui
// CHECK: arith.minsi
// CHECK: arith.maxui
// CHECK: arith.maxsi
// CHECK: arith.andi
// CHECK: arith.ori
// CHECK: arith.xori
func.func @integers(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<i32>) {
  ein.contract indexing_maps = [#k, #k, #o] ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <minui> ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <minsi> ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <maxui> ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <maxsi> ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <and> ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <or> ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] kind = <xor> ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%c : memref<i32>)
  return
}

// -----

#k = affine_map<(k) -> (k)>
#o = affine_map<(k) -> ()>

// Inputs are converted before they are multiplied.
// CHECK-LABEL: func @conversions
// CHECK: arith.extsi
// CHECK: arith.extsi
// CHECK: arith.muli
// CHECK: arith.extui
// CHECK: arith.extui
// CHECK: arith.muli
// CHECK: arith.uitofp
// CHECK: arith.extf
// CHECK: arith.mulf
// CHECK: complex.mul
// CHECK: complex.add
// CHECK: arith.andi
// CHECK: arith.ori
func.func @conversions(%a: memref<?xi8>, %c: memref<i32>, %d: memref<?xf32>, %e: memref<f64>,
                       %z: memref<?xcomplex<f32>>, %w: memref<complex<f32>>,
                       %p: memref<?xi1>, %q: memref<i1>) {
  ein.contract indexing_maps = [#k, #k, #o] ins(%a, %a : memref<?xi8>, memref<?xi8>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] cast = <cast_unsigned>
    ins(%a, %a : memref<?xi8>, memref<?xi8>) outs(%c : memref<i32>)
  ein.contract indexing_maps = [#k, #k, #o] cast = <cast_unsigned>
    ins(%a, %d : memref<?xi8>, memref<?xf32>) outs(%e : memref<f64>)
  ein.contract indexing_maps = [#k, #k, #o]
    ins(%z, %z : memref<?xcomplex<f32>>, memref<?xcomplex<f32>>) outs(%w : memref<complex<f32>>)
  ein.contract indexing_maps = [#k, #k, #o] ins(%p, %p : memref<?xi1>, memref<?xi1>) outs(%q : memref<i1>)
  return
}

// -----

// Each input has its cast.
// CHECK-LABEL: func @mixed
// CHECK: arith.extui
// CHECK: arith.extsi
// CHECK: arith.muli
func.func @mixed(%a: memref<?xi8>, %b: memref<?xi8>, %c: memref<i32>) {
  ein.contract indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]
    cast = <cast_unsigned> rhs_cast = <cast_signed>
    ins(%a, %b : memref<?xi8>, memref<?xi8>) outs(%c : memref<i32>)
  return
}
