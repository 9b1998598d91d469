// Tiles and their order are the schedule's, written by hand here.
// RUN: ein-opt %s -ein-tile-contractions -canonicalize | FileCheck %s

#mk = affine_map<(b, m, n, k) -> (b, m, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>

// The loops: batch by 1, n by 64, m by 12; k is left whole. C is carried
// through, and the tiled op keeps its schedule.
// CHECK-LABEL: func @gemm
// CHECK-SAME: %[[C:[^:]*]]: tensor<4x?x?xf32>)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C12:.*]] = arith.constant 12 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: scf.for %[[B:.*]] = %{{.*}} step %[[C1]] iter_args(%[[CB:.*]] = %[[C]])
// CHECK: scf.for %[[N:.*]] = %{{.*}} step %[[C64]] iter_args(%[[CN:.*]] = %[[CB]])
// CHECK: scf.for %[[M:.*]] = %{{.*}} step %[[C12]] iter_args(%[[CM:.*]] = %[[CN]])
// CHECK-NOT: scf.for
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[B]], %[[M]], 0] {{.*}} : tensor<4x?x30xf32> to tensor<1x?x30xf32>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[B]], 0, %[[N]]] {{.*}} : tensor<4x30x?xf32> to tensor<1x30x?xf32>
// CHECK-DAG: %[[TILE:.*]] = tensor.extract_slice %[[CM]][%[[B]], %[[M]], %[[N]]]
// CHECK: %[[R:.*]] = linalg.contract {{.*}} {ein.schedule = #ein.schedule<{{.*}}rows =
// CHECK-SAME: outs(%[[TILE]] : tensor<1x?x?xf32>)
// CHECK: tensor.insert_slice %[[R]] into %[[CM]][%[[B]], %[[M]], %[[N]]]
func.func @gemm(%a: tensor<4x?x30xf32>, %b: tensor<4x30x?xf32>, %c: tensor<4x?x?xf32>)
    -> tensor<4x?x?xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0: 1, d2: 64, d3, d1: 12], rows = d1: 6,
           columns = d2: 16, sums = d3, vector = d2, operands = [packed, packed]>}
         ins(%a, %b : tensor<4x?x30xf32>, tensor<4x30x?xf32>)
         outs(%c : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  return %0 : tensor<4x?x?xf32>
}

// Nothing to tile, and another schedule: left alone.
// CHECK-LABEL: func @alone
// CHECK-NOT: scf.for
// CHECK-COUNT-2: linalg.contract
// CHECK-NOT: scf.for
// CHECK: return
func.func @alone(%a: tensor<1x3x4xf32>, %b: tensor<1x4x5xf32>, %c: tensor<1x3x5xf32>)
    -> (tensor<1x3x5xf32>, tensor<1x3x5xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2, d3], rows = d1: 3, columns = d2: 8,
           sums = d3, vector = d2, operands = [packed, packed]>}
         ins(%a, %b : tensor<1x3x4xf32>, tensor<1x4x5xf32>)
         outs(%c : tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<>}
         ins(%a, %b : tensor<1x3x4xf32>, tensor<1x4x5xf32>)
         outs(%c : tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
  return %0, %1 : tensor<1x3x5xf32>, tensor<1x3x5xf32>
}

// An epilogue goes into the loops, and changes the tile in the last block of k.
// A sum of nothing has one block.
// CHECK-LABEL: func @epilogue
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %{{[^:]*}}: tensor<?x?xf32>, %[[BIAS:[^:]*]]: tensor<?xf32>
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK: %[[K:.*]] = tensor.dim %[[A]], %[[C1]]
// CHECK: %[[END:.*]] = arith.maxsi %[[K]], %[[C1]]
// CHECK: scf.for %[[IK:[^ ]*]] = %{{.*}} to %[[END]] step %[[C32]]
// CHECK: scf.for %[[IM:[^ ]*]] =
// CHECK: affine.min #{{.*}}(%[[IK]])[%[[K]]]
// CHECK: %[[SUM:.*]] = linalg.contract
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[BIAS]][%[[IM]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[IK]], %[[C32]]
// CHECK: %[[LAST:.*]] = arith.cmpi sge, %[[NEXT]], %[[END]]
// CHECK: %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[PART]], %[[LAST]] : tensor<?xf32>, i1) outs(%[[SUM]]
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[BIT:.*]]: i1, %[[OLD:.*]]: f32):
// CHECK: %[[S:.*]] = arith.addf %[[OLD]], %[[IN]]
// CHECK: %[[CHOSEN:.*]] = arith.select %[[BIT]], %[[S]], %[[OLD]]
// CHECK: linalg.yield %[[CHOSEN]]
// CHECK: tensor.insert_slice %[[NEW]]
#mk3 = affine_map<(m, n, k) -> (m, k)>
#kn3 = affine_map<(m, n, k) -> (k, n)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @epilogue(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: tensor<?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.contract indexing_maps = [#mk3, #kn3, #mn3]
           {ein.schedule = #ein.schedule<loops = [d1, d2: 32, d0: 12], rows = d0: 6,
           columns = d1: 16, sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%bias : tensor<?xf32>) outs(%0 : tensor<?x?xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// What starts from a fill starts from it in the first block of k, which runs
// even if there is nothing to sum; C itself is not filled.
// CHECK-LABEL: func @start
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>, %[[C:[^:]*]]: tensor<?x?xf32>, %[[X:[^:]*]]: f32
// CHECK: %[[END:.*]] = arith.maxsi %{{.*}}, %{{.*}} : index
// CHECK: scf.for %[[IK:.*]] = %[[ZERO:.*]] to %[[END]] {{.*}} iter_args(%{{.*}} = %[[C]])
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[IK]], %[[ZERO]]
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[X]] : f32)
// CHECK: %[[INIT:.*]] = arith.select %[[FIRST]], %[[FILL]], %{{.*}}
// CHECK: linalg.contract {{.*}} outs(%[[INIT]]
func.func @start(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %x: f32) -> tensor<?x?xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk3, #kn3, #mn3]
           {ein.schedule = #ein.schedule<loops = [d1, d2: 32, d0: 12], rows = d0: 6,
           columns = d1: 16, sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// The tiles of a dot start from a number in the first block of k; nothing is
// allocated for that.
// CHECK-LABEL: func @dot
// CHECK-NOT: tensor.empty
// CHECK: scf.for %[[K:.*]] = %c0
// CHECK: scf.for
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}} : tensor<4x?xf32> to tensor<4x?xf32>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %c0
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} outs(%[[SLICE]]
// CHECK: %[[START:.*]] = arith.select %[[FIRST]], %[[FILL]], %[[SLICE]]
// CHECK: linalg.contract {{.*}} outs(%[[START]]
func.func @dot(%a: tensor<4x?xf32>, %b: tensor<?x?xf32>, %c: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d2: 1024, d1: 6, d0], rows = d0: 4,
                          columns = d1: 6, sums = d2, vector = d2: 16>}
         ins(%a, %b : tensor<4x?xf32>, tensor<?x?xf32>) outs(%f : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
