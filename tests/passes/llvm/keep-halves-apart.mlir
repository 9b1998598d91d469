// RUN: ein-opt %s --ein-keep-halves-apart | FileCheck %s --check-prefix=PLAIN
// RUN: sed 's/^module/& attributes {ein.instructions = {look_ups, \
// RUN:     vector_bits = 128}}/' %s | ein-opt --ein-keep-halves-apart | FileCheck %s
// RUN: sed 's/^module/& attributes {ein.instructions = {look_ups, \
// RUN:     vector_bits = 128}}/' %s \
// RUN:   | ein-opt --ein-keep-halves-apart --ein-expand-half-floats \
// RUN:   | FileCheck %s --check-prefix=JOIN

// PLAIN-NOT: vector.shuffle

module {

// Four even numbers and four odd ones take turns, and are put in order behind
// the rounding.
// CHECK-LABEL: func @sums
// CHECK: %[[PAIRS:.*]] = vector.bitcast %arg0 : vector<16xbf16> to vector<8xi32>
// CHECK: %[[SHIFTED:.*]] = arith.shli %[[PAIRS]], %{{.*}}
// CHECK: %[[MASKED:.*]] = arith.andi %[[PAIRS]], %{{.*}}
// CHECK: %[[EVEN:.*]] = arith.bitcast %[[SHIFTED]] : vector<8xi32> to vector<8xf32>
// CHECK: %[[ODD:.*]] = arith.bitcast %[[MASKED]] : vector<8xi32> to vector<8xf32>
// CHECK: %[[X:.*]] = vector.shuffle %[[EVEN]], %[[ODD]] [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15]
// CHECK: arith.addf %[[X]], %{{.*}} : vector<16xf32>
// CHECK: %[[H:.*]] = arith.truncf
// CHECK: %[[R:.*]] = vector.shuffle %[[H]], %[[H]] [0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15]
// CHECK: return %[[R]]
// Odd ones are where they belong. A NaN has no last bits to round.
// JOIN-LABEL: func @sums
// JOIN: %[[SUM:.*]] = arith.addf
// JOIN-NOT: arith.cmpf
// JOIN: arith.addi %{{.*}} : vector<16xi32>
// JOIN: %[[ROUNDED:.*]] = arith.addi %{{.*}} : vector<16xi32>
// JOIN: %[[EVEN:.*]] = vector.shuffle %[[ROUNDED]], %[[ROUNDED]] [0, 1, 2, 3, 8, 9, 10, 11]
// JOIN: %[[ODD:.*]] = vector.shuffle %[[ROUNDED]], %[[ROUNDED]] [4, 5, 6, 7, 12, 13, 14, 15]
// JOIN: %[[LOW:.*]] = arith.shrui %[[EVEN]]
// JOIN: vector.shuffle %{{.*}}, %{{.*}} [0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31]
func.func @sums(%a: vector<16xbf16>) -> vector<16xbf16> {
  %x = arith.extf %a : vector<16xbf16> to vector<16xf32>
  %one = arith.constant dense<1.0> : vector<16xf32>
  %0 = arith.addf %x, %one : vector<16xf32>
  %1 = arith.truncf %0 : vector<16xf32> to vector<16xbf16>
  return %1 : vector<16xbf16>
}

// A number of f32 may have a NaN that is rounded to something else.
// JOIN-LABEL: func @number
// JOIN: arith.cmpf uno
// JOIN: arith.select
// JOIN: vector.shuffle %{{.*}} [0, 1, 2, 3]
func.func @number(%a: vector<8xbf16>, %s: f32) -> vector<8xbf16> {
  %x = arith.extf %a : vector<8xbf16> to vector<8xf32>
  %y = vector.broadcast %s : f32 to vector<8xf32>
  %0 = arith.addf %x, %y : vector<8xf32>
  %1 = arith.truncf %0 : vector<8xf32> to vector<8xbf16>
  return %1 : vector<8xbf16>
}

// What comes in, or leaves, otherwise is in order; and half a register is.
// CHECK-LABEL: func @others
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @others(%a: vector<8xbf16>, %b: vector<8xf32>, %c: vector<4xbf16>) -> (vector<8xbf16>, vector<8xf32>, vector<4xbf16>) {
  %x = arith.extf %a : vector<8xbf16> to vector<8xf32>
  %0 = arith.addf %x, %b : vector<8xf32>
  %1 = arith.truncf %0 : vector<8xf32> to vector<8xbf16>
  %y = arith.extf %a : vector<8xbf16> to vector<8xf32>
  %2 = arith.mulf %y, %y : vector<8xf32>
  %z = arith.extf %c : vector<4xbf16> to vector<4xf32>
  %3 = arith.mulf %z, %z : vector<4xf32>
  %4 = arith.truncf %3 : vector<4xf32> to vector<4xbf16>
  return %1, %2, %4 : vector<8xbf16>, vector<8xf32>, vector<4xbf16>
}

}
