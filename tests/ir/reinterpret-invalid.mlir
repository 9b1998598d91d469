// RUN: ein-opt %s -split-input-file -verify-diagnostics

func.func @odd(%a: tensor<3x5xf32>) {
  // expected-error@+1 {{sees no 'tensor<3x5xf32>' as 'tensor<3x2xcomplex<f32>>'}}
  %0 = ein.reinterpret %a : tensor<3x5xf32> to tensor<3x2xcomplex<f32>>
  return
}

// -----

func.func @other(%a: tensor<3x5xcomplex<f64>>) {
  // expected-error@+1 {{sees no}}
  %0 = ein.reinterpret %a : tensor<3x5xcomplex<f64>> to tensor<3x20xf32>
  return
}

// -----

func.func @shape(%a: tensor<3x5xcomplex<f32>>) {
  // expected-error@+1 {{sees no}}
  %0 = ein.reinterpret %a : tensor<3x5xcomplex<f32>> to tensor<6x5xf32>
  return
}

// -----

// Neighbours that are not together.
func.func @apart(%a: memref<3x5xcomplex<f32>, strided<[10, 2]>>) {
  // expected-error@+1 {{sees no}}
  %0 = ein.reinterpret %a : memref<3x5xcomplex<f32>, strided<[10, 2]>> to memref<3x10xf32, strided<[20, 4]>>
  return
}

// -----

func.func @scalar(%a: tensor<complex<f32>>) {
  // expected-error@+1 {{sees no}}
  %0 = ein.reinterpret %a : tensor<complex<f32>> to tensor<f32>
  return
}
