// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @branches
func.func @branches(%pred: tensor<i1>, %index: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>) {
  // CHECK:      "xla.if"(%{{.*}}) ({
  // CHECK-NEXT:   xla.return %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<i1>
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   %[[SUM:.*]] = xla.add
  // CHECK-NEXT:   xla.return %[[SUM]], %{{.*}} : tensor<4xf32>, tensor<i1>
  // CHECK-NEXT: }) : (tensor<i1>) -> (tensor<4xf32>, tensor<i1>)
  %0:2 = "xla.if"(%pred) ({
    xla.return %x, %pred : tensor<4xf32>, tensor<i1>
  }, {
    %sum = xla.add %x, %y : tensor<4xf32>
    xla.return %sum, %pred : tensor<4xf32>, tensor<i1>
  }) : (tensor<i1>) -> (tensor<4xf32>, tensor<i1>)
  // CHECK:      "xla.case"(%{{.*}}) ({
  // CHECK-NEXT:   xla.return
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   xla.return
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   xla.return
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<4xf32>
  %1 = "xla.case"(%index) ({
    xla.return %x : tensor<4xf32>
  }, {
    xla.return %y : tensor<4xf32>
  }, {
    xla.return %0#0 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  // CHECK:      "xla.if"(%{{.*}}) ({
  // CHECK-NEXT:   xla.return
  // CHECK-NEXT: }, {
  "xla.if"(%pred) ({
    xla.return
  }, {
    xla.return
  }) : (tensor<i1>) -> ()
  return
}

// CHECK-LABEL: func.func @while
func.func @while(%pred: tensor<i1>, %x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {
  // CHECK:      xla.while(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : tensor<4xf32>, tensor<f32>
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   xla.return %{{.*}} : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   %[[SUM:.*]] = xla.add %[[A]], %[[A]] : tensor<4xf32>
  // CHECK-NEXT:   xla.return %[[SUM]], %[[B]] : tensor<4xf32>, tensor<f32>
  // CHECK-NEXT: }
  %0:2 = xla.while(%a = %x, %b = %y) : tensor<4xf32>, tensor<f32>
  cond {
    xla.return %pred : tensor<i1>
  } do {
    %sum = xla.add %a, %a : tensor<4xf32>
    xla.return %sum, %b : tensor<4xf32>, tensor<f32>
  }
  // CHECK:      xla.while(%{{.*}} = %{{.*}}) : tensor<f32> attributes {note = "kept"}
  %1 = xla.while(%a = %y) : tensor<f32> attributes {note = "kept"}
  cond {
    xla.return %pred : tensor<i1>
  } do {
    xla.return %a : tensor<f32>
  }
  // CHECK:      xla.while() attributes {forever}
  // CHECK-NEXT: cond {
  xla.while() attributes {forever}
  cond {
    xla.return %pred : tensor<i1>
  } do {
    xla.return
  }
  return %0#0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @tuples
func.func @tuples(%a: tensor<10xf32>, %b: tensor<i32>) -> tensor<i32> {
  // CHECK: %[[T:.*]] = xla.tuple %{{.*}}, %{{.*}} : tuple<tensor<10xf32>, tensor<i32>>
  %t = xla.tuple %a, %b : tuple<tensor<10xf32>, tensor<i32>>
  // CHECK: xla.get_tuple_element %[[T]][1] : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  %e = xla.get_tuple_element %t[1] : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  // CHECK: %[[NESTED:.*]] = xla.tuple %[[T]], %{{.*}} : tuple<tuple<tensor<10xf32>, tensor<i32>>, tensor<i32>>
  %n = xla.tuple %t, %e : tuple<tuple<tensor<10xf32>, tensor<i32>>, tensor<i32>>
  // CHECK: xla.tuple : tuple<>
  %empty = xla.tuple : tuple<>
  return %e : tensor<i32>
}

// CHECK-LABEL: func.func @order
func.func @order(%a: tensor<10xf32>, %b: tensor<i32>, %t: tuple<tensor<i32>>) -> !xla.token {
  // CHECK: xla.optimization_barrier %{{.*}}, %{{.*}}, %{{.*}} : tensor<10xf32>, tensor<i32>, tuple<tensor<i32>>
  %0:3 = xla.optimization_barrier %a, %b, %t : tensor<10xf32>, tensor<i32>, tuple<tensor<i32>>
  // CHECK: xla.optimization_barrier()
  xla.optimization_barrier()
  // CHECK: %[[T0:.*]] = xla.create_token : !xla.token
  %t0 = xla.create_token : !xla.token
  // CHECK: %[[T1:.*]] = xla.after_all %[[T0]], %[[T0]] : !xla.token
  %t1 = xla.after_all %t0, %t0 : !xla.token
  // CHECK: xla.after_all : !xla.token
  %t2 = xla.after_all : !xla.token
  return %t1 : !xla.token
}

// CHECK-LABEL: func.func @calls
func.func @calls(%a: tensor<2x3xf32>, %t: tuple<tensor<2x3xf32>, tensor<i32>>) {
  // CHECK: xla.custom_call @my_kernel(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = xla.custom_call @my_kernel(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: xla.custom_call @check.expect_close(%{{.*}}, %{{.*}}) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  xla.custom_call @check.expect_close(%a, %0) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  // CHECK: xla.custom_call @"a name"(%{{.*}}) {api_version = 4 : i32, backend_config = {a = 1 : i32},
  // CHECK-SAME: called_computations = [@softmax], operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
  // CHECK-SAME: output_operand_aliases = [#xla.output_operand_alias<{{.*}}>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
  %1 = xla.custom_call @"a name"(%a) {
    api_version = 4 : i32, backend_config = {a = 1 : i32}, called_computations = [@softmax],
    operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>],
    output_operand_aliases = [#xla.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]
  } : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // Layouts of a tuple result are those of its elements; an alias walks into tuples.
  // CHECK: xla.custom_call @tuples
  %2 = xla.custom_call @tuples(%a) {
    operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>],
    output_operand_aliases = [#xla.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]
  } : (tensor<2x3xf32>) -> tuple<tensor<2x3xf32>, tensor<i32>>
  // CHECK: xla.composite "my.softmax" %{{.*}} {composite_attributes = {axis = 1 : i64}, decomposition = @softmax, version = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = xla.composite "my.softmax" %a {composite_attributes = {axis = 1 : i64}, decomposition = @softmax, version = 1 : i32}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: call @softmax
  %4 = call @softmax(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
func.func private @softmax(tensor<2x3xf32>) -> tensor<2x3xf32>
