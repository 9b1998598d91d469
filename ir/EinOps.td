//===- EinOps.td - The ops of the ein dialect --------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EINOPS_TD
#define EIN_IR_EINOPS_TD

include "ir/EinDialect.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Dialect/Linalg/IR/LinalgBase.td"
include "mlir/Dialect/Vector/IR/VectorAttributes.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Ein_EinsumOp : Ein_Op<"einsum", [Pure]> {
  let summary = "Sum of a product of any number of tensors";
  let description = [{
    For inputs `A1 … An` with maps `I1 … In`, and an init `C` with map `H`,

        result[H] = C[H] + SUM_{all dims not in H} A1[I1] * … * An[In]

    Every result of every map is a dim: a dim may be repeated within an input
    (a diagonal) but not within the output. A dim that no input has is a
    broadcast of the result. Operands are converted to the result's element
    type before they are multiplied, which is possible for floating-point types
    that it holds; integers are multiplied and added modulo two to the power of
    their width, which is the same for signed and unsigned ones. Every dim of
    the iteration space occurs in at least one map, and dims that share a name
    have equal extents.

    Nothing is said about the order of multiplication or of summation:
    `ein-order-contractions` chooses it, but for what `path` says: a list of
    what is multiplied on its own, each group being two members or more. These
    are inputs by their numbers, or groups, which count on from the inputs and
    come after their members.

    `shared` lists products of two that other ops need as well, numbered
    likewise, though an input may be in several: where the order makes these,
    it costs nothing more.

    ```mlir
    %r = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                     affine_map<(i, l, j, k) -> (j, k)>,
                                     affine_map<(i, l, j, k) -> (k, l)>,
                                     affine_map<(i, l, j, k) -> (i, l)>]
           ins(%a, %b, %c : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
           outs(%zero : tensor<?x?xf32>) -> tensor<?x?xf32>
    ```
  }];

  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       AnyRankedTensor:$init,
                       AffineMapArrayAttr:$indexing_maps,
                       OptionalAttr<TypedArrayAttrBase<DenseI64ArrayAttr,
                           "groups of inputs">>:$path,
                       OptionalAttr<TypedArrayAttrBase<DenseI64ArrayAttr,
                           "products of two">>:$shared);
  let results = (outs AnyRankedTensor:$result);

  let assemblyFormat = [{
    `indexing_maps` `=` $indexing_maps (`path` `=` $path^)?
    (`shared` `=` $shared^)? attr-dict
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $init `:` type($init) `)` `->` type($result)
  }];

  let hasVerifier = 1;

  let extraClassDeclaration = [{
    unsigned getNumLoops() { return getMap(0).getNumDims(); }
    ::mlir::AffineMap getMap(unsigned operand) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[operand])
          .getValue();
    }
    ::mlir::AffineMap getOutputMap() { return getMap(getInputs().size()); }
    /// The dims of one operand's map, in order; the init comes last.
    ::llvm::SmallVector<unsigned> getDims(unsigned operand);
    /// Per loop, its extent where a type says it, else ShapedType::kDynamic.
    ::llvm::SmallVector<int64_t> getStaticLoopSizes();
  }];
}

