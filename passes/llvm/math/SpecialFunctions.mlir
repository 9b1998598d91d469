//===- SpecialFunctions.mlir - What ein.special calls ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ein.special "NAME"` calls `__ein_special_NAME` (see CallSpecial.cpp), which
// is on f64. Functions of libm are called; what libm lacks is computed, to a
// few units in the last place, which docs/reference/language.md has:
//
// * Quantiles (erfinv, erfcinv, normcdfinv): Wichura, "Algorithm AS 241: The
//   Percentage Points of the Normal Distribution", Applied Statistics 37
//   (1988), routine PPND16: three quotients of polynomials, with a relative
//   error of 1e-16. They take the distance from the middle and what is in the
//   tail, both of which each of the three functions has exactly.
// * erfcx: exp(x^2) erfc(x), where x^2 is held in two numbers, and from 20 on
//   Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.23.
// * cyl_bessel_i0, i1: the ascending series of the same book, 9.6.10, up to
//   20, all terms of which are positive, then the expansion 9.7.1.
//
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Functions of libm
//===----------------------------------------------------------------------===//

func.func private @lgamma_r(f64, !llvm.ptr) -> f64
func.func private @tgamma(f64) -> f64
func.func private @j0(f64) -> f64
func.func private @j1(f64) -> f64
func.func private @y0(f64) -> f64
func.func private @y1(f64) -> f64
func.func private @logb(f64) -> f64
func.func private @remainder(f64, f64) -> f64

// `lgamma` itself writes the sign to a variable of the whole process.
func.func private @__ein_special_lgamma(%x: f64) -> f64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %sign = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %result = func.call @lgamma_r(%x, %sign) : (f64, !llvm.ptr) -> f64
  return %result : f64
}

func.func private @__ein_special_tgamma(%x: f64) -> f64 {
  %result = func.call @tgamma(%x) : (f64) -> f64
  return %result : f64
}

func.func private @__ein_special_j0(%x: f64) -> f64 {
  %result = func.call @j0(%x) : (f64) -> f64
  return %result : f64
}

func.func private @__ein_special_j1(%x: f64) -> f64 {
  %result = func.call @j1(%x) : (f64) -> f64
  return %result : f64
}

func.func private @__ein_special_y0(%x: f64) -> f64 {
  %result = func.call @y0(%x) : (f64) -> f64
  return %result : f64
}

func.func private @__ein_special_y1(%x: f64) -> f64 {
  %result = func.call @y1(%x) : (f64) -> f64
  return %result : f64
}

func.func private @__ein_special_logb(%x: f64) -> f64 {
  %result = func.call @logb(%x) : (f64) -> f64
  return %result : f64
}

func.func private @__ein_special_remainder(%x: f64, %y: f64) -> f64
    {
  %result = func.call @remainder(%x, %y) : (f64, f64) -> f64
  return %result : f64
}

//===----------------------------------------------------------------------===//
// Quantiles
//===----------------------------------------------------------------------===//

