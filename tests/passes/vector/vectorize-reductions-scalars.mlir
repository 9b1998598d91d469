// RUN: ein-opt %s --ein-vectorize-tiles -canonicalize -cse | FileCheck %s

// The sum stays a number, and what is computed of it is computed once.
// CHECK-LABEL: func @normalise
// CHECK-SAME: (%[[X:.*]]: tensor<16xf32>, %[[SUM:.*]]: f32
// CHECK-NOT: tensor.insert
// CHECK: %[[SCALED:.*]] = arith.mulf %[[SUM]], %{{.*}} : f32
// CHECK: %[[FACTOR:.*]] = math.rsqrt %[[SCALED]] : f32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[FACTOR]] : f32 to vector<16xf32>
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]]
// CHECK: arith.mulf %[[V]], %[[ALL]] : vector<16xf32>
func.func @normalise(%x: tensor<16xf32>, %sum: f32) -> vector<16xf32> {
  %poison = ub.poison : f32
  %c0 = arith.constant 0 : index
  %half = arith.constant dense<0.5> : vector<16xf32>
  %buffer = bufferization.alloc_tensor() : tensor<f32>
  %t = tensor.insert %sum into %buffer[] : tensor<f32>
  %all = vector.transfer_read %t[], %poison {in_bounds = [true], permutation_map = affine_map<() -> (0)>} : tensor<f32>, vector<16xf32>
  %scaled = arith.mulf %all, %half : vector<16xf32>
  %factor = math.rsqrt %scaled : vector<16xf32>
  %v = vector.transfer_read %x[%c0], %poison {in_bounds = [true]} : tensor<16xf32>, vector<16xf32>
  %r = arith.mulf %v, %factor : vector<16xf32>
  return %r : vector<16xf32>
}

// An op without loops is its body; the sum is read where it was computed.
// CHECK-LABEL: func @log_sum
// CHECK-SAME: (%[[TOP:.*]]: tensor<f32>, %[[SUM:.*]]: f32, %[[C:.*]]: tensor<f32>)
// CHECK-NOT: linalg
// CHECK-DAG: %[[T:.*]] = tensor.extract %[[TOP]][]
// CHECK-DAG: %[[LOG:.*]] = math.log %[[SUM]]
// CHECK: %[[R:.*]] = arith.addf %[[T]], %[[LOG]]
// CHECK: tensor.insert %[[R]] into %[[C]][]
func.func @log_sum(%top: tensor<f32>, %sum: f32, %c: tensor<f32>) -> tensor<f32> {
  %buffer = bufferization.alloc_tensor() : tensor<f32>
  %t = tensor.insert %sum into %buffer[] : tensor<f32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>],
         iterator_types = [], ein.schedule = #ein.schedule<>}
         ins(%top, %t : tensor<f32>, tensor<f32>) outs(%c : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %l = math.log %b : f32
    %s = arith.addf %a, %l : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// A library's function gets what it wants, and masks stay vectors.
// CHECK-LABEL: func @stays
// CHECK: linalg.generic
// CHECK: arith.cmpi sgt, %{{.*}} : vector<16xi32>
func.func @stays(%c: tensor<f32>, %n: i32, %numbers: vector<16xi32>) -> (tensor<f32>, vector<16xi1>) {
  %0 = linalg.generic {
         indexing_maps = [affine_map<() -> ()>], iterator_types = [],
         library_call = "twice", ein.schedule = #ein.schedule<call>}
         outs(%c : tensor<f32>) {
  ^bb0(%out: f32):
    %s = arith.addf %out, %out : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %all = vector.broadcast %n : i32 to vector<16xi32>
  %more = arith.addi %all, %all : vector<16xi32>
  %mask = arith.cmpi sgt, %more, %numbers : vector<16xi32>
  return %0, %mask : tensor<f32>, vector<16xi1>
}