def Ein_ProductOp : Ein_Op<"product", [Pure, AttrSizedOperandSegments]> {
  let summary = "Sum of a product with index arithmetic and conditions";
  let description = [{
    What `ein.einsum` is, but that subscripts may be sums of dims times positive
    numbers, and that points may be left out:

        result[H] = C[H] + SUM_{all dims not in H, where conditions hold} A1[I1] * … * An[In]

    A point where an element of `conditions` is zero adds nothing, whatever is
    in the inputs there. Maps of conditions and of the init have lone dims.
    `extents` has the extent of each dim; an input is as long along a sum as this
    has values, or 0 if a dim of it is. The maps are those of the inputs, of
    the conditions, and of the init.

    `path` has all steps as pairs, if it is there, numbered as those of
    `ein.einsum`. `ein-order-contractions` ends the op.

    ```mlir
    %r = ein.product indexing_maps = [affine_map<(h, f, g, kh) -> (h + kh)>,
                                      affine_map<(h, f, g, kh) -> (f, kh)>,
                                      affine_map<(h, f, g, kh) -> (f, g)>,
                                      affine_map<(h, f, g, kh) -> (h, g)>]
           extents = [%h, 8, 16, 3]
           ins(%i, %w, %v : tensor<?xf32>, tensor<8x3xf32>, tensor<8x16xf32>)
           outs(%zero : tensor<?x16xf32>) -> tensor<?x16xf32>
    ```
  }];

  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<TensorOf<[I1, I8]>>:$conditions,
                       AnyRankedTensor:$init,
                       Variadic<Index>:$extents,
                       AffineMapArrayAttr:$indexing_maps,
                       DenseI64ArrayAttr:$static_extents,
                       OptionalAttr<TypedArrayAttrBase<DenseI64ArrayAttr,
                           "groups of inputs">>:$path);
  let results = (outs AnyRankedTensor:$result);

  let assemblyFormat = [{
    `indexing_maps` `=` $indexing_maps
    `extents` `=` custom<DynamicIndexList>($extents, $static_extents)
    (`path` `=` $path^)? attr-dict
    `ins` `(` $inputs `:` type($inputs) `)`
    (`where` `(` $conditions^ `:` type($conditions) `)`)?
    `outs` `(` $init `:` type($init) `)` `->` type($result)
  }];

  let hasVerifier = 1;

  let extraClassDeclaration = [{
    unsigned getNumLoops() { return getStaticExtents().size(); }
    /// Of an input, of a condition, or of the init, in this order.
    ::mlir::AffineMap getMap(unsigned position) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[position])
          .getValue();
    }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedExtents();
  }];
}

def Ein_SpecialOp : Ein_Op<"special", [Pure]> {
  let summary = "A special function that upstream's math dialect lacks";
  let description = [{
    `function` is one that `passes/llvm/math/SpecialFunctions.mlir` defines, by its name
    in the language: of libm (`lgamma`, `j0`), or computed there (`erfinv`). It
    is a scalar op, in the bodies of structured ops and in loops, until
    `ein-call-special` makes a call of it.

    ```mlir
    %y = ein.special "erfinv"(%x)
    ```
  }];

  let arguments = (ins StrAttr:$function, Variadic<F64>:$inputs);
  let results = (outs F64:$result);

  let assemblyFormat = "$function `(` $inputs `)` attr-dict";
}

def Ein_LogSumOp : Ein_Op<"log_sum",
    !listconcat([Pure, SameOperandsAndResultType],
                ElementwiseMappable.traits)> {
  let summary = "Logarithm of a sum of two parts";
  let description = [{
    The natural logarithm of `high` + `low`, where `high` is a normal positive
    number or infinite, and `low` at most half a unit in its last place: what it was
    rounded by, which counts next to one. Of others it is any number. So the
    logarithm of a sum of squares keeps its digits; which formula it has is for
    the machine to say (`ein-expand-math`).

    ```mlir
    %y = ein.log_sum %high, %low : vector<8xf64>
    ```
  }];

  let arguments = (ins FloatLike:$high, FloatLike:$low);
  let results = (outs FloatLike:$result);

  let assemblyFormat = "$high `,` $low attr-dict `:` type($result)";
}

def Ein_WideSumOp : Ein_Op<"wide_sum",
    [Pure, AllTypesMatch<["start", "result"]>]> {
  let summary = "Sum of narrow numbers in fewer lanes of a wider type";
  let description = [{
    Each of `elements`, converted to the type of `start`'s lanes, is added to one
    of these; it is not said to which, nor in which order. The lanes are to be
    added up. Integers are signed, or `unsigned`. So a machine may add as many
    neighbours as it has an instruction for (`ein-lower-wide-sums`).

    ```mlir
    %s = ein.wide_sum %bytes, %start unsigned : vector<64xi8>, vector<16xi32>
    ```
  }];

  let arguments = (ins
    VectorOfRankAndType<[1], [AnySignlessInteger, AnyFloat]>:$elements,
    VectorOfRankAndType<[1], [AnySignlessInteger, AnyFloat]>:$start,
    UnitAttr:$isUnsigned);
  let results = (outs
    VectorOfRankAndType<[1], [AnySignlessInteger, AnyFloat]>:$result);
  let hasVerifier = 1;

  let assemblyFormat = [{
    $elements `,` $start (`unsigned` $isUnsigned^)? attr-dict `:`
    type($elements) `,` type($start)
  }];
}

