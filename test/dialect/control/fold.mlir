// RUN: xla-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constant_predicate
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
func.func @constant_predicate(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK-NOT: xla.if
  // CHECK: %[[SUM:.*]] = xla.add %[[X]], %[[Y]]
  // CHECK: return %[[SUM]], %[[X]]
  %true = xla.constant dense<true> : tensor<i1>
  %false = xla.constant dense<false> : tensor<i1>
  %0 = "xla.if"(%true) ({
    %sum = xla.add %x, %y : tensor<f32>
    xla.return %sum : tensor<f32>
  }, {
    xla.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %1 = "xla.if"(%false) ({
    xla.return %y : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// An index out of range, negative ones included, takes the last branch.
// CHECK-LABEL: func.func @constant_index
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>, %[[Z:.*]]: tensor<f32>, %[[I:.*]]: tensor<i32>)
func.func @constant_index(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %i: tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  // CHECK-NOT: xla.case
  // CHECK: return %[[Y]], %[[Z]], %[[Z]], %[[X]]
  %one = xla.constant dense<1> : tensor<i32>
  %minus = xla.constant dense<-1> : tensor<i32>
  %big = xla.constant dense<7> : tensor<i32>
  %0 = "xla.case"(%one) ({ xla.return %x : tensor<f32> }, { xla.return %y : tensor<f32> }, { xla.return %z : tensor<f32> }) : (tensor<i32>) -> tensor<f32>
  %1 = "xla.case"(%minus) ({ xla.return %x : tensor<f32> }, { xla.return %y : tensor<f32> }, { xla.return %z : tensor<f32> }) : (tensor<i32>) -> tensor<f32>
  %2 = "xla.case"(%big) ({ xla.return %x : tensor<f32> }, { xla.return %y : tensor<f32> }, { xla.return %z : tensor<f32> }) : (tensor<i32>) -> tensor<f32>
  %3 = "xla.case"(%i) ({ xla.return %x : tensor<f32> }) : (tensor<i32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @drop_results
// CHECK-SAME: (%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
func.func @drop_results(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // The first result is %x either way, the second is unused.
  // CHECK:      %[[R:.*]] = "xla.if"(%[[P]]) ({
  // CHECK-NEXT:   xla.return %[[Y]] : tensor<f32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   xla.return %[[X]] : tensor<f32>
  // CHECK-NEXT: }) {note = 1 : i32} : (tensor<i1>) -> tensor<f32>
  // CHECK-NEXT: return %[[X]], %[[R]]
  %0:3 = "xla.if"(%p) ({
    %sum = xla.add %x, %y : tensor<f32>
    xla.return %x, %sum, %y : tensor<f32>, tensor<f32>, tensor<f32>
  }, {
    xla.return %x, %y, %x : tensor<f32>, tensor<f32>, tensor<f32>
  }) {note = 1 : i32} : (tensor<i1>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %0#0, %0#2 : tensor<f32>, tensor<f32>
}

// -----

// A branch with a side effect stays although its result is unused.
// CHECK-LABEL: func.func @effects
func.func @effects(%p: tensor<i1>, %x: tensor<f32>) {
  // CHECK: "xla.if"
  // CHECK: xla.custom_call @print
  %0 = "xla.if"(%p) ({
    xla.custom_call @print(%x) {has_side_effect = true} : (tensor<f32>) -> ()
    xla.return %x : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK-NOT: xla.if
  // CHECK-NOT: @pure
  %1 = "xla.if"(%p) ({
    %2 = xla.custom_call @pure(%x) : (tensor<f32>) -> tensor<f32>
    xla.return %2 : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

// CHECK-LABEL: func.func @case_of_predicate
// CHECK-SAME: (%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
func.func @case_of_predicate(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: "xla.if"(%[[P]]) ({
  // CHECK-NEXT:   xla.return %[[Y]]
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   xla.return %[[X]]
  %i = xla.convert %p : (tensor<i1>) -> tensor<i32>
  %0 = "xla.case"(%i) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @tuples
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<i32>, %[[T:.*]]: tuple<tensor<2xf32>, tensor<i32>>)
func.func @tuples(%a: tensor<2xf32>, %b: tensor<i32>, %t: tuple<tensor<2xf32>, tensor<i32>>) -> (tensor<i32>, tuple<tensor<2xf32>, tensor<i32>>, tuple<tensor<i32>>) {
  %0 = xla.tuple %a, %b : tuple<tensor<2xf32>, tensor<i32>>
  %1 = xla.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %2 = xla.get_tuple_element %t[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  %3 = xla.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %4 = xla.tuple %2, %3 : tuple<tensor<2xf32>, tensor<i32>>
  // Not all elements of %t.
  // CHECK: %[[E:.*]] = xla.get_tuple_element %[[T]][1]
  // CHECK: %[[S:.*]] = xla.tuple %[[E]]
  %5 = xla.tuple %3 : tuple<tensor<i32>>
  // CHECK: return %[[B]], %[[T]], %[[S]]
  return %1, %4, %5 : tensor<i32>, tuple<tensor<2xf32>, tensor<i32>>, tuple<tensor<i32>>
}

// -----

// CHECK-LABEL: func.func @tokens
// CHECK-SAME: (%[[T:.*]]: !xla.token, %[[U:.*]]: !xla.token)
func.func @tokens(%t: !xla.token, %u: !xla.token) -> (!xla.token, !xla.token, !xla.token) {
  // CHECK: %[[JOINED:.*]] = xla.after_all %[[T]], %[[U]]
  // CHECK: %[[NEW:.*]] = xla.after_all :
  // CHECK: return %[[T]], %[[JOINED]], %[[NEW]]
  %0 = xla.after_all %t, %t : !xla.token
  %1 = xla.after_all %t, %u : !xla.token
  %2 = xla.after_all : !xla.token
  return %0, %1, %2 : !xla.token, !xla.token, !xla.token
}

// AfterAll-X1: what takes the joined token runs after both calls that gave one.
// CHECK-LABEL: func.func @joined
func.func @joined(%t: !xla.token) -> tensor<f32> {
  // CHECK: %[[FIRST:.*]] = xla.custom_call @first(%{{.*}})
  %0 = xla.custom_call @first(%t) {has_side_effect = true} : (!xla.token) -> !xla.token
  // CHECK: %[[SECOND:.*]] = xla.custom_call @second(%{{.*}})
  %1 = xla.custom_call @second(%t) {has_side_effect = true} : (!xla.token) -> !xla.token
  // CHECK: %[[BOTH:.*]] = xla.after_all %[[FIRST]], %[[SECOND]] : !xla.token
  %2 = xla.after_all %0, %1 : !xla.token
  // CHECK: xla.custom_call @third(%[[BOTH]])
  %3 = xla.custom_call @third(%2) {has_side_effect = true} : (!xla.token) -> tensor<f32>
  return %3 : tensor<f32>
}
