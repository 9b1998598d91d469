// RUN: ein-opt %s --ein-vectorize-tiles -canonicalize -cse | FileCheck %s

#in = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>

// A row is left at the first two vectors in which a number is equal; these are
// looked at one by one, the last one under a mask.
// CHECK-LABEL: func @masked
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>, %[[S:[^:]*]]: tensor<f32>, %[[Y:[^:]*]]: tensor<i64>
// CHECK-DAG: %[[NONE:.*]] = arith.constant 9223372036854775807 : i64
// CHECK-DAG: %[[STEP:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[LANES:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[END:.*]] = tensor.dim %[[X]]
// CHECK: %[[AT:.*]] = scf.while (%[[I:.*]] = %[[ZERO]]) : (index) -> index {
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[NEXT]], %[[END]]
// CHECK: %[[ON:.*]] = scf.if %[[FITS]] -> (i1) {
// CHECK: %[[FIRST:.*]] = arith.cmpf oeq, {{.*}} : vector<16xf32>
// CHECK: %[[SECOND:.*]] = arith.cmpf oeq, {{.*}} : vector<16xf32>
// CHECK: %[[BOTH:.*]] = arith.ori %[[FIRST]], %[[SECOND]] : vector<16xi1>
// CHECK: %[[HIT:.*]] = vector.reduction <or>, %[[BOTH]]
// CHECK: %[[ELSEWHERE:.*]] = arith.xori %[[HIT]], %true
// CHECK: scf.yield %[[ELSEWHERE]]
// CHECK: } else {
// CHECK: scf.yield %false
// CHECK: scf.condition(%[[ON]]) %[[I]]
// CHECK: scf.for %{{.*}} = %[[AT]] to %{{.*}} step %[[LANES]] iter_args(%{{.*}} = %[[END]])
// CHECK: %[[MASK:.*]] = arith.cmpi sgt, %{{.*}} : vector<16xi32>
// CHECK: vector.transfer_read %[[X]]{{.*}}, %[[MASK]]
// CHECK: %[[IN:.*]] = arith.andi %{{.*}}, %[[MASK]] : vector<16xi1>
// CHECK: %[[BITS:.*]] = vector.bitcast %[[IN]] : vector<16xi1> to vector<1xi16>
// CHECK: math.cttz
// CHECK: arith.minsi %{{.*}} : index
// CHECK: %[[IS:.*]] = arith.cmpi slt, %{{.*}}, %[[END]]
// CHECK: arith.select %[[IS]], %{{.*}}, %[[NONE]] : i64
// CHECK: tensor.insert %{{.*}} into
func.func @masked(%x: tensor<?xf32>, %s: tensor<f32>, %y: tensor<i64>) -> tensor<i64> {
  %none = arith.constant 9223372036854775807 : i64
  %start = linalg.fill {ein.schedule = #ein.schedule<>} ins(%none : i64) outs(%y : tensor<i64>) -> tensor<i64>
  %0 = linalg.generic {indexing_maps = [#in, #one, #one], iterator_types = ["reduction"]}
    ins(%x, %s : tensor<?xf32>, tensor<f32>) outs(%start : tensor<i64>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0], vector = d0: 16, accumulators = 2, masked>} {
  ^bb0(%a: f32, %b: f32, %out: i64):
    %is = arith.cmpf oeq, %a, %b : f32
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %at = arith.select %is, %n, %none : i64
    %least = arith.minsi %out, %at : i64
    linalg.yield %least : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}

// Without masks, whole vectors and then the rest, element by element.
// CHECK-LABEL: func @plain
// CHECK: %[[AT:.*]] = scf.while
// CHECK: %[[FOUND:.*]] = scf.for %{{.*}} = %[[AT]] to %[[MIDDLE:.*]] step %c8
// CHECK-NOT: vector<8xi32>
// CHECK: vector.bitcast %{{.*}} : vector<8xi1> to vector<1xi8>
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to %{{.*}} step %c1 iter_args(%{{.*}} = %[[FOUND]])
// CHECK-NOT: vector<8xi32>
// CHECK: return
func.func @plain(%x: tensor<?xf32>, %s: tensor<f32>, %y: tensor<i64>) -> tensor<i64> {
  %none = arith.constant 9223372036854775807 : i64
  %start = linalg.fill {ein.schedule = #ein.schedule<>} ins(%none : i64) outs(%y : tensor<i64>) -> tensor<i64>
  %0 = linalg.generic {indexing_maps = [#in, #one, #one], iterator_types = ["reduction"]}
    ins(%x, %s : tensor<?xf32>, tensor<f32>) outs(%start : tensor<i64>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0], vector = d0: 8, accumulators = 4>} {
  ^bb0(%a: f32, %b: f32, %out: i64):
    %is = arith.cmpf oeq, %a, %b : f32
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %at = arith.select %is, %n, %none : i64
    %least = arith.minsi %out, %at : i64
    linalg.yield %least : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}

// Which of two conditions is searched for is asked once for a row.
// CHECK-LABEL: func @choice
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xi16>, %[[S:[^:]*]]: tensor<i16>
// CHECK: %[[NUMBER:.*]] = tensor.extract %[[S]]
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[NUMBER]], %{{.*}} : i16
// CHECK: scf.if %[[IS]] -> (index) {
// CHECK: scf.while
// CHECK: arith.cmpi sgt, {{.*}} : vector<16xi16>
// CHECK: } else {
// CHECK: scf.while
// CHECK: arith.cmpi eq, {{.*}} : vector<16xi16>
// CHECK-NOT: arith.select {{.*}} : vector<16xi1>
// CHECK: return
func.func @choice(%x: tensor<?xi16>, %s: tensor<i16>, %y: tensor<i64>) -> tensor<i64> {
  %none = arith.constant 9223372036854775807 : i64
  %zero = arith.constant 0 : i16
  %start = linalg.fill {ein.schedule = #ein.schedule<>} ins(%none : i64) outs(%y : tensor<i64>) -> tensor<i64>
  %0 = linalg.generic {indexing_maps = [#in, #one, #one], iterator_types = ["reduction"]}
    ins(%x, %s : tensor<?xi16>, tensor<i16>) outs(%start : tensor<i64>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0], vector = d0: 16, accumulators = 4>} {
  ^bb0(%a: i16, %b: i16, %out: i64):
    %isZero = arith.cmpi eq, %b, %zero : i16
    %above = arith.cmpi sgt, %a, %zero : i16
    %same = arith.cmpi eq, %a, %b : i16
    %is = arith.select %isZero, %above, %same : i1
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %at = arith.select %is, %n, %none : i64
    %least = arith.minsi %out, %at : i64
    linalg.yield %least : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}
