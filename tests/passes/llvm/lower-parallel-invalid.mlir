// RUN: ein-opt %s -ein-lower-parallel -verify-diagnostics

// Sums of parts would depend on how many threads there are.
func.func @sum(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.parallel' op reduces, which is not supported}}
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      scf.reduce.return %1 : f32
    }
  }
  return %0 : f32
}
