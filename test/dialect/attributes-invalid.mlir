// RUN: xla-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{[LAY-C1] minor_to_major [0, 0] is not a permutation of 0..1}}
func.func private @layout_twice(tensor<2x3xf32, #xla.layout<minor_to_major = [0, 0]>>)

// -----

// expected-error@+1 {{[LAY-C1] minor_to_major [0, 2] is not a permutation of 0..1}}
func.func private @layout_out_of_range(tensor<2x3xf32, #xla.layout<minor_to_major = [0, 2]>>)

// -----

// expected-error@+1 {{[LAY-C1] minor_to_major [1, 0] has 2 entries for a tensor of rank 3}}
func.func private @layout_rank(tensor<2x3x4xf32, #xla.layout<minor_to_major = [1, 0]>>)

// -----

// expected-error@+1 {{struct is missing required parameter: minor_to_major}}
func.func private @layout_missing(tensor<2x3xf32, #xla.layout<padded = [2, 3]>>)

// -----

// expected-error@+1 {{[LAY-C2] padded has 1 entry for rank 2}}
func.func private @padded_rank(tensor<2x3xf32, #xla.layout<minor_to_major = [1, 0], padded = [3]>>)

// -----

// expected-error@+1 {{[LAY-C2] padded width 2 of dimension 1 is smaller than its size 3}}
func.func private @padded_small(tensor<2x3xf32, #xla.layout<minor_to_major = [1, 0], padded = [2, 2]>>)

// -----

// [LAY-C3] the contents of the padding are one of six.
// expected-error@+2 {{expected one of [INVALID, ZERO, ONE, LOWEST, HIGHEST, UNKNOWN]}}
// expected-error@+1 {{failed to parse Xla_LayoutAttr parameter 'padding'}}
func.func private @padding_value(tensor<2x3xf32, #xla.layout<minor_to_major = [1, 0], padding = TWO>>)

// -----

// expected-error@+1 {{bounds of 1 dimension on a tensor of rank 2}}
func.func private @bounds_rank(tensor<?x4xf32, #xla.bounds<8>>)

// -----

// expected-error@+1 {{bound 8 on dimension 1 of size 4: only dynamic dimensions have a bound, and it is not negative}}
func.func private @bounds_static(tensor<?x4xf32, #xla.bounds<?, 8>>)

// -----

// expected-error@+1 {{atol, rtol and ulps go with mode TOLERANCE}}
module attributes {t.a = #xla.result_accuracy<ulps = 1, mode = <HIGHEST>>} {}

// -----

// expected-error@+1 {{atol, rtol and ulps go with mode TOLERANCE}}
module attributes {t.a = #xla.result_accuracy<mode = <TOLERANCE>>} {}

// -----

// expected-error@+1 {{tolerances of a result_accuracy must not be negative or NaN}}
module attributes {t.a = #xla.result_accuracy<atol = -1.0, mode = <TOLERANCE>>} {}

// -----

// expected-error@+1 {{dimension 'f' is missing}}
module attributes {t.a = #xla.conv<[b, 0, 1]x[0, 1, i, o]->[b, 0, 1, f]>} {}

// -----

// expected-error@+1 {{dimension 'b' is named twice}}
module attributes {t.a = #xla.conv<[b, b, 0, f]x[0, 1, i, o]->[b, 0, 1, f]>} {}

// -----

// expected-error@+1 {{unexpected dimension 'b', expected a number, 'i' or 'o'}}
module attributes {t.a = #xla.conv<[b, 0, 1, f]x[0, 1, b, o]->[b, 0, 1, f]>} {}

// -----

// expected-error@+1 {{spatial dimensions must be numbered from 0 without gaps, missing 1}}
module attributes {t.a = #xla.conv<[b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f]>} {}
