// RUN: ein-opt %s -ein-call-special -split-input-file -verify-diagnostics | FileCheck %s

// A function of libm's is called; what libm lacks is there, and internal.
// CHECK-LABEL: func @both
// CHECK: call @__ein_special_j0(%{{.*}}) : (f64) -> f64
// CHECK: call @__ein_special_erfinv(%{{.*}}) : (f64) -> f64
// CHECK: func.func private @__ein_special_j0({{.*}}) -> f64 attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK: call @j0
// CHECK: func.func private @__ein_special_erfinv({{.*}}) -> f64 attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK: call @__ein_quantile
// CHECK: func.func private @j0(f64) -> f64
// CHECK: func.func private @__ein_quantile({{.*}}) -> f64 attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK: func.func private @__ein_rational({{.*}}) -> f64 attributes {llvm.linkage = #llvm.linkage<internal>}
// Nothing that is not called.
// CHECK-NOT: func.func
func.func @both(%x: f64) -> (f64, f64) {
  %0 = ein.special "j0"(%x)
  %1 = ein.special "erfinv"(%x)
  return %0, %1 : f64, f64
}

// -----

// CHECK-LABEL: func @none
// CHECK-NOT: func.func
func.func @none(%x: f64) -> f64 { return %x : f64 }

// -----

// `lgamma` would write a variable that all threads share.
// CHECK-LABEL: func @threads
// CHECK: call @lgamma_r(%{{.*}}, %{{.*}}) : (f64, !llvm.ptr) -> f64
func.func @threads(%x: f64) -> f64 {
  %0 = ein.special "lgamma"(%x)
  return %0 : f64
}

// -----

func.func @unknown(%x: f64) -> f64 {
  // expected-error @+1 {{names no function that there is}}
  %0 = ein.special "j9"(%x)
  return %0 : f64
}

// -----

func.func @operands(%x: f64) -> f64 {
  // expected-error @+1 {{needs as many operands as the function has, 2}}
  %0 = ein.special "remainder"(%x)
  return %0 : f64
}

// -----

// expected-error @+1 {{has a function `j1`}}
module {
  func.func @j1() { return }
  func.func @taken(%x: f64) -> f64 {
    %0 = ein.special "j1"(%x)
    return %0 : f64
  }
}
