// Names of operations that there are not: said once, with what may have been meant.

// RUN: xla-opt --verify-diagnostics --split-input-file %s

func.func @stablehlo(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unknown operation 'stablehlo.exponentail'; did you mean 'stablehlo.exponential'?}}
  %0 = stablehlo.exponentail %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @xla(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unknown operation 'xla.tanhh'; did you mean 'xla.tanh'?}}
  %0 = xla.tanhh %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @letters_that_changed_places(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unknown operation 'chlo.tahn'; did you mean 'chlo.tanh'?}}
  %0 = chlo.tahn %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @no_neighbour(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unknown operation 'xla.frobnicate'}}
  %0 = xla.frobnicate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// In generic form, all of them.

func.func @generic(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unknown operation 'stablehlo.ad'; did you mean 'stablehlo.add'?}}
  %0 = "stablehlo.ad"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // expected-error @+1 {{unknown operation 'xla.multiplly'; did you mean 'xla.multiply'?}}
  %1 = "xla.multiplly"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// Ops of StableHLO that the dialect lacks are no misspellings, though their names are close to others.

func.func @lacking(%x: tensor<2xf32>, %n: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' has no counterpart in the xla dialect (looked for 'xla.set_dimension_size')}}
  %1 = "stablehlo.set_dimension_size"(%x, %n) : (tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  // expected-error @+1 {{'stablehlo.dynamic_reshape' has no counterpart in the xla dialect}}
  %2 = "stablehlo.dynamic_reshape"(%x, %n) : (tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  // expected-error @+1 {{'stablehlo.dynamic_pad' has no counterpart in the xla dialect (looked for 'xla.dynamic_pad'); all shapes are static: export the program for shapes that are numbers}}
  %3 = "stablehlo.dynamic_pad"(%x) : (tensor<2xf32>) -> tensor<?xf32>
  return
}

// -----

// There is one of that name, but it is not written so.
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'xla.sort' has only the generic form, "xla.sort"(...)}}
  %0 = xla.sort %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