// The quotient of two polynomials of degree seven.
func.func private @__ein_rational(%x: f64, %p: vector<8xf64>, %q: vector<8xf64>) -> f64
    {
  %p7 = vector.extract %p[7] : f64 from vector<8xf64>
  %p6 = vector.extract %p[6] : f64 from vector<8xf64>
  %pm6 = arith.mulf %p7, %x fastmath<contract> : f64
  %ps6 = arith.addf %pm6, %p6 fastmath<contract> : f64
  %p5 = vector.extract %p[5] : f64 from vector<8xf64>
  %pm5 = arith.mulf %ps6, %x fastmath<contract> : f64
  %ps5 = arith.addf %pm5, %p5 fastmath<contract> : f64
  %p4 = vector.extract %p[4] : f64 from vector<8xf64>
  %pm4 = arith.mulf %ps5, %x fastmath<contract> : f64
  %ps4 = arith.addf %pm4, %p4 fastmath<contract> : f64
  %p3 = vector.extract %p[3] : f64 from vector<8xf64>
  %pm3 = arith.mulf %ps4, %x fastmath<contract> : f64
  %ps3 = arith.addf %pm3, %p3 fastmath<contract> : f64
  %p2 = vector.extract %p[2] : f64 from vector<8xf64>
  %pm2 = arith.mulf %ps3, %x fastmath<contract> : f64
  %ps2 = arith.addf %pm2, %p2 fastmath<contract> : f64
  %p1 = vector.extract %p[1] : f64 from vector<8xf64>
  %pm1 = arith.mulf %ps2, %x fastmath<contract> : f64
  %ps1 = arith.addf %pm1, %p1 fastmath<contract> : f64
  %p0 = vector.extract %p[0] : f64 from vector<8xf64>
  %pm0 = arith.mulf %ps1, %x fastmath<contract> : f64
  %ps0 = arith.addf %pm0, %p0 fastmath<contract> : f64
  %q7 = vector.extract %q[7] : f64 from vector<8xf64>
  %q6 = vector.extract %q[6] : f64 from vector<8xf64>
  %qm6 = arith.mulf %q7, %x fastmath<contract> : f64
  %qs6 = arith.addf %qm6, %q6 fastmath<contract> : f64
  %q5 = vector.extract %q[5] : f64 from vector<8xf64>
  %qm5 = arith.mulf %qs6, %x fastmath<contract> : f64
  %qs5 = arith.addf %qm5, %q5 fastmath<contract> : f64
  %q4 = vector.extract %q[4] : f64 from vector<8xf64>
  %qm4 = arith.mulf %qs5, %x fastmath<contract> : f64
  %qs4 = arith.addf %qm4, %q4 fastmath<contract> : f64
  %q3 = vector.extract %q[3] : f64 from vector<8xf64>
  %qm3 = arith.mulf %qs4, %x fastmath<contract> : f64
  %qs3 = arith.addf %qm3, %q3 fastmath<contract> : f64
  %q2 = vector.extract %q[2] : f64 from vector<8xf64>
  %qm2 = arith.mulf %qs3, %x fastmath<contract> : f64
  %qs2 = arith.addf %qm2, %q2 fastmath<contract> : f64
  %q1 = vector.extract %q[1] : f64 from vector<8xf64>
  %qm1 = arith.mulf %qs2, %x fastmath<contract> : f64
  %qs1 = arith.addf %qm1, %q1 fastmath<contract> : f64
  %q0 = vector.extract %q[0] : f64 from vector<8xf64>
  %qm0 = arith.mulf %qs1, %x fastmath<contract> : f64
  %qs0 = arith.addf %qm0, %q0 fastmath<contract> : f64
  %result = arith.divf %ps0, %qs0 : f64
  return %result : f64
}

// The quantile of the normal distribution at 1/2 + `q`. `twice` is twice the
// lesser of what is below and above: half of the least number is none.
func.func private @__ein_quantile(%q: f64, %twice: f64) -> f64
    {
  %zero = arith.constant 0.0 : f64
  %middle = arith.constant 0.425 : f64
  %distance = math.absf %q : f64
  %is_central = arith.cmpf ole, %distance, %middle : f64
  %result = scf.if %is_central -> f64 {
    %p = arith.constant dense<[
        3.3871328727963666080e+00, 1.3314166789178437745e+02,
        1.9715909503065514427e+03, 1.3731693765509461125e+04,
        4.5921953931549871457e+04, 6.7265770927008700853e+04,
        3.3430575583588128105e+04, 2.5090809287301226727e+03]> : vector<8xf64>
    %q_ = arith.constant dense<[
        1.0, 4.2313330701600911252e+01,
        6.8718700749205790830e+02, 5.3941960214247511077e+03,
        2.1213794301586595867e+04, 3.9307895800092710610e+04,
        2.8729085735721942674e+04, 5.2264952788528545610e+03]> : vector<8xf64>
    %c = arith.constant 0.180625 : f64
    %square = arith.mulf %q, %q : f64
    %r = arith.subf %c, %square : f64
    %factor = func.call @__ein_rational(%r, %p, %q_) : (f64, vector<8xf64>, vector<8xf64>) -> f64
    %value = arith.mulf %q, %factor : f64
    scf.yield %value : f64
  } else {
    %log2 = arith.constant 0.69314718055994530942 : f64
    %log = math.log %twice : f64
    %minus = arith.subf %log2, %log : f64
    %r = math.sqrt %minus : f64
    %five = arith.constant 5.0 : f64
    %is_near = arith.cmpf ole, %r, %five : f64
    %magnitude = scf.if %is_near -> f64 {
      %p = arith.constant dense<[
          1.42343711074968357734e+00, 4.63033784615654529590e+00,
          5.76949722146069140550e+00, 3.64784832476320460504e+00,
          1.27045825245236838258e+00, 2.41780725177450611770e-01,
          2.27238449892691845833e-02, 7.74545014278341407640e-04]> : vector<8xf64>
      %q_ = arith.constant dense<[
          1.0, 2.05319162663775882187e+00,
          1.67638483018380384940e+00, 6.89767334985100004550e-01,
          1.48103976427480074590e-01, 1.51986665636164571966e-02,
          5.47593808499534494600e-04, 1.05075007164441684324e-09]> : vector<8xf64>
      %c = arith.constant 1.6 : f64
      %x = arith.subf %r, %c : f64
      %value = func.call @__ein_rational(%x, %p, %q_) : (f64, vector<8xf64>, vector<8xf64>) -> f64
      scf.yield %value : f64
    } else {
      %p = arith.constant dense<[
          6.65790464350110377720e+00, 5.46378491116411436990e+00,
          1.78482653991729133580e+00, 2.96560571828504891230e-01,
          2.65321895265761230930e-02, 1.24266094738807843860e-03,
          2.71155556874348757815e-05, 2.01033439929228813265e-07]> : vector<8xf64>
      %q_ = arith.constant dense<[
          1.0, 5.99832206555887937690e-01,
          1.36929880922735805310e-01, 1.48753612908506148525e-02,
          7.86869131145613259100e-04, 1.84631831751005468180e-05,
          1.42151175831644588870e-07, 2.04426310338993978564e-15]> : vector<8xf64>
      %x = arith.subf %r, %five : f64
      %value = func.call @__ein_rational(%x, %p, %q_) : (f64, vector<8xf64>, vector<8xf64>) -> f64
      // An infinity divided by another is none.
      %infinity = arith.constant 0x7FF0000000000000 : f64
      %is_end = arith.cmpf oeq, %twice, %zero : f64
      %end = arith.select %is_end, %infinity, %value : f64
      scf.yield %end : f64
    }
    %value = math.copysign %magnitude, %q : f64
    scf.yield %value : f64
  }
  return %result : f64
}

