// A kind that is none, and an attribute that is none: said where strategies are
// chosen, as later passes only look for their own kinds.
// RUN: ein-opt %s -ein-select-strategy -verify-diagnostics -split-input-file

func.func @unknown_kind(%zero: f32, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.fill' op has a malformed `ein.strategy`}}
  %0 = linalg.fill {ein.strategy = {kind = "packed"}}
         ins(%zero : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_kind(%zero: f32, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.fill' op has no `ein.strategy`}}
  %0 = linalg.fill {ein.strategy = {tile = array<i64: 4>}}
         ins(%zero : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
