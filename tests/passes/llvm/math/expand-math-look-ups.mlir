// RUN: ein-opt %s --ein-expand-math -split-input-file | FileCheck %s

// An error function is one polynomial, whose coefficients are looked up: one of
// eight numbers for each lane. A number goes through a register.
// CHECK-LABEL: module
// What does not fit registers goes to an aligned part of the stack.
// CHECK-LABEL: func @vectors
// CHECK-SAME: attributes {passthrough = {{\[\[}}"frame-pointer", "all"]]}
// CHECK-COUNT-8: llvm.call_intrinsic "llvm.x86.avx2.permps"(%{{.*}}, %{{.*}}) : (vector<8xf32>, vector<8xi32>) -> vector<8xf32>
// CHECK-NOT: permps
// The sum has no sign; that of x is one of bits.
// CHECK: arith.andi
// CHECK-NEXT: arith.ori
// CHECK-NEXT: arith.bitcast
// CHECK-NEXT: return
// CHECK-LABEL: func @numbers
// CHECK-NOT: passthrough
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

// Where the results of a vector are normal numbers, nothing is clamped.
// CHECK-LABEL: func @complement
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %{{.*}} : vector<8xi1> into i1
// CHECK: scf.if %[[ALL]] -> (vector<8xf32>) {
// CHECK-NOT: arith.select
// CHECK-COUNT-10: "llvm.x86.avx2.permps"
// CHECK-NOT: arith.select
// CHECK: } else {
// CHECK-COUNT-2: arith.select
// CHECK-COUNT-10: "llvm.x86.avx2.permps"
// CHECK: return
module attributes {ein.instructions = {fma, look_ups, vector_bits = 256}} {
func.func @complement(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.erfc %x : vector<8xf32>
  return %0 : vector<8xf32>
}
}

// -----

// Powers of f64 are one of two numbers times a polynomial of 8 coefficients. Of
// the second number the half is taken off that the exponent's bits would add.
// CHECK-LABEL: func @powers
// CHECK: scf.if
// CHECK: arith.constant dense<[1.000000e+00, 0.957{{[0-9]*}}, 1.000000e+00, 0.957{{[0-9]*}}]> : vector<4xf64>
// CHECK: %[[POWER:.*]] = llvm.call_intrinsic "llvm.x86.avx.vpermilvar.pd.256"
// CHECK: arith.addi
// CHECK-NOT: arith.select
// CHECK: } else {
// CHECK: "llvm.x86.avx.vpermilvar.pd.256"
// CHECK: scf.yield
// CHECK: "llvm.x86.avx.vpermilvar.pd"(
// CHECK: return
module attributes {ein.instructions = {fma, look_ups, vector_bits = 256}} {
func.func @powers(%x: vector<4xf64>, %y: f64) -> (vector<4xf64>, f64) {
  %0 = math.exp %x : vector<4xf64>
  %1 = math.exp2 %y : f64
  return %0, %1 : vector<4xf64>, f64
}
}

// -----

// With AVX-512 they are one of eight, and an instruction scales.
// CHECK-LABEL: func @powers_of_eight
// CHECK-NOT: scf.if
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.permvar.df.512"(%{{.*}}, %{{.*}}) : (vector<8xf64>, vector<8xi64>) -> vector<8xf64>
// CHECK: "llvm.x86.avx512.mask.scalef.pd.512"
// CHECK: scf.if
// CHECK: "llvm.x86.avx512.permvar.df.512"
// CHECK: } else {
// CHECK: return
module attributes {ein.instructions = {fma, avx512, look_ups, vector_bits = 512}} {
func.func @powers_of_eight(%x: vector<8xf64>, %y: vector<8xf64>) -> vector<8xf64> {
  %0 = math.exp %x : vector<8xf64>
  %1 = math.powf %0, %y : vector<8xf64>
  return %1 : vector<8xf64>
}
}

// -----

