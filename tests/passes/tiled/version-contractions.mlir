// A branch on the sizes, where the strategy says up to how many bytes an input is read in place.
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
// CHECK-NEXT: linalg.contract {{.*}}ein.strategy = {col_remainder = array<i64: 8, 16>, {{.*}}micro = array<i64: 6, 64>, {{.*}}pack = array<i1: false, false>, rows_first, tile = array<i64: 0, 0, 0>}
// CHECK-SAME: outs(%[[FILL]]
// CHECK: } else {
// CHECK-NEXT: %[[FILL2:.*]] = linalg.fill {{.*}} outs(%[[C]]
// CHECK-NEXT: linalg.contract
// CHECK-NOT: col_remainder
// CHECK-NOT: in_place_bytes
// CHECK-NOT: pack =
// CHECK-SAME: tile = array<i64: 12, 64, 8>
// CHECK-SAME: outs(%[[FILL2]]
func.func @gemm(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.strategy = {kind = "packed_gemm", lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 64>,
                            in_place_bytes = 4096, small_version = array<i64: 8, 16>, tile = array<i64: 12, 64, 8>}}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%fill : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Rows of a block have one kind of tiles.
// CHECK-LABEL: func @block
// CHECK: scf.if
// CHECK: linalg.contract {{.*}}ein.strategy = {clamp_rows, {{.*}}rows_first
// CHECK: } else {
// CHECK-NOT: clamp_rows
// CHECK: return
func.func @block(%n: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<32x64xf32>) -> tensor<?x64xf32> {
  %m = affine.min affine_map<()[n] -> (n, 32)>()[%n]
  %block = tensor.extract_slice %c[0, 0] [%m, 64] [1, 1] : tensor<32x64xf32> to tensor<?x64xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.strategy = {kind = "packed_gemm", lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 64>,
                            in_place_bytes = 4096, tile = array<i64: 12, 64, 8>}}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%block : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// An epilogue goes into both; static columns keep their remainder tile.
// CHECK-LABEL: func @epilogue
// CHECK: scf.if
// CHECK: linalg.contract {{.*}}col_remainder = array<i64: 6, 16>, {{.*}}pack = array<i1: false, false>, rows_first, tile = array<i64: 0, 0, 0>
// CHECK: linalg.generic
// CHECK-SAME: kind = "epilogue"
// CHECK: } else {
// CHECK: linalg.contract {{.*}}col_remainder = array<i64: 6, 16>, {{.*}}tile = array<i64: 12, 0, 8>
// CHECK: linalg.generic
// CHECK-SAME: kind = "epilogue"
// CHECK: }
// CHECK-NOT: linalg.contract
func.func @epilogue(%a: tensor<?x?xf32>, %b: tensor<?x80xf32>, %bias: tensor<80xf32>,
                    %c: tensor<?x80xf32>) -> tensor<?x80xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.strategy = {kind = "packed_gemm", lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 64>,
                            col_remainder = array<i64: 6, 16>, in_place_bytes = 4096, tile = array<i64: 12, 0, 8>}}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x80xf32>)
         outs(%c : tensor<?x80xf32>) -> tensor<?x80xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"],
                       ein.strategy = {kind = "epilogue", tile = array<i64: 0, 0>, vector_dim = 1}}
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
           {ein.strategy = {kind = "packed_gemm", lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 64>,
                            tile = array<i64: 12, 64, 8>}}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
