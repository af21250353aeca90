// Enums and structured attributes: what prints is what was written, empty lists and zeros are omitted, every key of a
// struct is optional.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: module attributes
module attributes {
  // CHECK-SAME: t.a0 = #xla.dot<>
  t.a0 = #xla.dot<>,
  // CHECK-SAME: t.a1 = #xla.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>
  t.a1 = #xla.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2],
                  rhs_contracting_dimensions = [1]>,
  // CHECK-SAME: t.a2 = #xla.dot<rhs_contracting_dimensions = [1]>
  t.a2 = #xla.dot<lhs_batching_dimensions = [], rhs_contracting_dimensions = [1]>,
  // CHECK-SAME: t.b0 = #xla.gather<>
  t.b0 = #xla.gather<index_vector_dim = 0>,
  // CHECK-SAME: t.b1 = #xla.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [2, 1], index_vector_dim = 3>
  t.b1 = #xla.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], operand_batching_dims = [1],
                     start_indices_batching_dims = [0], start_index_map = [2, 1], index_vector_dim = 3>,
  // CHECK-SAME: t.c0 = #xla.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>
  t.c0 = #xla.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1],
                      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>,
  // CHECK-SAME: t.d0 = #xla.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
  t.d0 = #xla.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
  // CHECK-SAME: t.d1 = #xla.conv<[f, 2, b, 1, 0]x[o, i, 0, 2, 1]->[0, 1, 2, b, f]>
  t.d1 = #xla.conv<[f, 2, b, 1, 0]x[o, i, 0, 2, 1]->[0, 1, 2, b, f]>,
  // CHECK-SAME: t.d2 = #xla.conv<[b, f]x[i, o]->[b, f]>
  t.d2 = #xla.conv<[b, f]x[i, o]->[b, f]>,
  // The raw form is turned into the readable one where that can say the same.
  // CHECK-SAME: t.d3 = #xla.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>
  t.d3 = #xla.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
                   kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
                   kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
                   output_spatial_dimensions = [2]>,
  // CHECK-SAME: t.d4 = #xla.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [5], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [], output_batch_dimension = -1, output_feature_dimension = 1, output_spatial_dimensions = [2]>
  t.d4 = #xla.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [5],
                   kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
                   kernel_spatial_dimensions = [], output_batch_dimension = -1, output_feature_dimension = 1,
                   output_spatial_dimensions = [2]>,
  // CHECK-SAME: t.e0 = #xla.channel_handle<handle = 1, type = 2>
  t.e0 = #xla.channel_handle<handle = 1, type = 2>,
  // CHECK-SAME: t.e1 = #xla.channel_handle<>
  t.e1 = #xla.channel_handle<handle = 0, type = 0>,
  // CHECK-SAME: t.f0 = #xla.output_operand_alias<output_tuple_indices = [0], operand_tuple_indices = [1]>
  t.f0 = #xla.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = [1]>,
  // CHECK-SAME: t.g0 = #xla.result_accuracy<rtol = 1.000000e-05, ulps = 4, mode = <TOLERANCE>>
  t.g0 = #xla.result_accuracy<rtol = 1.0e-5, ulps = 4, mode = #xla.result_accuracy_mode<TOLERANCE>>,
  // CHECK-SAME: t.g1 = #xla.result_accuracy<mode = <HIGHEST>>
  t.g1 = #xla.result_accuracy<mode = <HIGHEST>>,
  // CHECK-SAME: t.h0 = #xla.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = tf32, accumulation_type = f32, rhs_component_count = 3, allow_imprecise_accumulation = true>
  t.h0 = #xla.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = tf32, accumulation_type = f32,
                            lhs_component_count = 1, rhs_component_count = 3, num_primitive_operations = 1,
                            allow_imprecise_accumulation = true>,
  // CHECK-SAME: t.i0 = [#xla<comparison_direction EQ>, #xla<comparison_direction NE>, #xla<comparison_direction GE>, #xla<comparison_direction GT>, #xla<comparison_direction LE>, #xla<comparison_direction LT>]
  t.i0 = [#xla<comparison_direction EQ>, #xla<comparison_direction NE>, #xla<comparison_direction GE>,
          #xla<comparison_direction GT>, #xla<comparison_direction LE>, #xla<comparison_direction LT>],
  // CHECK-SAME: t.i1 = [#xla<comparison_type NOTYPE>, #xla<comparison_type FLOAT>, #xla<comparison_type TOTALORDER>, #xla<comparison_type SIGNED>, #xla<comparison_type UNSIGNED>]
  t.i1 = [#xla<comparison_type NOTYPE>, #xla<comparison_type FLOAT>, #xla<comparison_type TOTALORDER>,
          #xla<comparison_type SIGNED>, #xla<comparison_type UNSIGNED>],
  // CHECK-SAME: t.i2 = [#xla<precision DEFAULT>, #xla<precision HIGH>, #xla<precision HIGHEST>]
  t.i2 = [#xla<precision DEFAULT>, #xla<precision HIGH>, #xla<precision HIGHEST>],
  // CHECK-SAME: t.i3 = [#xla<fft_type FFT>, #xla<fft_type IFFT>, #xla<fft_type RFFT>, #xla<fft_type IRFFT>]
  t.i3 = [#xla<fft_type FFT>, #xla<fft_type IFFT>, #xla<fft_type RFFT>, #xla<fft_type IRFFT>],
  // CHECK-SAME: t.i4 = [#xla<transpose NO_TRANSPOSE>, #xla<transpose TRANSPOSE>, #xla<transpose ADJOINT>]
  t.i4 = [#xla<transpose NO_TRANSPOSE>, #xla<transpose TRANSPOSE>, #xla<transpose ADJOINT>],
  // CHECK-SAME: t.i5 = [#xla<rng_algorithm DEFAULT>, #xla<rng_algorithm THREE_FRY>, #xla<rng_algorithm PHILOX>]
  t.i5 = [#xla<rng_algorithm DEFAULT>, #xla<rng_algorithm THREE_FRY>, #xla<rng_algorithm PHILOX>],
  // CHECK-SAME: t.i6 = [#xla<rng_distribution UNIFORM>, #xla<rng_distribution NORMAL>]
  t.i6 = [#xla<rng_distribution UNIFORM>, #xla<rng_distribution NORMAL>]
} {
  // CHECK: @layouts(tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1], padded = [3, 5], padding = ZERO>>,
  // CHECK-SAME: tensor<2x3xf32, #xla.layout<minor_to_major = [1, 0]>>,
  // CHECK-SAME: tensor<f32, #xla.layout<minor_to_major = []>>)
  func.func private @layouts(
      tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1], padded = [3, 5], padding = ZERO>>,
      tensor<2x3xf32, #xla.layout<minor_to_major = [1, 0]>>, tensor<f32, #xla.layout<minor_to_major = []>>)

  // CHECK: @bounds(tensor<?x4xf32, #xla.bounds<8, ?>>)
  func.func private @bounds(tensor<?x4xf32, #xla.bounds<8, ?>>)

  // CHECK: @token(!xla.token, tuple<tensor<f32>, !xla.token>)
  func.func private @token(!xla.token, tuple<tensor<f32>, !xla.token>)
}
