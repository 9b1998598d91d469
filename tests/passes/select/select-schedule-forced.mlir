// Choices that tests make instead of the pass, where there is a choice.
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: packing=first" \
// RUN:   | FileCheck %s --check-prefix=FIRST
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: packing=second" \
// RUN:   | FileCheck %s --check-prefix=SECOND
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: packing=rows" \
// RUN:   | FileCheck %s --check-prefix=ROWS
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: packing=versions" \
// RUN:   | FileCheck %s --check-prefix=VERSIONS
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: parallel packing=never threads=always" \
// RUN:   | FileCheck %s --check-prefix=ALWAYS
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: parallel packing=never threads=outside" \
// RUN:   | FileCheck %s --check-prefix=OUTSIDE
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: packing=never threads=outside" \
// RUN:   | FileCheck %s --check-prefix=ONE

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// FIRST-LABEL: func @dynamic
// FIRST-NOT: alternatives
// FIRST: operands = [packed, in_place]
// SECOND-LABEL: func @dynamic
// SECOND-NOT: alternatives
// SECOND: operands = [in_place, packed]
// ROWS-LABEL: func @dynamic
// ROWS: rows_first, {{.*}}alternatives = [if d
// VERSIONS-LABEL: func @dynamic
// VERSIONS: operands = [packed, packed], prefetch = 1,
// VERSIONS-SAME: alternatives = [if d0 * d2 at_most 512 and d1 * d2 at_most 512 then <loops = [d1, d2, d0], {{[^>]*}}operands = [in_place, in_place],
// ALWAYS-LABEL: func @dynamic
// ALWAYS: columns = d1: {{.*}}operands = [in_place, in_place], {{.*}}parallel = d1, min_points = 1
// ONE-NOT: parallel =
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// What cannot be read in place is packed all the same, and then there are no
// versions; nor are there of sizes that are known.
// FIRST-LABEL: func @no_choice
// FIRST: operands = [packed, in_place]
// VERSIONS-LABEL: func @no_choice
// VERSIONS-NOT: alternatives
// VERSIONS: return
func.func @no_choice(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %s: tensor<40x40xf32>)
    -> (tensor<?x?xf32>, tensor<40x40xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%s, %s : tensor<40x40xf32>, tensor<40x40xf32>) outs(%s : tensor<40x40xf32>) -> tensor<40x40xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<40x40xf32>
}

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

// The batch, if there is one: panels of dynamic size, which are not there here,
// would not be a thread's own.
// ALWAYS-LABEL: func @batch
// ALWAYS: columns = d2: {{.*}}parallel = d2, min_points = 1
// OUTSIDE-LABEL: func @batch
// OUTSIDE: columns = d2: {{.*}}parallel = d0, min_points = 1
func.func @batch(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.contract indexing_maps = [#bmk, #bkn, #bmn]
         ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%c : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