// So are logarithms, without a division: the inverse of what is next to the
// significand and that inverse's logarithm, of f64 by three bits of a sum, of
// f32 by four.
// CHECK-LABEL: func @logarithms
// CHECK-NOT: arith.divf
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.getmant.pd.512"
// CHECK: %[[SUM:.*]] = arith.addf %[[M]], %{{.*}} : vector<8xf64>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SUM]]
// CHECK: %[[INVERSE:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.df.512"(%{{.*}}, %[[BITS]])
// CHECK: math.fma %[[M]], %[[INVERSE]], %{{.*}} : vector<8xf64>
// CHECK: "llvm.x86.avx512.permvar.df.512"(%{{.*}}, %[[BITS]])
// CHECK-NOT: arith.divf
// CHECK-COUNT-2: "llvm.x86.avx512.permvar.sf.512"
// CHECK-NOT: arith.divf
// What log1p has rounded away is the sum's error by the sum.
// CHECK-COUNT-1: arith.divf
// CHECK-COUNT-2: "llvm.x86.avx512.permvar.df.512"
// CHECK-NOT: arith.divf
// CHECK: return
module attributes {ein.instructions = {fma, avx512, look_ups, vector_bits = 512}} {
func.func @logarithms(%x: vector<8xf64>, %y: vector<16xf32>)
    -> (vector<8xf64>, vector<16xf32>, vector<8xf64>) {
  %0 = math.log2 %x : vector<8xf64>
  %1 = math.log10 %y : vector<16xf32>
  %2 = math.log1p %x : vector<8xf64>
  return %0, %1, %2 : vector<8xf64>, vector<16xf32>, vector<8xf64>
}
}

// -----

// Registers of 256 bits have the quotient and the longer polynomial.
// CHECK-LABEL: func @short_logarithm
// CHECK: arith.divf
// CHECK-NOT: permvar
// CHECK: return
module attributes {ein.instructions = {fma, avx512, look_ups, vector_bits = 256}} {
func.func @short_logarithm(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.log2 %x : vector<4xf64>
  return %0 : vector<4xf64>
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

// -----

// What an odd multiple of a quarter turn exchanges, x86's select chooses by the
// sign that the multiple's last bit is shifted to, register by register.
// CHECK-LABEL: module
// CHECK-LABEL: func @odd
// CHECK: } else {
// CHECK-COUNT-4: "llvm.x86.avx.blendv.ps.256"
// CHECK-NOT: blendv
// CHECK: return
module attributes {ein.instructions = {fma, look_ups, vector_bits = 256}} {
func.func @odd(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.tan %x : vector<16xf32>
  return %0 : vector<16xf32>
}
}

// -----

// What a sum was rounded by counts where the exponent is zero; a sum that has
// no table has the formula of two parts.
// CHECK-LABEL: module
// CHECK-LABEL: func @log_sum
// CHECK-DAG: %[[E:.*]] = arith.subf
// CHECK-DAG: %[[C:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.df.512"
// CHECK-DAG: %[[R:.*]] = math.fma %{{.*}}, %[[C]], %{{.*}}
// CHECK: %[[MORE:.*]] = math.fma %arg1, %[[C]], %[[R]]
// CHECK: arith.select %{{.*}}, %[[MORE]], %[[R]]
// CHECK-NOT: arith.divf
// CHECK: return
module attributes {ein.instructions = {fma, avx512, look_ups, vector_bits = 512}} {
func.func @log_sum(%x: vector<8xf64>, %lost: vector<8xf64>) -> vector<8xf64> {
  %0 = ein.log_sum %x, %lost : vector<8xf64>
  return %0 : vector<8xf64>
}
}

// -----

// CHECK-LABEL: module
// CHECK-LABEL: func @log_sum
// CHECK: arith.select %{{.*}}, %arg1, %{{.*}}
// CHECK: arith.divf
// CHECK-NOT: ein.log_sum
// CHECK: return
module attributes {ein.instructions = {fma, look_ups, vector_bits = 256}} {
func.func @log_sum(%x: vector<4xf64>, %lost: vector<4xf64>) -> vector<4xf64> {
  %0 = ein.log_sum %x, %lost : vector<4xf64>
  return %0 : vector<4xf64>
}
}

// -----

// The inverse of a root is an estimate with its correction, which it does
// without where that is no number: of zero and infinity.
// CHECK-LABEL: module
// CHECK-LABEL: func @inverse_root
// CHECK: %[[Y:.*]] = llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.ps.512"(%arg0
// CHECK: %[[ROOT:.*]] = arith.mulf %arg0, %[[Y]]
// CHECK: %[[E:.*]] = math.fma %{{.*}}, %[[Y]], %{{.*}}
// CHECK: %[[IS:.*]] = arith.cmpf olt, %[[E]]
// CHECK: %[[BETTER:.*]] = math.fma
// CHECK: arith.select %{{.*}}, %[[BETTER]], %[[Y]]
// CHECK-NOT: math.rsqrt
// CHECK: return
module attributes {ein.instructions = {fma, avx512, look_ups, vector_bits = 512}} {
func.func @inverse_root(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.rsqrt %x : vector<16xf32>
  return %0 : vector<16xf32>
}
}
