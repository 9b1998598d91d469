// RUN: ein-opt %s -ein-plan-memory -split-input-file -verify-diagnostics -canonicalize \
// RUN:   | FileCheck %s

// One allocation, made before anything is written and freed at the end; parts start at
// multiples of 64 bytes. Allocations in loops are not its business.
// CHECK-LABEL: func @static
// CHECK-NOT: linalg.fill
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<192xi8>
// CHECK: %[[A:.*]] = memref.view %[[ARENA]][%c0][] : memref<192xi8> to memref<3xf64>
// CHECK: linalg.fill {{.*}} outs(%[[A]]
// CHECK: %[[B:.*]] = memref.view %[[ARENA]][%c64][] : memref<192xi8> to memref<17xf32>
// CHECK: linalg.fill {{.*}} outs(%[[B]]
// CHECK: memref.dealloc %[[ARENA]]
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @static(%x: f64, %y: f32, %c: memref<3xf64>) {
  linalg.fill ins(%x : f64) outs(%c : memref<3xf64>)
  %a = memref.alloc() : memref<3xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<3xf64>)
  %b = memref.alloc() : memref<17xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<17xf32>)
  linalg.copy ins(%a : memref<3xf64>) outs(%c : memref<3xf64>)
  memref.dealloc %a : memref<3xf64>
  memref.dealloc %b : memref<17xf32>
  return
}

// -----

// Sizes that follow from the arguments are computed first. They grow up to 2^56
// bytes, which nobody has: neither a product nor a sum wraps.
// CHECK-LABEL: func @dynamic
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CHECK-DAG: %[[MOST:.*]] = arith.constant 72057594037927936 : i64
// CHECK-DAG: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %[[N64]], %c16_i64
// CHECK: %[[LARGE:.*]] = arith.cmpi ne, %[[HIGH]], %c0_i64
// CHECK: %[[PRODUCT:.*]] = arith.select %[[LARGE]], %[[MOST]], %[[LOW]]
// CHECK: arith.minui %[[PRODUCT]], %[[MOST]]
// CHECK: %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK: memref.view %[[ARENA]][%c0][%[[N]]] : memref<?xi8> to memref<?x4xf32>
// CHECK: memref.view %[[ARENA]][%{{.*}}][%[[N]], %[[M]]] : memref<?xi8> to memref<?x?xf32>
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc %[[ARENA]]
func.func @dynamic(%n: index, %m: index, %x: f32) {
  %a = memref.alloc(%n) : memref<?x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x4xf32>)
  %b = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?x?xf32>)
  memref.dealloc %a : memref<?x4xf32>
  memref.dealloc %b : memref<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func @none
// CHECK-NOT: memref.
// CHECK: return
func.func @none() { return }

// -----

// What a branch allocates is allocated before anything is written, if the branch
// will be taken; else nothing is.
// CHECK-LABEL: func @branch
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f32, %[[C:.*]]: memref<3xf32>)
// CHECK: %[[NONE:.*]] = ub.poison : memref<?xi8>
// CHECK: %[[SMALL:.*]] = arith.cmpi slt, %[[N]], %c8
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %[[N]], %c8
// CHECK: %[[ARENA:.*]] = scf.if %[[LARGE]] -> (memref<?xi8>) {
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<192xi8>
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[NONE]]
// CHECK: linalg.fill {{.*}} outs(%[[C]]
// CHECK: scf.if %[[SMALL]]
// CHECK: } else {
// CHECK: memref.view %[[ARENA]][%c0]
// CHECK: memref.view %[[ARENA]][%c64]
// CHECK-NOT: memref.dealloc
// CHECK: }
// CHECK: scf.if %[[LARGE]] {
// CHECK-NEXT: memref.dealloc %[[ARENA]]
// CHECK-NEXT: }
func.func @branch(%n: index, %x: f32, %c: memref<3xf32>) {
  %c8 = arith.constant 8 : index
  linalg.fill ins(%x : f32) outs(%c : memref<3xf32>)
  %small = arith.cmpi slt, %n, %c8 : index
  scf.if %small {
    memref.store %x, %c[%n] : memref<3xf32>
  } else {
    %a = memref.alloc() : memref<3xf32>
    %b = memref.alloc() : memref<17xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<3xf32>)
    linalg.fill ins(%x : f32) outs(%b : memref<17xf32>)
    memref.copy %a, %c : memref<3xf32> to memref<3xf32>
    memref.dealloc %a : memref<3xf32>
    memref.dealloc %b : memref<17xf32>
  }
  return
}

