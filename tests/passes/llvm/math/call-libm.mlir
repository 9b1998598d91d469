// RUN: ein-opt %s --ein-call-libm | FileCheck %s

// CHECK-LABEL: func @small
// CHECK: call @expm1f(%{{.*}}) : (f32) -> f32
// CHECK: call @log1p(%{{.*}}) : (f64) -> f64
func.func @small(%x: f32, %y: f64) -> (f32, f64) {
  %0 = math.expm1 %x : f32
  %1 = math.log1p %y : f64
  return %0, %1 : f32, f64
}

// LLVM knows more of these than of calls.
// CHECK-LABEL: func @others
// CHECK: math.exp
// CHECK: math.erf
func.func @others(%x: f32) -> (f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.erf %x : f32
  return %0, %1 : f32, f32
}
