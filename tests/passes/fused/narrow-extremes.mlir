// RUN: ein-opt %s --ein-narrow-extremes --split-input-file | FileCheck %s

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// Bytes without a sign: what the result started from comes in at the end.
// CHECK-LABEL: func @bytes
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : i8)
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<?x?xi8>) outs(%[[FILL]] : tensor<?xi8>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %[[ACC:.*]]: i8):
// CHECK-NEXT: %[[MAX:.*]] = arith.maxui %[[ACC]], %[[X]] : i8
// CHECK-NEXT: linalg.yield %[[MAX]]
// CHECK: linalg.generic {{.*}} ins(%[[N]] : tensor<?xi8>) outs(%arg1 : tensor<?xi32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %[[ACC:.*]]: i32):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extui %[[X]]
// CHECK-NEXT: %[[MAX:.*]] = arith.maxui %[[ACC]], %[[WIDE]] : i32
// CHECK-NEXT: linalg.yield %[[MAX]]
func.func @bytes(%a: tensor<?x?xi8>, %s: tensor<?xi32>) -> tensor<?xi32> {
  %0 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xi8>) outs(%s : tensor<?xi32>) {
  ^bb0(%x: i8, %acc: i32):
    %w = arith.extui %x : i8 to i32
    %m = arith.maxui %acc, %w : i32
    linalg.yield %m : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// The least word of all is no byte: of nothing, the result is what it was.
// CHECK-LABEL: func @signed
// CHECK: %[[SIZE:.*]] = tensor.dim %arg0, %{{.*}}
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK: arith.extsi
// CHECK: %[[MAX:.*]] = arith.maxsi %[[START:.*]], %{{.*}} : i32
// CHECK: arith.select %[[EMPTY]], %[[START]], %[[MAX]]
func.func @signed(%a: tensor<?x?xi8>, %s: tensor<?xi32>) -> tensor<?xi32> {
  %least = arith.constant -2147483648 : i32
  %f = linalg.fill ins(%least : i32) outs(%s : tensor<?xi32>) -> tensor<?xi32>
  %0 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xi8>) outs(%f : tensor<?xi32>) {
  ^bb0(%x: i8, %acc: i32):
    %w = arith.extsi %x : i8 to i32
    %m = arith.maxsi %acc, %w : i32
    linalg.yield %m : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @halves
// CHECK: arith.minimumf %{{.*}}, %{{.*}} : bf16
// CHECK-NOT: arith.select
// CHECK: arith.extf
// CHECK-NEXT: arith.minimumf %{{.*}}, %{{.*}} : f32
func.func @halves(%a: tensor<?x?xbf16>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xbf16>) outs(%s : tensor<?xf32>) {
  ^bb0(%x: bf16, %acc: f32):
    %w = arith.extf %x : bf16 to f32
    %m = arith.minimumf %acc, %w : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// That some are not zero is that the largest is not.
// CHECK-LABEL: func @some
// CHECK: ^bb0(%[[X:.*]]: i16, %[[ACC:.*]]: i16):
// CHECK-NEXT: arith.maxui %[[ACC]], %[[X]] : i16
// CHECK: arith.cmpi ne, %{{.*}} : i16
// CHECK: arith.ori
// CHECK: arith.extui
func.func @some(%a: tensor<?x?xi16>, %s: tensor<?xi8>) -> tensor<?xi8> {
  %zero = arith.constant 0 : i16
  %none = arith.constant 0 : i8
  %0 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xi16>) outs(%s : tensor<?xi8>) {
  ^bb0(%x: i16, %acc: i8):
    %b = arith.cmpi ne, %x, %zero : i16
    %o = arith.cmpi ne, %acc, %none : i8
    %both = arith.ori %o, %b : i1
    %r = arith.extui %both : i1 to i8
    linalg.yield %r : i8
  } -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// Any other bits are numbers as wide as what is compared.
// CHECK-LABEL: func @every
// CHECK: %[[ONES:.*]] = arith.constant -1 : i32
// CHECK: linalg.fill ins(%[[ONES]] : i32)
// CHECK: %[[B:.*]] = arith.cmpf ogt
// CHECK: %[[WIDE:.*]] = arith.extsi %[[B]] : i1 to i32
// CHECK: arith.andi %{{.*}}, %[[WIDE]] : i32
// CHECK: arith.andi
func.func @every(%a: tensor<?x?xf32>, %s: tensor<?xi8>) -> tensor<?xi8> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i8
  %0 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xf32>) outs(%s : tensor<?xi8>) {
  ^bb0(%x: f32, %acc: i8):
    %b = arith.cmpf ogt, %x, %zero : f32
    %o = arith.cmpi ne, %acc, %none : i8
    %both = arith.andi %o, %b : i1
    %r = arith.extui %both : i1 to i8
    linalg.yield %r : i8
  } -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// Sums are no maxima, and these loops no vectors.
// CHECK-LABEL: func @others
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: tensor.extract
// CHECK: arith.maxui %{{.*}}, %{{.*}} : i32
func.func @others(%a: tensor<?x?xi8>, %table: tensor<256xi8>, %s: tensor<?xi32>)
    -> (tensor<?xi32>, tensor<?xi32>) {
  %0 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xi8>) outs(%s : tensor<?xi32>) {
  ^bb0(%x: i8, %acc: i32):
    %w = arith.extui %x : i8 to i32
    %m = arith.addi %acc, %w : i32
    linalg.yield %m : i32
  } -> tensor<?xi32>
  %1 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xi8>) outs(%s : tensor<?xi32>) {
  ^bb0(%x: i8, %acc: i32):
    %i = arith.index_castui %x : i8 to index
    %y = tensor.extract %table[%i] : tensor<256xi8>
    %w = arith.extui %y : i8 to i32
    %m = arith.maxui %acc, %w : i32
    linalg.yield %m : i32
  } -> tensor<?xi32>
  return %0, %1 : tensor<?xi32>, tensor<?xi32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// Where the maximum is, narrow numbers are compared. The maximum may be no
// narrow number, for all that is known here.
// CHECK-LABEL: func @places
// CHECK: ^bb0(%[[X:.*]]: i16, %[[MAX:.*]]: i32, %{{.*}}: i64):
// CHECK: %[[LESS:.*]] = arith.trunci %[[MAX]] : i32 to i16
// CHECK: %[[BACK:.*]] = arith.extsi %[[LESS]]
// CHECK-DAG: %[[SAME:.*]] = arith.cmpi eq, %[[X]], %[[LESS]] : i16
// CHECK-DAG: %[[KEPT:.*]] = arith.cmpi eq, %[[BACK]], %[[MAX]] : i32
// CHECK: %[[IS:.*]] = arith.andi %[[SAME]], %[[KEPT]]
// CHECK: arith.select %[[IS]]
// A number of each column's own stays as it is.
// CHECK-LABEL: func @elements
// CHECK-NOT: arith.trunci
// CHECK: return
func.func @places(%a: tensor<?x?xi16>, %m: tensor<?xi32>, %s: tensor<?xi64>) -> tensor<?xi64> {
  %none = arith.constant 9223372036854775807 : i64
  %0 = linalg.generic {indexing_maps = [#row, #out, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a, %m : tensor<?x?xi16>, tensor<?xi32>) outs(%s : tensor<?xi64>) {
  ^bb0(%x: i16, %max: i32, %acc: i64):
    %w = arith.extsi %x : i16 to i32
    %is = arith.cmpi eq, %w, %max : i32
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i64
    %found = arith.select %is, %place, %none : i64
    %r = arith.minsi %acc, %found : i64
    linalg.yield %r : i64
  } -> tensor<?xi64>
  return %0 : tensor<?xi64>
}
func.func @elements(%a: tensor<?x?xi16>, %m: tensor<?x?xi32>, %s: tensor<?xi64>) -> tensor<?xi64> {
  %none = arith.constant 9223372036854775807 : i64
  %0 = linalg.generic {indexing_maps = [#row, #row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a, %m : tensor<?x?xi16>, tensor<?x?xi32>) outs(%s : tensor<?xi64>) {
  ^bb0(%x: i16, %max: i32, %acc: i64):
    %w = arith.extsi %x : i16 to i32
    %is = arith.cmpi eq, %w, %max : i32
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i64
    %found = arith.select %is, %place, %none : i64
    %r = arith.minsi %acc, %found : i64
    linalg.yield %r : i64
  } -> tensor<?xi64>
  return %0 : tensor<?xi64>
}