// -----

// With others: their bytes are added. A condition that is computed from data says
// nothing beforehand, so the second one's are always there.
// CHECK-LABEL: func @branches
// CHECK-SAME: %[[N:[^:]*]]: index,
// CHECK: %[[TAKEN:.*]] = arith.cmpi slt, %[[N]], %c8
// CHECK: %[[END:.*]] = arith.select %[[TAKEN]], %c128, %c64
// CHECK-NOT: scf.if
// CHECK: %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc %[[ARENA]]
// CHECK-NOT: memref.dealloc
func.func @branches(%n: index, %x: f32, %c: memref<3xf32>, %p: memref<i1>) {
  %c8 = arith.constant 8 : index
  %t = memref.alloc() : memref<3xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<3xf32>)
  %taken = arith.cmpi slt, %n, %c8 : index
  scf.if %taken {
    %a = memref.alloc() : memref<3xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<3xf32>)
    memref.copy %a, %c : memref<3xf32> to memref<3xf32>
    memref.dealloc %a : memref<3xf32>
  }
  %unknown = memref.load %p[] : memref<i1>
  scf.if %unknown {
    %b = memref.alloc() : memref<3xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<3xf32>)
    memref.copy %b, %t : memref<3xf32> to memref<3xf32>
    memref.dealloc %b : memref<3xf32>
  }
  memref.copy %t, %c : memref<3xf32> to memref<3xf32>
  memref.dealloc %t : memref<3xf32>
  return
}

// -----

// What a branch hands on is not its own, and what only data say the size of cannot be
// allocated before: both stay.
// CHECK-LABEL: func @stay
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.view
func.func @stay(%n: index, %x: f32, %c: memref<3xf32>, %p: memref<index>) {
  %c8 = arith.constant 8 : index
  %taken = arith.cmpi slt, %n, %c8 : index
  %r = scf.if %taken -> memref<3xf32> {
    %a = memref.alloc() : memref<3xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<3xf32>)
    scf.yield %a : memref<3xf32>
  } else {
    scf.yield %c : memref<3xf32>
  }
  scf.if %taken {
    %m = memref.load %p[] : memref<index>
    %b = memref.alloc(%m) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
    memref.dealloc %b : memref<?xf32>
  }
  memref.copy %r, %c : memref<3xf32> to memref<3xf32>
  return
}

// -----

func.func @computed(%p: memref<index>, %x: f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %n = memref.load %p[] : memref<index>
  // expected-error @+1 {{has a size that depends on what the function computes}}
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  return
}

// -----

// The third buffer has the place of the first one, but the fourth not that of the
// second: what is used under another name, here that of a loop's result, is used.
// CHECK-LABEL: func @chain
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<768xi8>
// CHECK: memref.view %[[ARENA]][%c0][]
// CHECK: memref.view %[[ARENA]][%c256][]
// CHECK: memref.view %[[ARENA]][%c0][]
// CHECK: memref.view %[[ARENA]][%c512][]
func.func @chain(%n: index, %x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  linalg.copy ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %s = memref.subview %b[0] [32] [1] : memref<64xf32> to memref<32xf32>
  linalg.copy ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%u = %s) -> memref<32xf32> {
    scf.yield %u : memref<32xf32>
  }
  linalg.copy ins(%c : memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.copy ins(%d : memref<64xf32>) outs(%y : memref<64xf32>)
  %z = memref.subview %y[0] [32] [1] : memref<64xf32> to memref<32xf32>
  linalg.copy ins(%t : memref<32xf32>) outs(%z : memref<32xf32>)
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  memref.dealloc %d : memref<64xf32>
  return
}

// -----

// Of places whose sizes are dynamic nobody knows which is larger.
// CHECK-LABEL: func @dynamic
// CHECK: affine.max
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
func.func @dynamic(%m: index, %n: index, %x: f32, %y: f32) {
  %a = memref.alloc(%m) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// -----

// Those that are in use together are added up, to 2^56 at most.
// CHECK: #[[$SUM:.*]] = affine_map<{{.*}} + {{.*}}, 72057594037927936)>
// CHECK-LABEL: func @together
// CHECK: %[[BYTES:.*]] = affine.min #[[$SUM]]
// CHECK: memref.alloc(%[[BYTES]])
func.func @together(%n: index, %m: index, %x: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}
