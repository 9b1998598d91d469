// RUN: ein-opt %s -ein-vectorize-transposes -canonicalize -cse -split-input-file | FileCheck %s
// RUN: ein-opt %s -ein-vectorize-transposes -split-input-file \
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
         {ein.strategy = {kind = "transpose", lanes = 4}}
  return %0 : tensor<12x8xf32>
}

// -----

// At the edge only what is there is read and written: 2 rows of 3 elements.
// CHECK-LABEL: func @edges
// CHECK: %[[READ:.*]] = vector.constant_mask [3] : vector<4xi1>
// CHECK-COUNT-2: vector.transfer_read {{.*}}, %[[READ]] {
// CHECK-NOT: vector.transfer_read
// CHECK: %[[WRITE:.*]] = vector.constant_mask [2] : vector<4xi1>
// CHECK-COUNT-3: vector.transfer_write {{.*}}, %[[WRITE]] {
// CHECK-NOT: vector.transfer
// CHECK: return
func.func @edges(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<3x2xf32>) permutation = [1, 0]
         {ein.strategy = {kind = "transpose", lanes = 4}}
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
         {ein.strategy = {kind = "transpose", lanes = 4}}
  return %0 : tensor<3x2x7xf64>
}

// -----

// Open sizes: rows behind the end are the last one, and are not written.
// CHECK-LABEL: func @open
// CHECK: arith.minsi
// CHECK: arith.select
// CHECK: vector.create_mask
func.func @open(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) permutation = [1, 0]
         {ein.strategy = {kind = "transpose", lanes = 4}}
  return %0 : tensor<?x?xf32>
}

// -----

// Complex numbers of two f32 are moved as f64.
// CHECK-LABEL: func @complex
// CHECK: %[[FROM:.*]] = ein.reinterpret %arg0 : tensor<8x12xcomplex<f32>> to tensor<8x12xf64>
// CHECK-COUNT-4: vector.transfer_read %[[FROM]][{{.*}} : tensor<8x12xf64>, vector<4xf64>
// CHECK: ein.reinterpret {{.*}} : tensor<12x8xf64> to tensor<12x8xcomplex<f32>>
func.func @complex(%a: tensor<8x12xcomplex<f32>>, %b: tensor<12x8xcomplex<f32>>) -> tensor<12x8xcomplex<f32>> {
  %0 = linalg.transpose ins(%a : tensor<8x12xcomplex<f32>>) outs(%b : tensor<12x8xcomplex<f32>>) permutation = [1, 0]
         {ein.strategy = {kind = "transpose", lanes = 4}}
  return %0 : tensor<12x8xcomplex<f32>>
}
