// RUN: ein-opt %s --ein-widen-half-floats | FileCheck %s
// RUN: ein-opt %s --ein-widen-half-floats=native-f16 | FileCheck %s --check-prefix=NATIVE

// CHECK-LABEL: @arithmetic
// CHECK: arith.mulf %{{.*}} : vector<8xf32>
// CHECK: arith.truncf
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: arith.cmpf olt, %{{.*}} : vector<8xf32>
// NATIVE-LABEL: @arithmetic
// NATIVE-NOT: extf
// NATIVE: arith.mulf %{{.*}} fastmath<contract> : vector<8xf16>
// NATIVE: arith.addf %{{.*}} : vector<8xf16>
// NATIVE: arith.cmpf olt, %{{.*}} : vector<8xf16>
// NATIVE-NOT: truncf
func.func @arithmetic(%x: vector<8xf16>, %y: vector<8xf16>) -> (vector<8xf16>, vector<8xi1>) {
  %p = arith.mulf %x, %y fastmath<contract> : vector<8xf16>
  %s = arith.addf %p, %y : vector<8xf16>
  %c = arith.cmpf olt, %s, %y : vector<8xf16>
  return %s, %c : vector<8xf16>, vector<8xi1>
}

// A reciprocal in f16 would be worse than the one in f32.
// CHECK-LABEL: @quotient
// CHECK: arith.divf %{{.*}} fastmath<arcp> : f32
// NATIVE-LABEL: @quotient
// NATIVE: arith.divf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f16
func.func @quotient(%x: f16, %y: f16) -> f16 {
  %q = arith.divf %x, %y fastmath<arcp> : f16
  return %q : f16
}

// CHECK-LABEL: @fma
// CHECK: math.fma %{{.*}} : f32
// CHECK: vector.fma %{{.*}} : vector<4xf32>
// NATIVE-LABEL: @fma
// NATIVE: math.fma %{{.*}} : f16
// NATIVE: vector.fma %{{.*}} : vector<4xf16>
func.func @fma(%x: f16, %v: vector<4xf16>) -> (f16, vector<4xf16>) {
  %y = math.fma %x, %x, %x : f16
  %w = vector.fma %v, %v, %v : vector<4xf16>
  return %y, %w : f16, vector<4xf16>
}

// What was widened for one operation is narrow again.
// CHECK-LABEL: @root
// CHECK: math.sqrt %{{.*}} : f32
// NATIVE-LABEL: @root
// NATIVE-SAME: %[[X:.*]]: f16
// NATIVE-NEXT: %[[R:.*]] = math.sqrt %[[X]] : f16
// NATIVE-NEXT: return %[[R]]
func.func @root(%x: f16) -> f16 {
  %w = arith.extf %x : f16 to f32
  %r = math.sqrt %w : f32
  %y = arith.truncf %r : f32 to f16
  return %y : f16
}

// Also with constants that f16 has, and only with these. Elsewhere bits are
// chosen: the larger one of two without a sign, else the lesser one; and a NaN
// with a sign, which is rare.
// CHECK-LABEL: @extremes
// CHECK-SAME: %[[X:.*]]: vector<8xf16>, %[[Y:.*]]: vector<8xf16>
// CHECK: arith.minimumf %{{.*}} : vector<8xf32>
// CHECK: %[[A:.*]] = arith.bitcast %[[X]] : vector<8xf16> to vector<8xi16>
// CHECK: %[[B:.*]] = arith.bitcast %[[Y]] : vector<8xf16> to vector<8xi16>
// CHECK: %[[MOST:.*]] = arith.maxsi %[[A]], %[[B]]
// CHECK: %[[UNSIGNED:.*]] = arith.maxui %[[A]], %[[B]]
// CHECK: %[[LEAST:.*]] = arith.minui %[[A]], %[[B]]
// CHECK: %[[BOTH:.*]] = arith.cmpi slt, %[[MOST]], %{{.*}}
// CHECK: %[[CHOSEN:.*]] = arith.select %[[BOTH]], %[[LEAST]], %[[MOST]]
// CHECK: %[[RARE:.*]] = arith.cmpi ugt, %[[UNSIGNED]], %{{.*}}
// CHECK: %[[M:.*]] = arith.select %[[RARE]], %[[UNSIGNED]], %[[CHOSEN]] {ein.seldom}
// CHECK: %[[N:.*]] = arith.minsi %[[M]], %{{.*}}
// CHECK: %[[NAN:.*]] = arith.cmpi sgt, %[[M]], %{{.*}}
// CHECK: arith.select %[[NAN]], %[[M]], %[[N]] {ein.seldom}
// NATIVE-LABEL: @extremes
// NATIVE: arith.maximumf %{{.*}}, %{{.*}} : vector<8xf16>
// NATIVE: arith.minimumf %{{.*}}, %{{.*}} : vector<8xf16>
// NATIVE: arith.minimumf %{{.*}}, %{{.*}} : vector<8xf32>
func.func @extremes(%x: vector<8xf16>, %y: vector<8xf16>) -> (vector<8xf16>, vector<8xf16>) {
  %half = arith.constant dense<0.5> : vector<8xf32>
  %tenth = arith.constant dense<0.1> : vector<8xf32>
  %w = arith.extf %x : vector<8xf16> to vector<8xf32>
  %v = arith.extf %y : vector<8xf16> to vector<8xf32>
  %m = arith.maximumf %w, %v : vector<8xf32>
  %n = arith.minimumf %m, %half : vector<8xf32>
  %o = arith.minimumf %w, %tenth : vector<8xf32>
  %a = arith.truncf %n : vector<8xf32> to vector<8xf16>
  %b = arith.truncf %o : vector<8xf32> to vector<8xf16>
  return %a, %b : vector<8xf16>, vector<8xf16>
}

