// RUN: ein-opt %s --ein-expand-math -split-input-file | FileCheck %s

// An error function is one polynomial, whose coefficients are looked up: one of
// eight numbers for each lane. A number goes through a register.
// CHECK-LABEL: module
// CHECK-LABEL: func @vectors
// CHECK-COUNT-8: llvm.call_intrinsic "llvm.x86.avx2.permps"(%{{.*}}, %{{.*}}) : (vector<8xf32>, vector<8xi32>) -> vector<8xf32>
// CHECK-NOT: permps
// CHECK: math.copysign
// CHECK-LABEL: func @numbers
// CHECK-COUNT-10: llvm.call_intrinsic "llvm.x86.avx2.permps"
// CHECK-NOT: permps
// CHECK: return
module attributes {ein.instructions = {fma, look_ups, vector_bits = 256}} {
func.func @vectors(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.erf %x : vector<8xf32>
  return %0 : vector<8xf32>
}
func.func @numbers(%x: f32) -> f32 {
  %0 = math.erfc %x : f32
  return %0 : f32
}
}

// -----

// A register of 16 lanes has the eight numbers twice.
// CHECK-LABEL: module
// CHECK: arith.constant dense<[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 0.{{.*}}> : vector<16xf32>
// CHECK: "llvm.x86.avx512.permvar.sf.512"
// CHECK-NOT: permps
module attributes {ein.instructions = {fma, avx512, look_ups, vector_bits = 512}} {
func.func @long(%x: vector<20xf32>) -> vector<20xf32> {
  %0 = math.erf %x : vector<20xf32>
  return %0 : vector<20xf32>
}
}

// -----

// Without such an instruction, erfc is computed in f64.
// CHECK-LABEL: module
// CHECK-NOT: llvm.call_intrinsic
// CHECK: arith.extf
module attributes {ein.instructions = {fma, vector_bits = 128}} {
func.func @others(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.erfc %x : vector<4xf32>
  return %0 : vector<4xf32>
}
}
