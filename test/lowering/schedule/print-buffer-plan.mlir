// RUN: split-file %s %t
// RUN: cat %t/00.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/00.mlir
// RUN: cat %t/01.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/01.mlir
// RUN: cat %t/02.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/02.mlir
// RUN: cat %t/03.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/03.mlir
// RUN: cat %t/04.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/04.mlir
// RUN: cat %t/05.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/05.mlir
// RUN: cat %t/06.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/06.mlir
// RUN: cat %t/07.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/07.mlir
// RUN: cat %t/08.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/08.mlir
// RUN: cat %t/09.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/09.mlir
// RUN: cat %t/10.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/10.mlir
// RUN: cat %t/11.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/11.mlir
// RUN: cat %t/12.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=frame=64 -o /dev/null | FileCheck %t/12.mlir
// RUN: cat %t/13.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/13.mlir
// RUN: cat %t/14.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/14.mlir
// RUN: cat %t/15.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=frame=4096 -o /dev/null | FileCheck %t/15.mlir
// RUN: cat %t/16.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=frame=4096 -o /dev/null | FileCheck %t/16.mlir

// The plan as text, of programs that are put together with the kernels at the end: @inc and @next may work in place of their
// argument, @add of its first, @update must; @rev, @join and @more may not. What the plans become is tested in
// test/lowering/cpu/assign-buffers*.mlir.

//--- 00.mlir

// Everything happens in the result's buffer; arguments are only read, and one that nobody reads is in no place. A view is
// where its operand is.

// CHECK:      @main in an arena of 0 bytes
// CHECK-NEXT:   tensor.collapse_shape (argument[0]) -> argument[0]
// CHECK-NEXT:   @inc (argument[0]) -> result[0]
// CHECK-NEXT:   xla.optimization_barrier (result[0]) -> result[0]
// CHECK-NEXT:   @inc (result[0]) -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%x: tensor<2x2xi32>, %dead: tensor<4xi32>) -> tensor<4xi32> {
  %v = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  %0 = func.call @inc(%v) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = xla.optimization_barrier %0 : tensor<4xi32>
  %2 = func.call @inc(%1) : (tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}

//--- 01.mlir

// Values that may not be computed in place take turns in the arena; the last one is the result. What is returned as well as
// an earlier result, an argument or a constant is copied.

// CHECK:      @main in an arena of 32 bytes
// CHECK-NEXT:   arith.constant -> constant[0]
// CHECK-NEXT:   @rev (argument[0]) -> arena[0:16]
// CHECK-NEXT:   @rev (arena[0:16]) -> arena[16:32]
// CHECK-NEXT:   @rev (arena[16:32]) -> arena[0:16]
// CHECK-NEXT:   @rev (arena[0:16]) -> result[0]
// CHECK-NEXT:   copy result[0] -> result[1]
// CHECK-NEXT:   copy argument[0] -> result[2]
// CHECK-NEXT:   copy constant[0] -> result[3]
// CHECK-NOT: {{.}}
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = func.call @rev(%0) : (tensor<4xi32>) -> tensor<4xi32>
  %2 = func.call @rev(%1) : (tensor<4xi32>) -> tensor<4xi32>
  %3 = func.call @rev(%2) : (tensor<4xi32>) -> tensor<4xi32>
  return %3, %3, %x, %c : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

//--- 02.mlir

// An update works on a copy of what is not ours, and in place on what is dead; it waits until others have read that.

// CHECK:      @main in an arena of 256 bytes
// CHECK-NEXT:   tensor.extract (argument[1]) -> index
// CHECK-NEXT:   copy argument[0] -> result[0]
// CHECK-NEXT:   @update (result[0], index) -> result[0], scratch arena[0:256]
// CHECK-NEXT:   @rev (result[0]) -> result[1]
// CHECK-NEXT:   @update (result[0], index) -> result[0], scratch arena[0:256]
// CHECK-NOT: {{.}}
func.func @main(%x: tensor<4xi32>, %at: tensor<index>) -> (tensor<4xi32>, tensor<4xi32>) {
  %i = tensor.extract %at[] : tensor<index>
  %0 = func.call @update(%x, %i) : (tensor<4xi32>, index) -> tensor<4xi32>
  %1 = func.call @update(%0, %i) : (tensor<4xi32>, index) -> tensor<4xi32>
  %2 = func.call @rev(%0) : (tensor<4xi32>) -> tensor<4xi32>
  return %1, %2 : tensor<4xi32>, tensor<4xi32>
}

//--- 03.mlir

// A body that works in place carries nothing.

