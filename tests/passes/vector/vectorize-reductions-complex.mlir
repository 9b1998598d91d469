// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -cse -split-input-file | FileCheck %s

// Sums of complex numbers are those of their parts, which lie by turns: halves
// are added until one number is left. The mask of the last vector is for parts.
// CHECK-LABEL: func @row
// CHECK-SAME: %[[A:.*]]: tensor<3x?xcomplex<f32>>
// CHECK-DAG: %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : vector<4xf32>
// CHECK: %[[PARTS:.*]] = ein.reinterpret %[[A]] : tensor<3x?xcomplex<f32>> to tensor<3x?xf32>
// CHECK: %[[V:.*]] = vector.transfer_read %[[PARTS]]{{.*}} vector<8xf32>
// CHECK: arith.addf {{.*}}, %[[V]] fastmath<reassoc,contract> : vector<8xf32>
// CHECK: %[[MASK:.*]] = arith.cmpi {{.*}} : vector<4xi32>
// CHECK: %[[BOTH:.*]] = vector.interleave %[[MASK]], %[[MASK]] : vector<4xi1>
// CHECK: vector.transfer_read {{.*}}, %[[BOTH]]
// CHECK: arith.select %[[BOTH]]
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3]
// CHECK: vector.shuffle {{.*}} [4, 5, 6, 7]
// CHECK: vector.shuffle {{.*}} [0, 1]
// CHECK: vector.shuffle {{.*}} [2, 3]
// CHECK: %[[LAST:.*]] = arith.addf {{.*}} : vector<2xf32>
// CHECK: %[[RE:.*]] = vector.extract %[[LAST]][0]
// CHECK: %[[IM:.*]] = vector.extract %[[LAST]][1]
// CHECK: %[[NUMBER:.*]] = complex.create %[[RE]], %[[IM]]
// CHECK: %[[TOTAL:.*]] = complex.add {{.*}}%[[NUMBER]]
// CHECK: tensor.insert %[[TOTAL]]
func.func @row(%a: tensor<3x?xcomplex<f32>>, %c: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 1, d1], vector = d1: 4, accumulators = 1,
                         masked>}
         ins(%a : tensor<3x?xcomplex<f32>>) outs(%c : tensor<3xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %s: complex<f32>):
    %1 = complex.add %s, %x fastmath<reassoc,contract> : complex<f32>
    linalg.yield %1 : complex<f32>
  } -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

// Products of columns, from one: elements of the result are multiplied in their
// order. What is filled in is not read.
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[A:.*]]: tensor<5x8xcomplex<f64>>, %[[C:.*]]: tensor<8xcomplex<f64>>
// CHECK-DAG: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : vector<4xf64>
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<4xf64>
// CHECK: %[[START:.*]] = vector.interleave %[[ONES]], %[[ZEROS]]
// CHECK: %[[PRODUCT:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %[[START]])
// CHECK: vector.shuffle %[[P]], %[[P]] [0, 0, 2, 2, 4, 4, 6, 6]
// CHECK: vector.transfer_write %[[PRODUCT]], {{.*}} : vector<8xf64>, tensor<16xf64>
// CHECK: ein.reinterpret {{.*}} to tensor<8xcomplex<f64>>
func.func @columns(%a: tensor<5x8xcomplex<f64>>, %c: tensor<8xcomplex<f64>>)
    -> tensor<8xcomplex<f64>> {
  %one = complex.constant [1.0, 0.0] : complex<f64>
  %start = linalg.fill ins(%one : complex<f64>) outs(%c : tensor<8xcomplex<f64>>)
    -> tensor<8xcomplex<f64>>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>],
         iterator_types = ["reduction", "parallel"],
         ein.schedule = #ein.schedule<loops = [d1, d0], vector = d1: 4, accumulators = 1,
                         masked>}
         ins(%a : tensor<5x8xcomplex<f64>>) outs(%start : tensor<8xcomplex<f64>>) {
  ^bb0(%x: complex<f64>, %s: complex<f64>):
    %1 = complex.mul %s, %x fastmath<contract> : complex<f64>
    linalg.yield %1 : complex<f64>
  } -> tensor<8xcomplex<f64>>
  return %0 : tensor<8xcomplex<f64>>
}

// -----

