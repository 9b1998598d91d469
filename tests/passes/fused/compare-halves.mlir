// RUN: ein-opt %s --ein-compare-halves --split-input-file | FileCheck %s

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// An equality is one of bits.
// CHECK-LABEL: func @equal
// CHECK: ^bb0(%[[X:.*]]: bf16, %{{.*}}: i16):
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : bf16 to i16
// CHECK: %[[TWO:.*]] = arith.constant 16384 : i16
// CHECK: arith.cmpi eq, %[[BITS]], %[[TWO]]
func.func @equal(%a: tensor<?x?xbf16>, %s: tensor<?xi16>) -> tensor<?xi16> {
  %two = arith.constant 2.0 : bf16
  %0 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xbf16>) outs(%s : tensor<?xi16>) {
  ^bb0(%x: bf16, %acc: i16):
    %is = arith.cmpf oeq, %x, %two : bf16
    %wide = arith.extsi %is : i1 to i16
    %r = arith.ori %acc, %wide : i16
    linalg.yield %r : i16
  } -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// What is above one, and no NaN, is a range; zeros have two signs; NaN is what
// has a magnitude above infinity's. What is not above is all but a range.
// CHECK-LABEL: func @ranges
// CHECK: %[[ABOVE:.*]] = arith.constant 15361 : i16
// CHECK: %[[FROM:.*]] = arith.subi %{{.*}}, %[[ABOVE]]
// CHECK: %[[SIZE:.*]] = arith.constant 16383 : i16
// CHECK: arith.cmpi ule, %[[FROM]], %[[SIZE]]
// CHECK: %[[MOST:.*]] = arith.constant 32767 : i16
// CHECK: %[[MAGNITUDE:.*]] = arith.andi %{{.*}}, %[[MOST]]
// CHECK: %[[NONE:.*]] = arith.constant 0 : i16
// CHECK: arith.cmpi ne, %[[MAGNITUDE]], %[[NONE]]
// CHECK: %[[INFINITY:.*]] = arith.constant 31744 : i16
// CHECK: arith.cmpi sgt, %{{.*}}, %[[INFINITY]]
// CHECK: arith.cmpi ugt, %{{.*}}, %{{.*}} : i16
// CHECK-NOT: arith.cmpf
func.func @ranges(%a: tensor<?x?xf16>, %s: tensor<?xi8>) -> tensor<?xi8> {
  %zero = arith.constant 0.0 : f16
  %one = arith.constant 1.0 : f16
  %0 = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xf16>) outs(%s : tensor<?xi8>) {
  ^bb0(%x: f16, %acc: i8):
    %above = arith.cmpf ogt, %x, %one : f16
    %some = arith.cmpf une, %x, %zero : f16
    %none = arith.cmpf uno, %x, %x : f16
    %below = arith.cmpf ule, %x, %one : f16
    %b0 = arith.andi %above, %some : i1
    %b1 = arith.ori %none, %below : i1
    %b2 = arith.xori %b0, %b1 : i1
    %wide = arith.extui %b2 : i1 to i8
    %r = arith.maxui %acc, %wide : i8
    linalg.yield %r : i8
  } -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// A number that is no half one, and another row's, stay as they are. What