func.func private @__ein_special_normcdfinv(%p: f64) -> f64
    {
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %q = arith.subf %p, %half : f64
  %above = arith.subf %one, %p : f64
  %tail = arith.minimumf %p, %above : f64
  %twice = arith.addf %tail, %tail : f64
  %result = func.call @__ein_quantile(%q, %twice) : (f64, f64) -> f64
  return %result : f64
}

func.func private @__ein_special_erfinv(%x: f64) -> f64
    {
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %root = arith.constant 0.70710678118654752440 : f64
  %q = arith.mulf %x, %half : f64
  %magnitude = math.absf %x : f64
  %left = arith.subf %one, %magnitude : f64
  %quantile = func.call @__ein_quantile(%q, %left) : (f64, f64) -> f64
  %result = arith.mulf %quantile, %root : f64
  return %result : f64
}

func.func private @__ein_special_erfcinv(%y: f64) -> f64
    {
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %root = arith.constant 0.70710678118654752440 : f64
  %distance = arith.subf %one, %y : f64
  %q = arith.mulf %distance, %half : f64
  %other = arith.subf %two, %y : f64
  %lesser = arith.minimumf %y, %other : f64
  %quantile = func.call @__ein_quantile(%q, %lesser) : (f64, f64) -> f64
  %result = arith.mulf %quantile, %root : f64
  return %result : f64
}

//===----------------------------------------------------------------------===//
// The scaled complement of the error function
//===----------------------------------------------------------------------===//

func.func private @__ein_special_erfcx(%x: f64) -> f64
    {
  %one = arith.constant 1.0 : f64
  %far = arith.constant 20.0 : f64
  %is_far = arith.cmpf ogt, %x, %far : f64
  %result = scf.if %is_far -> f64 {
    // s = 1 - 1 t (1 - 3 t (1 - 5 t (...))), t = 1 / (2 x^2).
    %inverse = arith.divf %one, %x : f64
    %half = arith.constant -0.5 : f64
    %scaled = arith.mulf %inverse, %half : f64
    %t = arith.mulf %scaled, %inverse : f64
    %first = arith.constant 1 : i32
    %last = arith.constant 9 : i32
    %sum = scf.for %i = %first to %last step %first iter_args(%s = %one) -> (f64) : i32 {
      %seventeen = arith.constant 17 : i32
      %twice = arith.addi %i, %i : i32
      %odd = arith.subi %seventeen, %twice : i32
      %k = arith.sitofp %odd : i32 to f64
      %kt = arith.mulf %k, %t : f64
      %term = arith.mulf %kt, %s fastmath<contract> : f64
      %next = arith.addf %term, %one fastmath<contract> : f64
      scf.yield %next : f64
    }
    %inverse_root = arith.constant 0.56418958354775628695 : f64
    %factor = arith.mulf %sum, %inverse_root : f64
    %value = arith.mulf %factor, %inverse : f64
    scf.yield %value : f64
  } else {
    // exp overflows at -30 as it does at infinity, which has no lower half.
    %low = arith.constant -30.0 : f64
    %is_low = arith.cmpf olt, %x, %low : f64
    %y = arith.select %is_low, %low, %x : f64
    %high = arith.mulf %y, %y : f64
    %minus = arith.negf %high : f64
    %rest = math.fma %y, %y, %minus : f64
    %exp = math.exp %high : f64
    %erfc = math.erfc %y : f64
    %product = arith.mulf %exp, %erfc : f64
    %factor = arith.addf %one, %rest : f64
    %value = arith.mulf %product, %factor : f64
    scf.yield %value : f64
  }
  return %result : f64
}