// What is not rounded, and what fills no register, is chosen in f32; a register
// of halves is not, whatever is computed of it.
// CHECK-LABEL: @kept
// CHECK: arith.maximumf %{{.*}} : vector<4xf32>
// CHECK: arith.maxsi %{{.*}} : vector<8xi16>
// CHECK: arith.addf %{{.*}} : vector<8xf32>
func.func @kept(%x: vector<4xbf16>, %z: vector<8xbf16>) -> (vector<4xf32>, vector<8xbf16>) {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %none = arith.constant dense<0.0> : vector<8xf32>
  %w = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %m = arith.maximumf %w, %zero : vector<4xf32>
  %v = arith.extf %z : vector<8xbf16> to vector<8xf32>
  %n = arith.maximumf %v, %none : vector<8xf32>
  %s = arith.addf %n, %v : vector<8xf32>
  %t = arith.truncf %s : vector<8xf32> to vector<8xbf16>
  return %m, %t : vector<4xf32>, vector<8xbf16>
}

// Signs are bits, and what is chosen between halves is one.
// CHECK-LABEL: @signs
// CHECK-NOT: f32
// CHECK: arith.andi
// CHECK-NOT: f32
// CHECK: arith.xori
// CHECK-NOT: f32
// CHECK: arith.ori
// CHECK-NOT: f32
// CHECK: arith.select
// CHECK-NOT: f32
// CHECK: return
func.func @signs(%x: vector<8xbf16>, %y: vector<8xbf16>, %c: vector<8xi1>) -> vector<8xbf16> {
  %w = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %v = arith.extf %y : vector<8xbf16> to vector<8xf32>
  %n = arith.negf %w : vector<8xf32>
  %a = math.absf %v : vector<8xf32>
  %s = math.copysign %a, %n : vector<8xf32>
  %r = arith.select %c, %s, %w : vector<8xi1>, vector<8xf32>
  %t = arith.truncf %r : vector<8xf32> to vector<8xbf16>
  return %t : vector<8xbf16>
}

// Sums of products in f32 stay there, and functions and bf16 are widened.
// NATIVE-LABEL: @others
// NATIVE: arith.addf %{{.*}} : f32
// NATIVE: math.exp %{{.*}} : f32
// NATIVE: arith.addf %{{.*}} : f32
// NATIVE: arith.sitofp %{{.*}} : i32 to f32
func.func @others(%x: f16, %b: bf16, %i: i32) -> (f16, f16, bf16, f16) {
  %w = arith.extf %x : f16 to f32
  %p = arith.mulf %w, %w : f32
  %s = arith.addf %p, %w : f32
  %a = arith.truncf %s : f32 to f16
  %e = math.exp %x : f16
  %c = arith.addf %b, %b : bf16
  %f = arith.sitofp %i : i32 to f16
  return %a, %e, %c, %f : f16, f16, bf16, f16
}
