// RUN: ein-opt %s --ein-expand-complex --canonicalize | FileCheck %s
// RUN: ein-opt %s --ein-expand-complex=rare --canonicalize | FileCheck %s --check-prefix=RARE
// RUN: ein-opt %s --ein-expand-complex='rare fma' | FileCheck %s --check-prefix=FMA
// RUN: ein-opt %s --ein-expand-complex='rare root-estimates' \
// RUN:   | FileCheck %s --check-prefix=ESTIMATED
// RUN: ein-opt %s --ein-expand-complex=rare --ein-expand-complex \
// RUN:   | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: func @argument
// CHECK-SAME: %[[Z:.*]]: complex<f64>
// CHECK-DAG: %[[X:.*]] = complex.re %[[Z]]
// CHECK-DAG: %[[Y:.*]] = complex.im %[[Z]]
// CHECK: %[[A:.*]] = math.atan2 %[[Y]], %[[X]] : f64
// CHECK: return %[[A]]
func.func @argument(%z: complex<f64>) -> f64 {
  %0 = complex.angle %z : complex<f64>
  return %0 : f64
}

// Both parts are scaled by a power of two, made of the bits of the larger one's
// exponent, so that no square overflows.
// CHECK-LABEL: func @magnitude
// CHECK: arith.bitcast {{.*}} : f32 to i32
// CHECK: %[[ROOT:.*]] = math.sqrt
// CHECK: %[[SCALED:.*]] = arith.mulf %[[ROOT]]
// CHECK: %[[RESULT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[SCALED]]
// CHECK: return %[[RESULT]]
// With branches the sum of squares decides.
// RARE-LABEL: func @magnitude
// RARE: %[[SUM:.*]] = arith.addf
// RARE: %[[BITS:.*]] = arith.bitcast %[[SUM]] : f32 to i32
// RARE: %[[BEYOND:.*]] = arith.addi %[[BITS]]
// RARE: %[[RARE:.*]] = arith.cmpi sgt, %[[BEYOND]]
// RARE: %[[ROOT:.*]] = math.sqrt %[[SUM]]
// RARE: %[[CHOSEN:.*]] = arith.select %[[RARE]], %{{.*}}, %[[ROOT]] {ein.seldom}
// RARE: return %[[CHOSEN]]
func.func @magnitude(%z: complex<f32>) -> f32 {
  %0 = complex.abs %z : complex<f32>
  return %0 : f32
}

// CHECK-LABEL: func @functions
// CHECK-NOT: complex.{{exp|log|sqrt|pow|div}}
// CHECK: math.sqrt
// CHECK: math.cos
// CHECK: math.sin
// CHECK: math.exp
// CHECK: math.log1p
// CHECK: math.atan2
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: complex.create
// CHECK-NOT: complex.{{exp|log|sqrt|pow|div}}
func.func @functions(%z: complex<f32>, %w: complex<f32>) -> complex<f32> {
  %0 = complex.sqrt %z : complex<f32>
  %1 = complex.exp %0 : complex<f32>
  %2 = complex.log %1 : complex<f32>
  %3 = complex.pow %2, %w : complex<f32>
  %4 = complex.div %3, %w : complex<f32>
  return %4 : complex<f32>
}

// Usual quotients have one division, by the sum of squares.
// RARE-LABEL: func @quotient
// RARE: %[[SUM:.*]] = arith.addf
// RARE: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[SUM]]
// RARE: arith.mulf %{{.*}}, %[[INVERSE]]
// RARE: arith.select {{.*}} {ein.seldom}
// RARE: arith.select {{.*}} {ein.seldom}
func.func @quotient(%z: complex<f32>, %w: complex<f32>) -> complex<f32> {
  %0 = complex.div %z, %w : complex<f32>
  return %0 : complex<f32>
}

// What is usual is a power, times cosine and sine; a logarithm has no other
// function than the angle's, and products rounded exactly by FMA, if there is
// one.
// RARE-LABEL: func @exponential
// RARE-DAG: %[[X:.*]] = complex.re
// RARE-DAG: %[[COS:.*]] = math.cos
// RARE-DAG: %[[SIN:.*]] = math.sin
// RARE: %[[POWER:.*]] = math.exp %[[X]]
// RARE: arith.mulf %[[COS]], %[[POWER]]
// RARE: arith.select {{.*}} {ein.seldom}
// RARE-LABEL: func @logarithm
// RARE-NOT: math.fma
// RARE: ein.log_sum %{{.*}}, %{{.*}} : f32
// RARE: arith.select {{.*}} {ein.seldom}
// RARE: math.atan2
// Without branches there is nothing that expands it later.
// PLAIN-LABEL: func @logarithm
// PLAIN-NOT: ein.
// PLAIN: return
// By FMA the sum is of the larger square, whose difference with it is exact.
// FMA-LABEL: func @logarithm
// FMA: %[[SQUARE:.*]] = arith.mulf %[[LARGE:[^ ]*]], %[[LARGE]]
// FMA: %[[SUM:.*]] = math.fma %[[LESS:[^ ]*]], %[[LESS]], %[[SQUARE]]
// FMA: %[[BACK:.*]] = arith.subf %[[SQUARE]], %[[SUM]]
// FMA: %[[LOST:.*]] = math.fma %[[LESS]], %[[LESS]], %[[BACK]]
// FMA: %[[NEGATED:.*]] = arith.negf %[[SQUARE]]
// FMA: %[[ALSO:.*]] = math.fma %[[LARGE]], %[[LARGE]], %[[NEGATED]]
// FMA: %[[LOW:.*]] = arith.addf %[[LOST]], %[[ALSO]]
// FMA: ein.log_sum %[[SUM]], %[[LOW]] : f32
func.func @exponential(%z: complex<f32>) -> complex<f32> {
  %0 = complex.exp %z : complex<f32>
  return %0 : complex<f32>
}
func.func @logarithm(%z: complex<f32>) -> complex<f32> {
  %0 = complex.log %z : complex<f32>
  return %0 : complex<f32>
}

// The second root and the division are products, where the inverse of a root is
// estimated.
// RARE-LABEL: func @root
// RARE-COUNT-4: math.sqrt
// RARE: arith.divf
// RARE: return
// ESTIMATED-LABEL: func @root
// ESTIMATED: %[[INVERSE:.*]] = math.rsqrt %[[SQUARE:[^ ]*]]
// ESTIMATED: arith.mulf %[[SQUARE]], %[[INVERSE]]
// ESTIMATED: %[[HALF:.*]] = arith.mulf %[[INVERSE]]
// ESTIMATED: arith.mulf %{{.*}}, %[[HALF]]
// ESTIMATED: return
func.func @root(%z: complex<f32>) -> complex<f32> {
  %0 = complex.sqrt %z : complex<f32>
  return %0 : complex<f32>
}

// What vectors have forms of stays, and so do parts that have no formulas.
// CHECK-LABEL: func @kept
// CHECK: complex.mul
// CHECK: complex.exp {{.*}} : complex<f16>
func.func @kept(%z: complex<f16>) -> complex<f16> {
  %0 = complex.mul %z, %z : complex<f16>
  %1 = complex.exp %0 : complex<f16>
  return %1 : complex<f16>
}
