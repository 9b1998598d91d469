//===- Passes.td - What C calls ----------------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_ENTRY_PASSES_TD
#define EIN_PASSES_LLVM_ENTRY_PASSES_TD

include "mlir/Pass/PassBase.td"

def NameKernels : Pass<"ein-name-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels names that mean nothing to C";
  let description = [{
    A function with `ein.signature` called NAME becomes `__ein_kernel_NAME`. The
    conversions that follow, and code generation, call functions of the C library
    (`malloc`, `expf`) and would take a function of that name for them.

    Leaves behind: the name for the C entry, in `ein-emit-entry-points`.
  }];
}

def AddViewHelpers : Pass<"ein-add-view-helpers", "::mlir::ModuleOp"> {
  let summary = "Add the functions that view entries call";
  let description = [{
    Adds the functions of `ViewOverlap.mlir` and `ViewCopies.mlir` to a module that has a
    kernel: whether two views overlap, and copies of views. They are internal, and
    in the LLVM dialect already.

    With `architecture`, `x86_64` or `aarch64`, the module declares those that
    entries call, and has the assembly that they were compiled to beside it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"architecture", "architecture", "std::string", /*default=*/"\"\"",
           "add the helpers' assembly for it; empty: the functions">
  ];
}

def EmitEntryPoints : Pass<"ein-emit-entry-points", "::mlir::ModuleOp"> {
  let summary = "Make the C functions that callers see";
  let description = [{
    Each function with `ein.signature`, `__ein_kernel_NAME`, becomes internal
    and gets a C entry NAME that takes pointers, scalars and sizes, checks the
    sizes, and returns a code of `abi/Codes.def`.

    With `packed`, what callers see is a uniform entry
    `__ein_packed_NAME(void **arguments, const int64_t *sizes)`, which
    executables and the JIT call; the C entry is internal then and called
    `__ein_entry_NAME`, so that a program may use names that the C library has.

    With `views`, there are entries for arrays of any strides as well: NAME_view,
    which takes pointers to `{data, sizes, strides}`, and `_mlir_ciface_NAME`,
    which takes pointers to memref descriptors (or, with `packed`,
    `__ein_packed_view_NAME`, whose arguments are pointers to views). They check
    that the sizes agree and that outputs overlap nothing, and copy the arrays
    whose last stride is not one, which the kernel cannot read, or, where
    `ein.contiguous` names them, that are not contiguous.

    With very many arguments (`passes/analysis/CompileBudget.h`), what entries call
    gets them in tables, and the functions of `ViewTables.mlir`, of which those that
    are needed are added, check and copy all arrays in loops.

    A complex scalar is passed as C does by the convention that the module's
    `ein.complex_convention` names (`abi/ComplexArguments.h`), and is an error
    without one; the attribute is gone afterwards.

    With `sve-vector-bits`, code that follows relies on SVE vectors of this
    length: each entry reads the machine's by `rdvl`, and returns a code where
    it is another one, before it does anything else.

    Relies on: `ein-name-kernels`, with `views` on `ein-add-view-helpers`; the
    llvm dialect only, memrefs whose last stride is one, expanded to (allocated,
    aligned, offset, sizes…, strides…).
  }];
  let options = [
    Option<"packed", "packed", "bool", "false",
           "make the uniform entries instead">,
    Option<"executable", "executable", "bool", "false",
           "packed, with the table of entries that an executable's main reads">,
    Option<"views", "views", "bool", "false",
           "make the entries that take strides as well">,
    Option<"checks", "checks", "bool", "true",
           "have the entries check sizes and overlap">,
    Option<"sveBits", "sve-vector-bits", "unsigned", "0",
           "how long the machine's SVE vectors have to be; 0: any">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EmitDistributedEntries
    : Pass<"ein-emit-distributed-entries", "::mlir::ModuleOp"> {
  let summary = "Make the C functions that ranks call";
  let description = [{
    Each program of `ein.distributed` becomes a C function NAME that takes a
    communicator, this rank's blocks, scalars and sizes, and NAME_block, which says
    which block of an argument a rank has. Both call the runtime's functions for the
    MPI library (`__ein_openmpi_call`, `__ein_mpich_call`, and `_block`) with the
    program's text and its kernels. With `executable`, there is the table
    `__ein_distributed` instead, which the main of executables reads.

    ```mlir
    module attributes {ein.distributed = [{kernels = ["mm.0"], name = "mm", …} ]}
    // becomes
    llvm.func @mm(%comm: !llvm.ptr, %A: !llvm.ptr, …, %M: i64, …) -> i32 {
      %code = llvm.call @__ein_openmpi_call(%comm, %record, %arguments, %sizes)
      llvm.return %code
    }
    ```

    Relies on: `ein-emit-entry-points` with `packed`, of whose entries those of the
    kernels become internal.
  }];
  let options = [
    Option<"mpi", "mpi", "std::string", "\"openmpi\"", "openmpi, or mpich">,
    Option<"executable", "executable", "bool", "false",
           "make the table that an executable's main reads">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // EIN_PASSES_LLVM_ENTRY_PASSES_TD
