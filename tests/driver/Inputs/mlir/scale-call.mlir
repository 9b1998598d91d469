// scale.mlir with a call in place of the structured op.
func.func private @scale(f32, memref<?xf32, strided<[?], offset: ?>>)
func.func @column(%x: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %s = arith.constant 10.0 : f32
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %v = memref.subview %x[0, 1] [%n, 1] [1, 1] : memref<?x4xf32> to memref<?xf32, strided<[4], offset: 1>>
  %d = memref.cast %v : memref<?xf32, strided<[4], offset: 1>> to memref<?xf32, strided<[?], offset: ?>>
  call @scale(%s, %d) : (f32, memref<?xf32, strided<[?], offset: ?>>) -> ()
  return
}
