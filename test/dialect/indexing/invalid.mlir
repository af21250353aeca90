// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @gather_rank(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C1] the operand's rank 2 is not the number of offset (1), collapsed (0) and batching (0) dimensions}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_sizes_count(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C2] slice_sizes has 1 entry for an operand of rank 2}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_size_large(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C2] slice size 4 of dimension 0 is outside of [0, 3]}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_size_negative(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C2] slice size -1 of dimension 1 is outside of [0, 3]}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, -1>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_collapsed_size(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C3] slice size of collapsed dimension 0 is 2 instead of 1}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_batching_size(%a: tensor<3x3xi32>, %i: tensor<3xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C3] slice size of batching dimension 0 is 2 but at most 1 is legal}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>}> : (tensor<3x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_collapsed_order(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C4] collapsed_slice_dims is not ascending: 1 comes before 0}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_collapsed_outside(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C4] collapsed_slice_dims contains 2, which is outside of rank 2}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_collapsed_twice(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C4] collapsed_slice_dims contains 0 twice}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_collapsed_batching(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C4] dimension 0 is in both collapsed_slice_dims and operand_batching_dims}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [0], operand_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_offset_order(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C5] offset_dims is not ascending: 2 comes before 1}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [2, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_offset_outside(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C5] offset_dims contains 2, which is outside of rank 2}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_vector_dim(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C6] index_vector_dim 2 is outside of [0, 1] for indices 'tensor<2xi32>'}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_map_count(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C7] start_index_map has 1 entry for index vectors of size 2}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_map_twice(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C7] start_index_map contains 0 twice}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 0]>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_map_outside(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C7] start_index_map contains 2, which is outside of rank 2}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [1, 2]>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_map_batching(%a: tensor<3x3xi32>, %i: tensor<3xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C7] start_index_map contains the batching dimension 0}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_float_indices(%a: tensor<3x3xi32>, %i: tensor<2xf32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C8] indices are not integers but 'tensor<2xf32>'}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xf32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_predicate_indices(%a: tensor<3x3xi32>, %i: tensor<2xi1>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C8] indices are not integers but 'tensor<2xi1>'}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi1>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_result(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C9] result types 'tensor<3x2xi32>' differ from the inferred 'tensor<2x3xi32>'}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @gather_result_type(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C9] result types 'tensor<2x3xf32>' differ from the inferred 'tensor<2x3xi32>'}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_batching_count(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C10] the operand has 1 and the indices have 0 batching dimensions}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], operand_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_batching_vector(%a: tensor<3x3xi32>, %i: tensor<1xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C10] index_vector_dim 0 is a batching dimension of the indices}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<1xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @gather_batching_sizes(%a: tensor<3x3xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{'xla.gather' op [Gather-C10] batching dimensions 0 of the operand and 0 of the indices have sizes 3 and 2}}
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @scatter_count(%a0: tensor<3x3xf32>, %a1: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C1] has 4 operands instead of N >= 1 inputs, the indices and N updates}}
  %0:2 = "xla.scatter"(%a0, %a1, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %c1: tensor<f32>, %u0: tensor<f32>, %u1: tensor<f32>):
    xla.return %u0, %u1 : tensor<f32>, tensor<f32>
  }) : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>)
  return
}

// -----

func.func @scatter_types(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xi32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C1] element types of input and update 0 differ: 'tensor<3x3xf32>' and 'tensor<2x3xi32>'}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xi32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_inputs(%a0: tensor<3x3xf32>, %a1: tensor<4x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>, %b1: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C2] dims of input 1 differ from those of input 0: 'tensor<4x3xf32>' and 'tensor<3x3xf32>'}}
  %0:2 = "xla.scatter"(%a0, %a1, %i, %b0, %b1) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %c1: tensor<f32>, %u0: tensor<f32>, %u1: tensor<f32>):
    xla.return %u0, %u1 : tensor<f32>, tensor<f32>
  }) : (tensor<3x3xf32>, tensor<4x3xf32>, tensor<2xi32>, tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<3x3xf32>, tensor<4x3xf32>)
  return
}

// -----

func.func @scatter_updates(%a0: tensor<3x3xf32>, %a1: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>, %b1: tensor<2x2xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C3] dims of update 1 differ from those of update 0: 'tensor<2x2xf32>' and 'tensor<2x3xf32>'}}
  %0:2 = "xla.scatter"(%a0, %a1, %i, %b0, %b1) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %c1: tensor<f32>, %u0: tensor<f32>, %u1: tensor<f32>):
    xla.return %u0, %u1 : tensor<f32>, tensor<f32>
  }) : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>, tensor<2x2xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>)
  return
}

// -----

func.func @scatter_update_rank(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C4] the rank of updates 'tensor<3xf32>' is not the number of window (1) and index (1) dimensions}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_window_size(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x4xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C5] window dimension 1 of updates has size 4 but dimension 1 of the inputs 'tensor<3x3xf32>' is smaller}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x4xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_index_size(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<3x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C6] dimension 0 of updates 'tensor<3x3xf32>' has size 3 but the indices 'tensor<2xi32>' ask for 2}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_window_order(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x2xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C7] update_window_dims is not ascending: 1 comes before 0}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1, 0], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x2xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_window_outside(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C7] update_window_dims contains 2, which is outside of rank 2}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_inserted_order(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C8] inserted_window_dims is not ascending: 1 comes before 0}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_inserted_outside(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C8] inserted_window_dims contains 2, which is outside of rank 2}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_rank(%a0: tensor<3x3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C9] the inputs' rank 3 is not the number of window (1), inserted (1) and batching (0) dimensions}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3x3xf32>
  return
}

// -----

func.func @scatter_map_count(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C10] scatter_dims_to_operand_dims has 1 entry for index vectors of size 2}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_map_twice(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C10] scatter_dims_to_operand_dims contains 0 twice}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 0]>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_map_batching(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C10] scatter_dims_to_operand_dims contains the batching dimension 0}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_vector_dim(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C11] index_vector_dim 2 is outside of [0, 1]}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_float_indices(%a0: tensor<3x3xf32>, %i: tensor<2xf32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C11] indices are not integers but 'tensor<2xf32>'}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_body(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C12] [RC-C1] update_computation takes 'tensor<f32>' instead of 'tensor<f32>', 'tensor<f32>'}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c: tensor<f32>):
    xla.return %c : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @scatter_result(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C13] result types 'tensor<2x3xf32>' differ from the inferred 'tensor<3x3xf32>'}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @scatter_batching(%a0: tensor<3x3xf32>, %i: tensor<2xi32>, %b0: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.scatter' op [Scatter-C14] batching dimensions 0 of the operand and 0 of the indices have sizes 3 and 2}}
  %0 = "xla.scatter"(%a0, %i, %b0) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%c0: tensor<f32>, %u0: tensor<f32>):
    xla.return %u0 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}
