module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %any = transform.structured.match ops{["linalg.contract"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %one, %two = transform.split_handle %any : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
