// A script whose tiles are iterations of one loop that may run in any order.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %contraction = transform.structured.match ops{["linalg.contract"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %contraction tile_sizes [8, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
