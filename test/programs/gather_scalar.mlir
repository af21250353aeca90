func.func @main(%arg0: tensor<3x3xi32>, %arg1: tensor<2xi32>) -> (tensor<i32>) {
  %r = "xla.gather"(%arg0, %arg1)  {dimension_numbers = #xla.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false} : (tensor<3x3xi32>, tensor<2xi32>) -> (tensor<i32>)
  return %r : tensor<i32>
}