// What cannot be compiled is refused by name. More: tests/driver/mlir-errors.test.
// RUN: ein-opt %s -ein-check-source -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f
func.func @f(%a: tensor<?xf32>, %m: memref<4xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
func.func private @external(memref<?xf32, strided<[?]>>, f32) -> f32

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{`vector.step` cannot be compiled}}
  %v = vector.step : vector<4xindex>
  return
}

// -----

// expected-error @+1 {{argument #0 of `f`, 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', has a layout that strides do not give}}
func.func @f(%x: memref<4xf32, affine_map<(i) -> (i floordiv 2, i mod 2)>>) { return }

// -----

// expected-error @+1 {{`gpu.module` cannot be compiled}}
gpu.module @m { }
