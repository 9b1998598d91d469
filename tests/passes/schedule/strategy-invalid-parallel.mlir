// RUN: ein-opt %s -ein-select-strategy -verify-diagnostics -split-input-file

// Threads need both, a dim and a number.
func.func @parallel_without_points(%x: f32, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'linalg.fill' op has a malformed `ein.strategy`}}
  %0 = linalg.fill {ein.strategy = {kind = "loops", parallel = 0 : i64}}
         ins(%x : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @parallel_dim_that_is_not(%x: f32, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'linalg.fill' op has a malformed `ein.strategy`}}
  %0 = linalg.fill {ein.strategy = {kind = "loops", parallel = 1 : i64, min_points = 0 : i64}}
         ins(%x : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @parallel_loops_that_are_too_many(%x: f32, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'linalg.fill' op has a malformed `ein.strategy`}}
  %0 = linalg.fill {ein.strategy = {kind = "loops", parallel = 0 : i64, min_points = 0 : i64, parallel_loops = 3 : i64}}
         ins(%x : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
