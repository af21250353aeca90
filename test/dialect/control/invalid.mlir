// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @if_pred_array(%p: tensor<1xi1>) {
  // expected-error @+1 {{'xla.if' op [Conditional-C1] pred is not tensor<i1> but 'tensor<1xi1>'}}
  "xla.if"(%p) ({ xla.return }, { xla.return }) : (tensor<1xi1>) -> ()
  return
}

// -----

func.func @if_pred_integer(%p: tensor<i32>) {
  // expected-error @+1 {{'xla.if' op [Conditional-C1] pred is not tensor<i1> but 'tensor<i32>'}}
  "xla.if"(%p) ({ xla.return }, { xla.return }) : (tensor<i32>) -> ()
  return
}

// -----

func.func @case_unsigned_index(%i: tensor<ui32>) {
  // expected-error @+1 {{'xla.case' op [Conditional-C1] index is not tensor<i32> but 'tensor<ui32>'}}
  "xla.case"(%i) ({ xla.return }) : (tensor<ui32>) -> ()
  return
}

// -----

func.func @if_argument(%p: tensor<i1>) {
  // expected-error @+1 {{'xla.if' op [Conditional-C2] true_branch has 1 block arguments; branches take none}}
  "xla.if"(%p) ({
  ^bb0(%a: tensor<f32>):
    xla.return
  }, {
    xla.return
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @case_argument(%i: tensor<i32>) {
  // expected-error @+1 {{'xla.case' op [Conditional-C2] branch 1 has 2 block arguments; branches take none}}
  "xla.case"(%i) ({
    xla.return
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return
  }) : (tensor<i32>) -> ()
  return
}

// -----

func.func @if_different_types(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<1xf32>) {
  // expected-error @+1 {{'xla.if' op [Conditional-C3] false_branch returns ('tensor<1xf32>') but true_branch returns ('tensor<f32>')}}
  %0 = "xla.if"(%p) ({ xla.return %x : tensor<f32> }, { xla.return %y : tensor<1xf32> }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @if_different_counts(%p: tensor<i1>, %x: tensor<f32>) {
  // expected-error @+1 {{[Conditional-C3] false_branch returns () but true_branch returns ('tensor<f32>')}}
  %0 = "xla.if"(%p) ({ xla.return %x : tensor<f32> }, { xla.return }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @case_result(%i: tensor<i32>, %x: tensor<f32>) {
  // expected-error @+1 {{'xla.case' op [Conditional-C3] result types 'tensor<2xf32>' differ from the inferred 'tensor<f32>'}}
  %0 = "xla.case"(%i) ({ xla.return %x : tensor<f32> }) : (tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @if_no_return(%p: tensor<i1>) {
  // expected-error @+1 {{'xla.if' op [Conditional-C3] true_branch does not end in xla.return}}
  "xla.if"(%p) ({ "func.return"() : () -> () }, { xla.return }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @case_without_branch(%i: tensor<i32>) {
  // expected-error @+1 {{'xla.case' op [Conditional-C4] has no branch}}
  "xla.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

func.func @while_condition_array(%x: tensor<f32>, %p: tensor<1xi1>) {
  // expected-error @+1 {{'xla.while' op [While-C1] cond returns 'tensor<1xi1>' instead of tensor<i1>}}
  %0 = xla.while(%a = %x) : tensor<f32>
  cond { xla.return %p : tensor<1xi1> } do { xla.return %a : tensor<f32> }
  return
}

// -----

func.func @while_condition_integer(%x: tensor<i32>) {
  // expected-error @+1 {{[While-C1] cond returns 'tensor<i32>' instead of tensor<i1>}}
  %0 = xla.while(%a = %x) : tensor<i32>
  cond { xla.return %a : tensor<i32> } do { xla.return %a : tensor<i32> }
  return
}

// -----

func.func @while_condition_parameters(%x: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{[While-C1] cond takes 'tensor<i32>' but the carried types are 'tensor<f32>'}}
  %0 = "xla.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @while_body_parameters(%x: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{[While-C2] body takes 'tensor<f32>', 'tensor<f32>' but the carried types are 'tensor<f32>'}}
  %0 = "xla.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @while_body_result(%x: tensor<10xf32>, %y: tensor<11xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{[While-C2] body returns 'tensor<11xf32>' but the carried types are 'tensor<10xf32>'}}
  %0 = xla.while(%a = %x) : tensor<10xf32>
  cond { xla.return %p : tensor<i1> } do { xla.return %y : tensor<11xf32> }
  return
}

// -----

func.func @while_body_no_return(%p: tensor<i1>) {
  // expected-error @+1 {{[While-C2] body does not end in xla.return}}
  "xla.while"() ({ xla.return %p : tensor<i1> }, { "llvm.unreachable"() : () -> () }) : () -> ()
  return
}

// -----

func.func @while_result(%x: tensor<10xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{'xla.while' op [While-C3] result types 'tensor<11xf32>' differ from the inferred 'tensor<10xf32>'}}
  %0 = "xla.while"(%x) ({
  ^bb0(%a: tensor<10xf32>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<10xf32>):
    xla.return %a : tensor<10xf32>
  }) : (tensor<10xf32>) -> tensor<11xf32>
  return
}

// -----

func.func @while_dynamic(%x: tensor<?xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{'xla.while' op [While-C4] carried value 0 has no static shape: 'tensor<?xf32>'}}
  %0 = xla.while(%a = %x) : tensor<?xf32>
  cond { xla.return %p : tensor<i1> } do { xla.return %a : tensor<?xf32> }
  return
}

// -----

func.func @tuple_order(%a: tensor<10xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'xla.tuple' op [Tuple-C1] result types 'tuple<tensor<i32>, tensor<10xf32>>' differ from the inferred 'tuple<tensor<10xf32>, tensor<i32>>'}}
  %0 = "xla.tuple"(%a, %b) : (tensor<10xf32>, tensor<i32>) -> tuple<tensor<i32>, tensor<10xf32>>
  return
}

// -----

func.func @element_of_array(%a: tensor<10xf32>) {
  // expected-error @+1 {{'xla.get_tuple_element' op [GetTupleElement-C1] operand is not a tuple but 'tensor<10xf32>'}}
  %0 = xla.get_tuple_element %a[0] : (tensor<10xf32>) -> tensor<10xf32>
  return
}

// -----

func.func @element_without_index(%a: tuple<tensor<f32>>) {
  // GetTupleElement-C2: the index is an attribute.
  // expected-error @+1 {{'xla.get_tuple_element' op requires attribute 'index'}}
  %0 = "xla.get_tuple_element"(%a) : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @element_outside(%a: tuple<tensor<f32>, tensor<i32>>) {
  // expected-error @+1 {{'xla.get_tuple_element' op [GetTupleElement-C3] index 2 is outside of a tuple of 2 elements}}
  %0 = xla.get_tuple_element %a[2] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return
}

// -----

func.func @element_negative(%a: tuple<tensor<f32>, tensor<i32>>) {
  // expected-error @+1 {{[GetTupleElement-C3] index -1 is outside of a tuple of 2 elements}}
  %0 = xla.get_tuple_element %a[-1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return
}

// -----

func.func @element_type(%a: tuple<tensor<f32>, tensor<i32>>) {
  // expected-error @+1 {{'xla.get_tuple_element' op [GetTupleElement-C4] result types 'tensor<f32>' differ from the inferred 'tensor<i32>'}}
  %0 = xla.get_tuple_element %a[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return
}

// -----

func.func @barrier_type(%a: tensor<2xf32>) {
  // expected-error @+1 {{'xla.optimization_barrier' op [OptimizationBarrier-C1] result types 'tensor<3xf32>' differ from the inferred 'tensor<2xf32>'}}
  %0 = "xla.optimization_barrier"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @after_all_array(%t: !xla.token, %a: tensor<f32>) {
  // expected-error @+1 {{'xla.after_all' op [AfterAll-C1] operand 1 is not a token but 'tensor<f32>'}}
  %0 = "xla.after_all"(%t, %a) : (!xla.token, tensor<f32>) -> !xla.token
  return
}

// -----

func.func @after_all_result(%t: !xla.token) {
  // expected-error @+1 {{'xla.after_all' op [AfterAll-C2] result types 'tensor<f32>' differ from the inferred '!xla.token'}}
  %0 = "xla.after_all"(%t) : (!xla.token) -> tensor<f32>
  return
}

// -----

func.func @create_token_result() {
  // expected-error @+1 {{'xla.create_token' op [AfterAll-C2] result types 'tensor<f32>' differ from the inferred '!xla.token'}}
  %0 = "xla.create_token"() : () -> tensor<f32>
  return
}

// -----

func.func @custom_call_target() {
  // expected-error @+1 {{'xla.custom_call' op [CustomCall-C1] call_target_name is empty}}
  "xla.custom_call"() <{call_target_name = ""}> : () -> ()
  return
}

// -----

func.func @custom_call_one_side(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.custom_call' op [CustomCall-C4] has only one of operand_layouts and result_layouts}}
  %0 = xla.custom_call @f(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layout_count(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{[CustomCall-C4] 0 operand layouts for 1 operand}}
  %0 = xla.custom_call @f(%a) {operand_layouts = [], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layout_order(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{[CustomCall-C4] layout dense<0> : tensor<2xindex> of result 0 is no order of the dimensions of 'tensor<2x3xf32>'}}
  %0 = xla.custom_call @f(%a) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layout_size(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{[CustomCall-C4] layout dense<0> : tensor<4294967296xindex> of result 0 is no order of the dimensions of 'tensor<2x3xf32>'}}
  %0 = xla.custom_call @f(%a) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<4294967296xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_operand(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{[CustomCall-C5] #xla.output_operand_alias<operand_index = 1> names no operand of the call}}
  %0 = xla.custom_call @f(%a) {output_operand_aliases = [#xla.output_operand_alias<operand_index = 1>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_type(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{names an output of type 'tensor<3xf32>' and an operand of type 'tensor<2x3xf32>'}}
  %0 = xla.custom_call @f(%a) {output_operand_aliases = [#xla.output_operand_alias<operand_index = 0>]} : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @composite_missing(%a: tensor<f32>) {
  // expected-error @+1 {{'xla.composite' op [Composite-C1] decomposition @g is not a function}}
  %0 = xla.composite "my.op" %a {decomposition = @g} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<f32>
func.func @composite_type(%a: tensor<f32>) {
  // expected-error @+1 {{'xla.composite' op [Composite-C1] decomposition @g has type '(tensor<2xf32>) -> tensor<f32>', not '(tensor<f32>) -> tensor<f32>'}}
  %0 = xla.composite "my.op" %a {decomposition = @g} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// Calls are func.call, checked before its own verifier runs.
func.func private @two(tensor<f32>, tensor<3xf32>) -> tensor<f32>
func.func @call_count(%a: tensor<f32>) {
  // expected-error @+1 {{'func.call' op [Call-C1] 1 argument for the 2 parameters of '@two'}}
  %0 = call @two(%a) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @two(tensor<f32>, tensor<3xf32>) -> tensor<f32>
func.func @call_type(%a: tensor<f32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'func.call' op [Call-C2] argument 1 is 'tensor<2xf32>', the parameter of '@two' 'tensor<3xf32>'}}
  %0 = call @two(%a, %b) : (tensor<f32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func private @two(tensor<f32>, tensor<3xf32>) -> tensor<f32>
func.func @call_result(%a: tensor<f32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'func.call' op [Call-C3] result types ('tensor<2xf32>') differ from those of '@two', ('tensor<f32>')}}
  %0 = call @two(%a, %b) : (tensor<f32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @function_ends_as_region(%a: tensor<f32>) -> tensor<f64> {
  // expected-error @+1 {{type of return operand 0 ('tensor<f32>') doesn't match function result type ('tensor<f64>')}}
  stablehlo.return %a : tensor<f32>
}

// -----

func.func @returns_nothing(%a: tensor<i32>) {
  // expected-error @+1 {{'xla.while' op [While-C2] body returns nothing but the carried types are 'tensor<i32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%b: tensor<i32>):
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

// What is checked before anything is verified meets what lacks attributes.
// expected-error @+1 {{'func.func' op requires attribute 'function_type'}}
"func.func"() ({}) : () -> ()

// -----

func.func @call_of_nothing() {
  // expected-error @+1 {{'func.call' op requires attribute 'callee'}}
  "func.call"() : () -> ()
  return
}
