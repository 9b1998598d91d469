// A mark is refused at the level at which ir/Marks.td says that it is gone, and
// later; before, it is what passes hand each other.
// RUN: ein-opt %s -ein-check-level=level=contract | FileCheck %s
// RUN: not ein-opt %s -ein-check-level=level=tiled 2>&1 | FileCheck %s --check-prefix=TILED
// RUN: not ein-opt %s -ein-check-level=level=vector 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not ein-opt %s -ein-check-level=level=memref 2>&1 | FileCheck %s --check-prefix=MEMREF
// RUN: not ein-opt %s -ein-check-level=level=loops 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not ein-opt %s -ein-check-level=level=llvm-dialect 2>&1 | FileCheck %s --check-prefix=LLVM

// CHECK: module attributes {ein.level = "contract"}
// What stays is an error nowhere.
// TILED-NOT: ein.strict_fp
// LLVM-NOT: ein.strict_fp
func.func @marks(%n: index, %x: i64, %m: memref<?xf32>) attributes {ein.strict_fp} {
  // TILED: 'arith.minsi' op has `ein.inside`, which is gone at the `tiled` level, at level `tiled`
  // VECTOR: 'arith.minsi' op has `ein.inside`, which is gone at the `tiled` level, at level `vector`
  %0 = arith.minsi %x, %x {ein.inside = 0 : i64} : i64
  // TILED-NOT: ein.stream
  // VECTOR-NOT: ein.stream
  // MEMREF: 'scf.for' op has `ein.stream`, which is gone at the `memref` level, at level `memref`
  // LOOPS: 'scf.for' op has `ein.stream`, which is gone at the `memref` level, at level `loops`
  scf.for %i = %n to %n step %n {
  } {ein.stream = 4096 : i64}
  // MEMREF-NOT: ein.parallel
  // LOOPS-NOT: ein.parallel
  // LLVM: 'scf.for' op has `ein.parallel`, which is gone at the `llvm-dialect` level, at level `llvm-dialect`
  scf.for %i = %n to %n step %n {
  } {ein.parallel = 0 : i64}
  return
}
