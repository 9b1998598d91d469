// RUN: ein-opt %s --ein-compare-extremes -canonicalize -split-input-file | FileCheck %s

// One equals 99 if the least difference is zero.
// CHECK-LABEL: func @some_equal
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK-DAG: %[[NONE:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[BOUND:.*]] = arith.constant 99 : i8
// CHECK: %[[START:.*]] = linalg.fill ins(%[[NONE]] : i8)
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} outs(%[[START]] : tensor<i8>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %[[LEAST:.*]]: i8):
// CHECK-NEXT: %[[D:.*]] = arith.xori %[[X]], %[[BOUND]]
// CHECK-NEXT: arith.minui %[[LEAST]], %[[D]]
// CHECK: linalg.generic {{.*}}iterator_types = []
// CHECK: %[[IS:.*]] = arith.cmpi eq, %{{.*}}, %[[ZERO]]
// CHECK-NEXT: arith.extsi %[[IS]] : i1 to i8
func.func @some_equal(%a: tensor<?xi8>, %c: tensor<i8>) -> tensor<i8> {
  %zero = arith.constant 0 : i8
  %bound = arith.constant 99 : i8
  %start = linalg.fill ins(%zero : i8) outs(%c : tensor<i8>) -> tensor<i8>
  %0 = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
                       iterator_types = ["reduction"]} ins(%a : tensor<?xi8>) outs(%start : tensor<i8>) {
  ^bb0(%x: i8, %old: i8):
    %is = arith.cmpi eq, %x, %bound : i8
    %bits = arith.extsi %is : i1 to i8
    %new = arith.ori %old, %bits : i8
    linalg.yield %new : i8
  } -> tensor<i8>
  return %0 : tensor<i8>
}

// -----

// All rows are below 7 if their largest numbers are.
// CHECK-LABEL: func @all_below
// CHECK-DAG: %[[NONE:.*]] = arith.constant -32768 : i16
// CHECK-DAG: %[[BOUND:.*]] = arith.constant 7 : i16
// CHECK: linalg.fill ins(%[[NONE]] : i16)
// CHECK: arith.maxsi
// CHECK: arith.cmpi slt, %{{.*}}, %[[BOUND]]
func.func @all_below(%a: tensor<?x?xi16>, %c: tensor<?xi16>) -> tensor<?xi16> {
  %ones = arith.constant -1 : i16
  %bound = arith.constant 7 : i16
  %start = linalg.fill ins(%ones : i16) outs(%c : tensor<?xi16>) -> tensor<?xi16>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
                       iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xi16>) outs(%start : tensor<?xi16>) {
  ^bb0(%x: i16, %old: i16):
    %is = arith.cmpi slt, %x, %bound : i16
    %bits = arith.extsi %is : i1 to i16
    %new = arith.andi %old, %bits : i16
    linalg.yield %new : i16
  } -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

// -----

// Of no numbers none is at most 127, but the least number would be.
// CHECK-LABEL: func @some_at_most_largest
// CHECK-NOT: arith.minsi
// CHECK: arith.ori
func.func @some_at_most_largest(%a: tensor<?xi8>, %c: tensor<i8>) -> tensor<i8> {
  %zero = arith.constant 0 : i8
  %bound = arith.constant 127 : i8
  %start = linalg.fill ins(%zero : i8) outs(%c : tensor<i8>) -> tensor<i8>
  %0 = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
                       iterator_types = ["reduction"]} ins(%a : tensor<?xi8>) outs(%start : tensor<i8>) {
  ^bb0(%x: i8, %old: i8):
    %is = arith.cmpi sle, %x, %bound : i8
    %bits = arith.extsi %is : i1 to i8
    %new = arith.ori %old, %bits : i8
    linalg.yield %new : i8
  } -> tensor<i8>
  return %0 : tensor<i8>
}

// -----

// From another start than what changes nothing, and of another bound for each row.
// CHECK-LABEL: func @others
// CHECK-COUNT-2: arith.cmpi
// CHECK-NOT: arith.cmpi
func.func @others(%a: tensor<?x?xi8>, %b: tensor<?xi8>, %c: tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi8>) {
  %zero = arith.constant 0 : i8
  %bound = arith.constant 99 : i8
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
                       iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xi8>) outs(%c : tensor<?xi8>) {
  ^bb0(%x: i8, %old: i8):
    %is = arith.cmpi eq, %x, %bound : i8
    %bits = arith.extsi %is : i1 to i8
    %new = arith.ori %old, %bits : i8
    linalg.yield %new : i8
  } -> tensor<?xi8>
  %start = linalg.fill ins(%zero : i8) outs(%c : tensor<?xi8>) -> tensor<?xi8>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>],
                       iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<?x?xi8>, tensor<?xi8>)
                       outs(%start : tensor<?xi8>) {
  ^bb0(%x: i8, %y: i8, %old: i8):
    %is = arith.cmpi eq, %x, %y : i8
    %bits = arith.extsi %is : i1 to i8
    %new = arith.ori %old, %bits : i8
    linalg.yield %new : i8
  } -> tensor<?xi8>
  return %0, %1 : tensor<?xi8>, tensor<?xi8>
}
