// RUN: ein-opt %s --ein-lower-wide-sums | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: sed 's/^module/& attributes {ein.instructions = {sums_of_narrow, \
// RUN:     byte_pairs, vector_bits = 512}}/' %s | ein-opt --ein-lower-wide-sums \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BW
// RUN: sed 's/^module/& attributes {ein.instructions = {sums_of_narrow, \
// RUN:     byte_pairs, byte_dots, vector_bits = 512}}/' %s | ein-opt --ein-lower-wide-sums \
// RUN:   | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: sed 's/^module/& attributes {ein.instructions = {sums_of_narrow, fma, \
// RUN:     byte_pairs, vector_bits = 512}}/' %s | ein-opt --ein-lower-wide-sums \
// RUN:   | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: sed 's/^module/& attributes {ein.instructions = {sums_of_narrow, fma, \
// RUN:     byte_pairs, half_rounding, vector_bits = 512}}/' %s \
// RUN:   | ein-opt --ein-lower-wide-sums | FileCheck %s --check-prefix=BF16
// RUN: sed 's/^module/& attributes {ein.instructions = {sums_of_narrow, \
// RUN:     vector_bits = 128}}/' %s | ein-opt --ein-lower-wide-sums \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SSE

module {

// The dot product's first factor is unsigned.
// CHECK-LABEL: func @bytes
// PLAIN: %[[X:.*]] = arith.extui %{{.*}} : vector<64xi8> to vector<64xi32>
// PLAIN: llvm.call_intrinsic "llvm.vector.partial.reduce.add"(%{{.*}}, %[[X]])
// PLAIN: arith.extsi
// PLAIN: "llvm.vector.partial.reduce.add"
// BW: %[[SUMS:.*]] = llvm.call_intrinsic "llvm.x86.avx512.psad.bw.512"
// BW: %[[WORDS:.*]] = vector.bitcast %[[SUMS]] : vector<8xi64> to vector<16xi32>
// BW: %[[U:.*]] = arith.addi %arg1, %[[WORDS]]
// BW: %[[PAIRS:.*]] = llvm.call_intrinsic "llvm.x86.avx512.pmaddubs.w.512"(%{{.*}}, %arg0)
// BW: %[[WORDS:.*]] = llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%[[PAIRS]],
// BW: arith.addi %[[U]], %[[WORDS]]
// VNNI: %[[U:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%arg1, %arg0, %{{.*}})
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[U]], %{{.*}}, %arg0)
// SSE-COUNT-2: "llvm.vector.partial.reduce.add"
func.func @bytes(%x: vector<64xi8>, %s: vector<16xi32>) -> vector<16xi32> {
  %0 = ein.wide_sum %x, %s unsigned : vector<64xi8>, vector<16xi32>
  %1 = ein.wide_sum %x, %0 : vector<64xi8>, vector<16xi32>
  return %1 : vector<16xi32>
}

// In 64 bits the sum of eight bytes is the instruction's. Without PMADDUBSW there
// is none for bytes with a sign.
// CHECK-LABEL: func @short
// SSE: "llvm.x86.sse2.psad.bw"
// SSE: "llvm.vector.partial.reduce.add"
// SSE: "llvm.x86.sse2.pmadd.wd"
// BW: "llvm.x86.sse2.psad.bw"
// BW: "llvm.x86.ssse3.pmadd.ub.sw.128"
// BW: "llvm.x86.sse2.pmadd.wd"
// BW: "llvm.x86.sse2.pmadd.wd"
func.func @short(%x: vector<16xi8>, %w: vector<8xi16>, %s: vector<2xi64>, %t: vector<4xi32>)
    -> (vector<2xi64>, vector<4xi32>) {
  %0 = ein.wide_sum %x, %s unsigned : vector<16xi8>, vector<2xi64>
  %1 = ein.wide_sum %x, %t : vector<16xi8>, vector<4xi32>
  %2 = ein.wide_sum %w, %1 : vector<8xi16>, vector<4xi32>
  return %0, %2 : vector<2xi64>, vector<4xi32>
}

