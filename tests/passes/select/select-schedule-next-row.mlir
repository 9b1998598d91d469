// The next row is fetched by an op that sums up what one before has fetched, where what the loop
// reads and writes is more than L2.
// RUN: ein-opt %s --ein-select-schedule="cpu=znver5" | FileCheck %s

#row = affine_map<(n) -> (n)>
#none = affine_map<(n) -> ()>

// CHECK-LABEL: func @large
// CHECK: linalg.generic
// CHECK-NOT: prefetch
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK-SAME: prefetch = 1
// CHECK: arith.subf
// CHECK: linalg.generic
// CHECK-NOT: prefetch
// CHECK: return
func.func @large(%x: tensor<128x1024xf64>, %y: tensor<128x1024xf64>) -> tensor<128x1024xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %start = tensor.splat %zero : tensor<f64>
  %0 = scf.for %m = %c0 to %c128 step %c1 iter_args(%out = %y) -> (tensor<128x1024xf64>) {
    %in = tensor.extract_slice %x[%m, 0] [1, 1024] [1, 1]
        : tensor<128x1024xf64> to tensor<1024xf64>
    %sum = linalg.generic {indexing_maps = [#row, #none], iterator_types = ["reduction"]}
        ins(%in : tensor<1024xf64>) outs(%start : tensor<f64>) {
    ^bb0(%a: f64, %acc: f64):
      %1 = arith.addf %acc, %a fastmath<reassoc,contract> : f64
      linalg.yield %1 : f64
    } -> tensor<f64>
    %squares = linalg.generic {indexing_maps = [#row, #none, #none], iterator_types = ["reduction"]}
        ins(%in, %sum : tensor<1024xf64>, tensor<f64>) outs(%start : tensor<f64>) {
    ^bb0(%a: f64, %mean: f64, %acc: f64):
      %1 = arith.subf %a, %mean : f64
      %2 = arith.mulf %1, %1 fastmath<contract> : f64
      %3 = arith.addf %acc, %2 fastmath<reassoc,contract> : f64
      linalg.yield %3 : f64
    } -> tensor<f64>
    %to = tensor.extract_slice %out[%m, 0] [1, 1024] [1, 1]
        : tensor<128x1024xf64> to tensor<1024xf64>
    %scaled = linalg.generic {indexing_maps = [#row, #none, #row], iterator_types = ["parallel"]}
        ins(%in, %squares : tensor<1024xf64>, tensor<f64>) outs(%to : tensor<1024xf64>) {
    ^bb0(%a: f64, %square: f64, %old: f64):
      %1 = arith.mulf %a, %square : f64
      linalg.yield %1 : f64
    } -> tensor<1024xf64>
    %next = tensor.insert_slice %scaled into %out[%m, 0] [1, 1024] [1, 1]
        : tensor<1024xf64> into tensor<128x1024xf64>
    scf.yield %next : tensor<128x1024xf64>
  }
  return %0 : tensor<128x1024xf64>
}

// What L2 holds is there already.
// CHECK-LABEL: func @small
// CHECK-NOT: prefetch
// CHECK: return
func.func @small(%x: tensor<16x1024xf64>, %y: tensor<16xf64>) -> tensor<16xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %start = tensor.splat %zero : tensor<f64>
  %0 = scf.for %m = %c0 to %c16 step %c1 iter_args(%out = %y) -> (tensor<16xf64>) {
    %in = tensor.extract_slice %x[%m, 0] [1, 1024] [1, 1]
        : tensor<16x1024xf64> to tensor<1024xf64>
    %sum = linalg.generic {indexing_maps = [#row, #none], iterator_types = ["reduction"]}
        ins(%in : tensor<1024xf64>) outs(%start : tensor<f64>) {
    ^bb0(%a: f64, %acc: f64):
      %1 = arith.addf %acc, %a fastmath<reassoc,contract> : f64
      linalg.yield %1 : f64
    } -> tensor<f64>
    %squares = linalg.generic {indexing_maps = [#row, #none, #none], iterator_types = ["reduction"]}
        ins(%in, %sum : tensor<1024xf64>, tensor<f64>) outs(%start : tensor<f64>) {
    ^bb0(%a: f64, %mean: f64, %acc: f64):
      %1 = arith.subf %a, %mean : f64
      %2 = arith.mulf %1, %1 fastmath<contract> : f64
      %3 = arith.addf %acc, %2 fastmath<reassoc,contract> : f64
      linalg.yield %3 : f64
    } -> tensor<f64>
    %number = tensor.extract %squares[] : tensor<f64>
    %next = tensor.insert %number into %out[%m] : tensor<16xf64>
    scf.yield %next : tensor<16xf64>
  }
  return %0 : tensor<16xf64>
}
