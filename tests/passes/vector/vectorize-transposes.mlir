// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -cse -split-input-file | FileCheck %s
// RUN: ein-opt %s -ein-vectorize-tiles -split-input-file \
// RUN:   | FileCheck %s --check-prefix=GONE
// GONE-NOT: linalg.transpose

// Both dims of whole blocks: four rows are read, eight shuffles transpose them,
// and four are written.
// CHECK-LABEL: func @blocks
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c12
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c8
// CHECK-COUNT-4: vector.transfer_read %arg0[{{.*}} : tensor<8x12xf32>, vector<4xf32>
// CHECK-NOT: vector.transfer_read
// CHECK-COUNT-8: vector.shuffle {{.*}} : vector<4xf32>, vector<4xf32>
// CHECK-COUNT-4: vector.transfer_write
// CHECK-NOT: vector.transfer
// CHECK: return
func.func @blocks(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %0 = linalg.transpose ins(%a : tensor<8x12xf32>) outs(%b : tensor<12x8xf32>) permutation = [1, 0]
         {ein.schedule = #ein.schedule<squares = 4>}
  return %0 : tensor<12x8xf32>
}

// -----

// At the edge only what is there is read and written: 2 rows of 3 elements.
// CHECK-LABEL: func @edges
// CHECK: %[[WRITE:.*]] = vector.constant_mask [2] : vector<4xi1>
// CHECK: %[[READ:.*]] = vector.constant_mask [3] : vector<4xi1>
// CHECK-COUNT-2: vector.transfer_read {{.*}}, %[[READ]] {
// CHECK-NOT: vector.transfer_read
// CHECK-COUNT-3: vector.transfer_write {{.*}}, %[[WRITE]] {
// CHECK-NOT: vector.transfer
// CHECK: return
func.func @edges(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<3x2xf32>) permutation = [1, 0]
         {ein.schedule = #ein.schedule<squares = 4>}
  return %0 : tensor<3x2xf32>
}

// -----

// Contiguous along the same dim: rows are copied, the last elements masked.
// CHECK-LABEL: func @rows
// CHECK-NOT: vector.shuffle
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c3
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c2
// CHECK: vector.transfer_read %arg0[%[[J]], %[[I]], %{{[^]]*}}], %{{[^,]*}} {in_bounds
// CHECK: vector.transfer_write {{.*}}[%[[I]], %[[J]], %{{.*}}]
// CHECK: vector.transfer_read %arg0[%[[J]], %[[I]], %{{[^]]*}}], %{{[^,]*}}, %{{[^,]*}} {in_bounds
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @rows(%a: tensor<2x3x7xf64>, %b: tensor<3x2x7xf64>) -> tensor<3x2x7xf64> {
  %0 = linalg.transpose ins(%a : tensor<2x3x7xf64>) outs(%b : tensor<3x2x7xf64>) permutation = [1, 0, 2]
         {ein.schedule = #ein.schedule<squares = 4>}
  return %0 : tensor<3x2x7xf64>
}

// -----

// Dynamic sizes: rows behind the end are the last one. In the result they are
// written first, and the last one after them, over what they are.
// CHECK-LABEL: func @dynamic
// CHECK: %[[ROWS:.*]] = arith.cmpi {{.*}} : vector<4xi32>
// CHECK: arith.minsi
// CHECK: vector.transfer_write {{.*}}, %[[ROWS]] {in_bounds
// CHECK: scf.for %[[LAST:.*]] = %[[WHOLE:.*]] to %[[END:.*]] step %c4
// CHECK-COUNT-2: arith.minsi
// CHECK: %[[THIRD:.*]] = affine.apply #{{.*}}(%[[LAST]])
// CHECK: %[[BEHIND:.*]] = arith.minsi %[[THIRD]], %{{.*}}
// CHECK: scf.for
// CHECK: arith.cmpi {{.*}} : vector<4xi32>
// CHECK: vector.transfer_write %{{.*}}[%[[BEHIND]], %{{.*}}] {in_bounds
// CHECK: vector.transfer_write %{{.*}}[%[[LAST]], %{{.*}}] {in_bounds
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) permutation = [1, 0]
         {ein.schedule = #ein.schedule<squares = 4>}
  return %0 : tensor<?x?xf32>
}

// -----

// What is added to is read of what the loops carry, before the square is written.
// CHECK-LABEL: func @added
// CHECK: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %arg1)
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[OUTER]])
// CHECK-COUNT-4: vector.transfer_read %[[CARRIED]]
// CHECK-COUNT-4: vector.transfer_read %arg0
// CHECK: arith.addf
// CHECK: vector.transfer_write {{.*}}, %[[CARRIED]]
// CHECK-NOT: %arg1
// CHECK: return
func.func @added(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"], ein.schedule = #ein.schedule<squares = 4>}
    ins(%a : tensor<8x12xf32>) outs(%b : tensor<12x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %y, %x : f32
    linalg.yield %s : f32
  } -> tensor<12x8xf32>
  return %0 : tensor<12x8xf32>
}

