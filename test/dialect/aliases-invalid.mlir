// RUN: xla-opt %s --split-input-file --verify-diagnostics
// `tf.aliasing_output`, by which JAX says which result may take a donated argument's memory.

// expected-error @+1 {{'tf.aliasing_output' of argument 0 is 1 : i32, not the number of a result (1 result, numbered from 0)}}
func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32},
                // expected-error @+1 {{'tf.aliasing_output' of argument 1 is -1 : i32, not the number of a result (2 results, numbered from 0)}}
                %y: tensor<4xf32> {tf.aliasing_output = -1 : i32}) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %y : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{'tf.aliasing_output' of argument 0 is "first", not the number of a result}}
func.func @main(%x: tensor<4xf32> {tf.aliasing_output = "first"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'tf.aliasing_output' of argument 0 is 0 : i32, not the number of a result (0 results, numbered from 0)}}
func.func private @declared(tensor<4xf32> {tf.aliasing_output = 0 : i32})

// -----

// Tuples are taken apart.
func.func @tuple(%x: tuple<tensor<4xf32>, tensor<i32>> {tf.aliasing_output = 1 : i32})
    -> tuple<tensor<4xf32>, tensor<i32>> {
  return %x : tuple<tensor<4xf32>, tensor<i32>>
}
