// RUN: split-file %s %t
// RUN: cat %t/00.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/00.mlir
// RUN: cat %t/01.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/01.mlir
// RUN: cat %t/02.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/02.mlir
// RUN: cat %t/03.mlir %t/kernels.mlir | xla-opt --xla-print-buffer-plan=device -o /dev/null | FileCheck %t/03.mlir

// Results that may take the memory of an argument that is given away.

//--- 00.mlir

// A kernel that may work in place; one that may not, once nothing reads the argument any more.

// CHECK: @main in an arena of {{[0-9]+}} bytes, result[0] in argument[0] if that is given away, result[1] in argument[0] if that is given away, result[1] in argument[1] if that is given away
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = func.call @rev(%y) : (tensor<4xi32>) -> tensor<4xi32>
  %2 = func.call @rev(%1) : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %2 : tensor<4xi32>, tensor<4xi32>
}

//--- 01.mlir

// The kernel reads elsewhere than it writes.

// CHECK: @main in an arena of {{[0-9]+}} bytes{{$}}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

//--- 02.mlir

// The argument is read later, as a result; its copy may stay where it is.

// CHECK: @main in an arena of {{[0-9]+}} bytes, result[1] in argument[0] if that is given away{{$}}
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %x : tensor<4xi32>, tensor<4xi32>
}

//--- 03.mlir

// The other operand is the same argument.

// CHECK: @main in an arena of {{[0-9]+}} bytes{{$}}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = func.call @add(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
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
