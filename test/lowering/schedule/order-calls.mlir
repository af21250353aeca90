// RUN: split-file %s %t
// RUN: cat %t/00.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/00.mlir
// RUN: cat %t/01.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/01.mlir
// RUN: cat %t/02.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/02.mlir
// RUN: cat %t/03.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/03.mlir
// RUN: cat %t/04.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/04.mlir
// RUN: cat %t/05.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan -o /dev/null | FileCheck %t/05.mlir

// The order of calls, by the memory that values hold, and what of that is memory of results. @rev computes a new value, @both one of two, @join one in place of its first, @less a small one.

//--- 00.mlir

// What is made of arguments waits until it is read.

// CHECK:      @main in an arena of 7680 bytes
// CHECK-NEXT:   @rev (argument[0]) -> [[A:arena\[.*\]]]
// CHECK-NEXT:   @rev (argument[1]) -> [[B:arena\[.*\]]]
// CHECK-NEXT:   @both ([[A]], [[B]]) -> result[0]
// CHECK-NEXT:   @rev (argument[2]) -> [[C:arena\[.*\]]]
// CHECK-NEXT:   @both ([[C]], argument[0]) -> result[1]
func.func @main(%x: tensor<960xi32>, %y: tensor<960xi32>, %z: tensor<960xi32>) -> (tensor<960xi32>, tensor<960xi32>) {
  %2 = func.call @rev(%z) : (tensor<960xi32>) -> tensor<960xi32>
  %0 = func.call @rev(%x) : (tensor<960xi32>) -> tensor<960xi32>
  %1 = func.call @rev(%y) : (tensor<960xi32>) -> tensor<960xi32>
  %3 = func.call @both(%0, %1) : (tensor<960xi32>, tensor<960xi32>) -> tensor<960xi32>
  %4 = func.call @both(%2, %x) : (tensor<960xi32>, tensor<960xi32>) -> tensor<960xi32>
  return %3, %4 : tensor<960xi32>, tensor<960xi32>
}

//--- 01.mlir

// What reads the last of a large value, and makes a small one of it, comes as soon as it can. Views go with their readers.

// CHECK:      @main in an arena of 7680 bytes
// CHECK-NEXT:   @rev (argument[0]) -> [[A:arena\[.*\]]]
// CHECK-NEXT:   tensor.expand_shape ([[A]]) -> [[A]]
// CHECK-NEXT:   tensor.collapse_shape ([[A]]) -> [[A]]
// CHECK-NEXT:   @less ([[A]]) -> [[S:arena\[.*\]]]
// CHECK-NEXT:   @rev4 ([[S]]) -> result[1]
// CHECK-NEXT:   @rev ([[A]]) -> [[B:arena\[.*\]]]
// CHECK-NEXT:   @rev ([[B]]) -> [[C:arena\[.*\]]]
// CHECK-NEXT:   @rev ([[C]]) -> result[0]
func.func @main(%x: tensor<960xi32>) -> (tensor<960xi32>, tensor<4xi32>) {
  %0 = func.call @rev(%x) : (tensor<960xi32>) -> tensor<960xi32>
  %1 = func.call @rev(%0) : (tensor<960xi32>) -> tensor<960xi32>
  %2 = func.call @rev(%1) : (tensor<960xi32>) -> tensor<960xi32>
  %3 = func.call @rev(%2) : (tensor<960xi32>) -> tensor<960xi32>
  %v = tensor.expand_shape %0 [[0, 1]] output_shape [30, 32] : tensor<960xi32> into tensor<30x32xi32>
  %w = tensor.collapse_shape %v [[0, 1]] : tensor<30x32xi32> into tensor<960xi32>
  %4 = func.call @less(%w) : (tensor<960xi32>) -> tensor<4xi32>
  %5 = func.call @rev4(%4) : (tensor<4xi32>) -> tensor<4xi32>
  return %3, %5 : tensor<960xi32>, tensor<4xi32>
}

//--- 02.mlir

// An order that takes no less is left alone: results of the program have memory of their own.

