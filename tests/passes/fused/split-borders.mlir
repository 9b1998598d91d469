// RUN: ein-opt %s --ein-split-borders -split-input-file | FileCheck %s
// RUN: ein-opt %s --ein-split-borders -split-input-file | FileCheck %s --check-prefix=MARK
// MARK-NOT: ein.inside
// MARK-NOT: ein.places

#id = affine_map<(d0, d1) -> (d0, d1)>

// Rows 0 and 63 and, of the others, the columns 0 and 63 keep the question. The
// interior reads four slices.
// CHECK-LABEL: func @heat
// CHECK-SAME: %[[A:[^:]*]]: tensor<64x64xf32>
// CHECK: linalg.generic
// CHECK-SAME: outs({{.*}} : tensor<1x64xf32>)
// CHECK: arith.cmpi
// CHECK: linalg.generic
// CHECK-SAME: outs({{.*}} : tensor<62x1xf32>)
// CHECK: arith.cmpi
// CHECK-DAG: tensor.extract_slice %[[A]][0, 1] [62, 62] [1, 1]
// CHECK-DAG: tensor.extract_slice %[[A]][2, 1] [62, 62] [1, 1]
// CHECK-DAG: tensor.extract_slice %[[A]][1, 0] [62, 62] [1, 1]
// CHECK: linalg.generic
// CHECK-SAME: outs({{.*}} : tensor<62x62xf32>)
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK-SAME: outs({{.*}} : tensor<62x1xf32>)
// CHECK: arith.cmpi
// CHECK: linalg.generic
// CHECK-SAME: outs({{.*}} : tensor<1x64xf32>)
// CHECK: arith.cmpi
func.func @heat(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i64
  %c64 = arith.constant 64 : i64
  %c63 = arith.constant 63 : i64
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%b : tensor<64x64xf32>) {
  ^bb0(%out: f32):
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %above = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%i]
    %above64 = arith.index_cast %above : index to i64
    %has = arith.cmpi ult, %above64, %c64 : i64
    %safe64 = arith.select %has, %above64, %c0 : i64
    %safe = arith.index_cast %safe64 : i64 to index
    %x = scf.if %has -> f32 {
      %e = tensor.extract %a[%safe, %j] : tensor<64x64xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    %below = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%i]
    %below64 = arith.index_cast %below : index to i64
    %last64 = arith.minsi %below64, %c63 : i64
    %last = arith.index_cast %last64 : i64 to index
    %y = tensor.extract %a[%last, %j] : tensor<64x64xf32>
    %left = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%j]
    %left64 = arith.index_cast %left : index to i64
    %first64 = arith.maxsi %left64, %c0 : i64
    %first = arith.index_cast %first64 : i64 to index
    %z = tensor.extract %a[%i, %first] : tensor<64x64xf32>
    %right = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%j]
    %right64 = arith.index_cast %right : index to i64
    %end64 = arith.minsi %right64, %c63 : i64
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %z : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

#row = affine_map<(d0) -> (d0)>

// Of dynamic size: the interior ends where the array does, and may be empty.
// CHECK-LABEL: func @dynamic
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf32>, %{{[^:]*}}: tensor<?xf32>, %[[N:[^:]*]]: index
// CHECK: linalg.generic
// CHECK: scf.if
// CHECK: tensor.extract_slice %[[A]]
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[X:[^:]*]]: f32
// CHECK-NEXT: linalg.yield %[[X]]
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %0 = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%b : tensor<?xf32>) {
  ^bb0(%out: f32):
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %n64 = arith.index_cast %n : index to i64
    %above = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%i]
    %above64 = arith.index_cast %above : index to i64
    %has = arith.cmpi ult, %above64, %n64 : i64
    %safe64 = arith.select %has, %above64, %c0 : i64
    %safe = arith.index_cast %safe64 : i64 to index
    %x = scf.if %has -> f32 {
      %e = tensor.extract %a[%safe] : tensor<?xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#row = affine_map<(d0) -> (d0)>

// What is read at a place that was read from elsewhere is no slice, and an
// interior of a few points is not worth it.
// CHECK-LABEL: func @gather
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @gather(%a: tensor<100xf32>, %p: tensor<100xi64>, %b: tensor<100xf32>) -> tensor<100xf32> {
  %c0 = arith.constant 0 : i64
  %c99 = arith.constant 99 : i64
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%p : tensor<100xi64>) outs(%b : tensor<100xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = linalg.index 0 : index
    %i64 = arith.index_cast %i : index to i64
    %l = arith.minsi %i64, %c99 : i64
    %l0 = arith.index_cast %l : i64 to index
    %u = tensor.extract %a[%l0] : tensor<100xf32>
    %k = arith.minsi %in, %c99 : i64
    %q = arith.index_cast %k : i64 to index
    %x = tensor.extract %a[%q] : tensor<100xf32>
    %s = arith.addf %u, %x : f32
    linalg.yield %s : f32
  } -> tensor<100xf32>
  return %0 : tensor<100xf32>
}
