// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @in_dim_count(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.broadcast_in_dim' op [BroadcastInDim-C1] broadcast_dimensions [0, 1] has 2 entries for an operand of rank 1}}
  %0 = xla.broadcast_in_dim %x, dims = [0, 1] : (tensor<3xi32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @in_dim_range(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.broadcast_in_dim' op [BroadcastInDim-C2] broadcast dimension 1 is not a dimension of the result 'tensor<3xi32>'}}
  %0 = xla.broadcast_in_dim %x, dims = [1] : (tensor<3xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @in_dim_negative(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.broadcast_in_dim' op [BroadcastInDim-C2] broadcast dimension -1 is not a dimension of the result}}
  %0 = xla.broadcast_in_dim %x, dims = [-1] : (tensor<3xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @in_dim_element(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.broadcast_in_dim' op [BroadcastInDim-C2] element type changes from 'i32' to 'f32'}}
  %0 = xla.broadcast_in_dim %x, dims = [1] : (tensor<3xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @in_dim_order(%x: tensor<2x3xi32>) {
  // expected-error@+1 {{'xla.broadcast_in_dim' op [BroadcastInDim-C3] broadcast_dimensions [1, 0] do not increase strictly}}
  %0 = xla.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @in_dim_twice(%x: tensor<3x3xi32>) {
  // expected-error@+1 {{'xla.broadcast_in_dim' op [BroadcastInDim-C3] broadcast_dimensions [0, 0] do not increase strictly}}
  %0 = xla.broadcast_in_dim %x, dims = [0, 0] : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @in_dim_size(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.broadcast_in_dim' op [BroadcastInDim-C4] operand dimension 0 of size 3 is neither 1 nor the size 2 of result dimension 0}}
  %0 = xla.broadcast_in_dim %x, dims = [0] : (tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @in_dim_target(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.broadcast_in_dim' op [BroadcastInDim-C4] operand dimension 0 of size 3 is neither 1 nor the size 1 of result dimension 0}}
  %0 = xla.broadcast_in_dim %x, dims = [0] : (tensor<3xi32>) -> tensor<1xi32>
  return
}

// -----

func.func @broadcast_negative(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.broadcast' op [Broadcast-C1] broadcast_sizes [-1] has the negative size -1}}
  %0 = xla.broadcast %x, sizes = [-1] : (tensor<3xi32>) -> tensor<1x3xi32>
  return
}

// -----

func.func @broadcast_result(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.broadcast' op [Broadcast-C2] result types 'tensor<3x2xi32>' differ from the inferred 'tensor<2x3xi32>'}}
  %0 = xla.broadcast %x, sizes = [2] : (tensor<3xi32>) -> tensor<3x2xi32>
  return
}