def Ein_DotProductsOp : Ein_Op<"dot_products",
    [Pure, AllTypesMatch<["start", "result"]>]> {
  let summary = "Products of rows by columns, several steps of k at once";
  let description = [{
    To each element of a register tile is added what a group of k makes:

        result[m, n] = start[m, n] + SUM_g lhs[m, g] * rhs[n, g]

    where the factors are converted to the type of the sums before; integers are
    signed, or `unsigned`. Integers wrap; of floats the order of the sum, and
    how often it rounds, is the machine's.

    LLVM's intrinsic after `by` does it for a register of columns, of so many
    bits, and a row, the row being its second factor where that is `swapped`. To
    LLVM registers are vectors of a length that it knows, or `scalable` ones. If
    it takes two rows of
    each factor, the tile is blocks of two rows by two columns, the four elements
    of each side by side: `start` has three dims then, `[m / 2, n / 2, 4]`. In a
    block, its rows come one after the other; where factors are `swapped`, its
    columns.

    Of partial sums, `start` has one dim. Each lane has a row of both factors:

        result[n] = start[n] + SUM_g lhs[n, g] * rhs[n, g]

    Without an intrinsic it is what LLVM makes of a pattern.

    ```mlir
    %t = ein.dot_products %a unsigned, %b, %s by "llvm.x86.avx512.vpdpbusd.512" of 512
      : vector<6x4xi8>, vector<64x4xi8>, vector<6x64xi32>
    %p = ein.dot_products %x unsigned, %y, %q by "llvm.x86.avx512.vpdpbusd.512" of 512
      : vector<16x4xi8>, vector<16x4xi8>, vector<16xi32>
    ```
  }];

  let arguments = (ins
    VectorOfRankAndType<[2], [AnySignlessInteger, AnyFloat]>:$lhs,
    VectorOfRankAndType<[2], [AnySignlessInteger, AnyFloat]>:$rhs,
    VectorOfRankAndType<[1, 2, 3], [AnySignlessInteger, AnyFloat]>:$start,
    UnitAttr:$lhsUnsigned, UnitAttr:$rhsUnsigned,
    OptionalAttr<StrAttr>:$intrinsic, OptionalAttr<I64Attr>:$bits,
    UnitAttr:$scalable, UnitAttr:$swapped);
  let results = (outs
    VectorOfRankAndType<[1, 2, 3], [AnySignlessInteger, AnyFloat]>:$result);
  let hasVerifier = 1;

  let assemblyFormat = [{
    $lhs (`unsigned` $lhsUnsigned^)? `,` $rhs (`unsigned` $rhsUnsigned^)? `,`
    $start (`by` $intrinsic^ `of` $bits)? (`scalable` $scalable^)?
    (`swapped` $swapped^)? attr-dict `:`
    type($lhs) `,` type($rhs) `,` type($start)
  }];

  let extraClassDeclaration = [{
    /// Whether the tile is blocks of rows and columns.
    bool hasBlocks() { return getStart().getType().getRank() == 3; }
    /// Whether each sum is of a row of both factors.
    bool isLaneByLane() { return getStart().getType().getRank() == 1; }
  }];
}

def Ein_TileProductsOp : Ein_Op<"tile_products",
    [Pure, AllTypesMatch<["start", "result"]>]> {
  let summary = "A product of matrices, added to a register tile";
  let description = [{
    A register tile gets the products of rows by columns along several groups of
    k, which is what a matrix unit does at once:

        result[m, n] = start[m, n] + SUM_qg lhs[m, q, g] * rhs[q, n, g]

    where the factors are converted to the type of the sums before; integers are
    signed, or `unsigned`, and wrap. Of floats the order of the sum, and how
    often it rounds, is the machine's. A group of neighbours fills a sum's width.

    ```mlir
    %t = ein.tile_products %a unsigned, %b, %s
      : vector<32x16x4xi8>, vector<16x32x4xi8>, vector<32x32xi32>
    ```
  }];

  let arguments = (ins
    VectorOfRankAndType<[3], [I8, F16, BF16]>:$lhs,
    VectorOfRankAndType<[3], [I8, F16, BF16]>:$rhs,
    VectorOfRankAndType<[2], [I32, F32]>:$start,
    UnitAttr:$lhsUnsigned, UnitAttr:$rhsUnsigned);
  let results = (outs VectorOfRankAndType<[2], [I32, F32]>:$result);
  let hasVerifier = 1;

  let assemblyFormat = [{
    $lhs (`unsigned` $lhsUnsigned^)? `,` $rhs (`unsigned` $rhsUnsigned^)? `,`
    $start attr-dict `:` type($lhs) `,` type($rhs) `,` type($start)
  }];
}