// nothing is reduced of is compared as well, if that is all.
// CHECK-LABEL: func @others
// CHECK-COUNT-2: arith.cmpf
// CHECK-LABEL: func @elements
// CHECK-NOT: arith.cmpf
// CHECK: arith.cmpi
func.func @others(%a: tensor<?x?xbf16>, %b: tensor<?xbf16>, %s: tensor<?xi8>) -> tensor<?xi8> {
  %tenth = arith.constant 0.1 : f32
  %0 = linalg.generic {indexing_maps = [#row, #out, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a, %b : tensor<?x?xbf16>, tensor<?xbf16>) outs(%s : tensor<?xi8>) {
  ^bb0(%x: bf16, %y: bf16, %acc: i8):
    %w = arith.extf %x : bf16 to f32
    %b0 = arith.cmpf ogt, %w, %tenth : f32
    %b1 = arith.cmpf ogt, %x, %y : bf16
    %b2 = arith.ori %b0, %b1 : i1
    %wide = arith.extui %b2 : i1 to i8
    %r = arith.maxui %acc, %wide : i8
    linalg.yield %r : i8
  } -> tensor<?xi8>
  return %0 : tensor<?xi8>
}
func.func @elements(%a: tensor<?xbf16>, %s: tensor<?xi8>) -> tensor<?xi8> {
  %two = arith.constant 2.0 : bf16
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
         ins(%a : tensor<?xbf16>) outs(%s : tensor<?xi8>) {
  ^bb0(%x: bf16, %old: i8):
    %is = arith.cmpf oeq, %x, %two : bf16
    %r = arith.extui %is : i1 to i8
    linalg.yield %r : i8
  } -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>

// The place of a row's own maximum: of zeros and NaN a range of magnitudes,
// else equal bits.
// CHECK-LABEL: func @place
// CHECK: ^bb0(%[[X:.*]]: bf16, %[[MAX:.*]]: f32, %{{.*}}: i64):
// CHECK: %[[LESS:.*]] = arith.truncf %[[MAX]] : f32 to bf16
// CHECK: %[[BACK:.*]] = arith.extf %[[LESS]]
// CHECK: %[[KEPT:.*]] = arith.cmpf oeq, %[[BACK]], %[[MAX]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[MAX]], %[[MAX]]
// CHECK: %[[SPECIAL:.*]] = arith.cmpf ueq, %[[MAX]], %{{.*}}
// CHECK: %[[FROM:.*]] = arith.cmpi sge
// CHECK: %[[TO:.*]] = arith.cmpi sle
// CHECK: %[[IN:.*]] = arith.andi %[[FROM]], %[[TO]]
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: %[[IS:.*]] = arith.andi %[[SAME]], %[[KEPT]]
// CHECK: arith.select %[[SPECIAL]], %[[IN]], %[[IS]] : i1
func.func @place(%a: tensor<?x?xbf16>, %s: tensor<?xbf16>, %w: tensor<?xf32>, %p: tensor<?xi64>) -> tensor<?xi64> {
  %none = arith.constant 9223372036854775807 : i64
  %least = arith.constant 0xFF800000 : f32
  %m = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<?x?xbf16>) outs(%s : tensor<?xbf16>) {
  ^bb0(%x: bf16, %acc: bf16):
    %r = arith.maximumf %acc, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<?xbf16>
  %v = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
         ins(%m : tensor<?xbf16>) outs(%w : tensor<?xf32>) {
  ^bb0(%x: bf16, %old: f32):
    %e = arith.extf %x : bf16 to f32
    %r = arith.maximumf %least, %e : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#row, #out, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a, %v : tensor<?x?xbf16>, tensor<?xf32>) outs(%p : tensor<?xi64>) {
  ^bb0(%x: bf16, %max: f32, %acc: i64):
    %e = arith.extf %x : bf16 to f32
    %is = arith.cmpf oeq, %e, %max : f32
    %isNaN = arith.cmpf une, %e, %e : f32
    %either = arith.ori %is, %isNaN : i1
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i64
    %found = arith.select %either, %place, %none : i64
    %r = arith.minsi %acc, %found : i64
    linalg.yield %r : i64
  } -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// -----

#id = affine_map<(i) -> (i)>

// An elementwise op that chooses numbers compares bits, one that computes does
// not.
// CHECK-LABEL: func @chosen
// CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : bf16 to i16
// CHECK-NOT: arith.cmpf
// CHECK: arith.select
// CHECK-LABEL: func @computed
// CHECK: arith.cmpf ogt
func.func @chosen(%a: tensor<?xbf16>, %b: tensor<?xbf16>) -> tensor<?xbf16> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a : tensor<?xbf16>) outs(%b : tensor<?xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    %e = arith.extf %x : bf16 to f32
    %is = arith.cmpf ogt, %e, %zero : f32
    %n = arith.negf %e : f32
    %c = arith.select %is, %e, %n : f32
    %r = arith.truncf %c : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
func.func @computed(%a: tensor<?xbf16>, %b: tensor<?xbf16>) -> tensor<?xbf16> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a : tensor<?xbf16>) outs(%b : tensor<?xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    %e = arith.extf %x : bf16 to f32
    %is = arith.cmpf ogt, %e, %zero : f32
    %n = arith.mulf %e, %e : f32
    %c = arith.select %is, %e, %n : f32
    %r = arith.truncf %c : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// Of any other number, both are asked.
// CHECK-LABEL: func @given
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpi sgt
// CHECK: arith.ori
func.func @given(%a: tensor<?x?xbf16>, %v: tensor<?xf32>, %p: tensor<?xi64>) -> tensor<?xi64> {
  %none = arith.constant 9223372036854775807 : i64
  %0 = linalg.generic {indexing_maps = [#row, #out, #out], iterator_types = ["parallel", "reduction"]}
         ins(%a, %v : tensor<?x?xbf16>, tensor<?xf32>) outs(%p : tensor<?xi64>) {
  ^bb0(%x: bf16, %max: f32, %acc: i64):
    %e = arith.extf %x : bf16 to f32
    %is = arith.cmpf oeq, %e, %max : f32
    %isNaN = arith.cmpf une, %e, %e : f32
    %either = arith.ori %is, %isNaN : i1
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i64
    %found = arith.select %either, %place, %none : i64
    %r = arith.minsi %acc, %found : i64
    linalg.yield %r : i64
  } -> tensor<?xi64>
  return %0 : tensor<?xi64>
}