// CHECK:      @main in an arena of 3840 bytes
// CHECK-NEXT:   @rev (argument[1]) -> result[1]
// CHECK-NEXT:   @rev (argument[0]) -> [[A:arena\[.*\]]]
// CHECK-NEXT:   @rev ([[A]]) -> result[0]
func.func @main(%x: tensor<960xi32>, %y: tensor<960xi32>) -> (tensor<960xi32>, tensor<960xi32>) {
  %0 = func.call @rev(%y) : (tensor<960xi32>) -> tensor<960xi32>
  %1 = func.call @rev(%x) : (tensor<960xi32>) -> tensor<960xi32>
  %2 = func.call @rev(%1) : (tensor<960xi32>) -> tensor<960xi32>
  return %2, %0 : tensor<960xi32>, tensor<960xi32>
}

//--- 03.mlir

// In bodies of loops, too, and not across them.

// CHECK:      scf.while
// CHECK:        @rev (argument[1]) -> [[A:arena\[.*\]]]
// CHECK-NEXT:   @join
// CHECK-NEXT:   @rev (argument[2]) -> [[A]]
// CHECK-NEXT:   @join
func.func @main(%x: tensor<960xi32>, %y: tensor<960xi32>, %z: tensor<960xi32>) -> tensor<960xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> tensor<960xi32> {
    %0 = func.call @rev(%y) : (tensor<960xi32>) -> tensor<960xi32>
    %1 = func.call @rev(%z) : (tensor<960xi32>) -> tensor<960xi32>
    %2 = func.call @join(%a, %0) : (tensor<960xi32>, tensor<960xi32>) -> tensor<960xi32>
    %3 = func.call @join(%2, %1) : (tensor<960xi32>, tensor<960xi32>) -> tensor<960xi32>
    scf.yield %3 : tensor<960xi32>
  }
  return %r : tensor<960xi32>
}

//--- 04.mlir

// A large value lives in the memory of a result that is computed after its end, a piece of it if it is smaller. What the
// kernel of the result itself reads does not.

// CHECK:      @main in an arena of 4096 bytes
// CHECK-NEXT:   @big (argument[0]) -> result[0][0:4096]
// CHECK-NEXT:   @big (argument[0]) -> result[1]
// CHECK-NEXT:   @big (result[0][0:4096]) -> arena[0:4096]
// CHECK-NEXT:   @grow (arena[0:4096]) -> result[0]
func.func @main(%x: tensor<1024xi32>) -> (tensor<2048xi32>, tensor<1024xi32>) {
  %0 = func.call @big(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  %3 = func.call @big(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = func.call @big(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  %2 = func.call @grow(%1) : (tensor<1024xi32>) -> tensor<2048xi32>
  return %2, %3 : tensor<2048xi32>, tensor<1024xi32>
}

//--- 05.mlir

// Not in that of a result of smaller elements, whose alignment is less.

// CHECK:      @main in an arena of 8192 bytes
// CHECK-NEXT:   @big (argument[0]) -> arena[0:4096]
// CHECK-NEXT:   @big (arena[0:4096]) -> arena[4096:8192]
// CHECK-NEXT:   @bytes (arena[4096:8192]) -> result[0]
func.func @main(%x: tensor<1024xi32>) -> tensor<8192xi8> {
  %0 = func.call @big(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = func.call @big(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  %2 = func.call @bytes(%1) : (tensor<1024xi32>) -> tensor<8192xi8>
  return %2 : tensor<8192xi8>
}

//--- kernels.mlir

func.func private @big(tensor<1024xi32>) -> tensor<1024xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@big.impl, cost = 10>}
func.func private @big.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @grow(tensor<1024xi32>) -> tensor<2048xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@grow.impl, cost = 10>}
func.func private @grow.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @bytes(tensor<1024xi32>) -> tensor<8192xi8> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@bytes.impl, cost = 10>}
func.func private @bytes.impl(!llvm.ptr, !llvm.ptr, index, index)

func.func private @rev(tensor<960xi32>) -> tensor<960xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@rev.impl, cost = 10>}
func.func private @rev.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @join(tensor<960xi32>, tensor<960xi32>) -> tensor<960xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@join.impl, cost = 10, results = [may_reuse 0]>}
func.func private @both(tensor<960xi32>, tensor<960xi32>) -> tensor<960xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@both.impl, cost = 10>}
func.func private @both.impl(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)
func.func private @join.impl(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)
func.func private @less(tensor<960xi32>) -> tensor<4xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@less.impl, cost = 10>}
func.func private @less.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @rev4(tensor<4xi32>) -> tensor<4xi32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@rev4.impl, cost = 10>}
func.func private @rev4.impl(!llvm.ptr, !llvm.ptr, index, index)
