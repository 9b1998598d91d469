// RUN: ein-opt %s --ein-infer-signatures --ein-lift-memrefs --split-input-file --verify-diagnostics

// Strides that no kernel takes, of a memref that stays in memory.
func.func private @g(memref<4xf32, strided<[2]>>)
// expected-error @+1 {{an argument of `f`, 'memref<4xf32, strided<[2]>>', has strides or an offset that a contiguous array of its shape has not, and cannot become a tensor}}
func.func @f(%x: memref<4xf32, strided<[2]>>) {
  // expected-note @+1 {{an op uses it that is not known to read or write parts}}
  call @g(%x) : (memref<4xf32, strided<[2]>>) -> ()
  return
}

// -----

// What is written is not what was read: neighbours.
func.func @f(%x: memref<5x4xf32>) {
  %l = memref.subview %x[0, 0] [4, 4] [1, 1] : memref<5x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  %r = memref.subview %x[1, 0] [4, 4] [1, 1] : memref<5x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 4>>
  // expected-error @+2 {{`linalg.softmax` is compiled on tensors only, and a memref of it cannot become one}}
  // expected-note @+1 {{an op reads and writes it at places that may be equal}}
  linalg.softmax dimension(1) ins(%l : memref<4x4xf32, strided<[4, 1]>>) outs(%r : memref<4x4xf32, strided<[4, 1], offset: 4>>)
  return
}