// A word of two bf16: the lower one moves up, the upper one stands alone. With
// FMA they are added by different units.
// CHECK-LABEL: func @halves
// CHECK: %[[PAIRS:.*]] = vector.bitcast %arg0 : vector<32xbf16> to vector<16xi32>
// CHECK-DAG: %[[EVEN:.*]] = arith.shli %[[PAIRS]]
// CHECK-DAG: %[[ODD:.*]] = arith.andi %[[PAIRS]]
// CHECK-DAG: %[[A:.*]] = arith.bitcast %[[EVEN]]
// CHECK-DAG: %[[B:.*]] = arith.bitcast %[[ODD]]
// CHECK: %[[SUM:.*]] = arith.addf %arg1, %[[A]]
// BW: arith.addf %[[SUM]], %[[B]]
// FMA: %[[ONE:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"
// FMA: math.fma %[[B]], %[[ONE]], %[[SUM]]
// Of whole registers they are products with one, where an instruction adds
// these.
// BF16-LABEL: func @halves
// BF16: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : vector<32xbf16>
// BF16: "llvm.x86.avx512bf16.dpbf16ps.512"(%arg1, %arg0, %[[ONES]])
// BF16-NOT: math.fma
// BF16: return
func.func @halves(%x: vector<32xbf16>, %s: vector<16xf32>) -> vector<16xf32> {
  %0 = ein.wide_sum %x, %s : vector<32xbf16>, vector<16xf32>
  return %0 : vector<16xf32>
}

// There is no instruction for it: extended, and by registers.
// CHECK-LABEL: func @others
// CHECK: arith.extf %arg0 : vector<8xf16> to vector<8xf32>
// CHECK-COUNT-2: arith.addf
func.func @others(%x: vector<8xf16>, %s: vector<4xf32>) -> vector<4xf32> {
  %0 = ein.wide_sum %x, %s : vector<8xf16>, vector<4xf32>
  return %0 : vector<4xf32>
}

// Several registers of bytes with a sign are words by pairs, which are added up
// before they are extended; where a dot product adds them, one after the other.
// CHECK-LABEL: func @registers
// BW: %[[A:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"
// BW: %[[B:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"
// BW: %[[WORDS:.*]] = arith.addi %[[A]], %[[B]] : vector<16xi16>
// BW: %[[SUMS:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%[[WORDS]], %{{.*}})
// BW: arith.addi %arg1, %[[SUMS]]
// VNNI: %[[A:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%arg1, %{{.*}}, %{{.*}})
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%[[A]], %{{.*}}, %{{.*}})
func.func @registers(%x: vector<64xi8>, %s: vector<8xi32>) -> vector<8xi32> {
  %0 = ein.wide_sum %x, %s : vector<64xi8>, vector<8xi32>
  return %0 : vector<8xi32>
}

// Words without a sign are less by half of their range, for which one number is
// added: 32768 for each of four words in a lane.
// CHECK-LABEL: func @words
// BW: %[[HALF:.*]] = arith.constant dense<-32768> : vector<16xi16>
// BW: %[[LESS:.*]] = arith.xori %{{.*}}, %[[HALF]]
// BW: %[[A:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%[[LESS]], %{{.*}})
// BW: %[[B:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// BW: %[[SUM:.*]] = arith.addi %[[A]], %[[B]]
// BW: %[[ALL:.*]] = arith.constant dense<131072> : vector<8xi32>
// BW: %[[WHOLE:.*]] = arith.addi %[[SUM]], %[[ALL]]
// BW: arith.addi %arg1, %[[WHOLE]]
// PLAIN-COUNT-2: "llvm.vector.partial.reduce.add"
// VNNI: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// VNNI: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
func.func @words(%x: vector<32xi16>, %s: vector<8xi32>) -> vector<8xi32> {
  %0 = ein.wide_sum %x, %s unsigned : vector<32xi16>, vector<8xi32>
  return %0 : vector<8xi32>
}

// An instruction that adds the products makes four sums of them.
// VNNI-LABEL: func @many_words
// VNNI: %[[A0:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// VNNI: %[[A:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.256"(%[[A0]],
// VNNI: %[[B0:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// VNNI: %[[B:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.256"(%[[B0]],
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.256"
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.256"
// VNNI-NOT: llvm.call_intrinsic
// VNNI: arith.addi %[[A]], %[[B]]
// VNNI-COUNT-4: arith.addi
func.func @many_words(%x: vector<128xi16>, %s: vector<8xi32>) -> vector<8xi32> {
  %0 = ein.wide_sum %x, %s unsigned : vector<128xi16>, vector<8xi32>
  return %0 : vector<8xi32>
}

}
