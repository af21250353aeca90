// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @reduce_one_init(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce' op [Reduce-C1] has 3 operands instead of N >= 1 arrays and N initial values}}
  %0:2 = "xla.reduce"(%x, %y, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    xla.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_nothing() {
  // expected-error @+1 {{'xla.reduce' op [Reduce-C1] has 0 operands}}
  "xla.reduce"() <{dimensions = array<i64>}> ({ xla.return }) : () -> ()
  return
}

// -----

func.func @reduce_dims(%x: tensor<2xf32>, %y: tensor<3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce' op [Reduce-C2] dims of array 1 differ from those of array 0: 'tensor<3xf32>' and 'tensor<2xf32>'}}
  %0:2 = xla.reduce(%x init: %i), (%y init: %i) across dimensions = [0] : (tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    xla.return %a, %b : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @reduce_init(%x: tensor<2xf32>, %i: tensor<1xf32>) {
  // expected-error @+1 {{'xla.reduce' op [Reduce-C3] initial value 0 is 'tensor<1xf32>' instead of a scalar 'f32'}}
  %0 = xla.reduce(%x init: %i) applies xla.add across dimensions = [0] : (tensor<2xf32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_init_type(%x: tensor<2xf32>, %i: tensor<f64>) {
  // expected-error @+1 {{[Reduce-C3] initial value 0 is 'tensor<f64>' instead of a scalar 'f32'}}
  %0 = xla.reduce(%x init: %i) applies xla.add across dimensions = [0] : (tensor<2xf32>, tensor<f64>) -> tensor<f32>
  return
}

// -----

func.func @reduce_to_predicate(%x: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{'xla.reduce' op [Reduce-C4] [RC-C1] body returns 'tensor<i1>' instead of 'tensor<f32>'}}
  %0 = xla.reduce(%x init: %i) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    xla.return %p : tensor<i1>
  }
  return
}

// -----

func.func @reduce_interleaved(%x: tensor<2xf32>, %y: tensor<2xi32>, %i: tensor<f32>, %j: tensor<i32>) {
  // expected-error @+1 {{[Reduce-C4] [RC-C1] body takes 'tensor<f32>', 'tensor<f32>', 'tensor<i32>', 'tensor<i32>' instead of 'tensor<f32>', 'tensor<i32>', 'tensor<f32>', 'tensor<i32>'}}
  %0:2 = "xla.reduce"(%x, %y, %i, %j) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    xla.return %a, %c : tensor<f32>, tensor<i32>
  }) : (tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @reduce_no_return(%x: tensor<2xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{[Reduce-C4] [RC-C1] body does not end in xla.return}}
  %0 = xla.reduce(%x init: %i) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    "llvm.unreachable"() : () -> ()
  }
  return
}

// -----

func.func @reduce_with_effect(%x: tensor<2xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{[Reduce-C4] [RC-C4] body contains 'xla.custom_call', which has side effects}}
  %0 = xla.reduce(%x init: %i) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    xla.custom_call @print(%a) {has_side_effect = true} : (tensor<f32>) -> ()
    xla.return %a : tensor<f32>
  }
  return
}

// -----

