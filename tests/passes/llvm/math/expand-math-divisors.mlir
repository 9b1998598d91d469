// RUN: ein-opt %s --ein-expand-math | FileCheck %s --check-prefix=NOFMA
// RUN: sed 's/^module/& attributes {ein.instructions = {fma}}/' %s | ein-opt --ein-expand-math \
// RUN:   | FileCheck %s

module {

// The reciprocal before the outer loop, which does not change the divisor
// either; in the loop a product and its correction.
// CHECK-LABEL: func @row
// CHECK-SAME: %[[S:[^:,]*]]: f32,
// CHECK: %[[MAGNITUDE:.*]] = math.absf %[[S]]
// CHECK: %[[TINY:.*]] = arith.cmpf olt, %[[MAGNITUDE]], %{{.*}} : f32
// CHECK: %[[FACTOR:.*]] = arith.select %[[TINY]]
// CHECK: %[[DIVISOR:.*]] = arith.mulf %[[S]], %[[FACTOR]]
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[DIVISOR]] : f32
// CHECK: %[[FACTORS:.*]] = vector.broadcast %[[FACTOR]]
// CHECK: %[[DIVISORS:.*]] = vector.broadcast %[[DIVISOR]]
// CHECK: %[[INVERSES:.*]] = vector.broadcast %[[INVERSE]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[X:.*]] = arith.mulf %{{.*}}, %[[FACTORS]]
// CHECK: %[[Q:.*]] = arith.mulf %[[X]], %[[INVERSES]]
// CHECK: %[[NEGATIVE:.*]] = arith.negf %[[Q]]
// CHECK: %[[REST:.*]] = math.fma %[[NEGATIVE]], %[[DIVISORS]], %[[X]]
// CHECK: %[[BETTER:.*]] = math.fma %[[REST]], %[[INVERSES]], %[[Q]]
// CHECK: %[[IS_BETTER:.*]] = arith.cmpf one, %[[BETTER]], %[[Q]]
// CHECK: arith.select %[[IS_BETTER]], %[[BETTER]], %[[Q]]
// CHECK-NOT: arcp

// Without FMA the rest of a quotient is not exact.
// NOFMA-NOT: arcp
// NOFMA-NOT: math.fma
// NOFMA-LABEL: func @row
// NOFMA: scf.for
// NOFMA: arith.divf %{{.*}} : vector<16xf32>
func.func @row(%s: f32, %n: index, %from: memref<?xf32>, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %ss = vector.broadcast %s : f32 to vector<16xf32>
  scf.for %row = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c16 {
      %x = vector.load %from[%i] : memref<?xf32>, vector<16xf32>
      %q = arith.divf %x, %ss fastmath<arcp> : vector<16xf32>
      vector.store %q, %to[%i] : memref<?xf32>, vector<16xf32>
    }
  }
  return
}

// A divisor that is another one in each step, a division that does not say that
// it may be another thing, a number, and one outside of a loop.
// CHECK-LABEL: func @others
// CHECK: scf.for
// CHECK: arith.divf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
// CHECK: }
// CHECK: arith.divf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK-NOT: arcp
func.func @others(%s: f32, %x: vector<4xf32>, %n: index, %from: memref<?xf32>, %to: memref<?xvector<4xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ss = vector.broadcast %s : f32 to vector<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %other = memref.load %from[%i] : memref<?xf32>
    %others = vector.broadcast %other : f32 to vector<4xf32>
    %0 = arith.divf %x, %others fastmath<arcp> : vector<4xf32>
    %1 = arith.divf %0, %ss : vector<4xf32>
    %2 = arith.divf %other, %s fastmath<arcp> : f32
    memref.store %1, %to[%i] : memref<?xvector<4xf32>>
    memref.store %2, %from[%i] : memref<?xf32>
  }
  %3 = arith.divf %x, %ss fastmath<arcp> : vector<4xf32>
  memref.store %3, %to[%c0] : memref<?xvector<4xf32>>
  return
}

// Of a constant nothing has to be found out; of a power of two the product is
// the quotient.
// CHECK-LABEL: func @constants
// CHECK-DAG: %[[THREE:.*]] = arith.constant dense<3.000000e+00> : vector<4xf64>
// CHECK-DAG: %[[THIRD:.*]] = arith.constant dense<0.333{{.*}}> : vector<4xf64>
// CHECK: %[[Q:.*]] = arith.mulf %{{.*}}, %[[THIRD]]
// CHECK: arith.negf %[[Q]]
// CHECK: arith.select
// CHECK: %[[QUARTER:.*]] = arith.constant dense<2.500000e-01>
// CHECK: arith.mulf %{{.*}}, %[[QUARTER]]
// CHECK-NEXT: arith.divf
// CHECK-NEXT: return
func.func @constants(%x: vector<4xf64>) -> vector<4xf64> {
  %c3 = arith.constant dense<3.0> : vector<4xf64>
  %c4 = arith.constant dense<4.0> : vector<4xf64>
  %c0 = arith.constant dense<0.0> : vector<4xf64>
  %0 = arith.divf %x, %c3 fastmath<arcp> : vector<4xf64>
  %1 = arith.divf %0, %c4 fastmath<arcp> : vector<4xf64>
  %2 = arith.divf %1, %c0 fastmath<arcp> : vector<4xf64>
  return %2 : vector<4xf64>
}


// A term of a sum in any order needs no correction; what was an integer is no
// denormal number, so that nothing has to be scaled.
// CHECK-LABEL: func @mean
// CHECK: %[[N:.*]] = arith.sitofp %{{.*}} : i64 to f32
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[N]] : f32
// CHECK: %[[INVERSES:.*]] = vector.broadcast %[[INVERSE]]
// CHECK: scf.for
// CHECK-NOT: arith.divf
// CHECK: %[[TERM:.*]] = arith.mulf %{{.*}}, %[[INVERSES]] fastmath<contract>
// CHECK-NEXT: arith.addf %{{.*}}, %[[TERM]]
func.func @mean(%size: i64, %n: index, %from: memref<?xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%so_far = %zero) -> vector<16xf32> {
    %x = vector.load %from[%i] : memref<?xf32>, vector<16xf32>
    %sizes = vector.broadcast %size : i64 to vector<16xi64>
    %numbers = arith.sitofp %sizes : vector<16xi64> to vector<16xf32>
    %term = arith.divf %x, %numbers fastmath<arcp> : vector<16xf32>
    %next = arith.addf %so_far, %term fastmath<reassoc,contract> : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  return %sum : vector<16xf32>
}

// The divisor may be a vector without dims, as reads of a number are.
// CHECK-LABEL: func @no_dims
// CHECK: vector.extract %{{.*}}[] : f32 from vector<f32>
// CHECK: scf.for
// CHECK-NOT: arith.divf
// CHECK: return
func.func @no_dims(%s: vector<f32>, %n: index, %from: memref<?xvector<4xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ss = vector.broadcast %s : vector<f32> to vector<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %from[%i] : memref<?xvector<4xf32>>
    %q = arith.divf %x, %ss fastmath<arcp> : vector<4xf32>
    memref.store %q, %from[%i] : memref<?xvector<4xf32>>
  }
  return
}

}
