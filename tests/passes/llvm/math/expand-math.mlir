// RUN: ein-opt %s --ein-expand-math | FileCheck %s
// RUN: sed 's/^module/& attributes {ein.instructions = {comparing_maxima}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s --check-prefix=MAXIMA
// RUN: sed 's/^module/& attributes {ein.instructions = {avx512, vector_bits = 512}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s --check-prefix=AVX512
// RUN: sed 's/^module/& attributes {ein.instructions = {avx512, vector_bits = 256}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s --check-prefix=AVX256

module {


// Every function that has a formula; nothing is called.
// CHECK-LABEL: func @numbers
// CHECK-NOT: math.{{(exp|log|tanh|erf|pow)}}
// CHECK: return
func.func @numbers(%x: f32, %y: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.exp2 %0 : f32
  %2 = math.expm1 %1 : f32
  %3 = math.log %2 : f32
  %4 = math.log2 %3 : f32
  %5 = math.log10 %4 : f32
  %6 = math.log1p %5 : f32
  %7 = math.tanh %6 : f32
  %8 = math.erf %7 : f32
  %9 = math.erfc %8 : f32
  %10 = math.powf %9, %y : f32
  return %10 : f32
}

// Logarithms of vectors in which nothing is denormal or infinite, which is
// asked first, have nothing to select.
// CHECK-LABEL: func @logarithm
// CHECK-COUNT-2: arith.cmpf
// CHECK: %[[ALL:.*]] = vector.reduction <and>
// CHECK: scf.if %[[ALL]] -> (vector<8xf32>) {
// CHECK-NOT: arith.select
// CHECK: } else {
// CHECK-COUNT-5: arith.select
// CHECK: scf.yield
// AVX512-LABEL: func @logarithm
// AVX512-NOT: scf.if
// AVX512: return
func.func @logarithm(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.log %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// Powers of usual bases, large arguments of expm1 and small ones of roots: all
// that is seldom is in a branch.
// CHECK-LABEL: func @unusual
// CHECK: %[[ALL:.*]] = vector.reduction <and>
// CHECK: scf.if %[[ALL]] -> (vector<4xf64>) {
// CHECK-NOT: arith.select
// CHECK: } else {
// CHECK-COUNT-10: arith.select
// CHECK: %[[ALL:.*]] = vector.reduction <and>
// CHECK: scf.if %[[ALL]] -> (vector<4xf64>) {
// CHECK-NOT: arith.select
// CHECK: } else {
// CHECK-COUNT-3: arith.select
// CHECK: %[[ALL:.*]] = vector.reduction <and>
// CHECK: scf.if %[[ALL]] -> (vector<4xf64>) {
// CHECK-NOT: arith.select
// CHECK: } else {
// CHECK-COUNT-3: arith.select
// CHECK: return
func.func @unusual(%x: vector<4xf64>, %y: vector<4xf64>) -> vector<4xf64> {
  %0 = math.powf %x, %y : vector<4xf64>
  %1 = math.expm1 %0 : vector<4xf64>
  %2 = math.cbrt %1 : vector<4xf64>
  return %2 : vector<4xf64>
}

// What has no formula stays.
// CHECK-LABEL: func @others
// CHECK: math.asinh %{{.*}} : f32
// CHECK: math.sqrt %{{.*}} : vector<8xf32>
func.func @others(%y: f32, %z: vector<8xf32>) -> (f32, vector<8xf32>) {
  %1 = math.asinh %y : f32
  %2 = math.sqrt %z : vector<8xf32>
  return %1, %2 : f32, vector<8xf32>
}

// The exponent's bits are those of the sum with 1.5 * 2^23. Where all powers are
// normal numbers, they are added to the result's. Else 2^n is multiplied in two
// steps, and what would be too small for a float is not computed: it is 0.
// CHECK-LABEL: func @vector
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X:.*]], %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK: %[[LARGE:.*]] = arith.constant dense<0x4B400000> : vector<16xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[SCALED]], %[[LARGE]] fastmath<contract> : vector<16xf32>
// CHECK: arith.subf %[[SUM]]
// CHECK: arith.bitcast %[[SUM]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[NORMAL:.*]] = arith.cmpf olt
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[NORMAL]] : vector<16xi1> into i1
// CHECK: scf.if %[[ALL]] -> (vector<16xf32>) {
// CHECK-NOT: arith.mulf
// CHECK: arith.shli
// CHECK: arith.addi
// CHECK: } else {
// CHECK: arith.constant dense<-1.040000e+02>
// CHECK: %[[NONE:.*]] = arith.cmpf olt, %[[X]]
// CHECK: arith.select %[[NONE]]
// CHECK: arith.shrui
// CHECK-COUNT-2: arith.mulf
// CHECK: arith.cmpf ogt, %[[X]]
// CHECK: arith.cmpf olt, %[[X]]
// CHECK: scf.yield
func.func @vector(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// Rows of a tile, 16 elements at a time and then the rest.
// CHECK-LABEL: func @tile
// CHECK: vector.extract %{{.*}}[0] : vector<20xf32> from vector<2x20xf32>
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [0], sizes = [16]
// CHECK: vector.insert_strided_slice
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [16], sizes = [4]
// CHECK: vector.insert_strided_slice
// CHECK: vector.insert %{{.*}} [0] : vector<20xf32> into vector<2x20xf32>
// CHECK: vector.extract %{{.*}}[1]
// CHECK: vector.insert %{{.*}} [1]
func.func @tile(%x: vector<2x20xf32>) -> vector<2x20xf32> {
  %0 = math.tanh %x : vector<2x20xf32>
  return %0 : vector<2x20xf32>
}

// Large angles are a branch, taken if one element of the vector is one.
// CHECK-LABEL: func @angles
// CHECK: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK: %[[LARGE:.*]] = arith.cmpf ogt
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]] : vector<8xi1> into i1
// CHECK: scf.if %[[ANY]] -> (vector<8xf32>)
func.func @angles(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sin %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func @angle
// CHECK: %[[LARGE:.*]] = arith.cmpf ogt
// CHECK: scf.if %[[LARGE]] -> (f32)
func.func @angle(%x: f32) -> f32 {
  %0 = math.cos %x : f32
  return %0 : f32
}

// Where one bit decides for all elements, functions are computed in a branch.
// CHECK-LABEL: func @branch
// CHECK-SAME: %[[X:[^:]*]]: vector<4xf32>, %[[BIT:[^:]*]]: i1
// CHECK-NEXT: %[[BITS:.*]] = vector.broadcast
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: scf.if %[[BIT]] -> (vector<4xf32>) {
// CHECK-NOT: arith.mulf %[[X]], %[[X]]
// CHECK: arith.bitcast
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[X]]
// CHECK-NEXT: }
// CHECK-NEXT: arith.select
// CHECK-NEXT: return
func.func @branch(%x: vector<4xf32>, %bit: i1) -> (vector<4xf32>, vector<4xf32>) {
  %bits = vector.broadcast %bit : i1 to vector<4xi1>
  %square = arith.mulf %x, %x : vector<4xf32>
  %tanh = math.tanh %square : vector<4xf32>
  %chosen = arith.select %bits, %tanh, %x : vector<4xi1>, vector<4xf32>
  %other = arith.select %bits, %square, %x : vector<4xi1>, vector<4xf32>
  return %chosen, %other : vector<4xf32>, vector<4xf32>
}

// LLVM's maximum of vectors is six instructions; two comparing ones and the
// majority of their bits with all but the sign are three. Of the minimum it is
// the bits of either.
// MAXIMA-LABEL: func @maxima
// MAXIMA-SAME: %[[X:[^:]*]]: vector<8xf32>, %[[Y:[^:]*]]: vector<8xf32>
// MAXIMA: %[[GREATER:.*]] = arith.cmpf ogt, %[[X]], %[[Y]]
// MAXIMA: arith.select %[[GREATER]], %[[X]], %[[Y]]
// MAXIMA: %[[LESS:.*]] = arith.cmpf ogt, %[[Y]], %[[X]]
// MAXIMA: arith.select %[[LESS]], %[[Y]], %[[X]]
// MAXIMA: arith.andi
// MAXIMA: arith.ori
// MAXIMA: arith.constant dense<2147483647>
// MAXIMA: arith.andi
// MAXIMA: arith.ori
// MAXIMA: %[[MAXIMUM:.*]] = arith.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
// MAXIMA: arith.cmpf olt, %[[MAXIMUM]], %[[Y]]
// MAXIMA: arith.cmpf olt, %[[Y]], %[[MAXIMUM]]
// MAXIMA: arith.ori
// MAXIMA-NEXT: arith.bitcast
// MAXIMA-NEXT: return
// CHECK-LABEL: func @maxima
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: arith.minimumf
func.func @maxima(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.maximumf %x, %y : vector<8xf32>
  %1 = arith.minimumf %0, %y : vector<8xf32>
  return %1 : vector<8xf32>
}

// With a constant one comparison is enough, and of +0 a sum makes the zero
// right.
// MAXIMA-LABEL: func @constant_maxima
// MAXIMA-SAME: %[[X:[^:]*]]: vector<8xf32>
// MAXIMA: %[[LARGER:.*]] = arith.cmpf ogt, %[[ZERO:.*]], %[[X]]
// MAXIMA-NEXT: %[[RELU:.*]] = arith.select %[[LARGER]], %[[ZERO]], %[[X]]
// MAXIMA: arith.addf %[[RELU]], %{{.*}}
// MAXIMA-NEXT: %[[LESS:.*]] = arith.cmpf olt, %[[SIX:.*]], %{{.*}}
// MAXIMA-NEXT: arith.select %[[LESS]], %[[SIX]]
// MAXIMA-NEXT: return
func.func @constant_maxima(%x: vector<8xf32>) -> vector<8xf32> {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %six = arith.constant dense<6.0> : vector<8xf32>
  %0 = arith.maximumf %x, %zero : vector<8xf32>
  %1 = arith.minimumf %0, %six : vector<8xf32>
  return %1 : vector<8xf32>
}

// The order in which vectors are added stays, with accumulators that were made
// for it; numbers may be added in any order still.
// MAXIMA-LABEL: func @sums
// MAXIMA-NEXT: arith.addf %{{.*}} fastmath<contract> : vector<8xf32>
// MAXIMA-NEXT: arith.addf %{{.*}} fastmath<reassoc,contract> : f32
func.func @sums(%x: vector<8xf32>, %y: f32) -> (vector<8xf32>, f32) {
  %0 = arith.addf %x, %x fastmath<reassoc,contract> : vector<8xf32>
  %1 = arith.addf %y, %y fastmath<reassoc,contract> : f32
  return %0, %1 : vector<8xf32>, f32
}

// Numbers, integers and f16 stay.
// MAXIMA-LABEL: func @other_maxima
// MAXIMA-NEXT: arith.maximumf
// MAXIMA-NEXT: arith.maximumf
// MAXIMA-NEXT: arith.maxsi
func.func @other_maxima(%x: f32, %y: vector<8xf16>, %z: vector<8xi32>) -> (f32, vector<8xf16>, vector<8xi32>) {
  %0 = arith.maximumf %x, %x : f32
  %1 = arith.maximumf %y, %y : vector<8xf16>
  %2 = arith.maxsi %z, %z : vector<8xi32>
  return %0, %1, %2 : f32, vector<8xf16>, vector<8xi32>
}

// With AVX-512, 2^n is multiplied by one instruction, and tanh divides by one
// that estimates the reciprocal: a register at a time, and the rest in one that
// holds it. A number takes the estimate of a vector, so
// that it has the same value.
// AVX512-LABEL: func @instructions
// AVX512: arith.constant dense<0x4B400000> : vector<16xf32>
// AVX512: %[[N:.*]] = arith.subf
// AVX512: %[[E:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%[[Y:.*]], %[[N]], %[[Y]], %{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
// AVX512: arith.select %{{.*}}, %{{.*}}, %[[E]] : vector<16xi1>, vector<16xf32>
// AVX512: llvm.call_intrinsic "llvm.x86.avx512.rcp14.ps.512"(%{{.*}}) : (vector<16xf32>, vector<16xf32>, i16) -> vector<16xf32>
// AVX512: vector.shuffle %{{.*}} [16, 17, 18, 19, 20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : vector<21xf32>, vector<21xf32>
// AVX512: llvm.call_intrinsic "llvm.x86.avx512.rcp14.ps.512"
// AVX512: vector.shuffle %{{.*}} [0, 1, 2, 3, 4] : vector<16xf32>, vector<16xf32>
// AVX512: vector.broadcast %{{.*}} : f32 to vector<16xf32>
// AVX512: llvm.call_intrinsic "llvm.x86.avx512.rcp14.ps.512"
// AVX512: vector.extract %{{.*}}[0] : f32 from vector<16xf32>
// AVX512-NOT: scalef
// AVX512: return
// AVX512-LABEL: func @narrow_registers
// AVX256-LABEL: func @instructions
// AVX256: vector.shuffle %{{.*}} [16, 17, 18, 19, 20, 0, 1, 2] : vector<21xf32>, vector<21xf32>
// AVX256: llvm.call_intrinsic "llvm.x86.avx512.rcp14.ps.256"(%{{.*}}) : (vector<8xf32>, vector<8xf32>, i8) -> vector<8xf32>
// AVX256: vector.broadcast %{{.*}} : f32 to vector<4xf32>
// AVX256: llvm.call_intrinsic "llvm.x86.avx512.rcp14.ps.128"(%{{.*}}) : (vector<4xf32>, vector<4xf32>, i8) -> vector<4xf32>
func.func @instructions(%x: vector<16xf32>, %y: vector<21xf32>, %z: f32) -> (vector<16xf32>, vector<21xf32>, f32, f32) {
  %0 = math.exp %x : vector<16xf32>
  %1 = math.tanh %y : vector<21xf32>
  %2 = math.tanh %z : f32
  %3 = math.exp %z : f32
  return %0, %1, %2, %3 : vector<16xf32>, vector<21xf32>, f32, f32
}

// AVX256-LABEL: func @narrow_registers
// AVX256: vector.shuffle %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf32>
// AVX256: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.256"(%{{.*}}) : (vector<8xf32>, vector<8xf32>, vector<8xf32>, i8) -> vector<8xf32>
// AVX256: vector.shuffle %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>
// AVX256: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.256"
func.func @narrow_registers(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// Functions of f64, and one of f32 that is computed in f32.
// CHECK-LABEL: func @wide
// CHECK-NOT: math.exp
// CHECK-NOT: math.log
// CHECK-NOT: math.powf
// CHECK-NOT: math.atan
// CHECK-NOT: math.cbrt
// CHECK: return
func.func @wide(%x: vector<8xf64>, %y: f64, %z: vector<8xf32>)
    -> (vector<8xf64>, f64, vector<8xf32>) {
  %0 = math.exp %x : vector<8xf64>
  %1 = math.log10 %0 : vector<8xf64>
  %2 = math.powf %1, %x : vector<8xf64>
  %3 = math.atan2 %2, %x : vector<8xf64>
  %4 = math.atan %y : f64
  %5 = math.cbrt %z : vector<8xf32>
  return %3, %4, %5 : vector<8xf64>, f64, vector<8xf32>
}

// Large angles are multiplied by bits of 2 / pi, number by number; the others
// have what they would have without them. Nothing is called.
// CHECK-LABEL: func @wide_angles
// CHECK-NOT: math.tan
// CHECK: %[[BEYOND:.*]] = arith.andi %{{.*}}, %{{.*}} : vector<2xi64>
// CHECK: %[[BITS:.*]] = vector.reduction <or>, %[[BEYOND]] : vector<2xi64> into i64
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[BITS]], %{{.*}} : i64
// CHECK: scf.if %[[ANY]] -> (vector<8xf64>)
// CHECK:   scf.for
// CHECK-SAME: -> (vector<8xf64>, vector<8xf64>, vector<8xi64>)
// CHECK:     %[[TABLE:.*]] = memref.get_global @__ein_table_two_by_pi : memref<20xi64>
// CHECK-COUNT-4: memref.load %[[TABLE]]
// CHECK-COUNT-3: arith.mului_extended
// CHECK-NOT: math.tan
// CHECK:   %[[BITS:.*]] = arith.andi %{{.*}}, %{{.*}} : vector<8xi64>
// CHECK:   %[[SMALL:.*]] = arith.cmpi eq, %[[BITS]], %{{.*}} : vector<8xi64>
// CHECK:   arith.select %[[SMALL]]
func.func @wide_angles(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.tan %x : vector<8xf64>
  return %0 : vector<8xf64>
}

}
