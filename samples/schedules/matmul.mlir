// A script for `einc --transform`: contractions in tiles of 4 by 16 by 8, as
// vectors, masked where a tile is incomplete. Masks have to be gone at the end:
// `einc verify samples/matmul.ein --transform samples/schedules/matmul.mlir`
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %contraction = transform.structured.match ops{["linalg.contract"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %tile, %loops:3 = transform.structured.tile_using_for %contraction tile_sizes [4, 16, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op,
                                !transform.any_op)
    transform.structured.vectorize %tile vector_sizes [4, 16, 8] {create_named_contraction}
      : !transform.any_op
    %functions = transform.structured.match ops{["func.func"]} in %module
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
    } : !transform.any_op
    transform.yield
  }
}
