// RUN: ein-opt %s --ein-expand-math | FileCheck %s

module {

// What is chosen seldom is computed in a branch, and both selects are in one.
// CHECK-LABEL: func @both
// CHECK-SAME: %[[X:[^:]*]]: vector<8xf32>, %[[RARE:[^:]*]]: vector<8xi1>
// CHECK-NOT: math.sqrt
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[RARE]]
// CHECK: %[[BOTH:.*]]:2 = scf.if %[[ANY]] -> (vector<8xf32>, vector<8xf32>)
// CHECK-DAG: math.sqrt %[[X]]
// CHECK-DAG: math.floor %[[X]]
// CHECK: arith.select %[[RARE]]
// CHECK: arith.select %[[RARE]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[X]], %[[X]]
// CHECK: arith.addf %[[BOTH]]#0, %[[BOTH]]#1
func.func @both(%x: vector<8xf32>, %rare: vector<8xi1>) -> vector<8xf32> {
  %a = math.sqrt %x : vector<8xf32>
  %b = math.floor %x : vector<8xf32>
  %0 = arith.select %rare, %a, %x {ein.seldom} : vector<8xi1>, vector<8xf32>
  %1 = arith.select %rare, %b, %x {ein.seldom} : vector<8xi1>, vector<8xf32>
  %2 = arith.addf %0, %1 : vector<8xf32>
  return %2 : vector<8xf32>
}

// The second one needs the first one's result, and stays a select.
// CHECK-LABEL: func @used
// CHECK: %[[FIRST:.*]] = scf.if
// CHECK: %[[NEXT:.*]] = arith.addf %[[FIRST]]
// CHECK: arith.select %{{.*}}, %[[NEXT]]
// CHECK-NOT: ein.seldom
func.func @used(%x: vector<8xf32>, %rare: vector<8xi1>) -> vector<8xf32> {
  %a = math.sqrt %x : vector<8xf32>
  %0 = arith.select %rare, %a, %x {ein.seldom} : vector<8xi1>, vector<8xf32>
  %b = arith.addf %0, %x : vector<8xf32>
  %1 = arith.select %rare, %b, %x {ein.seldom} : vector<8xi1>, vector<8xf32>
  return %1 : vector<8xf32>
}

// Of numbers, the condition itself is asked.
// CHECK-LABEL: func @number
// CHECK-SAME: %[[X:[^:]*]]: f32, %[[RARE:[^:]*]]: i1
// CHECK: scf.if %[[RARE]]
func.func @number(%x: f32, %rare: i1) -> f32 {
  %a = math.sqrt %x : f32
  %0 = arith.select %rare, %a, %x {ein.seldom} : f32
  return %0 : f32
}

}