def Ein_ContractOp : Ein_Op<"contract",
    [DestinationStyleOpInterface,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Contraction of two operands into a third, of any kind";
  let description = [{
    `linalg.contract` as its RFC had it, with a choice of what combines:

        result[H] = C[H] (+) REDUCE(+)_{all dims not in H} A[I] * B[J]

    where `(+)` is `kind`, one of vector.contract's: add (the default), mul,
    minui, minsi, minimumf, minnumf, maxui, maxsi, maximumf, maxnumf, and, or,
    xor. The product is always a product. Operands are converted to the
    accumulator's element type before it, unsigned integers with
    `cast = #linalg.type_fn<cast_unsigned>`. The second one goes by `rhs_cast`
    instead, if that is given.

    Maps are projected permutations. A dim that the output lacks is reduced; it
    may be in one input only. A dim of the output is in at least one input.
    Beyond the RFC, nothing has to be reduced: outer and Hadamard products are
    contractions as well, so that every product of two has this one form.
    `iterator_types`, if they are given, must be those that the maps imply.

    ```mlir
    %r = ein.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                       affine_map<(m, n, k) -> (k, n)>,
                                       affine_map<(m, n, k) -> (m, n)>]
           kind = <maximumf>
           ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
           outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    ```

    It means what `generalize` makes of it. `ein-raise-to-contract` makes it of
    generics, and turns it into `linalg.contract` where that can say the same;
    `ein-generalize-contract` ends it.
  }];

  let arguments = (ins AnyShaped:$lhs, AnyShaped:$rhs, AnyShaped:$init,
      AffineMapArrayAttr:$indexing_maps,
      OptionalAttr<StrArrayAttr>:$iterator_types,
      DefaultValuedAttr<Vector_CombiningKindAttr,
                        "::mlir::vector::CombiningKind::ADD">:$kind,
      DefaultValuedAttr<TypeFnAttr,
                        "::mlir::linalg::TypeFn::cast_signed">:$cast,
      OptionalAttr<TypeFnAttr>:$rhs_cast);
  let results = (outs Optional<AnyRankedTensor>:$result);

  let assemblyFormat = [{
    `indexing_maps` `=` $indexing_maps
    (`iterator_types` `=` $iterator_types^)?
    (`kind` `=` $kind^)? (`cast` `=` $cast^)? (`rhs_cast` `=` $rhs_cast^)?
    attr-dict
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `(` $init `:` type($init) `)` (`->` type($result)^)?
  }];

  let hasVerifier = 1;

  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::AffineMap> getIndexingMapsArray();
    /// What the maps imply, per loop.
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypesArray();
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
    /// The same as a linalg.generic at the builder's place; this op stays.
    ::mlir::linalg::GenericOp generalize(::mlir::OpBuilder &b);
  }];
}