// CHECK:      @main in an arena of 320 bytes
// CHECK-NEXT:   copy argument[0] -> arena[256:260]
// CHECK-NEXT:   copy argument[1] -> result[0]
// CHECK-NEXT:   scf.while{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @more (arena[256:260]) -> arena[0:1]
// CHECK-NEXT:       tensor.extract (arena[0:1]) -> i1
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @next (arena[256:260]) -> arena[256:260]
// CHECK-NEXT:       @update (result[0], index) -> result[0], scratch arena[0:256]
// CHECK-NOT: {{.}}
func.func @main(%n: tensor<i32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %r:2 = scf.while (%i = %n, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @more(%i) : (tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %0 = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
    %1 = func.call @update(%a, %c0) : (tensor<4xi32>, index) -> tensor<4xi32>
    scf.yield %0, %1 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 04.mlir

// A new value goes to a spare buffer; the two change their roles.

// CHECK:      @main in an arena of 144 bytes
// CHECK-NEXT:   copy argument[0] -> arena[64:68]
// CHECK-NEXT:   copy argument[1] -> result[0]
// CHECK-NEXT:   scf.while (result[0], arena[0:16])
// CHECK-NEXT:     block (v0, v1)
// CHECK-NEXT:       @more (arena[64:68]) -> arena[128:129]
// CHECK-NEXT:       tensor.extract (arena[128:129]) -> i1
// CHECK-NEXT:       hands on (v0, v1)
// CHECK-NEXT:     block (v2, v3)
// CHECK-NEXT:       @next (arena[64:68]) -> arena[64:68]
// CHECK-NEXT:       @rev (v2) -> v3
// CHECK-NEXT:       hands on (v3, v2)
// CHECK-NEXT:     gives (v4, v5)
// CHECK-NEXT:   copy v4 -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%n: tensor<i32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %r:2 = scf.while (%i = %n, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @more(%i) : (tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %0 = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
    %1 = func.call @rev(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0, %1 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 05.mlir

// Values that change places, one of them updated on the way, need no third buffer. A scalar is carried as it is.

// CHECK:      @main in an arena of 64 bytes
// CHECK-NEXT:   copy argument[0] -> result[0]
// CHECK-NEXT:   copy argument[1] -> arena[0:16]
// CHECK-NEXT:   scf.while (index, result[0], arena[0:16])
// CHECK-NEXT:     block (index, v0, v1)
// CHECK-NEXT:       hands on (index, v0, v1)
// CHECK-NEXT:     block (index, v2, v3)
// CHECK-NEXT:       @add (v2, v3) -> v2
// CHECK-NEXT:       hands on (index, v3, v2)
// CHECK-NEXT:     gives (index, v4, v5)
// CHECK-NEXT:   copy v5 -> result[1]
// CHECK-NEXT:   copy v4 -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xi32>, tensor<4xi32>) {
    %0 = func.call @add(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %b, %0 : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}

//--- 06.mlir

// What a loop carries unchanged stays where it is. What it yields twice, a value from outside and a constant are copied.

// CHECK:      @main in an arena of 80 bytes
// CHECK-NEXT:   arith.constant -> constant[0]
// CHECK-NEXT:   copy argument[0] -> arena[0:4]
// CHECK-NEXT:   copy argument[1] -> result[0]
// CHECK-NEXT:   copy argument[1] -> result[1]
// CHECK-NEXT:   copy argument[1] -> result[3]
// CHECK-NEXT:   copy argument[1] -> result[4]
// CHECK-NEXT:   scf.while{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @more (arena[0:4]) -> arena[64:65]
// CHECK-NEXT:       tensor.extract (arena[64:65]) -> i1
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @next (arena[0:4]) -> arena[0:4]
// CHECK-NEXT:       @add (result[0], argument[2]) -> result[0]
// CHECK-NEXT:       copy result[0] -> result[1]
// CHECK-NEXT:       copy argument[2] -> result[3]
// CHECK-NEXT:       copy constant[0] -> result[4]
// CHECK-NEXT:   copy argument[2] -> result[2]
// CHECK-NOT: {{.}}
func.func @main(%n: tensor<i32>, %x: tensor<4xi32>, %y: tensor<4xi32>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r:6 = scf.while (%i = %n, %a = %x, %b = %x, %s = %y, %d = %x, %e = %x)
      : (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
      -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %p = func.call @more(%i) : (tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a, %b, %s, %d, %e
        : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>, %b: tensor<4xi32>, %s: tensor<4xi32>, %d: tensor<4xi32>, %e: tensor<4xi32>):
    %0 = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
    %1 = func.call @add(%a, %s) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0, %1, %1, %s, %y, %c
        : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

//--- 07.mlir

// Nested loops share a pair of buffers: the inner one starts with the variables of the outer one.

// CHECK:      @main in an arena of 144 bytes
// CHECK-NEXT:   copy argument[0] -> arena[64:68]
// CHECK-NEXT:   copy argument[1] -> result[0]
// CHECK-NEXT:   scf.while (result[0], arena[0:16])
// CHECK-NEXT:     block (v0, v1)
// CHECK-NEXT:       @more (arena[64:68]) -> arena[128:129]
// CHECK-NEXT:       tensor.extract (arena[128:129]) -> i1
// CHECK-NEXT:       hands on (v0, v1)
// CHECK-NEXT:     block (v2, v3)
// CHECK-NEXT:       @next (arena[64:68]) -> arena[64:68]
// CHECK-NEXT:       scf.while (index, v2, v3)
// CHECK-NEXT:         block (index, v4, v5)
// CHECK-NEXT:           hands on (index, v4, v5)
// CHECK-NEXT:         block (index, v6, v7)
// CHECK-NEXT:           @rev (v6) -> v7
// CHECK-NEXT:           hands on (index, v7, v6)
// CHECK-NEXT:         gives (index, v8, v9)
// CHECK-NEXT:       hands on (v8, v9)
// CHECK-NEXT:     gives (v10, v11)
// CHECK-NEXT:   copy v10 -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%n: tensor<i32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.while (%i = %n, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @more(%i) : (tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %0 = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
    %1 = scf.for %j = %c0 to %c9 step %c1 iter_args(%b = %a) -> tensor<4xi32> {
      %2 = func.call @rev(%b) : (tensor<4xi32>) -> tensor<4xi32>
      scf.yield %2 : tensor<4xi32>
    }
    scf.yield %0, %1 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 08.mlir

// Branches that give an argument, a constant and a new value leave them in one buffer.

// CHECK:      @main in an arena of 0 bytes
// CHECK-NEXT:   arith.constant -> constant[0]
// CHECK-NEXT:   tensor.extract (argument[0]) -> index
// CHECK-NEXT:   scf.index_switch{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @rev (argument[1]) -> result[0]
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       copy argument[1] -> result[0]
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       copy constant[0] -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%which: tensor<index>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %c = arith.constant dense<7> : tensor<4xi32>
  %w = tensor.extract %which[] : tensor<index>
  %0 = scf.index_switch %w -> tensor<4xi32>
  case 0 {
    scf.yield %x : tensor<4xi32>
  }
  case 1 {
    scf.yield %c : tensor<4xi32>
  }
  default {
    %1 = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %1 : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}

//--- 09.mlir

// A value that dies in the branches is theirs: one keeps it, one computes beside it, and they hand on which is which. What
// lives on is copied.

// CHECK:      @main in an arena of 64 bytes
// CHECK-NEXT:   tensor.extract (argument[0]) -> i1
// CHECK-NEXT:   @rev (argument[1]) -> result[0]
// CHECK-NEXT:   scf.if{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       hands on (result[0], arena[0:16])
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @rev (result[0]) -> arena[0:16]
// CHECK-NEXT:       hands on (arena[0:16], result[0])
// CHECK-NEXT:     gives (v0, v1)
// CHECK-NEXT:   scf.if{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       copy v0 -> result[1]
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @inc (v0) -> result[1]
// CHECK-NEXT:   copy v0 -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%p: tensor<i1>, %x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %b = tensor.extract %p[] : tensor<i1>
  %0 = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = scf.if %b -> tensor<4xi32> {
    scf.yield %0 : tensor<4xi32>
  } else {
    %3 = func.call @rev(%0) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %3 : tensor<4xi32>
  }
  %2 = scf.if %b -> tensor<4xi32> {
    scf.yield %1 : tensor<4xi32>
  } else {
    %4 = func.call @inc(%1) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %4 : tensor<4xi32>
  }
  return %1, %2 : tensor<4xi32>, tensor<4xi32>
}

//--- 10.mlir

// A custom call has results of its own; empty tensors take no bytes.

// CHECK:      @main in an arena of 192 bytes
// CHECK-NEXT:   tensor.extract (argument[1]) -> i32
// CHECK-NEXT:   tensor.from_elements (i32) -> arena[64:68]
// CHECK-NEXT:   xla.custom_call (argument[0], arena[64:68]) -> arena[0:16], arena[128:132]
// CHECK-NEXT:   tensor.empty -> result[1]
// CHECK-NEXT:   xla.custom_call (arena[0:16], arena[128:132]) -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%x: tensor<4xi32>, %s: tensor<i32>) -> (tensor<4xi32>, tensor<0xi32>) {
  %0 = tensor.extract %s[] : tensor<i32>
  %1 = tensor.from_elements %0 : tensor<i32>
  %2:2 = "xla.custom_call"(%x, %1) {call_target_name = "f"} : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  %3 = tensor.empty() : tensor<0xi32>
  %4 = "xla.custom_call"(%2#0, %2#1) {call_target_name = "g"} : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %4, %3 : tensor<4xi32>, tensor<0xi32>
}

//--- 11.mlir

// An `if` without `else`.

// CHECK:      @main in an arena of 0 bytes
// CHECK-NEXT:   tensor.extract (argument[0]) -> i1
// CHECK-NEXT:   scf.if{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       xla.custom_call (argument[1])
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:   @rev (argument[1]) -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%p: tensor<i1>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %b = tensor.extract %p[] : tensor<i1>
  scf.if %b {
    "xla.custom_call"(%x) {call_target_name = "f"} : (tensor<4xi32>) -> ()
  }
  %0 = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

//--- 12.mlir

// Small values are on the stack, as many as fit, and scalars beside them; of the two that change their roles, one is in
// the result.

// CHECK:      @main in an arena of 64 bytes and a frame of 16
// CHECK-NEXT:   @rev (argument[1]) -> frame[0:16]
// CHECK-NEXT:   copy argument[0] -> scalar[0]
// CHECK-NEXT:   copy argument[1] -> result[0]
// CHECK-NEXT:   scf.while (result[0], arena[0:16])
// CHECK-NEXT:     block (v0, v1)
// CHECK-NEXT:       @more (scalar[0]) -> scalar[1]
// CHECK-NEXT:       tensor.extract (scalar[1]) -> i1
// CHECK-NEXT:       hands on (v0, v1)
// CHECK-NEXT:     block (v2, v3)
// CHECK-NEXT:       @next (scalar[0]) -> scalar[0]
// CHECK-NEXT:       @join (v2, frame[0:16]) -> v3
// CHECK-NEXT:       hands on (v3, v2)
// CHECK-NEXT:     gives (v4, v5)
// CHECK-NEXT:   copy v4 -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%n: tensor<i32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %o = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %r:2 = scf.while (%i = %n, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @more(%i) : (tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %0 = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
    %1 = func.call @join(%a, %o) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %0, %1 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 13.mlir

// What a body needs before it computes the next value is in the spare buffer, if it needs it no more by then.

// CHECK:      @main in an arena of 80 bytes
// CHECK-NEXT:   copy argument[0] -> result[0]
// CHECK-NEXT:   scf.while (index, result[0], arena[0:16])
// CHECK-NEXT:     block (index, v0, v1)
// CHECK-NEXT:       hands on (index, v0, v1)
// CHECK-NEXT:     block (index, v2, v3)
// CHECK-NEXT:       @rev (v2) -> v3
// CHECK-NEXT:       @rev (v3) -> arena[64:80]
// CHECK-NEXT:       @join (arena[64:80], v2) -> v3
// CHECK-NEXT:       hands on (index, v3, v2)
// CHECK-NEXT:     gives (index, v4, v5)
// CHECK-NEXT:   copy v4 -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x) -> (tensor<4xi32>) {
    %0 = func.call @rev(%a) : (tensor<4xi32>) -> tensor<4xi32>
    %1 = func.call @rev(%0) : (tensor<4xi32>) -> tensor<4xi32>
    %2 = func.call @join(%1, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %2 : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

//--- 14.mlir

// The memory of the result is for what is not needed by the kernel that computes it. Three buffers are enough for the
// others if those that are have their places first: what begins first would take the result's memory too early.

// CHECK:      @main in an arena of 12288 bytes
// CHECK-NEXT:   @turn (argument[0]) -> arena[4096:8192]
// CHECK-NEXT:   @turn (arena[4096:8192]) -> arena[0:4096]
// CHECK-NEXT:   @both (arena[4096:8192], arena[0:4096]) -> result[0][0:4096], arena[8192:12288]
// CHECK-NEXT:   @mixed (result[0][0:4096], arena[8192:12288]) -> arena[0:4096]
// CHECK-NEXT:   @mixed (arena[4096:8192], arena[0:4096]) -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%arg: tensor<1024xi32>) -> tensor<1024xi32> {
  %x = func.call @turn(%arg) : (tensor<1024xi32>) -> tensor<1024xi32>
  %t = func.call @turn(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  %a, %c = func.call @both(%x, %t) : (tensor<1024xi32>, tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>)
  %b = func.call @mixed(%a, %c) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  %r = func.call @mixed(%x, %b) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}
func.func private @turn(tensor<1024xi32>) -> tensor<1024xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@turn.impl>}
func.func private @turn.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @both(tensor<1024xi32>, tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>)
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@both.impl>}
func.func private @both.impl(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)
func.func private @mixed(tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@mixed.impl>}
func.func private @mixed.impl(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)

//--- 15.mlir

// Scalars that change their roles are copied to where they were, one of them by way of a third, and to the results at
// the end.

// CHECK:      @main in an arena of 0 bytes
// CHECK-NEXT:   copy argument[0] -> scalar[0]
// CHECK-NEXT:   copy argument[1] -> scalar[2]
// CHECK-NEXT:   copy argument[2] -> scalar[3]
// CHECK-NEXT:   scf.while{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @more (scalar[0]) -> scalar[4]
// CHECK-NEXT:       tensor.extract (scalar[4]) -> i1
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       @next (scalar[0]) -> scalar[0]
// CHECK-NEXT:       copy scalar[3] -> scalar[1]
// CHECK-NEXT:       copy scalar[2] -> scalar[3]
// CHECK-NEXT:       copy scalar[1] -> scalar[2]
// CHECK-NEXT:   copy scalar[2] -> result[0]
// CHECK-NEXT:   copy scalar[3] -> result[1]
// CHECK-NOT: {{.}}
func.func @main(%n: tensor<i32>, %a: tensor<i32>, %b: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %r:3 = scf.while (%i = %n, %p = %a, %q = %b) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
    %c = func.call @more(%i) : (tensor<i32>) -> tensor<i1>
    %more = tensor.extract %c[] : tensor<i1>
    scf.condition(%more) %i, %p, %q : tensor<i32>, tensor<i32>, tensor<i32>
  } do {
  ^bb0(%i: tensor<i32>, %p: tensor<i32>, %q: tensor<i32>):
    %0 = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
    scf.yield %0, %q, %p : tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %r#1, %r#2 : tensor<i32>, tensor<i32>
}

//--- 16.mlir

// So are those that branches leave in different places, and what is computed of them is where the result is.

// CHECK:      @main in an arena of 0 bytes
// CHECK-NEXT:   @next (argument[1]) -> scalar[0]
// CHECK-NEXT:   @next (scalar[0]) -> scalar[1]
// CHECK-NEXT:   tensor.extract (argument[0]) -> i1
// CHECK-NEXT:   scf.if{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:     block{{$}}
// CHECK-NEXT:       copy scalar[0] -> scalar[2]
// CHECK-NEXT:       copy scalar[1] -> scalar[0]
// CHECK-NEXT:       copy scalar[2] -> scalar[1]
// CHECK-NEXT:   @more (scalar[1]) -> result[1]
// CHECK-NEXT:   copy scalar[0] -> result[0]
// CHECK-NOT: {{.}}
func.func @main(%c: tensor<i1>, %a: tensor<i32>) -> (tensor<i32>, tensor<i1>) {
  %x = func.call @next(%a) : (tensor<i32>) -> tensor<i32>
  %y = func.call @next(%x) : (tensor<i32>) -> tensor<i32>
  %p = tensor.extract %c[] : tensor<i1>
  %r:2 = scf.if %p -> (tensor<i32>, tensor<i32>) {
    scf.yield %x, %y : tensor<i32>, tensor<i32>
  } else {
    scf.yield %y, %x : tensor<i32>, tensor<i32>
  }
  %m = func.call @more(%r#1) : (tensor<i32>) -> tensor<i1>
  return %r#0, %m : tensor<i32>, tensor<i1>
}

//--- kernels.mlir

func.func private @inc(tensor<4xi32>) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@inc.impl, results = [may_reuse 0]>}
func.func private @inc.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @rev(tensor<4xi32>) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@rev.impl>}
func.func private @rev.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @add(tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@add.impl, results = [may_reuse 0]>}
func.func private @add.impl(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)
func.func private @join(tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@join.impl>}
func.func private @join.impl(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)
func.func private @update(tensor<4xi32>, index) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<update>,
                xla_rt.implementation = #xla_rt.implementation<@update.impl, scratch = 256, results = [updates 0]>}
func.func private @update.impl(!llvm.ptr, index, !llvm.ptr, !llvm.ptr, index, index)
func.func private @more(tensor<i32>) -> tensor<i1>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@more.impl>}
func.func private @more.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @next(tensor<i32>) -> tensor<i32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@next.impl, results = [may_reuse 0]>}
func.func private @next.impl(!llvm.ptr, !llvm.ptr, index, index)
