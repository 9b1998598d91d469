// RUN: sed 's/^module/& attributes {ein.instructions = {fma, vector_bits = 256}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: ein-opt %s --ein-expand-math | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: sed 's/^module/& attributes {ein.instructions = {fma, avx512, vector_bits = 512}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s --check-prefix=PARTS

// The module is given the tables that are looked up, each once.
// CHECK: memref.global "private" constant @__ein_table_erf : memref<1540xf64>
// CHECK: memref.global "private" constant @__ein_table_atan : memref<132xf64>
// CHECK-NOT: memref.global

module {
// With FMA, small angles are reduced in f32; without it in f64. Large ones are
// in the branch, with all that is computed of what is left.
// CHECK-LABEL: func @single
// FMA-NOT: arith.extf
// PLAIN-NOT: math.fma
// PLAIN: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// FMA: %[[MASKED:.*]] = arith.andi %{{.*}}, %{{.*}} : vector<8xi32>
// FMA: %[[BEYOND:.*]] = vector.reduction <or>, %[[MASKED]] : vector<8xi32> into i32
// FMA: %[[ANY:.*]] = arith.cmpi ne, %[[BEYOND]]
// PLAIN: %[[ANY:.*]] = vector.reduction <or>, %{{.*}} : vector<8xi1> into i1
// CHECK: scf.if %[[ANY]] -> (vector<8xf32>)
// CHECK: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// FMA: math.fma
// CHECK: } else {
// FMA-NOT: f64
// FMA: math.fma
// PLAIN: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK: scf.yield
// CHECK: return
func.func @single(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sin %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// A sine and a cosine of the same numbers are one reduction with FMA, and each
// takes its polynomial from there; without it they are two.
// CHECK-LABEL: func @both
// FMA: scf.if %{{.*}} -> (vector<8xf32>, vector<8xf32>)
// PLAIN: scf.if %{{.*}} -> (vector<8xf32>)
// PLAIN: scf.if %{{.*}} -> (vector<8xf32>)
// CHECK-NOT: scf.if
// CHECK: return
func.func @both(%x: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>) {
  %0 = math.cos %x : vector<8xf32>
  %1 = math.sin %x : vector<8xf32>
  return %0, %1 : vector<8xf32>, vector<8xf32>
}

// Of others they are each their own.
// CHECK-LABEL: func @two_angles
// CHECK-COUNT-2: scf.if %{{.*}} -> (vector<4xf64>)
// CHECK-NOT: scf.if
// CHECK: return
func.func @two_angles(%x: vector<4xf64>, %y: vector<4xf64>) -> (vector<4xf64>, vector<4xf64>) {
  %0 = math.cos %x : vector<4xf64>
  %1 = math.sin %y : vector<4xf64>
  return %0, %1 : vector<4xf64>, vector<4xf64>
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

// The operands of a quotient are scaled only where they are not usual.
// CHECK-LABEL: func @arc_of_two
// CHECK: %[[USUAL:.*]] = vector.reduction <and>, %{{.*}} : vector<4xi1> into i1
// CHECK: scf.if %[[USUAL]] -> (vector<4xf64>, vector<4xf64>)
// CHECK-NEXT: scf.yield
// CHECK: } else {
// CHECK: arith.mulf
// CHECK: return
func.func @arc_of_two(%y: vector<4xf64>, %x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.atan2 %y, %x : vector<4xf64>
  return %0 : vector<4xf64>
}

// Four registers are put together before what is beyond is looked for.
// FMA-LABEL: func @registers
// FMA: vector.extract_strided_slice %{{.*}} {offsets = [0], sizes = [16], strides = [1]} : vector<32xi32> to vector<16xi32>
// FMA: vector.extract_strided_slice %{{.*}} {offsets = [16], sizes = [16], strides = [1]} : vector<32xi32> to vector<16xi32>
// FMA: arith.ori %{{.*}}, %{{.*}} : vector<16xi32>
// FMA: %[[ONE:.*]] = arith.ori %{{.*}}, %{{.*}} : vector<8xi32>
// FMA: %[[MASKED:.*]] = arith.andi %[[ONE]], %{{.*}} : vector<8xi32>
// FMA: vector.reduction <or>, %[[MASKED]] : vector<8xi32> into i32
func.func @registers(%x: vector<32xf32>) -> vector<32xf32> {
  %0 = math.cos %x : vector<32xf32>
  return %0 : vector<32xf32>
}

// One polynomial of multiples of pi, with FMA; two of multiples of pi / 2.
// AVX-512 has a sum of 512 bits that is rounded down.
// PARTS-LABEL: func @double
// PARTS: "llvm.x86.avx512.vfmadd.pd.512"
// CHECK-LABEL: func @double
// CHECK: scf.if
// CHECK: } else {
// FMA: math.fma
// FMA-NOT: arith.andi
// FMA: arith.shli
// FMA-NOT: arith.andi
// PLAIN: arith.andi
// CHECK: scf.yield
func.func @double(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.cos %x : vector<4xf64>
  return %0 : vector<4xf64>
}

// A logarithm has exponent and significand from instructions that know what is
// denormal, 0 or infinite; there is nothing left to say.
// PARTS-LABEL: func @logarithms
// PARTS: "llvm.x86.avx512.mask.getmant.ps.512"
// PARTS-COUNT-2: "llvm.x86.avx512.mask.getexp.ps.512"
// PARTS-NOT: arith.cmpf
// PARTS: "llvm.x86.avx512.mask.getmant.pd.512"
// PARTS-COUNT-2: "llvm.x86.avx512.mask.getexp.pd.512"
// PARTS-NOT: arith.cmpf
// PARTS: return
// CHECK-LABEL: func @logarithms
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
func.func @logarithms(%x: vector<16xf32>, %y: vector<8xf64>) -> (vector<16xf32>, vector<8xf64>) {
  %0 = math.log2 %x : vector<16xf32>
  %1 = math.log %y : vector<8xf64>
  return %0, %1 : vector<16xf32>, vector<8xf64>
}

// A pair is loaded for each lane, and two numbers of all lanes are taken apart.
// CHECK-LABEL: func @tables
// CHECK: %[[ROW:.*]] = vector.extract %[[ROWS:.*]][3] : i64 from vector<4xi64>
// CHECK: %[[ERF:.*]] = memref.get_global @__ein_table_erf
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[ROW]] : i64 to index
// CHECK: vector.load %[[ERF]][%[[PLACE]]] : memref<1540xf64>, vector<2xf64>
// FMA: vector.shuffle %{{.*}}, %{{.*}} [0, 4, 2, 6] : vector<4xf64>, vector<4xf64>
// FMA: vector.shuffle %{{.*}}, %{{.*}} [1, 5, 3, 7] : vector<4xf64>, vector<4xf64>
// CHECK: memref.get_global @__ein_table_atan
// CHECK: memref.get_global @__ein_table_atan
// CHECK: return
func.func @tables(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.erf %x : vector<4xf64>
  %1 = math.atan %0 : vector<4xf64>
  %2 = math.atan2 %0, %1 : vector<4xf64>
  return %2 : vector<4xf64>
}

// A number is loaded, and lanes that are no whole register.
// CHECK-LABEL: func @parts
// CHECK-COUNT-8: vector.load
// CHECK-NOT: vector.load
// CHECK: return
func.func @parts(%x: f64, %y: vector<7xf64>) -> (f64, vector<7xf64>) {
  %0 = math.erf %x : f64
  %1 = math.erf %y : vector<7xf64>
  return %0, %1 : f64, vector<7xf64>
}
}
