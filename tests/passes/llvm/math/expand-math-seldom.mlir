// RUN: ein-opt %s --ein-expand-math | FileCheck %s

module {

// What is chosen seldom is computed in a branch, and both selects are in one.
// CHECK-LABEL: func @both
// CHECK-SAME: %[[X:[^:]*]]: vector<8xf32>, %[[RARE:[^:]*]]: vector<8xi1>
// CHECK-NOT: math.sqrt
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[RARE]]
// CHECK: %[[BOTH:.*]]:2 = scf.if %[[ANY]] -> (vector<8xf32>, vector<8xf32>)
// CHECK-DAG: math.sqrt %[[X]]
// CHECK-DAG: math.floor %[[X]]
// CHECK: arith.select %[[RARE]]
// CHECK: arith.select %[[RARE]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[X]], %[[X]]
// CHECK: arith.addf %[[BOTH]]#0, %[[BOTH]]#1
func.func @both(%x: vector<8xf32>, %rare: vector<8xi1>) -> vector<8xf32> {
  %a = math.sqrt %x : vector<8xf32>
  %b = math.floor %x : vector<8xf32>
  %0 = arith.select %rare, %a, %x {ein.seldom} : vector<8xi1>, vector<8xf32>
  %1 = arith.select %rare, %b, %x {ein.seldom} : vector<8xi1>, vector<8xf32>
  %2 = arith.addf %0, %1 : vector<8xf32>
  return %2 : vector<8xf32>
}

// What is usual is computed in both, behind what is rare; what something else
// needs as well stays before the branch.
// CHECK-LABEL: func @usual
// CHECK-SAME: %[[X:[^:]*]]: vector<8xf32>, %[[RARE:[^:]*]]: vector<8xi1>
// CHECK-NOT: arith.mulf
// CHECK: %[[SHARED:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NOT: arith.mulf
// CHECK: %[[BRANCH:.*]] = scf.if
// CHECK: %[[ROOT:.*]] = math.sqrt %[[X]]
// CHECK: %[[COPY:.*]] = arith.mulf %[[SHARED]], %[[X]]
// CHECK: arith.select %[[RARE]], %[[ROOT]], %[[COPY]]
// CHECK: } else {
// CHECK: %[[USUAL:.*]] = arith.mulf %[[SHARED]], %[[X]]
// CHECK: scf.yield %[[USUAL]]
// CHECK: return %[[BRANCH]], %[[SHARED]]
func.func @usual(%x: vector<8xf32>, %rare: vector<8xi1>) -> (vector<8xf32>, vector<8xf32>) {
  %root = math.sqrt %x : vector<8xf32>
  %shared = arith.addf %x, %x : vector<8xf32>
  %usual = arith.mulf %shared, %x : vector<8xf32>
  %0 = arith.select %rare, %root, %usual {ein.seldom} : vector<8xi1>, vector<8xf32>
  return %0, %shared : vector<8xf32>, vector<8xf32>
}

// The second one needs the first one's result, and stays a select.
// CHECK-LABEL: func @used
// CHECK: %[[FIRST:.*]] = scf.if
// CHECK: %[[NEXT:.*]] = arith.addf %[[FIRST]]
// CHECK: arith.select %{{.*}}, %[[NEXT]]
// CHECK-NOT: ein.seldom
func.func @used(%x: vector<8xf32>, %rare: vector<8xi1>) -> vector<8xf32> {
  %a = math.sqrt %x : vector<8xf32>
  %0 = arith.select %rare, %a, %x {ein.seldom} : vector<8xi1>, vector<8xf32>
  %b = arith.addf %0, %x : vector<8xf32>
  %1 = arith.select %rare, %b, %x {ein.seldom} : vector<8xi1>, vector<8xf32>
  return %1 : vector<8xf32>
}

// Of several registers the largest numbers are compared.
// CHECK-LABEL: func @largest
// CHECK-SAME: %[[X:[^:]*]]: vector<16xi16>
// CHECK-DAG: %[[LOW:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0], sizes = [8]
// CHECK-DAG: %[[HIGH:.*]] = vector.extract_strided_slice %[[X]] {offsets = [8], sizes = [8]
// CHECK: %[[MOST:.*]] = arith.maxui %[[LOW]], %[[HIGH]]
// CHECK: %[[ARE:.*]] = arith.cmpi ugt, %[[MOST]], %{{.*}} : vector<8xi16>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[ARE]]
// CHECK: scf.if %[[ANY]]
func.func @largest(%x: vector<16xi16>, %y: vector<16xi16>) -> vector<16xi16> {
  %c = arith.constant dense<-128> : vector<16xi16>
  %rare = arith.cmpi ugt, %x, %c : vector<16xi16>
  %0 = arith.select %rare, %x, %y {ein.seldom} : vector<16xi1>, vector<16xi16>
  return %0 : vector<16xi16>
}

// Of numbers, the condition itself is asked.
// CHECK-LABEL: func @number
// CHECK-SAME: %[[X:[^:]*]]: f32, %[[RARE:[^:]*]]: i1
// CHECK: scf.if %[[RARE]]
func.func @number(%x: f32, %rare: i1) -> f32 {
  %a = math.sqrt %x : f32
  %0 = arith.select %rare, %a, %x {ein.seldom} : f32
  return %0 : f32
}

}
