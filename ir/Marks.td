//===- Marks.td - What passes leave on ops for later ones --*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mark is a discardable attribute of the ein dialect. This is the list of all
// of them. Made from it are:
//
// * the constants `EinDialect::k…Attr`, by the dialect's declaration;
// * the table in ir/Marks.h, by -gen-searchable-tables: the dialect's verifier
//   refuses what is not as it says, `ein-check-level` what should be gone;
// * the page EinMarks.md of the documentation, by -dump-json.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_MARKS_TD
#define EIN_IR_MARKS_TD

include "llvm/TableGen/SearchableTable.td"

/// What a mark holds: in words that follow "is not", and a predicate of
/// ir/Marks.cpp.
class Ein_Value<string text, string test> {
  string Text = text;
  string Test = test;
}
def Ein_IsUnit : Ein_Value<"a unit attribute", "isA<mlir::UnitAttr>">;
def Ein_IsI64 : Ein_Value<"a number (i64)", "isI64">;
def Ein_IsI64Array
    : Ein_Value<"an array of numbers (i64)", "isA<mlir::DenseI64ArrayAttr>">;
def Ein_IsArray : Ein_Value<"a list", "isA<mlir::ArrayAttr>">;
def Ein_IsString : Ein_Value<"a string", "isA<mlir::StringAttr>">;
def Ein_IsSchedule : Ein_Value<"a schedule", "isA<ein::ScheduleAttr>">;
def Ein_IsDictionary : Ein_Value<"a dictionary", "isA<mlir::DictionaryAttr>">;

/// The ops that have a mark: in words that follow "belongs on", and a predicate
/// of ir/Marks.cpp.
class Ein_Carrier<string text, string test> {
  string Text = text;
  string Test = test;
}
def Ein_OnModule : Ein_Carrier<"a module", "isOne<mlir::ModuleOp>">;
def Ein_OnFunction : Ein_Carrier<"a function", "isOne<mlir::FunctionOpInterface>">;
def Ein_OnStructured : Ein_Carrier<"an op of linalg",
                                   "isOf<mlir::linalg::LinalgDialect>">;
def Ein_OnLoop : Ein_Carrier<"an `scf.for`", "isOne<mlir::scf::ForOp>">;
def Ein_OnBranch : Ein_Carrier<"an `scf.if`", "isOne<mlir::scf::IfOp>">;
def Ein_OnSharedLoop
    : Ein_Carrier<"an `scf.for` or an `scf.parallel`",
                  "isOne<mlir::scf::ForOp, mlir::scf::ParallelOp>">;
def Ein_OnPrefetch
    : Ein_Carrier<"a `memref.prefetch`", "isOne<mlir::memref::PrefetchOp>">;
def Ein_OnArith
    : Ein_Carrier<"an op of arith", "isOf<mlir::arith::ArithDialect>">;
def Ein_OnExtract
    : Ein_Carrier<"a `tensor.extract`", "isOne<mlir::tensor::ExtractOp>">;

/// `goneAt` is the level from which on no op has the mark (Levels.def); without
/// one, it stays.
class Ein_Mark<string name, Ein_Value value, Ein_Carrier carrier, string goneAt,
               string setBy, string readBy, string description> {
  string Name = "ein." # name;
  string Constant = "k" # !subst("Ein_", "", NAME) # "Attr";
  string Value = value.Text;
  string IsValue = value.Test;
  string Carrier = carrier.Text;
  string IsCarrier = carrier.Test;
  string GoneAt = goneAt;
  string SetBy = setBy;
  string ReadBy = readBy;
  string Description = description;
}

def Marks : GenericTable {
  let FilterClass = "Ein_Mark";
  let CppTypeName = "Mark";
  let Fields = ["Name", "Value", "IsValue", "Carrier", "IsCarrier", "GoneAt"];
  string TypeOf_IsValue = "code";
  string TypeOf_IsCarrier = "code";
}

//===----------------------------------------------------------------------===//
// On the module
//===----------------------------------------------------------------------===//

def Ein_Level : Ein_Mark<"level", Ein_IsString, Ein_OnModule, "",
    "`ein-check-level`", "the driver, where compilation goes on from a file",
    "The level whose contract the module holds, by its name.">;

def Ein_ComplexConvention : Ein_Mark<"complex_convention",
    Ein_IsString, Ein_OnModule, "llvm-dialect",
    "the driver", "`ein-emit-entry-points`",
    "How the machine's C passes complex numbers, beside its data layout.">;

