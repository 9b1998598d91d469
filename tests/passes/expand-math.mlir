// RUN: ein-opt %s --ein-expand-math | FileCheck %s

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

// What is not f32 stays, and so does what has no formula.
// CHECK-LABEL: func @others
// CHECK: math.exp %{{.*}} : f64
// CHECK: math.tan %{{.*}} : f32
// CHECK: math.sqrt %{{.*}} : vector<8xf32>
func.func @others(%x: f64, %y: f32, %z: vector<8xf32>) -> (f64, f32, vector<8xf32>) {
  %0 = math.exp %x : f64
  %1 = math.tan %y : f32
  %2 = math.sqrt %z : vector<8xf32>
  return %0, %1, %2 : f64, f32, vector<8xf32>
}

// A vector takes the instructions of a number: the exponent's bits are those of
// the sum with 1.5 * 2^23, and 2^n is multiplied in two steps.
// CHECK-LABEL: func @vector
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK: %[[LARGE:.*]] = arith.constant dense<0x4B400000> : vector<16xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[SCALED]], %[[LARGE]] fastmath<contract> : vector<16xf32>
// CHECK: arith.subf %[[SUM]]
// CHECK: arith.bitcast %[[SUM]] : vector<16xf32> to vector<16xi32>
// CHECK: arith.shrsi
// CHECK-COUNT-2: arith.mulf
// CHECK-NEXT: return
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
// CHECK: scf.if %[[ANY]] -> (vector<8xf32>, vector<8xi32>)
func.func @angles(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sin %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func @angle
// CHECK: %[[LARGE:.*]] = arith.cmpf ogt
// CHECK: scf.if %[[LARGE]] -> (f32, i32)
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
  %exp = math.exp %square : vector<4xf32>
  %chosen = arith.select %bits, %exp, %x : vector<4xi1>, vector<4xf32>
  %other = arith.select %bits, %square, %x : vector<4xi1>, vector<4xf32>
  return %chosen, %other : vector<4xf32>, vector<4xf32>
}
