func.func @tr(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %c = arith.constant 3.0 : f32
  linalg.fill ins(%c : f32) outs(%t : memref<?x?xf32, strided<[?, ?], offset: ?>>)
  return
}
func.func @sel(%a: memref<8xf32>, %b: memref<8xf32>, %q: i32) {
  %z = arith.constant 0 : i32
  %p = arith.cmpi eq, %q, %z : i32
  %t = arith.select %p, %a, %b : memref<8xf32>
  %c = arith.constant 3.0 : f32
  linalg.fill ins(%c : f32) outs(%t : memref<8xf32>)
  return
}
