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
include "mlir/Interfaces/SideEffectInterfaces.td"

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
    their width, which is the same for signed and unsigned ones. Every dim of the iteration space occurs
    in at least one map, and dims that share a name have equal extents.

    Nothing is said about the order of multiplication or of summation:
    `ein-order-contractions` chooses it.

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
                       AffineMapArrayAttr:$indexing_maps);
  let results = (outs AnyRankedTensor:$result);

  let assemblyFormat = [{
    `indexing_maps` `=` $indexing_maps attr-dict
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

#endif // EIN_IR_EINOPS_TD
