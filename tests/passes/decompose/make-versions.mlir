// Branches on the sizes, where a schedule has alternatives.
// RUN: ein-opt %s -ein-make-versions -canonicalize -cse | FileCheck %s
// Early, only of what is taken apart, and of other kinds.
// RUN: ein-opt %s -ein-make-versions=early -canonicalize -cse \
// RUN:   | FileCheck %s --check-prefix=EARLY

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Bounds are of products of sizes. Both start from the fill, which each has for itself.
// CHECK-LABEL: func @gemm
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>, %[[C:[^:]*]]: tensor<?x?xf32>
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK-DAG: %[[K:.*]] = tensor.dim %[[A]], %c1
// CHECK: %[[BYTES_A:.*]] = arith.muli %[[M]], %[[K]]
// CHECK: %[[FITS_A:.*]] = arith.cmpi sle, %[[BYTES_A]], %c1024
// CHECK: %[[FITS_B:.*]] = arith.cmpi sle, %{{.*}}, %c1024
// CHECK: %[[SMALL:.*]] = arith.andi %[[FITS_A]], %[[FITS_B]]
// CHECK: scf.if %[[SMALL]] -> (tensor<?x?xf32>) {
// CHECK-NEXT: %[[FILL:.*]] = linalg.fill {{.*}} outs(%[[C]]
// CHECK-NEXT: linalg.contract {{.*}}#ein.schedule<loops = [d0, d1, d2], rows = d0: 6, columns = d1: 64, {{.*}}operands = [in_place, in_place], column_remainder = [8, 16], rows_first>
// CHECK-SAME: outs(%[[FILL]]
// CHECK: } else {
// CHECK-NEXT: %[[FILL2:.*]] = linalg.fill {{.*}} outs(%[[C]]
// CHECK-NEXT: linalg.contract
// CHECK-SAME: #ein.schedule<loops = [d0: 12, d1: 64, d2: 8], rows = d0: 6, columns = d1: 64, sums = d2, vector = d1, operands = [packed, packed]>
// CHECK-SAME: outs(%[[FILL2]]
func.func @gemm(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0: 12, d1: 64, d2: 8], rows = d0: 6,
                            columns = d1: 64, sums = d2, vector = d1, operands = [packed, packed],
                            alternatives = [if d0 * d2 at_most 1024 and d1 * d2 at_most 1024 then
                              <loops = [d0, d1, d2], rows = d0: 6, columns = d1: 64, sums = d2,
                               vector = d1, operands = [in_place, in_place],
                               column_remainder = [8, 16], rows_first>]>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%fill : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Several, the first of which is taken; a bound may be the least.
// CHECK-LABEL: func @several
// CHECK: %[[M:.*]] = tensor.dim %{{.*}}, %c0
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[M]], %c4
// CHECK: %[[MANY:.*]] = arith.cmpi sge, %[[M]], %c300
// CHECK: scf.if %[[FEW]]
// CHECK: rows = d0: 1
// CHECK: } else {
// CHECK: scf.if %[[MANY]]
// CHECK: rows = d0: 8
// CHECK: } else {
// CHECK: rows = d0: 6
// CHECK-NOT: alternatives
// CHECK: return
// EARLY-LABEL: func @several
// EARLY-NOT: scf.if
// EARLY: alternatives
func.func @several(%a: tensor<?x7xf32>, %b: tensor<7x64xf32>, %c: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0: 12, d1: 64, d2], rows = d0: 6,
                            columns = d1: 64, sums = d2, vector = d1, operands = [in_place, packed],
                            alternatives = [
                              if d0 at_most 4 then
                                <loops = [d0, d1, d2], rows = d0: 1, columns = d1: 64, sums = d2,
                                 vector = d1, operands = [in_place, in_place]>,
                              if d0 at_least 300 then
                                <loops = [d0: 64, d1, d2], rows = d0: 8, columns = d1: 64,
                                 sums = d2, vector = d1, operands = [in_place, packed]>]>}
         ins(%a, %b : tensor<?x7xf32>, tensor<7x64xf32>)
         outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// Of another kind, which has no epilogue: the op behind it gets another schedule.
