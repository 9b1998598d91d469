func.func @noise(%min: f64, %max: f64, %seed: i32) -> tensor<37x23xf32> {
  %empty = tensor.empty() : tensor<37x23xf32>
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32)
         outs(%empty : tensor<37x23xf32>) -> tensor<37x23xf32>
  return %0 : tensor<37x23xf32>
}