//===----------------------------------------------------------------------===//
// Modified Bessel functions of the first kind
//===----------------------------------------------------------------------===//

// Of order zero or one, `order`, at `x` of 0 or more; of order one, without
// the factor x / 2 of the series.
func.func private @__ein_bessel_i(%order: f64, %x: f64) -> f64
    {
  %first = arith.constant 1 : i32
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %half = arith.constant 0.5 : f64
  %far = arith.constant 20.0 : f64
  %is_far = arith.cmpf ogt, %x, %far : f64
  %result = scf.if %is_far -> f64 {
    // s = 1 + r_1 (1 + r_2 (1 + ...)), r_k = ((2k-1)^2 - 4 order^2) / (8 k x).
    %end = arith.constant 25 : i32
    %eight = arith.constant 8.0 : f64
    %x8 = arith.mulf %x, %eight : f64
    %order2 = arith.mulf %order, %two : f64
    %mu = arith.mulf %order2, %order2 : f64
    %sum = scf.for %i = %first to %end step %first iter_args(%s = %one) -> (f64) : i32 {
      %down = arith.subi %end, %i : i32
      %k = arith.sitofp %down : i32 to f64
      %k2 = arith.mulf %k, %two : f64
      %odd = arith.subf %k2, %one : f64
      %square = arith.mulf %odd, %odd : f64
      %numerator = arith.subf %square, %mu : f64
      %denominator = arith.mulf %k, %x8 : f64
      %ratio = arith.divf %numerator, %denominator : f64
      %term = arith.mulf %ratio, %s fastmath<contract> : f64
      %next = arith.addf %term, %one fastmath<contract> : f64
      scf.yield %next : f64
    }
    // exp(x) overflows before its product with 1 / sqrt(2 pi x) does.
    %tau = arith.constant 6.28318530717958647693 : f64
    %area = arith.mulf %x, %tau : f64
    %root = math.sqrt %area : f64
    %quotient = arith.divf %sum, %root : f64
    %middle = arith.mulf %x, %half : f64
    %exp = math.exp %middle : f64
    %product = arith.mulf %exp, %quotient : f64
    %value = arith.mulf %product, %exp : f64
    scf.yield %value : f64
  } else {
    // s = 1 + r_1 (1 + r_2 (1 + ...)), r_k = (x/2)^2 / (k (k + order)).
    %end = arith.constant 37 : i32
    %middle = arith.mulf %x, %half : f64
    %q = arith.mulf %middle, %middle : f64
    %sum = scf.for %i = %first to %end step %first iter_args(%s = %one) -> (f64) : i32 {
      %down = arith.subi %end, %i : i32
      %k = arith.sitofp %down : i32 to f64
      %k1 = arith.addf %k, %order : f64
      %denominator = arith.mulf %k, %k1 : f64
      %ratio = arith.divf %q, %denominator : f64
      %term = arith.mulf %ratio, %s fastmath<contract> : f64
      %next = arith.addf %term, %one fastmath<contract> : f64
      scf.yield %next : f64
    }
    %is_one = arith.cmpf oeq, %order, %one : f64
    %factor = arith.select %is_one, %middle, %one : f64
    %value = arith.mulf %sum, %factor : f64
    scf.yield %value : f64
  }
  return %result : f64
}

// From 1000 on the functions are infinite as they are at infinity, where the
// expansion is not a number.
func.func private @__ein_bounded_magnitude(%x: f64) -> f64
    {
  %most = arith.constant 1000.0 : f64
  %magnitude = math.absf %x : f64
  %is_more = arith.cmpf ogt, %magnitude, %most : f64
  %result = arith.select %is_more, %most, %magnitude : f64
  return %result : f64
}

func.func private @__ein_special_cyl_bessel_i0(%x: f64) -> f64
    {
  %order = arith.constant 0.0 : f64
  %magnitude = func.call @__ein_bounded_magnitude(%x) : (f64) -> f64
  %result = func.call @__ein_bessel_i(%order, %magnitude) : (f64, f64) -> f64
  return %result : f64
}

func.func private @__ein_special_cyl_bessel_i1(%x: f64) -> f64
    {
  %order = arith.constant 1.0 : f64
  %magnitude = func.call @__ein_bounded_magnitude(%x) : (f64) -> f64
  %value = func.call @__ein_bessel_i(%order, %magnitude) : (f64, f64) -> f64
  %result = math.copysign %value, %x : f64
  return %result : f64
}
