// RUN: ein-opt %s --ein-add-to-products | FileCheck %s --check-prefix=PLAIN
// RUN: sed 's/^module/& attributes {ein.instructions = {fma, look_ups, \
// RUN:     vector_bits = 256}}/' %s | ein-opt --ein-add-to-products | FileCheck %s

module {

// What is added is subtracted from the second product in even lanes, which are
// subtracted from the first one, and added in odd ones.
// CHECK-LABEL: func @sum
// CHECK: %[[P:.*]] = arith.mulf %arg0, %arg1
// CHECK: %[[Q:.*]] = arith.mulf %arg2, %arg3
// CHECK: %[[S:.*]] = arith.addf %[[Q]], %arg4
// CHECK: %[[D:.*]] = arith.subf %[[Q]], %arg4
// CHECK: %[[BY_TURNS:.*]] = vector.shuffle %[[D]], %[[S]] [0, 5, 2, 7]
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[BY_TURNS]])
// CHECK: %[[SS:.*]] = arith.addf %[[P]], %[[M]]
// CHECK: %[[DD:.*]] = arith.subf %[[P]], %[[M]]
// CHECK: %[[R:.*]] = vector.shuffle %[[DD]], %[[SS]] [0, 5, 2, 7]
// CHECK: return %[[R]]
// PLAIN-LABEL: func @sum
// PLAIN: %[[R:.*]] = arith.addf %arg4, %{{.*}} fastmath<reassoc,contract>
// PLAIN: return %[[R]]
func.func @sum(%re: vector<4xf32>, %y: vector<4xf32>, %im: vector<4xf32>, %t: vector<4xf32>,
    %z: vector<4xf32>) -> vector<4xf32> {
  %p = arith.mulf %re, %y fastmath<contract> : vector<4xf32>
  %q = arith.mulf %im, %t fastmath<contract> : vector<4xf32>
  %d = arith.subf %p, %q fastmath<contract> : vector<4xf32>
  %s = arith.addf %p, %q fastmath<contract> : vector<4xf32>
  %xy = vector.shuffle %d, %s [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  %r = arith.addf %z, %xy fastmath<reassoc,contract> : vector<4xf32>
  return %r : vector<4xf32>
}

// With a conjugate the lanes are the other way round.
// CHECK-LABEL: func @conjugate
// CHECK: %[[Q:.*]] = arith.mulf %arg2, %arg3
// CHECK: %[[S:.*]] = arith.addf %[[Q]], %[[Z:.*]] fastmath
// CHECK: %[[D:.*]] = arith.subf %[[Q]], %[[Z]] fastmath
// CHECK: vector.shuffle %[[S]], %[[D]] [0, 5, 2, 7]
// CHECK: %[[SS:.*]] = arith.addf
// CHECK: %[[DD:.*]] = arith.subf
// CHECK: vector.shuffle %[[SS]], %[[DD]] [0, 5, 2, 7]
func.func @conjugate(%re: vector<4xf32>, %y: vector<4xf32>, %im: vector<4xf32>,
    %t: vector<4xf32>, %x: memref<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %z = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  %p = arith.mulf %re, %y fastmath<contract> : vector<4xf32>
  %q = arith.mulf %im, %t fastmath<contract> : vector<4xf32>
  %s = arith.addf %p, %q fastmath<contract> : vector<4xf32>
  %d = arith.subf %p, %q fastmath<contract> : vector<4xf32>
  %xy = vector.shuffle %s, %d [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  %r = arith.addf %xy, %z fastmath<reassoc,contract> : vector<4xf32>
  return %r : vector<4xf32>
}

// Neither what a loop carries, nor sums in their order, nor of what is needed
// otherwise.
// CHECK-LABEL: func @others
// CHECK-COUNT-3: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @others(%re: vector<4xf32>, %y: vector<4xf32>, %im: vector<4xf32>, %t: vector<4xf32>,
    %z: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.negf %z : vector<4xf32>
  %carried = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %n) -> vector<4xf32> {
    %p = arith.mulf %re, %y fastmath<contract> : vector<4xf32>
    %q = arith.mulf %im, %t fastmath<contract> : vector<4xf32>
    %d = arith.subf %p, %q fastmath<contract> : vector<4xf32>
    %s = arith.addf %p, %q fastmath<contract> : vector<4xf32>
    %xy = vector.shuffle %d, %s [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
    %r = arith.addf %a, %xy fastmath<reassoc,contract> : vector<4xf32>
    scf.yield %r : vector<4xf32>
  }
  %p = arith.mulf %y, %y fastmath<contract> : vector<4xf32>
  %q = arith.mulf %im, %t fastmath<contract> : vector<4xf32>
  %d = arith.subf %p, %q fastmath<contract> : vector<4xf32>
  %s = arith.addf %p, %q fastmath<contract> : vector<4xf32>
  %xy = vector.shuffle %d, %s [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  %ordered = arith.addf %n, %xy fastmath<contract> : vector<4xf32>
  %q2 = arith.mulf %im, %y fastmath<contract> : vector<4xf32>
  %d2 = arith.subf %p, %q2 fastmath<contract> : vector<4xf32>
  %s2 = arith.addf %p, %q2 fastmath<contract> : vector<4xf32>
  %twice = vector.shuffle %d2, %s2 [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  %sum = arith.addf %n, %twice fastmath<reassoc,contract> : vector<4xf32>
  return %carried, %ordered, %twice, %sum : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
}

}
