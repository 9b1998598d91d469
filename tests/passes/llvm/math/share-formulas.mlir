// RUN: ein-opt %s --ein-share-formulas=many=4 | FileCheck %s
// RUN: ein-opt %s --ein-share-formulas | FileCheck %s --check-prefix=FEW
// FEW-NOT: call

// Of many formulas those that are there twice are calls, by op and type. One of
// f64 is there once, one of a constant may be a shorter one, and a tile is no
// argument.

// CHECK-LABEL: func.func @many
// CHECK: %[[A:.*]] = call @__ein_exp(%arg0) : (vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: %[[B:.*]] = call @__ein_exp(%[[A]])
// CHECK-NEXT: %[[C:.*]] = math.tanh %[[B]]
// CHECK-NEXT: call @__ein_exp_0(%arg1) : (f32) -> f32
// CHECK-NEXT: call @__ein_exp_0
// CHECK-NEXT: math.exp %arg2 : f64
// CHECK-NEXT: math.powf
// CHECK-NEXT: math.powf
// CHECK-NEXT: math.exp %arg3 : vector<2x8xf32>
func.func @many(%x: vector<8xf32>, %y: f32, %z: f64, %t: vector<2x8xf32>)
    -> (vector<8xf32>, f32, f64, f32, f32, vector<2x8xf32>) {
  %c = arith.constant 2.0 : f32
  %0 = math.exp %x : vector<8xf32>
  %1 = math.exp %0 : vector<8xf32>
  %2 = math.tanh %1 : vector<8xf32>
  %3 = math.exp %y : f32
  %4 = math.exp %3 : f32
  %5 = math.exp %z : f64
  %6 = math.powf %y, %c : f32
  %7 = math.powf %3, %c : f32
  %8 = math.exp %t : vector<2x8xf32>
  return %2, %4, %5, %6, %7, %8 : vector<8xf32>, f32, f64, f32, f32, vector<2x8xf32>
}

// Each body is counted on its own.
// CHECK-LABEL: func.func @few
// CHECK-COUNT-3: math.exp
// CHECK-COUNT-3: math.exp
func.func @few(%x: f32, %bit: i1) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.exp %0 : f32
  %2 = math.exp %1 : f32
  %3 = scf.if %bit -> f32 {
    %4 = math.exp %2 : f32
    %5 = math.exp %4 : f32
    %6 = math.exp %5 : f32
    scf.yield %6 : f32
  } else {
    scf.yield %2 : f32
  }
  return %3 : f32
}

// CHECK: func.func private @__ein_exp(%[[X:.*]]: vector<8xf32>) -> vector<8xf32>
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]
// CHECK-NEXT: %[[Y:.*]] = math.exp %[[X]] : vector<8xf32>
// CHECK-NEXT: return %[[Y]]
// CHECK: func.func private @__ein_exp_0({{.*}}: f32) -> f32