// CHECK-LABEL: func @kinds
// EARLY-LABEL: func @kinds
// EARLY: scf.if
// EARLY: linalg.contract {{.*}}vector = d2: 16
// EARLY: linalg.generic
// EARLY-NOT: in_epilogue
// EARLY: } else {
// EARLY: linalg.contract {{.*}}rows = d0: 6
// EARLY: linalg.generic
// EARLY-SAME: in_epilogue
// EARLY: } {ein.guard = "d2 >= 999"}
func.func @kinds(%a: tensor<4x?xf32>, %b: tensor<5x?xf32>, %bias: tensor<5xf32>,
                 %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.contract indexing_maps = [#mk, affine_map<(m, n, k) -> (n, k)>, #mn]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 6,
                            columns = d1: 64, sums = d2, vector = d1, operands = [packed, packed],
                            alternatives = [if d2 at_least 999 then
                              <loops = [d0, d1, d2], rows = d0: 4, columns = d1: 5, sums = d2,
                               vector = d2: 16>]>}
         ins(%a, %b : tensor<4x?xf32>, tensor<5x?xf32>)
         outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"],
                       ein.schedule = #ein.schedule<in_epilogue>}
         ins(%bias : tensor<5xf32>) outs(%0 : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// A reduction, or any other op, has versions as well.
// CHECK-LABEL: func @sum
// CHECK: arith.cmpi sle, %{{.*}}, %c100
// CHECK: scf.if
// CHECK: accumulators = 1
// CHECK: accumulators = 4
func.func @sum(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
                       iterator_types = ["parallel", "reduction"],
                       ein.schedule = #ein.schedule<loops = [d0: 1, d1], vector = d1: 16,
                         accumulators = 4, alternatives = [if d1 at_most 100 then
                           <loops = [d0: 1, d1], vector = d1: 16, accumulators = 1>]>}
         ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// An epilogue goes into both; static columns keep their remainder tile.
// CHECK-LABEL: func @epilogue
// CHECK: scf.if
// CHECK: linalg.contract {{.*}}loops = [d0, d1, d2], {{.*}}operands = [in_place, in_place], column_remainder = [6, 16], rows_first>
// CHECK: linalg.generic
// CHECK-SAME: in_epilogue
// CHECK: } else {
// CHECK: linalg.contract {{.*}}loops = [d0: 12, d1, d2: 8], {{.*}}column_remainder = [6, 16]>
// CHECK: linalg.generic
// CHECK-SAME: in_epilogue
// CHECK: }
// CHECK-NOT: linalg.contract
func.func @epilogue(%a: tensor<?x?xf32>, %b: tensor<?x80xf32>, %bias: tensor<80xf32>,
                    %c: tensor<?x80xf32>) -> tensor<?x80xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0: 12, d1, d2: 8], rows = d0: 6,
                            columns = d1: 64, sums = d2, vector = d1, operands = [packed, packed],
                            column_remainder = [6, 16],
                            alternatives = [if d0 * d2 at_most 1024 then
                              <loops = [d0, d1, d2], rows = d0: 6, columns = d1: 64, sums = d2,
                               vector = d1, operands = [in_place, in_place],
                               column_remainder = [6, 16], rows_first>]>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x80xf32>)
         outs(%c : tensor<?x80xf32>) -> tensor<?x80xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"],
                       ein.schedule = #ein.schedule<in_epilogue>}
         ins(%bias : tensor<80xf32>) outs(%0 : tensor<?x80xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<?x80xf32>
  return %1 : tensor<?x80xf32>
}

// What has no alternatives stays one.
// CHECK-LABEL: func @packed
// CHECK-NOT: scf.if
func.func @packed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0: 12, d1: 64, d2: 8], rows = d0: 6,
                            columns = d1: 64, sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
