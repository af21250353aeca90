func.func @main(%arg0: tensor<2x2x4x5xcomplex<f32>>, %arg1: tensor<2x2x2x3xcomplex<f32>>) -> (tensor<2x2x9x11xcomplex<f32>>) {
 %r = "xla.convolution"(%arg0, %arg1)  {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 3, 3>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #xla.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x2x4x5xcomplex<f32>>, tensor<2x2x2x3xcomplex<f32>>) -> (tensor<2x2x9x11xcomplex<f32>>)
 return %r : tensor<2x2x9x11xcomplex<f32>>
}
