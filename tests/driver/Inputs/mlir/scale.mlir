// Multiplies the second column, a strided view, by a number in C.
func.func @column(%x: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %s = arith.constant 10.0 : f32
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %v = memref.subview %x[0, 1] [%n, 1] [1, 1] : memref<?x4xf32> to memref<?xf32, strided<[4], offset: 1>>
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"], library_call = "scale"}
      ins(%s : f32) outs(%v : memref<?xf32, strided<[4], offset: 1>>) {
    ^bb0(%a: f32, %u: f32):
      %p = arith.mulf %a, %u : f32
      linalg.yield %p : f32
  }
  return
}