// -----

// Complex numbers of two f32 are moved as f64.
// CHECK-LABEL: func @complex
// CHECK: %[[FROM:.*]] = ein.reinterpret %arg0 : tensor<8x12xcomplex<f32>> to tensor<8x12xf64>
// CHECK-COUNT-4: vector.transfer_read %[[FROM]][{{.*}} : tensor<8x12xf64>, vector<4xf64>
// CHECK: ein.reinterpret {{.*}} : tensor<12x8xf64> to tensor<12x8xcomplex<f32>>
func.func @complex(%a: tensor<8x12xcomplex<f32>>, %b: tensor<12x8xcomplex<f32>>) -> tensor<12x8xcomplex<f32>> {
  %0 = linalg.transpose ins(%a : tensor<8x12xcomplex<f32>>) outs(%b : tensor<12x8xcomplex<f32>>) permutation = [1, 0]
         {ein.schedule = #ein.schedule<squares = 4>}
  return %0 : tensor<12x8xcomplex<f32>>
}

// -----

// Blocks of 8 by 8, in them squares of 4 by 4; those at the edges belong to
// the blocks that they are in.
// CHECK-LABEL: func @blocked
// CHECK: scf.for %[[I:.*]] = %c0 to %c30 step %c8
// CHECK: scf.for %[[J:.*]] = %c0 to %c20 step %c8
// CHECK: %[[JEND:.*]] = affine.min #{{.*}}(%[[J]])
// CHECK: %[[WHOLE:.*]] = affine.apply #{{.*}}(%[[J]], %[[JEND]])
// CHECK: scf.for %[[Y:.*]] = %[[J]] to %[[WHOLE]] step %c4
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %{{.*}} step %c4
// CHECK-COUNT-4: vector.transfer_read %arg0[%{{.*}}, %[[Y]]], {{.*}} vector<4xf32>
// CHECK: vector.transfer_write {{.*}}[%[[Y]], %[[X]]]
func.func @blocked(%a: tensor<30x20xf32>, %b: tensor<20x30xf32>) -> tensor<20x30xf32> {
  %0 = linalg.transpose ins(%a : tensor<30x20xf32>) outs(%b : tensor<20x30xf32>) permutation = [1, 0]
         {ein.schedule = #ein.schedule<squares = 4, loops = [d1: 8, d0: 8]>}
  return %0 : tensor<20x30xf32>
}

// -----

// What the body does is done with the result's rows: a conversion of what is
// transposed, a sum with what is not, of which an element per row is repeated.
// CHECK-LABEL: func @body
// CHECK-COUNT-4: vector.transfer_read %arg0[{{.*}} vector<4xf32>
// CHECK-COUNT-8: vector.shuffle
// CHECK-DAG: %[[Y:.*]] = vector.transfer_read %arg1[{{.*}} vector<4xf64>
// CHECK-DAG: %[[E:.*]] = tensor.extract %arg2[
// CHECK-DAG: %[[X:.*]] = arith.extf %{{.*}} : vector<4xf32> to vector<4xf64>
// CHECK-DAG: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : vector<4xf64>
// CHECK-DAG: %[[Z:.*]] = vector.broadcast %[[E]] : f64 to vector<4xf64>
// CHECK: %[[T:.*]] = arith.mulf %[[S]], %[[Z]] : vector<4xf64>
// CHECK: vector.transfer_write %[[T]]
func.func @body(%a: tensor<8x12xf32>, %b: tensor<12x8xf64>, %c: tensor<12xf64>, %d: tensor<12x8xf64>) -> tensor<12x8xf64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b, %c : tensor<8x12xf32>, tensor<12x8xf64>, tensor<12xf64>) outs(%d : tensor<12x8xf64>)
    attrs = {ein.schedule = #ein.schedule<squares = 4>} {
  ^bb0(%x: f32, %y: f64, %z: f64, %w: f64):
    %e = arith.extf %x : f32 to f64
    %s = arith.addf %e, %y : f64
    %t = arith.mulf %s, %z : f64
    linalg.yield %t : f64
  } -> tensor<12x8xf64>
  return %0 : tensor<12x8xf64>
}
