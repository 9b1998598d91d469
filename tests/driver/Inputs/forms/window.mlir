func.func @window(%a: memref<?xf32>, %k: memref<?xf32>, %b: memref<?xf32>) {
  // "window" in a comment, and iterator_types = ["window"], are none.
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "window"], doc = "window"}
    ins(%a, %k : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  }
  return
}