def Ein_Instructions : Ein_Mark<"instructions",
    Ein_IsDictionary, Ein_OnModule, "llvm-dialect",
    "the driver", "`ein-expand-math`; `ein-emit-entry-points` ends it",
    "The vector instructions that the machine has.">;

def Ein_Schedules : Ein_Mark<"schedules",
    Ein_IsDictionary, Ein_OnModule, "vector",
    "the driver, from `--tuned`, which ends it", "`ein-select-schedule`",
    "Strategies that were measured to be the fastest, by the keys of ops.">;

def Ein_Distributed : Ein_Mark<"distributed",
    Ein_IsArray, Ein_OnModule, "llvm-dialect",
    "`ein-distribute`", "`ein-emit-distributed-entries`",
    "For each def the text that says which kernels run in which order on which "
    "blocks (abi/Distributed.h), and the kernels.">;

//===----------------------------------------------------------------------===//
// On functions
//===----------------------------------------------------------------------===//

def Ein_Signature : Ein_Mark<"signature",
    Ein_IsDictionary, Ein_OnFunction, "llvm-dialect",
    "the emitter, or `ein-infer-signatures`", "`ein-emit-entry-points`",
    "Names, roles, types and dims of the arguments, the sizes, and the checks "
    "to make when the code runs (ir/Signature.h).">;

def Ein_Contiguous : Ein_Mark<"contiguous",
    Ein_IsI64Array, Ein_OnFunction, "llvm-dialect",
    "`ein-infer-signatures`, `ein-keep-written`, `ein-pack-tensors`, "
    "`ein-bufferize`",
    "`ein-emit-entry-points`",
    "The positions in the signature of the arrays that have to be contiguous "
    "in all dims; others may have any strides but the last.">;

def Ein_Joined : Ein_Mark<"joined",
    Ein_IsI64Array, Ein_OnFunction, "llvm-dialect",
    "`ein-relax-contiguous`", "`ein-emit-entry-points`",
    "Pairs of a position in the signature and a dim of that array which the "
    "next dim has to follow: a step along it is all elements of the next one.">;

def Ein_StrictFP : Ein_Mark<"strict_fp", Ein_IsUnit, Ein_OnFunction, "",
    "`ein-keep-order`", "every pass that would sum in another order",
    "Floats are added in the order that the ops say, and each result is "
    "rounded.">;

def Ein_Rare : Ein_Mark<"rare", Ein_IsUnit, Ein_OnFunction, "llvm-dialect",
    "the source of the view helpers", "`ein-add-view-helpers`",
    "Only views with bounds in common need this helper.">;

//===----------------------------------------------------------------------===//
// On structured ops
//===----------------------------------------------------------------------===//

def Ein_Schedule : Ein_Mark<"schedule", Ein_IsSchedule, Ein_OnStructured, "loops",
    "`ein-select-schedule`; a user, a schedule", "every later pass",
    "How the op runs (ir/Schedule.h).">;

def Ein_PackedTensors : Ein_Mark<"packed_tensors", Ein_IsUnit, Ein_OnStructured, "scheduled",
    "`ein-pack-tensors`", "`ein-select-schedule`",
    "What is left of a contraction whose operands are where it reads them, "
    "until it has a schedule.">;

def Ein_Number : Ein_Mark<"number", Ein_IsI64, Ein_OnStructured, "tiled",
    "`ein-apply-transform`", "`ein-apply-transform`",
    "The op's number before a user's transform script ran: what has it afterwards is "
    "untouched.">;

def Ein_Inside : Ein_Mark<"inside", Ein_IsI64, Ein_OnArith, "tiled",
    "`ein-split-borders`", "`ein-split-borders`",
    "Which of its operands an op of the body is in the interior; of a "
    "comparison, that it is true there.">;

def Ein_Seldom : Ein_Mark<"seldom", Ein_IsUnit, Ein_OnArith, "llvm-dialect",
    "`ein-expand-complex`, `ein-widen-half-floats`", "`ein-expand-math`",
    "On an `arith.select`: its condition holds for few numbers, and vectors "
    "without one need not compute what is chosen then.">;

def Ein_Places : Ein_Mark<"places", Ein_IsI64Array, Ein_OnExtract, "tiled",
    "`ein-split-borders`", "`ein-split-borders`",
    "The dim and the offset of each subscript of an element that is read.">;

//===----------------------------------------------------------------------===//
// On branches
//===----------------------------------------------------------------------===//

def Ein_Guard : Ein_Mark<"guard", Ein_IsString, Ein_OnBranch, "llvm-dialect",
    "`ein-make-versions`, before what it makes is taken apart",
    "`ein-select-schedule`, to report it",
    "The sizes that the first way is for, in the program's names.">;

