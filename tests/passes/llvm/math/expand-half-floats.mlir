// RUN: ein-opt %s --ein-expand-half-floats | FileCheck %s
// RUN: ein-opt %s --ein-expand-half-floats=only-bf16 | FileCheck %s --check-prefix=F16C

// CHECK-LABEL: @to_f32
// CHECK-NOT: extf
// CHECK: arith.bitcast %{{.*}} : i32 to f32
// F16C-LABEL: @to_f32
// F16C: arith.extf %{{.*}} : f16 to f32
func.func @to_f32(%x: f16) -> f32 {
  %y = arith.extf %x : f16 to f32
  return %y : f32
}

// CHECK-LABEL: @to_f16
// CHECK-NOT: truncf
// CHECK: arith.bitcast %{{.*}} : vector<8xi16> to vector<8xf16>
// F16C-LABEL: @to_f16
// F16C: arith.truncf
func.func @to_f16(%x: vector<8xf32>) -> vector<8xf16> {
  %y = arith.truncf %x : vector<8xf32> to vector<8xf16>
  return %y : vector<8xf16>
}

// No machine has all of bf16's conversions.
// CHECK-LABEL: @bf16
// CHECK-NOT: truncf
// F16C-LABEL: @bf16
// F16C-NOT: extf %{{.*}} : bf16
// F16C-NOT: truncf
func.func @bf16(%x: bf16) -> (bf16, f64) {
  %y = arith.extf %x : bf16 to f32
  %z = arith.truncf %y : f32 to bf16
  %d = arith.extf %x : bf16 to f64
  return %z, %d : bf16, f64
}

// Other conversions stay.
// CHECK-LABEL: @to_f64
// CHECK: arith.extf %{{.*}} : f32 to f64
func.func @to_f64(%x: f32) -> f64 {
  %y = arith.extf %x : f32 to f64
  return %y : f64
}

// What was computed in f32 for an f16 is rounded before it is used again.
// CHECK-LABEL: @rounded
// F16C-LABEL: @rounded
// F16C: %[[NARROW:.*]] = arith.truncf %{{.*}} : f32 to f16
// F16C: %[[WIDE:.*]] = arith.extf %[[NARROW]] {{.*}}f16 to f32
// F16C: return %[[WIDE]]
func.func @rounded(%x: f32) -> f32 {
  %y = arith.truncf %x fastmath<contract> : f32 to f16
  %z = arith.extf %y fastmath<contract> : f16 to f32
  return %z : f32
}

// A truncation of f64 rounds once: the f32 on the way has its last bit set if
// something was cut off.
// CHECK-LABEL: @f64_to_f16
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.cmpf one
// CHECK-NOT: truncf
// F16C-LABEL: @f64_to_f16
// F16C: arith.truncf %{{.*}} : f64 to f32
// F16C: arith.truncf %{{.*}} : f32 to f16
func.func @f64_to_f16(%x: f64) -> f16 {
  %y = arith.truncf %x : f64 to f16
  return %y : f16
}
