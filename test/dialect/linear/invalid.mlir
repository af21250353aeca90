// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @dot_scalar(%a: tensor<f32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'xla.dot' op [Dot-C1] operands are vectors or matrices, not 'tensor<f32>'}}
  %0 = xla.dot %a, %b : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @dot_rank_3(%a: tensor<3xf32>, %b: tensor<3x2x2xf32>) {
  // expected-error @+1 {{'xla.dot' op [Dot-C1] operands are vectors or matrices, not 'tensor<3x2x2xf32>'}}
  %0 = xla.dot %a, %b : (tensor<3xf32>, tensor<3x2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot_sizes(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.dot' op [Dot-C2] contracted sizes 3 and 2 differ in 'tensor<2x3xf32>' and 'tensor<2x3xf32>'}}
  %0 = xla.dot %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dot_result(%a: tensor<2x2xf32>) {
  // expected-error @+1 {{'xla.dot' op [Dot-C2] result types 'tensor<2xf32>' differ from the inferred 'tensor<2x2xf32>'}}
  %0 = xla.dot %a, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dot_result_class(%a: tensor<2x2xf32>) {
  // expected-error @+1 {{result types 'tensor<2x2xi32>' differ from the inferred 'tensor<2x2xf32>'}}
  %0 = xla.dot %a, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @dot_element_types(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error @+1 {{'xla.dot' op [Dot-C3] element types of lhs and rhs differ: 'tensor<2xf32>' and 'tensor<2xf64>'}}
  %0 = xla.dot %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<f64>
  return
}

// -----

func.func @dot_precision(%a: tensor<2xf32>) {
  // expected-error @+1 {{'xla.dot' op [Dot-C4] precision_config has 1 entry instead of one per operand}}
  %0 = xla.dot %a, %a, precision = [HIGH] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_precision_name(%a: tensor<2xf32>) {
  // expected-error @+1 {{expected DEFAULT, HIGH or HIGHEST, found 'LOW'}}
  %0 = xla.dot %a, %a, precision = [HIGH, LOW] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @general_contracting_count(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C1] lhs has 1 and rhs 0 contracting dimensions}}
  %0 = xla.dot_general %a, %a, contracting_dims = [0] x [] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2x3xf32>
  return
}

// -----

func.func @general_batch_count(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C1] lhs has 1 and rhs 0 batching dimensions}}
  %0 = xla.dot_general %a, %a, batching_dims = [0] x [], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @general_contracting_sizes(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C2] contracting dimensions 1 of lhs and 0 of rhs have sizes 3 and 2}}
  %0 = xla.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @general_batch_sizes(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C3] batching dimensions 0 of lhs and 0 of rhs have sizes 2 and 4}}
  %0 = xla.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @general_twice(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C4] dimension 0 of lhs is listed twice among batching and contracting dimensions}}
  %0 = xla.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x3xf32>
  return
}

// -----

func.func @general_outside(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C4] dimension 2 of rhs is outside of 'tensor<2x3xf32>'}}
  %0 = xla.dot_general %a, %a, contracting_dims = [1] x [2] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @general_element_types(%a: tensor<2x3xi32>, %b: tensor<2x3xui32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C5] element types of lhs and rhs differ}}
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<2x3xi32>, tensor<2x3xui32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @general_result_class(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C6] result types 'tensor<2x4xi32>' differ from the inferred 'tensor<2x4xf32>'}}
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @general_result(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C6] result types 'tensor<4x2xf32>' differ from the inferred 'tensor<2x4xf32>'}}
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @general_precision(%a: tensor<2xf32>) {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C7] precision_config has 3 entries instead of one per operand}}
  %0 = xla.dot_general %a, %a, contracting_dims = [0] x [0], precision = [HIGH, HIGH, HIGH] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @general_syntax(%a: tensor<2xf32>) {
  // expected-error @+1 {{expected 'precision' or 'algorithm', each once}}
  %0 = xla.dot_general %a, %a, contracting_dims = [0] x [0], precision = [HIGH, HIGH], precision = [HIGH, HIGH] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @conv_ranks(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C1] ranks of lhs 'tensor<1x1x4xf32>', rhs 'tensor<1x1x2x2xf32>' and of the dimension numbers}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} : (tensor<1x1x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @conv_padding_count(%x: tensor<1x1x4x4xf32>, %k: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C2] [WIN-C1] padding has 1 entry for 2 windowed dimensions}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[0, 0]]} : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
  return
}