def Ein_Unlikely : Ein_Mark<"unlikely", Ein_IsUnit, Ein_OnBranch, "llvm-dialect",
    "`ein-vectorize-tiles`", "`ein-lower-contractions`",
    "The first way is seldom taken: LLVM is to keep it short, and away from the "
    "other one.">;

//===----------------------------------------------------------------------===//
// On loops
//===----------------------------------------------------------------------===//

def Ein_Parallel : Ein_Mark<"parallel",
    Ein_IsI64, Ein_OnSharedLoop, "llvm-dialect",
    "what makes the loops, from the schedule", "`ein-parallelize`, "
    "`ein-lower-parallel`",
    "No iteration needs what another one computes, and threads pay if the loop "
    "has as many points; 0 if they are known to pay.">;

def Ein_Independent : Ein_Mark<"independent", Ein_IsUnit, Ein_OnLoop, "",
    "the emitter", "`ein-select-schedule`, which reports it",
    "No point of the loop reads or writes what another writes, at one place in "
    "the loops round it.">;

def Ein_InOrder : Ein_Mark<"in_order", Ein_IsUnit, Ein_OnLoop, "",
    "the emitter", "`ein-select-schedule`, which reports it, and ends it then",
    "The points of the loop are taken one after the other.">;

def Ein_Unroll : Ein_Mark<"unroll", Ein_IsI64, Ein_OnLoop, "llvm-dialect",
    "`ein-vectorize-tiles`",
    "`ein-lower-contractions`",
    "How many steps of the loop (over k of a register tile, say) are made one.">;

def Ein_LongSum : Ein_Mark<"long_sum", Ein_IsUnit, Ein_OnLoop, "llvm-dialect",
    "`ein-vectorize-tiles`",
    "`ein-lower-contractions`",
    "Beside `ein.unroll`: the steps that are left are few beside all of them, "
    "and stay a loop.">;

def Ein_Prefetch : Ein_Mark<"prefetch", Ein_IsUnit, Ein_OnLoop, "llvm-dialect",
    "`ein-vectorize-tiles`", "`ein-lower-contractions`",
    "On the loop over k of a register tile: prefetch the tile of C that its "
    "result is written to.">;

def Ein_PrefetchDistance : Ein_Mark<"prefetch_distance", Ein_IsI64Array, Ein_OnLoop, "llvm-dialect",
    "`ein-vectorize-tiles`", "`ein-lower-contractions`",
    "On the same loop: which part of B's next panel to prefetch, as how many "
    "lines a step takes, and how many rows of C are a tile.">;

def Ein_Once : Ein_Mark<"once", Ein_IsI64, Ein_OnPrefetch, "llvm-dialect",
    "`ein-lower-contractions`", "`ein-lower-contractions`",
    "Of the steps of a loop that become one, the first has the prefetch; as "
    "many of them as this says.">;

def Ein_Stream : Ein_Mark<"stream", Ein_IsI64, Ein_OnLoop, "memref",
    "`ein-vectorize-tiles`", "`ein-stream-stores`",
    "On a loop over vectors: from how many bytes of what it writes on its "
    "stores go past the caches.">;

def Ein_StreamSquares : Ein_Mark<"stream_squares",
    Ein_IsArray, Ein_OnLoop, "memref",
    "`ein-vectorize-tiles`", "`ein-stream-stores`",
    "On the outer one of two loops over squares, or on the one loop over "
    "vectors of a copy: the same (passes/schedule/SquareBlock.h).">;

def Ein_NextRow : Ein_Mark<"next_row", Ein_IsUnit, Ein_OnLoop, "memref",
    "`ein-vectorize-tiles`", "`ein-stream-stores`",
    "On a loop over the vectors of a row: prefetch the next row meanwhile.">;

def Ein_Epilogue : Ein_Mark<"epilogue", Ein_IsUnit, Ein_OnLoop, "memref",
    "`ein-vectorize-tiles`", "`ein-outline-kernels`",
    "On a loop over the rows of a register tile: it computes a function of "
    "each, and is to become a function of its own.">;

def Ein_Nest : Ein_Mark<"nest", Ein_IsI64, Ein_OnLoop, "llvm-dialect",
    "`ein-number-nests`", "upstream's elimination of common subexpressions; "
    "`ein-outline-kernels` ends it",
    "On a loop of a long program: its number, which no other one has.">;

#endif // EIN_IR_MARKS_TD