func.func @reduce_twice(%x: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce' op [Reduce-C5] dimension 0 is listed twice}}
  %0 = xla.reduce(%x init: %i) applies xla.add across dimensions = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_outside(%x: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce' op [Reduce-C5] dimension 2 is outside of rank 2}}
  %0 = xla.reduce(%x init: %i) applies xla.add across dimensions = [2] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_negative(%x: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{[Reduce-C5] dimension -1 is outside of rank 2}}
  %0 = xla.reduce(%x init: %i) applies xla.add across dimensions = [-1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_result(%x: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce' op [Reduce-C7] result types 'tensor<3xf32>' differ from the inferred 'tensor<2xf32>'}}
  %0 = xla.reduce(%x init: %i) applies xla.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_unknown_op(%x: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'applies' names the unknown operation 'xla.frobnicate'}}
  %0 = xla.reduce(%x init: %i) applies xla.frobnicate across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_applies_two(%x: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'applies' needs exactly one array}}
  %0:2 = xla.reduce(%x init: %i), (%x init: %i) applies xla.add across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @window_one_init(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce_window' op [ReduceWindow-C1] has 3 operands instead of N >= 1 arrays and N initial values}}
  %0:2 = "xla.reduce_window"(%x, %y, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    xla.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @window_dims(%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce_window' op [ReduceWindow-C2] dims of array 1 differ from those of array 0: 'tensor<5xf32>' and 'tensor<4xf32>'}}
  %0:2 = "xla.reduce_window"(%x, %y, %i, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    xla.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @window_init(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'xla.reduce_window' op [ReduceWindow-C3] initial value 0 is 'tensor<i32>' instead of a scalar 'f32'}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @window_body(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce_window' op [ReduceWindow-C4] [RC-C1] body takes 'tensor<f32>' instead of 'tensor<f32>', 'tensor<f32>'}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @window_rank(%x: tensor<4x4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce_window' op [ReduceWindow-C5] [WIN-C1] window size has 1 entry for 2 windowed dimensions}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @window_padding_rank(%x: tensor<4x4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{[ReduceWindow-C5] [WIN-C1] padding has 1 entry for 2 windowed dimensions}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @window_padding_pairs(%x: tensor<4x4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{[ReduceWindow-C5] [WIN-C1] padding is not an Nx2 list of (low, high) pairs but 'tensor<2x3xi64>'}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<2x3xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @window_stride(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce_window' op [ReduceWindow-C6] [WIN-C2] stride is 0 in dimension 0 but must be at least 1}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @window_size(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{[ReduceWindow-C6] [WIN-C2] window size is 0 in dimension 0 but must be at least 1}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @window_dilation(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{[ReduceWindow-C6] [WIN-C2] base dilation is -1 in dimension 0 but must be at least 1}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: -1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @window_huge(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{[ReduceWindow-C6] [WIN-C2] padding is 9223372036854775807 in dimension 0, which is too large}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, padding = dense<9223372036854775807> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @window_result(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.reduce_window' op [ReduceWindow-C7] result types 'tensor<4xf32>' differ from the inferred 'tensor<3xf32>'}}
  %0 = "xla.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @sas_source_dims(%x: tensor<4x5xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{'xla.select_and_scatter' op [SelectAndScatter-C1] source is 'tensor<2x3xf32>' but the window has the positions 'tensor<2x2xf32>'}}
  %0 = "xla.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @sas_select(%x: tensor<4xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{'xla.select_and_scatter' op [SelectAndScatter-C2] select is ('tensor<f32>', 'tensor<f32>') -> ('tensor<f32>') instead of ('tensor<f32>', 'tensor<f32>') -> tensor<i1>}}
  %0 = "xla.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @sas_scatter(%x: tensor<4xf32>, %s: tensor<4xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{[SelectAndScatter-C2] [RC-C1] scatter returns 'tensor<i1>' instead of 'tensor<f32>'}}
  %0 = "xla.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %p : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @sas_source_type(%x: tensor<4xf32>, %s: tensor<4xi32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{[SelectAndScatter-C3] element types of source and operand differ: 'tensor<4xi32>' and 'tensor<4xf32>'}}
  %0 = "xla.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @sas_init(%x: tensor<4xf32>, %s: tensor<4xf32>, %i: tensor<1xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{[SelectAndScatter-C3] init_value is 'tensor<1xf32>' instead of a scalar 'f32'}}
  %0 = "xla.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sas_window(%x: tensor<4xf32>, %s: tensor<4xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{[SelectAndScatter-C4] [WIN-C2] stride is 0 in dimension 0}}
  %0 = "xla.select_and_scatter"(%x, %s, %i) <{window_strides = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @sas_result(%x: tensor<4xf32>, %s: tensor<4xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{[SelectAndScatter-C5] result types 'tensor<3xf32>' differ from the inferred 'tensor<4xf32>'}}
  %0 = "xla.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
