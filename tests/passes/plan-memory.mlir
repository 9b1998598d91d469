// RUN: ein-opt %s -ein-plan-memory -split-input-file -verify-diagnostics -canonicalize | FileCheck %s

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
  memref.dealloc %a : memref<3xf64>
  %b = memref.alloc() : memref<17xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<17xf32>)
  memref.dealloc %b : memref<17xf32>
  return
}

// -----

// Sizes that follow from the arguments are computed first.
// CHECK-LABEL: func @dynamic
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CHECK: arith.muli %[[N]], %[[M]]
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

func.func @computed(%p: memref<index>, %x: f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %n = memref.load %p[] : memref<index>
  // expected-error @+1 {{has a size that depends on what the function computes}}
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  return
}