// -----

func.func @conv_reverse_count(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>) {
  // expected-error @+1 {{[ConvWithGeneralPadding-C2] [WIN-C1] reversal has 2 entries for 1 windowed dimension}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {reverse = [true, false]} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @conv_stride(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C3] [WIN-C2] stride is 0 in dimension 0 but must be at least 1}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [0]} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @conv_empty_kernel(%x: tensor<1x1x4xf32>, %k: tensor<1x1x0xf32>) {
  // expected-error @+1 {{[ConvWithGeneralPadding-C3] [WIN-C2] window size is 0 in dimension 0 but must be at least 1}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} : (tensor<1x1x4xf32>, tensor<1x1x0xf32>) -> tensor<1x1x5xf32>
  return
}

// -----

func.func @conv_kernel_features(%x: tensor<1x4x4xf32>, %k: tensor<2x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C4] the kernel has 1 input feature, but 4 input features in 2 groups are 2}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {feature_group_count = 2 : i64} : (tensor<1x4x4xf32>, tensor<2x1x2xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @conv_input_features(%x: tensor<1x3x4xf32>, %k: tensor<2x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C5] feature_group_count 2 is not a positive divisor of the 3 input and 2 output features}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {feature_group_count = 2 : i64} : (tensor<1x3x4xf32>, tensor<2x1x2xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @conv_output_features(%x: tensor<1x2x4xf32>, %k: tensor<3x1x2xf32>) {
  // expected-error @+1 {{[ConvWithGeneralPadding-C5] feature_group_count 2 is not a positive divisor of the 2 input and 3 output features}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {feature_group_count = 2 : i64} : (tensor<1x2x4xf32>, tensor<3x1x2xf32>) -> tensor<1x3x3xf32>
  return
}

// -----

func.func @conv_no_group(%x: tensor<1x2x4xf32>, %k: tensor<2x2x2xf32>) {
  // expected-error @+1 {{[ConvWithGeneralPadding-C5] feature_group_count 0 is not a positive divisor}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {feature_group_count = 0 : i64} : (tensor<1x2x4xf32>, tensor<2x2x2xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @conv_batch(%x: tensor<3x1x4xf32>, %k: tensor<2x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C6] batch_group_count 2 is not a positive divisor of the batch size 3}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 2 : i64} : (tensor<3x1x4xf32>, tensor<2x1x2xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @conv_batch_outputs(%x: tensor<4x1x4xf32>, %k: tensor<3x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C7] batch_group_count 2 does not divide the 3 output features}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 2 : i64} : (tensor<4x1x4xf32>, tensor<3x1x2xf32>) -> tensor<2x3x3xf32>
  return
}

// -----

func.func @conv_both_groups(%x: tensor<2x2x4xf32>, %k: tensor<2x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C8] feature_group_count 2 and batch_group_count 2 both exceed 1}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<2x2x4xf32>, tensor<2x1x2xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @conv_element_types(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf16>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C9] element types of lhs and rhs differ: 'tensor<1x1x4xf32>' and 'tensor<1x1x2xf16>'}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} : (tensor<1x1x4xf32>, tensor<1x1x2xf16>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @conv_result(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C10] result types 'tensor<1x1x4xf32>' differ from the inferred 'tensor<1x1x3xf32>'}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @conv_dimension_numbers(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C11] dimension numbers of the kernel are no permutation of its 3 dimensions}}
  %0 = "xla.convolution"(%x, %k) <{dimension_numbers = #xla.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 1, kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [2]>}> : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @conv_precision(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'xla.convolution' op [ConvWithGeneralPadding-C12] precision_config has 1 entry instead of one per operand}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {precision_config = [#xla<precision HIGH>]} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @conv_window_twice(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'stride' occurs twice}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], stride = [1]} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @conv_window_unknown(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'strides' is not one of stride, pad, lhs_dilate, rhs_dilate, reverse}}
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {strides = [1]} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}
