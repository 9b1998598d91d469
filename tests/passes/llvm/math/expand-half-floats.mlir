// RUN: ein-opt %s --ein-expand-half-floats | FileCheck %s
// RUN: ein-opt %s --ein-expand-half-floats=only-bf16 | FileCheck %s --check-prefix=F16C
// RUN: sed -e '1i module attributes {ein.instructions = {half_rounding, vector_bits = 512}} {' \
// RUN:   -e '$a }' %s | ein-opt --ein-expand-half-floats | FileCheck %s --check-prefix=ROUND
// RUN: sed -e '1i module attributes {ein.instructions = {fma, look_ups, vector_bits = 256}} {' \
// RUN:   -e '$a }' %s | ein-opt --ein-expand-half-floats=only-bf16 \
// RUN:   | FileCheck %s --check-prefix=AVX2

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

// Where an instruction rounds to bf16, a branch asks whether a number is
// subnormal: two registers are one, the second of which comes first.
// ROUND-LABEL: @registers
// ROUND-SAME: %[[X:.*]]: vector<32xf32>
// ROUND-DAG: %[[FIRST:.*]] = vector.shuffle %[[X]], %[[X]] [0, 1, {{.*}}, 15]
// ROUND-DAG: %[[SECOND:.*]] = vector.shuffle %[[X]], %[[X]] [16, 17, {{.*}}, 31]
// ROUND-DAG: llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"(%[[FIRST]], %{{.*}})
// ROUND-DAG: llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"(%[[SECOND]], %{{.*}})
// ROUND: %[[ANY:.*]] = vector.reduction <or>
// ROUND: scf.if %[[ANY]]
// ROUND: arith.addi
// ROUND: } else {
// ROUND: llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(%{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xf32>) -> vector<32xbf16>
// CHECK-LABEL: @registers
// CHECK-NOT: llvm.call_intrinsic
func.func @registers(%x: vector<32xf32>) -> vector<32xbf16> {
  %y = arith.truncf %x : vector<32xf32> to vector<32xbf16>
  return %y : vector<32xbf16>
}

// ROUND-LABEL: @half_register
// ROUND: llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.256"(%{{.*}}) : (vector<8xf32>) -> vector<8xbf16>
func.func @half_register(%x: vector<8xf32>) -> vector<8xbf16> {
  %y = arith.truncf %x : vector<8xf32> to vector<8xbf16>
  return %y : vector<8xbf16>
}

// Of fewer there is no register.
// ROUND-LABEL: @few
// ROUND-NOT: llvm.call_intrinsic
// ROUND: return
func.func @few(%x: vector<3xf32>) -> vector<3xbf16> {
  %y = arith.truncf %x : vector<3xf32> to vector<3xbf16>
  return %y : vector<3xbf16>
}

// A sum that is rounded next is an FMA with a one that LLVM does not see, and
// what a register of f16 is rounded to is not stored by the instruction.
// AVX2-LABEL: @sum
// AVX2-DAG: %[[ONE:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%{{.*}}) : (f32) -> f32
// AVX2-DAG: %[[ONES:.*]] = vector.broadcast %[[ONE]] : f32 to vector<16xf32>
// AVX2: %[[MINUS:.*]] = arith.negf %arg1
// AVX2: %[[SUM:.*]] = math.fma %arg0, %[[ONES]], %[[MINUS]]
// AVX2: %[[H:.*]] = arith.truncf %[[SUM]]
// AVX2: %[[R:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[H]]) : (vector<16xf16>) -> vector<16xf16>
// AVX2: return %[[R]]
// CHECK-LABEL: @sum
// CHECK-NOT: math.fma
func.func @sum(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf16> {
  %s = arith.subf %x, %y : vector<16xf32>
  %h = arith.truncf %s : vector<16xf32> to vector<16xf16>
  return %h : vector<16xf16>
}

// A product that is added is one anyway, and a sum that goes elsewhere is none.
// AVX2-LABEL: @others
// AVX2-NOT: math.fma
// AVX2: return
func.func @others(%x: vector<8xf32>, %y: vector<8xf32>) -> (vector<8xf16>, vector<8xf16>, vector<8xf32>) {
  %p = arith.mulf %x, %y fastmath<contract> : vector<8xf32>
  %s = arith.addf %p, %y fastmath<contract> : vector<8xf32>
  %h = arith.truncf %s : vector<8xf32> to vector<8xf16>
  %t = arith.addf %x, %y : vector<8xf32>
  %g = arith.truncf %t : vector<8xf32> to vector<8xf16>
  return %h, %g, %t : vector<8xf16>, vector<8xf16>, vector<8xf32>
}
