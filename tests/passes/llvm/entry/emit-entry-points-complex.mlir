// RUN: split-file %s %t
// RUN: ein-opt %t/x86.mlir --ein-emit-entry-points | FileCheck %t/x86.mlir
// RUN: ein-opt %t/arm.mlir --ein-emit-entry-points | FileCheck %t/arm.mlir
// RUN: ein-opt %t/riscv.mlir --ein-emit-entry-points | FileCheck %t/riscv.mlir
// RUN: not ein-opt %t/none.mlir --ein-emit-entry-points 2>&1 | FileCheck %t/none.mlir
// RUN: ein-opt %t/none.mlir --ein-emit-entry-points=packed \
// RUN:   | FileCheck %t/none.mlir --check-prefix=PACKED
// RUN: not ein-opt %t/wrong.mlir --ein-emit-entry-points 2>&1 | FileCheck %t/wrong.mlir

// Complex scalars are passed as the target's C does.

//--- x86.mlir
// CHECK: module {
module attributes {ein.complex_convention = "sysv-x86-64"} {
  // CHECK: llvm.func @f(%{{.*}}: vector<2xf32>, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(f64, f64)>}, %{{.*}}: f32) -> i32
  // CHECK: llvm.call @__ein_kernel_f
  llvm.func @__ein_kernel_f(%a: !llvm.struct<(f32, f32)>, %b: !llvm.struct<(f64, f64)>, %c: !llvm.struct<(f64, f64)>,
      %d: !llvm.struct<(f64, f64)>, %e: !llvm.struct<(f64, f64)>, %g: f32) attributes {ein.signature = {
      arguments = [{name = "a", role = "input", type = "c64", dims = affine_map<() -> ()>},
                   {name = "b", role = "input", type = "c128", dims = affine_map<() -> ()>},
                   {name = "c", role = "input", type = "c128", dims = affine_map<() -> ()>},
                   {name = "d", role = "input", type = "c128", dims = affine_map<() -> ()>},
                   {name = "e", role = "input", type = "c128", dims = affine_map<() -> ()>},
                   {name = "g", role = "input", type = "f32", dims = affine_map<() -> ()>}],
      symbols = [], checks = []}} {
    llvm.return
  }
}

//--- arm.mlir
module attributes {ein.complex_convention = "aapcs64"} {
  // CHECK: llvm.func @f(%{{.*}}: !llvm.array<2 x f32>, %{{.*}}: !llvm.array<2 x f64>) -> i32
  llvm.func @__ein_kernel_f(%a: !llvm.struct<(f32, f32)>, %b: !llvm.struct<(f64, f64)>) attributes {ein.signature = {
      arguments = [{name = "a", role = "input", type = "c64", dims = affine_map<() -> ()>},
                   {name = "b", role = "input", type = "c128", dims = affine_map<() -> ()>}],
      symbols = [], checks = []}} {
    llvm.return
  }
}

//--- riscv.mlir
module attributes {ein.complex_convention = "riscv-lp64d"} {
  // CHECK: llvm.func @f(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f32, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64) -> i32
  llvm.func @__ein_kernel_f(%a: !llvm.struct<(f32, f32)>, %b: !llvm.struct<(f64, f64)>, %c: !llvm.struct<(f64, f64)>,
      %d: f32, %e: !llvm.struct<(f64, f64)>, %g: !llvm.struct<(f32, f32)>) attributes {ein.signature = {
      arguments = [{name = "a", role = "input", type = "c64", dims = affine_map<() -> ()>},
                   {name = "b", role = "input", type = "c128", dims = affine_map<() -> ()>},
                   {name = "c", role = "input", type = "c128", dims = affine_map<() -> ()>},
                   {name = "d", role = "input", type = "f32", dims = affine_map<() -> ()>},
                   {name = "e", role = "input", type = "c128", dims = affine_map<() -> ()>},
                   {name = "g", role = "input", type = "c64", dims = affine_map<() -> ()>}],
      symbols = [], checks = []}} {
    llvm.return
  }
}

//--- none.mlir
// CHECK: error: how C passes a complex number by value is not known for this target; make `a` an array of one element
// PACKED: llvm.func @__ein_packed_f(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
module {
  llvm.func @__ein_kernel_f(%a: !llvm.struct<(f32, f32)>) attributes {ein.signature = {
      arguments = [{name = "a", role = "input", type = "c64", dims = affine_map<() -> ()>}],
      symbols = [], checks = []}} {
    llvm.return
  }
}

//--- wrong.mlir
// CHECK: error: there is no convention `fastcall` for complex numbers
module attributes {ein.complex_convention = "fastcall"} {
  llvm.func @__ein_kernel_f() attributes {ein.signature = {arguments = [], symbols = [], checks = []}} {
    llvm.return
  }
}
