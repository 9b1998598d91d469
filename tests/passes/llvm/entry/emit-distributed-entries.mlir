// The functions that ranks call hand a text and kernels to the runtime.
// RUN: ein-opt %s --ein-emit-distributed-entries | FileCheck %s
// RUN: ein-opt %s --ein-emit-distributed-entries=mpi=mpich | FileCheck %s --check-prefix=MPICH
// RUN: ein-opt %s --ein-emit-distributed-entries=executable | FileCheck %s --check-prefix=EXE
// RUN: not ein-opt %s --ein-emit-distributed-entries=mpi=pvm 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: error: there is no MPI library `pvm`

// CHECK: module {
// MPICH: module {
// EXE: module {
module attributes {ein.distributed = [{
    name = "twice", kernels = ["twice.0"],
    text = "twice<N>(A: f32(N), s: f32) -> (B: f32(N))\0Atemporaries<N>(t0: f32(N)) -> ()\0Aranks 0 memory 0 grid\0Astatement 0 .p none\0Aloops<N>(loops: f32(N)) -> ()\0Aread 0 1*0+0\0Aread 1\0Awrite 3 1*0+0\0Astart nothing\0Aresult 2 3\0A"}
  ]} {
  // What a kernel is called through is nobody else's.
  // CHECK: llvm.func internal @__ein_packed_twice.0(
  // EXE: llvm.func internal @__ein_packed_twice.0(
  llvm.func @__ein_packed_twice.0(%arguments: !llvm.ptr, %sizes: !llvm.ptr) -> i32 {
    %ok = llvm.mlir.constant(0 : i32) : i32
    llvm.return %ok : i32
  }
  // EXE: llvm.mlir.global external constant @__ein_distributed() {{.*}} : !llvm.array<2 x struct<(ptr, ptr)>>
  // EXE-NOT: llvm.func @twice

  // CHECK: llvm.mlir.global internal constant @__ein_distributed_twice()
  // CHECK: llvm.mlir.global internal constant @__ein_text_twice("twice<N>(A: f32(N), s: f32) -> (B: f32(N))
  // CHECK: llvm.mlir.global internal constant @__ein_kernels_twice()
  // CHECK: llvm.mlir.addressof @__ein_packed_twice.0
  // CHECK: llvm.func @__ein_openmpi_call(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  // MPICH: llvm.func @__ein_mpich_call(i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  // CHECK: llvm.func @twice(%[[COMM:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr, %[[S:.*]]: f32, %[[B:.*]]: !llvm.ptr, %[[N:.*]]: i64) -> i32
  // MPICH: llvm.func @twice(%{{.*}}: i32, %{{.*}}: !llvm.ptr, %{{.*}}: f32, %{{.*}}: !llvm.ptr, %{{.*}}: i64) -> i32
  // CHECK: llvm.store %[[S]]
  // CHECK: llvm.store %[[N]]
  // CHECK: %[[CODE:.*]] = llvm.call @__ein_openmpi_call(%[[COMM]],
  // CHECK: llvm.return %[[CODE]]
  // CHECK: llvm.func @twice_block(%{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64) -> i32
  // CHECK: llvm.call @__ein_openmpi_block(
}
