module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %any = transform.structured.match ops{["linalg.contract"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %tile, %loops:4 = transform.structured.tile_using_for %any tile_sizes [8, 16, 4, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op,
                                !transform.any_op, !transform.any_op)
    transform.yield
  }
}
