module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %any = transform.structured.match interface{LinalgOp} in %module
      : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %any
        matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [0, 1, 2]
      : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
}
