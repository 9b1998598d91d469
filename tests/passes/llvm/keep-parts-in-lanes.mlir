// RUN: ein-opt %s --ein-keep-parts-in-lanes | FileCheck %s --check-prefix=PLAIN
// RUN: sed 's/^module/& attributes {ein.instructions = {look_ups, \
// RUN:     vector_bits = 256}}/' %s | ein-opt --ein-keep-parts-in-lanes | FileCheck %s
// RUN: sed 's/^module/& attributes {ein.instructions = {look_ups, avx512, \
// RUN:     vector_bits = 512}}/' %s | ein-opt --ein-keep-parts-in-lanes \
// RUN:   | FileCheck %s --check-prefix=WIDE

// PLAIN-NOT: vector.shuffle

module {

// What is computed element by element is in the order of two registers that are
// shuffled in halves, and is put together from it.
// CHECK-LABEL: func @quotients
// CHECK: %[[A:.*]] = vector.shuffle %arg0, %arg0 [0, 2, 8, 10, 4, 6, 12, 14]
// CHECK: %[[B:.*]] = vector.shuffle %arg0, %arg0 [1, 3, 9, 11, 5, 7, 13, 15]
// CHECK: %[[Q:.*]] = arith.divf %[[A]], %[[B]]
// CHECK: %[[M:.*]] = arith.mulf %[[Q]], %{{.*}}
// CHECK: vector.shuffle %[[Q]], %[[M]] [0, 8, 1, 9, 4, 12, 5, 13, 2, 10, 3, 11, 6, 14, 7, 15]
func.func @quotients(%z: vector<16xf32>) -> vector<16xf32> {
  %two = arith.constant dense<2.0> : vector<8xf32>
  %a, %b = vector.deinterleave %z : vector<16xf32> -> vector<8xf32>
  %q = arith.divf %a, %b : vector<8xf32>
  %m = arith.mulf %q, %two : vector<8xf32>
  %r = vector.interleave %q, %m : vector<8xf32> -> vector<16xf32>
  return %r : vector<16xf32>
}

// Squares are of the shuffled parts, and stay so.
// CHECK-LABEL: func @fenced
// CHECK: %[[A:.*]] = vector.shuffle %arg0, %arg0 [0, 2, 8, 10, 4, 6, 12, 14]
// CHECK: %[[FA:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[A]])
// CHECK: %[[B:.*]] = vector.shuffle %arg0, %arg0 [1, 3, 9, 11, 5, 7, 13, 15]
// CHECK: %[[FB:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[B]])
// CHECK: arith.mulf %[[FA]], %[[FA]]
// CHECK: %[[N:.*]] = arith.negf %[[B]]
// CHECK: arith.mulf %[[FB]], %[[N]]
func.func @fenced(%z: vector<16xf32>) -> vector<16xf32> {
  %a, %b = vector.deinterleave %z : vector<16xf32> -> vector<8xf32>
  %aa = arith.mulf %a, %a : vector<8xf32>
  %n = arith.negf %b : vector<8xf32>
  %bb = arith.mulf %b, %n : vector<8xf32>
  %q = arith.subf %aa, %bb : vector<8xf32>
  %r = vector.interleave %q, %a : vector<8xf32> -> vector<16xf32>
  return %r : vector<16xf32>
}

// Four blocks of 128 bits in a register.
// WIDE-LABEL: func @wide
// WIDE: vector.shuffle %arg0, %arg0 [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30]
// WIDE: vector.shuffle %arg0, %arg0 [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31]
// WIDE: %[[Q:.*]] = arith.divf
// WIDE: vector.shuffle %{{.*}}, %[[Q]] [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29,
// WIDE-SAME: 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31]
// WIDE-LABEL: func @wide_squares
// WIDE-COUNT-2: "llvm.arithmetic.fence"
func.func @wide(%z: vector<32xf32>) -> vector<32xf32> {
  %a, %b = vector.deinterleave %z : vector<32xf32> -> vector<16xf32>
  %q = arith.divf %a, %b : vector<16xf32>
  %r = vector.interleave %a, %q : vector<16xf32> -> vector<32xf32>
  return %r : vector<32xf32>
}
func.func @wide_squares(%z: vector<32xf32>) -> vector<16xf32> {
  %a, %b = vector.deinterleave %z : vector<32xf32> -> vector<16xf32>
  %aa = arith.mulf %a, %a : vector<16xf32>
  %bb = arith.mulf %b, %b : vector<16xf32>
  %r = arith.addf %aa, %bb : vector<16xf32>
  return %r : vector<16xf32>
}

// Parts of 64 bits, and several registers of them. A real result is put in
// order, which is one shuffle instead of two.
// CHECK-LABEL: func @squares
// CHECK: vector.shuffle %arg0, %arg0 [0, 4, 2, 6, 8, 12, 10, 14]
// CHECK: vector.shuffle %arg0, %arg0 [1, 5, 3, 7, 9, 13, 11, 15]
// CHECK: %[[S:.*]] = arith.addf
// CHECK: %[[R:.*]] = vector.shuffle %[[S]], %[[S]] [0, 2, 1, 3, 4, 6, 5, 7]
// CHECK: return %[[R]]
func.func @squares(%z: vector<16xf64>) -> vector<8xf64> {
  %a, %b = vector.deinterleave %z : vector<16xf64> -> vector<8xf64>
  %p = arith.mulf %a, %a : vector<8xf64>
  %q = arith.mulf %b, %b : vector<8xf64>
  %s = arith.addf %p, %q : vector<8xf64>
  return %s : vector<8xf64>
}

// A real operand and a bit come in, and are put in the order of the parts.
// CHECK-LABEL: func @operands
// CHECK-DAG: %[[X:.*]] = vector.shuffle %arg1, %arg1 [0, 1, 4, 5, 2, 3, 6, 7]
// CHECK-DAG: %[[C:.*]] = vector.shuffle %arg2, %arg2 [0, 1, 4, 5, 2, 3, 6, 7]
// CHECK: arith.mulf %{{.*}}, %[[X]]
// CHECK: arith.select %[[C]]
func.func @operands(%z: vector<16xf32>, %x: vector<8xf32>, %c: vector<8xi1>) -> vector<16xf32> {
  %a, %b = vector.deinterleave %z : vector<16xf32> -> vector<8xf32>
  %p = arith.mulf %a, %x : vector<8xf32>
  %q = arith.select %c, %a, %b : vector<8xi1>, vector<8xf32>
  %r = vector.interleave %p, %q : vector<8xf32> -> vector<16xf32>
  return %r : vector<16xf32>
}

// Where as much comes in and leaves as is taken apart, nothing is gained; nor
// of less than a register.
// CHECK-LABEL: func @sums
// CHECK: vector.deinterleave
// CHECK-NOT: vector.shuffle
// CHECK-LABEL: func @few
// CHECK: vector.deinterleave
// CHECK-NOT: vector.shuffle
func.func @sums(%z: vector<16xf32>, %sum: vector<8xf32>) -> vector<8xf32> {
  %a, %b = vector.deinterleave %z : vector<16xf32> -> vector<8xf32>
  %p = arith.mulf %a, %b : vector<8xf32>
  %s = arith.addf %p, %sum : vector<8xf32>
  return %s : vector<8xf32>
}
func.func @few(%z: vector<8xf32>) -> vector<8xf32> {
  %a, %b = vector.deinterleave %z : vector<8xf32> -> vector<4xf32>
  %r = vector.interleave %b, %a : vector<4xf32> -> vector<8xf32>
  return %r : vector<8xf32>
}

}
