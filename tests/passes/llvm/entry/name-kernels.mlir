// Kernels get out of the way of the C library; other functions keep their names.
// RUN: ein-opt %s -ein-name-kernels -split-input-file -verify-diagnostics | FileCheck %s

// CHECK: func.func @__ein_kernel_expf(%{{.*}}: f32)
func.func @expf(%x: f32) attributes {
  ein.signature = {arguments = [], symbols = [], checks = []}} { return }

// CHECK: func.func @helper()
// CHECK: call @__ein_kernel_expf
func.func @helper() {
  %zero = arith.constant 0.0 : f32
  call @expf(%zero) : (f32) -> ()
  return
}

// -----

// expected-error @+1 {{cannot be called `__ein_kernel_f`, which exists}}
func.func @f() attributes {
  ein.signature = {arguments = [], symbols = [], checks = []}} { return }
func.func @__ein_kernel_f() { return }