// Products that are only added up: the first factor times the second as it
// lies, and times its parts exchanged. Signs and shuffles come at the end; that
// the second factor is conjugated is one of them.
// CHECK-LABEL: func @dot
// CHECK-DAG: %[[S0:.*]] = arith.constant dense<-0.000000e+00> : vector<8xf32>
// CHECK-DAG: %[[S1:.*]] = arith.constant dense<[0.000000e+00, -0.000000e+00, 0.000000e+00, -0.000000e+00, 0.000000e+00, -0.000000e+00, 0.000000e+00, -0.000000e+00]> : vector<8xf32>
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %[[S0]], %[[Q:.*]] = %[[S1]])
// CHECK: %[[X:.*]] = vector.transfer_read
// CHECK: %[[Y:.*]] = vector.transfer_read
// CHECK: %[[XY:.*]] = arith.mulf %[[X]], %[[Y]] fastmath<contract>
// CHECK: arith.addf %[[P]], %[[XY]] fastmath<contract>
// CHECK: %[[SWAPPED:.*]] = vector.shuffle %[[Y]], %[[Y]] [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK: %[[ACROSS:.*]] = arith.mulf %[[X]], %[[SWAPPED]] fastmath<contract>
// CHECK: arith.addf %[[Q]], %[[ACROSS]] fastmath<contract>
// CHECK: %[[AC:.*]] = vector.extract %[[FIRST:.*]][0]
// CHECK: %[[BD:.*]] = vector.extract %[[FIRST]][1]
// CHECK: %[[AD:.*]] = vector.extract %[[SECOND:.*]][0]
// CHECK: %[[BC:.*]] = vector.extract %[[SECOND]][1]
// CHECK: %[[RE:.*]] = arith.addf %[[AC]], %[[BD]]
// CHECK: %[[IM:.*]] = arith.subf %[[BC]], %[[AD]]
// CHECK: complex.create %[[RE]], %[[IM]]
func.func @dot(%a: tensor<64xcomplex<f32>>, %b: tensor<64xcomplex<f32>>,
               %c: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 1, masked>}
         ins(%a, %b : tensor<64xcomplex<f32>>, tensor<64xcomplex<f32>>)
         outs(%c : tensor<complex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %s: complex<f32>):
    %1 = complex.conj %y : complex<f32>
    %2 = complex.mul %x, %1 fastmath<contract> : complex<f32>
    %3 = complex.add %s, %2 fastmath<reassoc,contract> : complex<f32>
    linalg.yield %3 : complex<f32>
  } -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// -----

// Products of all parts add up to the real parts of products with a conjugate:
// nothing is taken apart. In the last vector the mask is for parts.
// CHECK-LABEL: func @part_products
// CHECK-NOT: deinterleave
// CHECK: scf.for
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} vector<8xf32>
// CHECK: %[[Y:.*]] = vector.transfer_read {{.*}} vector<8xf32>
// CHECK-DAG: %[[A:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0], sizes = [4]
// CHECK-DAG: %[[B:.*]] = vector.extract_strided_slice %[[Y]] {offsets = [0], sizes = [4]
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]] fastmath<contract> : vector<4xf32>
// CHECK: arith.addf %{{.*}}, %[[P]] fastmath<contract>
// CHECK: vector.extract_strided_slice %[[X]] {offsets = [4], sizes = [4]
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: %[[MASK:.*]] = arith.cmpi {{.*}} : vector<4xi32>
// CHECK: %[[BOTH:.*]] = vector.interleave %[[MASK]], %[[MASK]] : vector<4xi1>
// CHECK: %[[ALL:.*]] = arith.mulf {{.*}} : vector<8xf32>
// CHECK: %[[LEFT:.*]] = arith.select %[[BOTH]], %[[ALL]]
// CHECK: vector.extract_strided_slice %[[LEFT]] {offsets = [0], sizes = [4]
// CHECK: vector.extract_strided_slice %[[LEFT]] {offsets = [4], sizes = [4]
// CHECK-NOT: deinterleave
// CHECK: return
func.func @part_products(%a: tensor<?xcomplex<f32>>, %b: tensor<?xcomplex<f32>>,
    %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 1, masked>}
         ins(%a, %b : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) outs(%c : tensor<f32>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %s: f32):
    %1 = complex.conj %x : complex<f32>
    %2 = complex.mul %1, %y fastmath<contract> : complex<f32>
    %3 = complex.re %2 : complex<f32>
    %4 = arith.addf %s, %3 fastmath<reassoc,contract> : f32
    linalg.yield %4 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A real part of another product is a difference.
// CHECK-LABEL: func @differences
// CHECK: vector.deinterleave
func.func @differences(%a: tensor<64xcomplex<f32>>, %b: tensor<64xcomplex<f32>>,
    %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 1, masked>}
         ins(%a, %b : tensor<64xcomplex<f32>>, tensor<64xcomplex<f32>>) outs(%c : tensor<f32>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %s: f32):
    %1 = complex.mul %x, %y fastmath<contract> : complex<f32>
    %2 = complex.re %1 : complex<f32>
    %3 = arith.addf %s, %2 fastmath<reassoc,contract> : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
