// RUN: ein-opt %s --ein-widen-bytes -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The product wraps around in the high byte, and is compared there.
// CHECK-LABEL: func @largest
// CHECK-SAME: %[[A:[^:]*]]: tensor<3x4xi8>, %[[B:[^:]*]]: tensor<4x5xi8>, %[[C:[^:]*]]: tensor<3x5xi8>
// CHECK: %[[WA:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<3x4xi8>)
// CHECK: arith.extsi %{{.*}} : i8 to i16
// CHECK: arith.shli %{{.*}}, %c8_i16
// CHECK: %[[WC:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<3x5xi8>)
// CHECK: arith.shli
// CHECK: %[[W:.*]] = ein.contract {{.*}} kind = <maxsi> {user} ins(%[[WA]], %[[B]] : tensor<3x4xi16>, tensor<4x5xi8>) outs(%[[WC]] : tensor<3x5xi16>)
// CHECK: linalg.generic {{.*}} ins(%[[W]] : tensor<3x5xi16>) outs(%[[C]] : tensor<3x5xi8>)
// CHECK: %[[S:.*]] = arith.shrui
// CHECK: arith.trunci %[[S]] : i16 to i8
func.func @largest(%a: tensor<3x4xi8>, %b: tensor<4x5xi8>, %c: tensor<3x5xi8>) -> tensor<3x5xi8> {
  %0 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = #vector.kind<maxsi> {user}
    ins(%a, %b : tensor<3x4xi8>, tensor<4x5xi8>) outs(%c : tensor<3x5xi8>) -> tensor<3x5xi8>
  return %0 : tensor<3x5xi8>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Low bits need no shift. What it starts from is a number, shifted if need be.
// CHECK-LABEL: func @filled
// CHECK: %[[LEAST:.*]] = arith.constant -32768 : i16
// CHECK: linalg.fill ins(%[[LEAST]] : i16)
// CHECK: ein.contract {{.*}} kind = <maxsi>
// CHECK: %[[ONES:.*]] = arith.constant -1 : i16
// CHECK: linalg.fill ins(%[[ONES]] : i16)
// CHECK: %[[W:.*]] = ein.contract {{.*}} kind = <and> ins(%{{.*}}, %{{.*}} : tensor<?x?xi8>, tensor<?x?xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[W]] :
// CHECK-NOT: shrui
// CHECK: arith.trunci
func.func @filled(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi8>) -> (tensor<?x?xi8>, tensor<?x?xi8>) {
  %least = arith.constant -128 : i8
  %f = linalg.fill ins(%least : i8) outs(%c : tensor<?x?xi8>) -> tensor<?x?xi8>
  %0 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = #vector.kind<maxsi>
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%f : tensor<?x?xi8>) -> tensor<?x?xi8>
  %ones = arith.constant -1 : i8
  %g = linalg.fill ins(%ones : i8) outs(%c : tensor<?x?xi8>) -> tensor<?x?xi8>
  %1 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = #vector.kind<and>
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%g : tensor<?x?xi8>) -> tensor<?x?xi8>
  return %0, %1 : tensor<?x?xi8>, tensor<?x?xi8>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Sums are of 32 bits.
// CHECK-LABEL: func @sums
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x4xi8>, tensor<4x5xi8>) outs(%{{.*}} : tensor<3x5xi32>)
func.func @sums(%a: tensor<3x4xi8>, %b: tensor<4x5xi8>, %c: tensor<3x5xi8>) -> tensor<3x5xi8> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<3x4xi8>, tensor<4x5xi8>) outs(%c : tensor<3x5xi8>) -> tensor<3x5xi8>
  return %0 : tensor<3x5xi8>
}

