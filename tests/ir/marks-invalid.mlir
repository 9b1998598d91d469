// ir/Marks.td says which attributes of the ein dialect there are, on which ops,
// and what they hold. Anything else is refused.
// RUN: ein-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{'func.func' op has `ein.soup`, which einc does not know}}
func.func @unknown() attributes {ein.soup} { return }

// -----

// expected-error @+1 {{'builtin.module' op has `ein.strict_fp`, which belongs on a function}}
module attributes {ein.strict_fp} {}

// -----

func.func @other_carrier(%p: i1) {
  // expected-error @+1 {{'scf.if' op has `ein.parallel`, which belongs on an `scf.for` or an `scf.parallel`}}
  scf.if %p {
  } {ein.parallel = 0 : i64}
  return
}

// -----

// expected-error @+1 {{'builtin.module' op has an `ein.level` that is not a string}}
module attributes {ein.level = 3 : i64} {}

// -----

// expected-error @+1 {{'func.func' op has an `ein.strict_fp` that is not a unit attribute}}
func.func @flag() attributes {ein.strict_fp = true} { return }

// -----

// expected-error @+1 {{'func.func' op has an `ein.contiguous` that is not an array of numbers (i64)}}
func.func @array() attributes {ein.contiguous = array<i32: 0>} { return }

// -----

func.func @number(%n: index) {
  // expected-error @+1 {{'scf.for' op has an `ein.unroll` that is not a number (i64)}}
  scf.for %i = %n to %n step %n {
  } {ein.unroll = 2 : i32}
  return
}

// -----

func.func @list(%n: index) {
  // expected-error @+1 {{'scf.for' op has an `ein.stream_squares` that is not a list}}
  scf.for %i = %n to %n step %n {
  } {ein.stream_squares}
  return
}

// -----

func.func @dictionary(%x: f32, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'linalg.fill' op has an `ein.schedule` that is not a schedule}}
  %0 = linalg.fill {ein.schedule = "loops"} ins(%x : f32) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// expected-error @+1 {{'func.func' op has `ein.contiguous` on argument #1, and no argument has attributes of einc}}
func.func @argument(%x: f32, %c: tensor<3xf32> {ein.contiguous}) { return }

// -----

// expected-error @+1 {{'func.func' op has `ein.contiguous` on result #0, and no result has attributes of einc}}
func.func @result(%x: f32) -> (f32 {ein.contiguous}) { return %x : f32 }
