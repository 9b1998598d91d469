// RUN: sed 's/^module/& attributes {ein.instructions = {fma, vector_bits = 256}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s
// RUN: sed 's/^module/& attributes {ein.instructions = {fma, avx512, vector_bits = 512}}/' %s \
// RUN:   | ein-opt --ein-expand-math | FileCheck %s --check-prefix=LONG

// erfc(0) and its slope, with the sign turned, come first; both tables are made
// once.
// CHECK-DAG: memref.global "private" constant @__ein_table_erfc : memref<6994xf64> = dense<"0x000000000000F03F6D9B4250D70DF23F
// CHECK-DAG: memref.global "private" constant @__ein_table_erfc_rest : memref<3497xf32>
// CHECK-NOT: memref.global

module {

// A pair and a number are loaded for each lane, whose row is taken once. Where
// any number is beyond 10, a branch has the longer polynomials; NaN stays.
// CHECK-LABEL: func @complement
// CHECK: %[[PAIRS:.*]] = memref.get_global @__ein_table_erfc
// CHECK-COUNT-4: vector.load %[[PAIRS]]
// CHECK: %[[RESTS:.*]] = memref.get_global @__ein_table_erfc_rest
// CHECK-COUNT-4: memref.load %[[RESTS]]
// CHECK: vector.from_elements
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %{{.*}} : vector<4xi1> into i1
// CHECK: scf.if %[[ANY]] -> (vector<4xf64>)
// CHECK: %[[NUMBER:.*]] = arith.cmpf oeq, %[[A:.*]], %[[A]] : vector<4xf64>
// CHECK: arith.select %[[NUMBER]], %{{.*}}, %[[A]]
// CHECK: return
func.func @complement(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.erfc %x : vector<4xf64>
  return %0 : vector<4xf64>
}

// CHECK-LABEL: func @number
// CHECK: vector.load %{{.*}} : memref<6994xf64>, vector<2xf64>
// CHECK: memref.load %{{.*}} : memref<3497xf32>
// CHECK: scf.if
// CHECK: return
func.func @number(%x: f64) -> f64 {
  %0 = math.erfc %x : f64
  return %0 : f64
}

// Of four registers that keep much two are computed at a time, but not with
// twice as many registers, and not of f32.
// CHECK-LABEL: func @side_by_side
// CHECK-COUNT-2: vector.extract_strided_slice %{{.*}} : vector<16xf64> to vector<8xf64>
// CHECK-NOT: vector.extract_strided_slice
// CHECK: return
// LONG-LABEL: func @side_by_side
// LONG-NOT: vector.extract_strided_slice
// LONG: return
func.func @side_by_side(%x: vector<16xf64>, %y: vector<16xf64>, %z: vector<32xf32>)
    -> (vector<16xf64>, vector<16xf64>, vector<32xf32>) {
  %0 = math.expm1 %x : vector<16xf64>
  %1 = math.exp %y : vector<16xf64>
  %2 = math.expm1 %z : vector<32xf32>
  return %0, %1, %2 : vector<16xf64>, vector<16xf64>, vector<32xf32>
}

}