// Bits are bytes that are 0 or 1, and what counts them counts these.
// CHECK-LABEL: func @bits
// CHECK-SAME: %[[A:[^:]*]]: tensor<3x4xi1>, %[[B:[^:]*]]: tensor<4x5xi1>, %[[C:[^:]*]]: tensor<3x5xi1>
// CHECK: %[[WA:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<3x4xi1>) outs(%{{.*}} : tensor<3x4xi8>)
// CHECK: arith.extui %{{.*}} : i1 to i8
// CHECK: %[[WB:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<4x5xi1>) outs(%{{.*}} : tensor<4x5xi8>)
// CHECK: %[[WC:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<3x5xi1>) outs(%{{.*}} : tensor<3x5xi16>)
// CHECK: arith.extui %{{.*}} : i1 to i16
// CHECK: %[[W:.*]] = ein.contract {{.*}} kind = <or> cast = <cast_unsigned> ins(%[[WA]], %[[WB]] : tensor<3x4xi8>, tensor<4x5xi8>) outs(%[[WC]] : tensor<3x5xi16>)
// CHECK: linalg.generic {{.*}} ins(%[[W]] : tensor<3x5xi16>) outs(%[[C]] : tensor<3x5xi1>)
// CHECK: arith.trunci %{{.*}} : i16 to i1
// CHECK-LABEL: func @signed_bits
// CHECK: %[[ONE:.*]] = arith.constant 1 : i16
// CHECK: linalg.fill ins(%[[ONE]] : i16)
// CHECK: ein.contract {{.*}} kind = <minui>
// CHECK-LABEL: func @counted
// CHECK-COUNT-2: arith.extsi %{{.*}} : i1 to i8
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x4xi8>, tensor<4x5xi8>) outs(%{{.*}} : tensor<3x5xi32>)
func.func @bits(%a: tensor<3x4xi1>, %b: tensor<4x5xi1>, %c: tensor<3x5xi1>) -> tensor<3x5xi1> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<3x4xi1>, tensor<4x5xi1>) outs(%c : tensor<3x5xi1>) -> tensor<3x5xi1>
  return %0 : tensor<3x5xi1>
}
func.func @signed_bits(%a: tensor<3x4xi1>, %b: tensor<4x5xi1>, %c: tensor<3x5xi1>) -> tensor<3x5xi1> {
  %true = arith.constant true
  %f = linalg.fill ins(%true : i1) outs(%c : tensor<3x5xi1>) -> tensor<3x5xi1>
  %0 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = #vector.kind<maxsi>
    ins(%a, %b : tensor<3x4xi1>, tensor<4x5xi1>) outs(%f : tensor<3x5xi1>) -> tensor<3x5xi1>
  return %0 : tensor<3x5xi1>
}
func.func @counted(%a: tensor<3x4xi1>, %b: tensor<4x5xi1>, %c: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<3x4xi1>, tensor<4x5xi1>) outs(%c : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>
#m = affine_map<(m, k) -> (m)>

// No tile is made of a matrix and a vector, nor of wider numbers.
// CHECK-LABEL: func @vector
// CHECK: ein.contract {{.*}} outs(%{{.*}} : tensor<3xi8>)
func.func @vector(%a: tensor<3x4xi8>, %b: tensor<4xi8>, %c: tensor<3xi8>) -> tensor<3xi8> {
  %0 = ein.contract indexing_maps = [#mk, #k, #m] kind = #vector.kind<maxsi>
    ins(%a, %b : tensor<3x4xi8>, tensor<4xi8>) outs(%c : tensor<3xi8>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// Of bits bytes are wide enough for those.
// CHECK-LABEL: func @vector_of_bits
// CHECK: ein.contract {{.*}} kind = <xor> {{.*}} outs(%{{.*}} : tensor<3xi8>)
func.func @vector_of_bits(%a: tensor<3x4xi1>, %b: tensor<4xi1>, %c: tensor<3xi1>) -> tensor<3xi1> {
  %0 = ein.contract indexing_maps = [#mk, #k, #m] kind = #vector.kind<xor>
    ins(%a, %b : tensor<3x4xi1>, tensor<4xi1>) outs(%c : tensor<3xi1>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// Indices are numbers of 64 bits.
// CHECK-LABEL: func @indices
// CHECK-COUNT-3: arith.index_cast %{{.*}} : index to i64
// CHECK: linalg.contract {{.*}} outs(%{{.*}} : tensor<3xi64>)
// CHECK: arith.index_cast %{{.*}} : i64 to index
func.func @indices(%a: tensor<3x4xindex>, %b: tensor<4xindex>, %c: tensor<3xindex>) -> tensor<3xindex> {
  %0 = ein.contract indexing_maps = [#mk, #k, #m] kind = #vector.kind<add>
    ins(%a, %b : tensor<3x4xindex>, tensor<4xindex>) outs(%c : tensor<3xindex>) -> tensor<3xindex>
  return %0 : tensor<3xindex>
}
