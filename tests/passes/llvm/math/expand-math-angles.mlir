// RUN: sed 's/^module/& attributes {ein.instructions = {fma, vector_bits = 256}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: ein-opt %s --ein-expand-math | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: sed 's/^module/& attributes {ein.instructions = {fma, avx512, vector_bits = 512}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s --check-prefix=PARTS

module {
// With FMA, small angles are reduced in f32; without it in f64.
// CHECK-LABEL: func @single
// FMA-NOT: arith.extf
// FMA: math.fma
// PLAIN-NOT: math.fma
// PLAIN: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK: %[[ANY:.*]] = vector.reduction <or>
// CHECK: scf.if %[[ANY]] -> (vector<8xf32>, vector<8xf32>, vector<8xi32>)
// CHECK: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK: } else {
// FMA-NOT: f64
// PLAIN: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK: return
func.func @single(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sin %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// A tangent goes by quarters, and needs which one.
// CHECK-LABEL: func @tangent
// CHECK: scf.if
// CHECK: arith.divf
// CHECK: return
func.func @tangent(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.tan %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// Arcs, hyperbolic functions and roots of f32 are computed in f32.
// CHECK-LABEL: func @others
// CHECK-NOT: f64
// CHECK-NOT: math.{{atan|asin|acos|sinh|cosh|cbrt}}
// CHECK: return
func.func @others(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %0 = math.atan2 %x, %y : vector<8xf32>
  %1 = math.asin %0 : vector<8xf32>
  %2 = math.acos %1 : vector<8xf32>
  %3 = math.atan %2 : vector<8xf32>
  %4 = math.sinh %3 : vector<8xf32>
  %5 = math.cosh %4 : vector<8xf32>
  %6 = math.cbrt %5 : vector<8xf32>
  return %6 : vector<8xf32>
}

// One polynomial of multiples of pi, with FMA; two of multiples of pi / 2.
// CHECK-LABEL: func @double
// FMA: math.fma
// FMA: arith.shli
// FMA-NOT: arith.andi
// PLAIN: arith.andi
// CHECK: scf.if
func.func @double(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.cos %x : vector<4xf64>
  return %0 : vector<4xf64>
}

// A logarithm has exponent and significand from instructions that know what is
// denormal, 0 or infinite; of f32 there is nothing left to say.
// PARTS-LABEL: func @logarithms
// PARTS: "llvm.x86.avx512.mask.getmant.ps.512"
// PARTS-COUNT-2: "llvm.x86.avx512.mask.getexp.ps.512"
// PARTS-NOT: arith.cmpf
// PARTS: "llvm.x86.avx512.mask.getmant.pd.512"
// PARTS-COUNT-2: "llvm.x86.avx512.mask.getexp.pd.512"
// PARTS: arith.cmpf
// CHECK-LABEL: func @logarithms
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
func.func @logarithms(%x: vector<16xf32>, %y: vector<8xf64>) -> (vector<16xf32>, vector<8xf64>) {
  %0 = math.log2 %x : vector<16xf32>
  %1 = math.log %y : vector<8xf64>
  return %0, %1 : vector<16xf32>, vector<8xf64>
}
}
