// RUN: split-file %s %t
// RUN: xla-test-execute %t/kernels.mlir --linker | FileCheck %s --check-prefix=KERNELS
// RUN: xla-test-execute %t/library.mlir --linker | FileCheck %s --check-prefix=LIBRARY
// RUN: xla-test-execute %t/variable.mlir --from=loops --linker | FileCheck %s --check-prefix=VARIABLE
// What is compiled of programs is linked directly: instructions, tables of constants, calls of the runtime, of libm and of
// libraries. The JIT has everything else.

// KERNELS: linked directly
// KERNELS-NEXT: f32[2,3] 3.71828 2.71828 1
// LIBRARY: linked directly
// LIBRARY-NEXT: i32[3000] 2999 2998 2997
// VARIABLE: left to the JIT
// VARIABLE-NEXT: f32[1] 7

//--- kernels.mlir
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %table = xla.constant dense<[[1.0, 0.0, -1.0], [0.5, 0.25, 2.0]]> : tensor<2x3xf32>
  %0 = xla.exponential %table : tensor<2x3xf32>
  %1 = xla.cosine %x : tensor<2x3xf32>
  %2 = xla.add %0, %1 : tensor<2x3xf32>
  %3 = xla.slice %2 [0:1, 0:1] : (tensor<2x3xf32>) -> tensor<1x1xf32>
  %4 = xla.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<2x3xf32>
  %5 = xla.subtract %4, %x : tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}
//--- library.mlir
func.func @main(%x: tensor<3000xi32>) -> tensor<3000xi32> {
  %0 = "xla.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = xla.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %1 : tensor<i1>
  }) : (tensor<3000xi32>) -> tensor<3000xi32>
  return %0 : tensor<3000xi32>
}
//--- variable.mlir
llvm.mlir.global internal @variable(3.000000e+00 : f32) : f32
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr)
    attributes {xla_rt.signature = () -> tensor<1xf32>} {
  %four = arith.constant 4.0 : f32
  %variable = llvm.mlir.addressof @variable : !llvm.ptr
  %old = llvm.load volatile %variable : !llvm.ptr -> f32
  %new = arith.addf %old, %four : f32
  llvm.store volatile %new, %variable : f32, !llvm.ptr
  %again = llvm.load volatile %variable : !llvm.ptr -> f32
  %result = llvm.load %results : !llvm.ptr -> !llvm.ptr
  llvm.store %again, %result : f32, !llvm.ptr
  return
}
