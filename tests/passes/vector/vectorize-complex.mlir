// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -split-input-file | FileCheck %s

#d0 = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#row = {ein.schedule = #ein.schedule<loops = [d0: 4], vector = d0, masked>}

// A vector of complex numbers is one of their parts by turns. Factors are
// shuffled in pairs of lanes.
// CHECK-LABEL: func @product
// CHECK-SAME: %[[A:[^:]*]]: tensor<4xcomplex<f32>>, %[[B:[^:]*]]: tensor<4xcomplex<f32>>, %[[C:[^:]*]]: tensor<4xcomplex<f32>>
// CHECK: %[[AS_PARTS:.*]] = ein.reinterpret %[[A]] : tensor<4xcomplex<f32>> to tensor<8xf32>
// CHECK: %[[X:.*]] = vector.transfer_read %[[AS_PARTS]]{{.*}} {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
// CHECK: %[[Y:.*]] = vector.transfer_read {{.*}} : tensor<8xf32>, vector<8xf32>
// CHECK-DAG: %[[RE:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0, 2, 2, 4, 4, 6, 6]
// CHECK-DAG: %[[IM:.*]] = vector.shuffle %[[X]], %[[X]] [1, 1, 3, 3, 5, 5, 7, 7]
// CHECK-DAG: %[[SWAPPED:.*]] = vector.shuffle %[[Y]], %[[Y]] [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK-DAG: %[[STRAIGHT:.*]] = arith.mulf %[[RE]], %[[Y]] fastmath<contract>
// CHECK-DAG: %[[ACROSS:.*]] = arith.mulf %[[IM]], %[[SWAPPED]] fastmath<contract>
// CHECK-DAG: %[[LESS:.*]] = arith.subf %[[STRAIGHT]], %[[ACROSS]]
// CHECK-DAG: %[[MORE:.*]] = arith.addf %[[STRAIGHT]], %[[ACROSS]]
// CHECK: %[[PRODUCT:.*]] = vector.shuffle %[[LESS]], %[[MORE]] [0, 9, 2, 11, 4, 13, 6, 15]
// CHECK: vector.transfer_write %[[PRODUCT]]
// CHECK: ein.reinterpret {{.*}} : tensor<8xf32> to tensor<4xcomplex<f32>>
func.func @product(%a: tensor<4xcomplex<f32>>, %b: tensor<4xcomplex<f32>>,
                   %c: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = linalg.generic {indexing_maps = [#d0, #d0, #d0], iterator_types = ["parallel"]}
    ins(%a, %b : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>)
    outs(%c : tensor<4xcomplex<f32>>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 4], vector = d0, masked>} {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %z: complex<f32>):
    %1 = complex.mul %x, %y fastmath<contract> : complex<f32>
    linalg.yield %1 : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// Of a number that is the same for all it is that number which is shuffled, and
// which has the signs; the last vector may end before.
#d0 = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
// CHECK-LABEL: func @scaled
// CHECK: %[[S:.*]] = vector.interleave
// CHECK: %[[RE:.*]] = vector.shuffle %[[S]], %[[S]] [0, 0, 2, 2, 4, 4, 6, 6]
// CHECK: %[[IM:.*]] = vector.shuffle %[[S]], %[[S]] [1, 1, 3, 3, 5, 5, 7, 7]
// CHECK: %[[LESS:.*]] = arith.negf %[[IM]]
// CHECK: %[[SIGNED:.*]] = vector.shuffle %[[LESS]], %[[IM]] [0, 9, 2, 11, 4, 13, 6, 15]
// CHECK: %[[STRAIGHT:.*]] = arith.mulf %[[RE]], %[[X:.*]] fastmath<contract>
// CHECK: %[[SWAPPED:.*]] = vector.shuffle %[[X]], %[[X]] [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK: %[[ACROSS:.*]] = arith.mulf %[[SIGNED]], %[[SWAPPED]] fastmath<contract>
// CHECK: %[[PRODUCT:.*]] = arith.addf %[[STRAIGHT]], %[[ACROSS]] fastmath<contract>
// CHECK: vector.transfer_write %[[PRODUCT]], {{.*}} : vector<8xf64>, tensor<?xf64>
func.func @scaled(%a: tensor<?xcomplex<f64>>, %s: complex<f64>,
                  %c: tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  %0 = linalg.generic {indexing_maps = [#d0, #none, #d0], iterator_types = ["parallel"]}
    ins(%a, %s : tensor<?xcomplex<f64>>, complex<f64>)
    outs(%c : tensor<?xcomplex<f64>>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 4], vector = d0, masked>} {
  ^bb0(%x: complex<f64>, %y: complex<f64>, %z: complex<f64>):
    %1 = complex.mul %x, %y fastmath<contract> : complex<f64>
    linalg.yield %1 : complex<f64>
  } -> tensor<?xcomplex<f64>>
  return %0 : tensor<?xcomplex<f64>>
}

// -----

// If the other factor is conjugated, the real part has the signs.
#d0 = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @turned
// CHECK: %[[S:.*]] = vector.interleave
// CHECK: %[[RE:.*]] = vector.shuffle %[[S]], %[[S]] [0, 0, 2, 2, 4, 4, 6, 6]
// CHECK: %[[IM:.*]] = vector.shuffle %[[S]], %[[S]] [1, 1, 3, 3, 5, 5, 7, 7]
// CHECK: %[[LESS:.*]] = arith.negf %[[RE]]
// CHECK: %[[SIGNED:.*]] = vector.shuffle %[[RE]], %[[LESS]] [0, 9, 2, 11, 4, 13, 6, 15]
// CHECK: %[[STRAIGHT:.*]] = arith.mulf %[[SIGNED]], %[[X:.*]] fastmath<contract>
// CHECK: %[[SWAPPED:.*]] = vector.shuffle %[[X]], %[[X]] [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK: %[[ACROSS:.*]] = arith.mulf %[[IM]], %[[SWAPPED]] fastmath<contract>
// CHECK: arith.addf %[[STRAIGHT]], %[[ACROSS]] fastmath<contract>
func.func @turned(%a: tensor<4xcomplex<f32>>, %c: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %s = complex.constant [2.0 : f32, 3.0 : f32] : complex<f32>
  %0 = linalg.generic {indexing_maps = [#d0, #d0], iterator_types = ["parallel"]}
    ins(%a : tensor<4xcomplex<f32>>) outs(%c : tensor<4xcomplex<f32>>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 4], vector = d0, masked>} {
  ^bb0(%x: complex<f32>, %z: complex<f32>):
    %1 = complex.conj %x : complex<f32>
    %2 = complex.mul %s, %1 fastmath<contract> : complex<f32>
    linalg.yield %2 : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// What looks at parts has them taken apart.
#d0 = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @parts
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} : tensor<8xf32>, vector<8xf32>
// CHECK: %[[RE:.*]], %[[IM:.*]] = vector.deinterleave %[[X]]
// CHECK: %[[MINUS:.*]] = arith.negf %[[IM]]
// CHECK: arith.cmpf oeq
// CHECK: arith.andi
// CHECK: %[[R:.*]] = arith.select {{.*}}vector<4xf32>
// CHECK: %[[I:.*]] = arith.select {{.*}}vector<4xf32>
// CHECK: vector.interleave %[[R]], %[[I]]
func.func @parts(%a: tensor<4xcomplex<f32>>, %c: tensor<4xcomplex<f32>>)
    -> tensor<4xcomplex<f32>> {
  %0 = linalg.generic {indexing_maps = [#d0, #d0], iterator_types = ["parallel"]}
    ins(%a : tensor<4xcomplex<f32>>) outs(%c : tensor<4xcomplex<f32>>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 4], vector = d0, masked>} {
  ^bb0(%x: complex<f32>, %z: complex<f32>):
    %1 = complex.conj %x : complex<f32>
    %2 = complex.eq %x, %1 : complex<f32>
    %3 = complex.neg %x : complex<f32>
    %4 = arith.select %2, %3, %1 : complex<f32>
    linalg.yield %4 : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// As conjugates, and as sums, they stay as they lie.
#d0 = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @together
// CHECK: vector.transfer_read
// CHECK: %[[X:.*]] = vector.transfer_read
// CHECK-NOT: deinterleave
// CHECK: %[[MINUS:.*]] = arith.negf %[[X]]
// CHECK: vector.shuffle %[[X]], %[[MINUS]] [0, 9, 2, 11, 4, 13, 6, 15]
// CHECK: arith.addf
// CHECK: arith.subf
func.func @together(%a: tensor<4xcomplex<f32>>, %c: tensor<4xcomplex<f32>>)
    -> tensor<4xcomplex<f32>> {
  %0 = linalg.generic {indexing_maps = [#d0, #d0], iterator_types = ["parallel"]}
    ins(%a : tensor<4xcomplex<f32>>) outs(%c : tensor<4xcomplex<f32>>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 4], vector = d0, masked>} {
  ^bb0(%x: complex<f32>, %z: complex<f32>):
    %1 = complex.conj %x : complex<f32>
    %2 = complex.add %x, %1 : complex<f32>
    %3 = complex.sub %2, %z : complex<f32>
    linalg.yield %3 : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