def Ein_YieldOp : Ein_Op<"yield",
    [Pure, Terminator, ParentOneOf<["::ein::OnlineReduceOp"]>]> {
  let summary = "What a region of an op makes";
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins)>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Ein_OnlineReduceOp : Ein_Op<"online_reduce",
    [AttrSizedOperandSegments, DestinationStyleOpInterface,
     RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "Reduction whose accumulators are relative to a running value";
  let description = [{
    Some sums are of terms that are known when all has been seen: of softmax,
    exp(x - maximum). With the maximum so far, a sum is that of other terms, all
    by the same factor, which is made up for when a larger one comes (Milakov and
    Gimelshein, "Online normalizer calculation for softmax", 2018). The op is such
    a reduction, whatever the values are and what makes up for another one.

    `inputs` are reduced, each along its axis of `along`, in blocks from the
    first element to the last. `relative_to` are the running values, and `outs`
    the accumulators, which are relative to these. The regions are on tensors:

    * `init`: of the running values and accumulators that are given, what both
      are before the first block. It may be what is given: the op then goes on
      from there.
    * `advance`: of where a block begins, of the block of each input, and of the
      running values, these with the block in them. What it yields beside is for
      `combine`.
    * `rescale`: of the running values before and after, and of accumulators that
      are relative to those before, the ones that are relative to those after.
    * `combine`: of where a block begins, of the block of each input, of what
      `advance` yields, and of such accumulators, these with the block in them.

    A block has an extent along its axis that regions have to ask for. The result
    must be the same for all blocks, but for how it is rounded: `step` is how long
    they are, and without it there is one. `from` is where the first one begins,
    if not at 0.

    ```mlir
    // The logarithm of a sum of exp(x) of each row, but for the last step.
    %m, %s = ein.online_reduce ins(%x : tensor<64x?xf32>) along [1]
        relative_to(%m0 : tensor<64xf32>) outs(%s0 : tensor<64xf32>) step 512
      init {
      ^bb0(%m1: tensor<64xf32>, %s1: tensor<64xf32>):
        …
        ein.yield %low, %zeros : tensor<64xf32>, tensor<64xf32>
      } advance {
      ^bb0(%at: index, %block: tensor<64x?xf32>, %m1: tensor<64xf32>):
        …  // the maximum of %m1 and the block
        ein.yield %m2 : tensor<64xf32>
      } rescale {
      ^bb0(%old: tensor<64xf32>, %new: tensor<64xf32>, %s1: tensor<64xf32>):
        …  // %s1 * exp(%old - %new)
        ein.yield %s2 : tensor<64xf32>
      } combine {
      ^bb0(%at: index, %block: tensor<64x?xf32>, %new: tensor<64xf32>, %s1: tensor<64xf32>):
        …  // %s1 + the sum of exp(%block - %new)
        ein.yield %s2 : tensor<64xf32>
      } -> tensor<64xf32>, tensor<64xf32>
    ```

    `ein-lower-online-reduce` ends it.
  }];

  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$running,
                       Variadic<AnyRankedTensor>:$accumulators,
                       Optional<Index>:$first,
                       DenseI64ArrayAttr:$axes,
                       OptionalAttr<I64Attr>:$step);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$init, SizedRegion<1>:$advance,
                        SizedRegion<1>:$rescale, SizedRegion<1>:$combine);

  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)` `along` $axes (`from` $first^)?
    `relative_to` `(` $running `:` type($running) `)`
    (`outs` `(` $accumulators^ `:` type($accumulators) `)`)?
    (`step` $step^)? attr-dict-with-keyword
    `init` $init `advance` $advance `rescale` $rescale `combine` $combine
    `->` type($results)
  }];

  let skipDefaultBuilders = 1;
  let builders = [
    // Each region has a block with its arguments, and nothing in it.
    OpBuilder<(ins "::mlir::ValueRange":$inputs,
                   "::llvm::ArrayRef<int64_t>":$axes, "::mlir::Value":$first,
                   "::mlir::ValueRange":$running,
                   "::mlir::ValueRange":$accumulators,
                   "std::optional<int64_t>":$step)>
  ];

  let hasVerifier = 1;
  let hasRegionVerifier = 1;

  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(
          getOperation(), getInputs().size(),
          getRunning().size() + getAccumulators().size());
    }
    /// What the blocks of the inputs are in regions.
    ::llvm::SmallVector<::mlir::Type> getBlockTypes();
  }];
}

def Ein_ReinterpretOp : Ein_Op<"reinterpret",
    [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>,
     DeclareOpInterfaceMethods<BufferizableOpInterface,
         ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
          "getAliasingValues", "bufferize", "getBufferType"]>]> {
  let summary = "Complex numbers as the real ones that they lie in memory as";
  let description = [{
    The same memory as of another element type: a complex number as its real and
    its imaginary part, which make the last dim twice as long, or as one float
    of its size, to be moved; and back. There are no vectors of complex numbers,
    so that what becomes vectors goes through this.

    ```mlir
    %r = ein.reinterpret %c : tensor<4x5xcomplex<f32>> to tensor<4x10xf32>
    %m = ein.reinterpret %c : tensor<4x?xcomplex<f32>> to tensor<4x?xf64>
    ```

    Where the length of the last dim changes, neighbours along it are neighbours
    in memory. On tensors it is a view as well: what is written to its result is
    written to its source, if bufferization finds that possible.
    `ein-lower-reinterpret` ends it.
  }];

  let arguments = (ins AnyShaped:$source);
  let results = (outs AnyShaped:$result);

  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";

  let hasVerifier = 1;
  let hasFolder = 1;

  let extraClassDeclaration = [{
    /// `type`, a tensor's or a memref's, with other elements; null if there is
    /// no such view of it.
    static ::mlir::ShapedType getViewType(::mlir::ShapedType type,
                                          ::mlir::Type element);
    /// The source, as elements of another type.
    static ::mlir::Value get(::mlir::OpBuilder &b, ::mlir::Location loc,
                             ::mlir::Value source, ::mlir::Type element);
  }];
}

#endif // EIN_IR_EINOPS_TD
