// A branch on the sizes, where the schedule says up to how many bytes an input is read in place.
// RUN: ein-opt %s -ein-version-contractions -canonicalize -cse | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// 4096 bytes are 1024 numbers, of each input. The small one has no blocks, no panels and another
// tile for the last columns; both start from the fill, which each has for itself.
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
                            small_version = [8, 16], in_place_bytes = 4096>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%fill : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Rows of a block have one kind of tiles.
// CHECK-LABEL: func @block
// CHECK: scf.if
// CHECK: linalg.contract {{.*}}#ein.schedule<{{.*}}rows_first, clamp_rows
// CHECK: } else {
// CHECK-NOT: clamp_rows
// CHECK: return
func.func @block(%n: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<32x64xf32>) -> tensor<?x64xf32> {
  %m = affine.min affine_map<()[n] -> (n, 32)>()[%n]
  %block = tensor.extract_slice %c[0, 0] [%m, 64] [1, 1] : tensor<32x64xf32> to tensor<?x64xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0: 12, d1: 64, d2: 8], rows = d0: 6,
                            columns = d1: 64, sums = d2, vector = d1, operands = [packed, packed],
                            in_place_bytes = 4096>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%block : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
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
                            column_remainder = [6, 16], in_place_bytes = 4096>}
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

// What is always packed stays one.
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
