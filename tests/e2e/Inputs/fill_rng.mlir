func.func @rng(%min: f64, %max: f64, %seed: i32, %O: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32) outs(%O : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
