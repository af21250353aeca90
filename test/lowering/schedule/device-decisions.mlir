// RUN: split-file %s %t
// RUN: cat %t/00.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/00.mlir
// RUN: cat %t/01.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/01.mlir
// RUN: cat %t/02.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/02.mlir
// RUN: cat %t/03.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/03.mlir
// RUN: cat %t/04.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/04.mlir
// RUN: cat %t/05.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/05.mlir
// RUN: cat %t/06.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/06.mlir
// RUN: cat %t/07.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/07.mlir

// What a GPU decides itself: there are no variables, and what an iteration or a branch leaves elsewhere is copied.

//--- 00.mlir

// A body that computes beside the old value.

// CHECK:      copy argument[0] -> [[X:[a-z]+\[.*\]]]
// CHECK-NEXT: scf.while on device
// CHECK-NEXT:   block
// CHECK-NEXT:     @more ([[X]]) -> [[P:[a-z]+\[.*\]]]
// CHECK-NEXT:     tensor.extract ([[P]]) -> i1
// CHECK-NEXT:   block
// CHECK-NEXT:     @rev ([[X]]) -> [[Y:[a-z]+\[.*\]]]
// CHECK-NEXT:     copy [[Y]] -> [[X]]
// CHECK-NOT:  v0
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = scf.while (%a = %x) : (tensor<4xi32>) -> tensor<4xi32> {
    %p = func.call @more(%a) : (tensor<4xi32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %a : tensor<4xi32>
  } do {
  ^bb0(%a: tensor<4xi32>):
    %0 = func.call @rev(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

//--- 01.mlir

// Two values that change places: one is put aside.

// CHECK:      scf.while on device
// CHECK:        block
// CHECK:          @add ([[A:[a-z]+\[.*\]]], [[B:[a-z]+\[.*\]]]) -> [[A]]
// CHECK-NEXT:     copy [[B]] -> [[C:[a-z]+\[.*\]]]
// CHECK-NEXT:     copy [[A]] -> [[B]]
// CHECK-NEXT:     copy [[C]] -> [[A]]
// CHECK-NOT:  v0
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r:2 = scf.while (%a = %x, %b = %y) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
    %p = func.call @more(%a) : (tensor<4xi32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %a, %b : tensor<4xi32>, tensor<4xi32>
  } do {
  ^bb0(%a: tensor<4xi32>, %b: tensor<4xi32>):
    %0 = func.call @add(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %b, %0 : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}

//--- 02.mlir

// Branches, of which one changes nothing; what decides is read right before.

// CHECK:      @which (argument[0]) -> [[N:[a-z]+\[.*\]]]
// CHECK-NEXT: @inc (argument[0]) -> {{.*}}
// CHECK-NEXT: tensor.extract ([[N]]) -> i32
// CHECK-NEXT: scf.index_switch on device
// CHECK-NOT:  v0
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %n = func.call @which(%x) : (tensor<4xi32>) -> tensor<i32>
  %i = tensor.extract %n[] : tensor<i32>
  %at = arith.index_cast %i : i32 to index
  %y = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %r = scf.index_switch %at -> tensor<4xi32>
  case 0 {
    %0 = func.call @rev(%y) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  }
  case 1 {
    scf.yield %y : tensor<4xi32>
  }
  default {
    %0 = func.call @inc(%y) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

//--- 03.mlir

// What the host reads for something else it waits for anyway, so it decides as well.

// CHECK-NOT: on device
func.func @main(%x: tensor<4xi32>, %c: tensor<i32>) -> (tensor<4xi32>, tensor<i32>) {
  %n = tensor.extract %c[] : tensor<i32>
  %m = arith.addi %n, %n : i32
  %t = tensor.from_elements %m : tensor<i32>
  %p = func.call @more(%x) : (tensor<4xi32>) -> tensor<i1>
  %q = tensor.extract %p[] : tensor<i1>
  %r = scf.if %q -> tensor<4xi32> {
    %0 = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  } else {
    scf.yield %x : tensor<4xi32>
  }
  return %r, %t : tensor<4xi32>, tensor<i32>
}

//--- 04.mlir

// A graph has all iterations of a short loop, so their addresses may change in turn. Those of a long one are counted,
// some at a time, after which the addresses are what they were.

// CHECK:      scf.while (index, {{.*}}, {{.*}})
// CHECK:      scf.while on device 100001 times, unrolled 8 (index, {{.*}}, {{.*}})
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %few = arith.constant 100 : index
  %many = arith.constant 100001 : index
  %r = scf.for %i = %c0 to %few step %c1 iter_args(%a = %x) -> tensor<4xi32> {
    %0 = func.call @rev(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  }
  %s = scf.for %i = %c0 to %many step %c1 iter_args(%a = %r) -> tensor<4xi32> {
    %0 = func.call @rev(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  }
  return %s : tensor<4xi32>
}

//--- 05.mlir

// More than can be copied in the time that it takes the host.

// CHECK:      scf.while (
// CHECK-NOT:  on device
func.func @main(%x: tensor<8388608xi32>) -> tensor<8388608xi32> {
  %r = scf.while (%a = %x) : (tensor<8388608xi32>) -> tensor<8388608xi32> {
    %p = func.call @more_of_many(%a) : (tensor<8388608xi32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %a : tensor<8388608xi32>
  } do {
  ^bb0(%a: tensor<8388608xi32>):
    %0 = func.call @reverse_many(%a) : (tensor<8388608xi32>) -> tensor<8388608xi32>
    scf.yield %0 : tensor<8388608xi32>
  }
  return %r : tensor<8388608xi32>
}
func.func private @reverse_many(tensor<8388608xi32>) -> tensor<8388608xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@rev.impl, work = 4>}
func.func private @more_of_many(tensor<8388608xi32>) -> tensor<i1> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@more.impl, work = 1>}

//--- 06.mlir

// One element decides twice, the second time in a branch: it is read each time.

// CHECK:      @which (argument[0]) -> [[N:[a-z]+\[.*\]]]
// CHECK:      tensor.extract ([[N]]) -> i32
// CHECK-NEXT: scf.index_switch on device
// CHECK:      @inc
// CHECK:      tensor.extract ([[P:.*]]) -> i1
// CHECK-NEXT: scf.if on device
// CHECK-NEXT:   block
// CHECK-NEXT:     tensor.extract ([[N]]) -> i32
// CHECK-NEXT:     scf.index_switch on device
// CHECK-NOT:  tensor.extract
func.func @main(%x: tensor<4xi32>, %q: tensor<i1>) -> (tensor<4xi32>, tensor<4xi32>) {
  %n = func.call @which(%x) : (tensor<4xi32>) -> tensor<i32>
  %i = tensor.extract %n[] : tensor<i32>
  %p = tensor.extract %q[] : tensor<i1>
  %at = arith.index_cast %i : i32 to index
  %r = scf.index_switch %at -> tensor<4xi32>
  case 0 {
    %0 = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  }
  default {
    %0 = func.call @add(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  }
  %s = func.call @inc(%r) : (tensor<4xi32>) -> tensor<4xi32>
  %t = scf.if %p -> tensor<4xi32> {
    %u = scf.index_switch %at -> tensor<4xi32>
    case 0 {
      %0 = func.call @rev(%s) : (tensor<4xi32>) -> tensor<4xi32>
      scf.yield %0 : tensor<4xi32>
    }
    default {
      scf.yield %s : tensor<4xi32>
    }
    scf.yield %u : tensor<4xi32>
  } else {
    %0 = func.call @add(%s, %s) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0 : tensor<4xi32>
  }
  return %r, %t : tensor<4xi32>, tensor<4xi32>
}

//--- 07.mlir

// Values that a branch has in each other's places: one is put aside. What the branches return is where it was.

// CHECK-DAG:  @inc (argument[0]) -> result[0]
// CHECK-DAG:  @rev (argument[0]) -> result[1]
// CHECK-DAG:  @add (argument[0], argument[0]) -> result[2]
// CHECK:      scf.if on device
// CHECK-NEXT:   block
// CHECK-NEXT:   block
// CHECK-NEXT:     copy result[1] -> arena[0:16]
// CHECK-NEXT:     copy result[0] -> result[1]
// CHECK-NEXT:     copy result[2] -> result[0]
// CHECK-NEXT:     copy arena[0:16] -> result[2]
// CHECK-NOT:  copy
func.func @main(%x: tensor<4xi32>, %q: tensor<i1>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %a = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %b = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %c = func.call @add(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %p = tensor.extract %q[] : tensor<i1>
  %r:3 = scf.if %p -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    scf.yield %a, %b, %c : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  } else {
    scf.yield %c, %a, %b : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#0, %r#1, %r#2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

//--- kernels.mlir

func.func private @inc(tensor<4xi32>) -> tensor<4xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@inc.impl, work = 4, results = [may_reuse 0]>}
func.func private @inc.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @rev(tensor<4xi32>) -> tensor<4xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@rev.impl, work = 4>}
func.func private @rev.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @add(tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@add.impl, work = 4, results = [may_reuse 0]>}
func.func private @add.impl(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)
func.func private @more(tensor<4xi32>) -> tensor<i1> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@more.impl, work = 4>}
func.func private @more.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @which(tensor<4xi32>) -> tensor<i32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@which.impl, work = 4>}
func.func private @which.impl(!llvm.ptr, !llvm.ptr, index, index)
