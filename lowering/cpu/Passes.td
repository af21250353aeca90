// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last pass of the `kernels` stage, and the first of the `loops` stage.

#ifndef MLIR_XLA_LOWERING_CPU_PASSES_TD
#define MLIR_XLA_LOWERING_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"
include "mlir_xla/lowering/MachineOptions.td"

def PlanKernels : Pass<"xla-plan-kernels", "::mlir::ModuleOp"> {
  let summary = "Decide how the loop nests of every kernel are walked";
  let description = [{
    Builds the loop nests of each kernel that has no plans yet and writes its decisions about them as `xla_rt.plans`:
    one `#xla_rt.nest` for each nest, in the order in which they run.

    ```mlir
    func.func private @contraction_0(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>} {...}
    // =>
    func.func private @contraction_0(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>,
                    xla_rt.plans = [#xla_rt.nest<96x192x64, lanes d1 16x4, jam d0 6, reduce d2, cut d1 64>]} {...}
    ```
  }];
  let dependentDialects = ["::mlir::xla::XlaRtDialect"];
  let options = machineOptions;
}

def EmitKernels : Pass<"xla-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Give every kernel an implementation in loops, vectors and pointers";
  let description = [{
    A kernel, a private function of linalg-stage ops on tensors, becomes a declaration plus an implementation
    `@NAME.impl` on bare pointers that computes the slice `[begin, end)` of the kernel's parallel work. Its loop nests
    are walked as `xla_rt.plans` says, or, if the kernel has no plans, as `xla-plan-kernels` would decide. A plan that
    its nest does not allow is an error.

    ```mlir
    func.func private @double(%x: tensor<1024xf32>) -> tensor<1024xf32> 
        attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
      %c = arith.constant dense<2.0> : tensor<f32>
      %e = tensor.empty() : tensor<1024xf32>
      %0 = linalg.generic ... { %m = arith.mulf %in, %in_0 : f32 ... }
      return %0 : tensor<1024xf32>
    }
    // =>
    func.func private @double(tensor<1024xf32>) -> tensor<1024xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                    xla_rt.implementation = #xla_rt.implementation<@double.impl, cost = 205, results = [may_reuse 0]>}
    func.func private @double.impl(%x: !llvm.ptr, %out: !llvm.ptr, %begin: index, %end: index) {
      scf.for %i = %c0 to %c1024 step %c16 : i64 {
        %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
        ...
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect", "::mlir::xla::XlaRtDialect"];
  let options = machineOptions # [
    Option<"reuse", "reuse", "bool", "true", "Offer results the memory of arguments that are read no more">,
    Option<"device", "device", "bool", "false", "For a GPU: plans may have threads and aligned buffers">,
  ];
}

def AssignBuffers : Pass<"xla-assign-buffers", "ModuleOp"> {
  let summary = "Give every tensor of the schedule a place in memory";
  let description = [{
    Rewrites the schedule `@main` from tensors to pointers. Tensors live in one arena, in the results' buffers, in
    the arguments (read only), in constants or, a few small ones, on the stack (`frame`, and numbers in variables of
    their own); values whose lives do not overlap share arena space, and kernels that may or must work in place do so
    when the value they overwrite is not needed any more. Loops carry pointers: a body that updates in place carries
    nothing at all, one that computes a new value into other memory swaps two pointers. Numbers on the stack are copied
    instead.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = func.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @k(tensor<4xf32>) -> tensor<4xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                    xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4>}
    // becomes
    func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr)
        attributes {xla_rt.arena_size = 0 : i64, xla_rt.signature = (tensor<4xf32>) -> tensor<4xf32>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %x = llvm.load %args : !llvm.ptr -> !llvm.ptr
      %0 = llvm.load %results : !llvm.ptr -> !llvm.ptr
      func.call @k.impl(%x, %0, %c0, %c4) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
      return
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "0", "1: no parallel loops; otherwise the runtime decides how many">,
    Option<"frame", "frame", "int64_t", "0", "Bytes of the stack that small values may take">,
    Option<"device", "device", "bool", "false", "Buffers are in the memory of a GPU, which the schedule cannot touch">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::xla::XlaRtDialect"];
}

def PollLoops : Pass<"xla-poll-loops", "ModuleOp"> {
  let summary = "Let programs be stopped";
  let description = [{
    Calls `xla_rt_poll`, which does not return if the execution is to end, about every 100 microseconds of estimated
    work. A call of a kernel that takes longer than a millisecond becomes one for a few items of its work at a time; the
    thread pool does likewise. Only in items that take long the loops get polls. In the schedule a poll follows every
    millisecond of calls, and loops carry a budget from which iterations take:

    ```mlir
    scf.while : () -> () {
      ...
    } do {
      func.call @k.impl(%p, %c0, %c1) : (!llvm.ptr, index, index) -> ()
      scf.yield
    }
    // becomes
    scf.while (%b = %c100000) : (i64) -> i64 {
      ... scf.condition(%more) %b : i64
    } do {
    ^bb0(%left: i64):
      %rest = arith.subi %left, %c53 : i64
      %spent = arith.cmpi slt, %rest, %c0 : i64
      %next = scf.if %spent -> i64 {
        func.call @xla_rt_poll() : () -> ()
        scf.yield %c100000 : i64
      } else {
        scf.yield %rest : i64
      }
      func.call @k.impl(%p, %c0, %c1) : (!llvm.ptr, index, index) -> ()
      scf.yield %next : i64
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::xla::XlaRtDialect"];
}

def InlineKernels : Pass<"xla-inline-kernels", "ModuleOp"> {
  let summary = "Write out short kernels in the schedule";
  let description = [{
    A kernel that is one block of at most 48 operations is copied to each place in a loop of `@main` that calls it, and
    removed if nothing else does. With `once`, so is one of at most 192, with loops and branches but without memory of
    its own, that is called in one place only, if `@main` has at most 512 operations.

    ```mlir
    scf.while ... do {
      func.call @k.impl(%p, %q, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
    }
    // becomes
    scf.while ... do {
      %one = arith.constant 1 : i32
      %x = llvm.load %p : !llvm.ptr -> i32
      %y = arith.addi %x, %one : i32
      llvm.store %y, %q : i32, !llvm.ptr
    }
    ```
  }];
  let options = [Option<"once", "once", "bool", "false", "Kernels that are called in one place only, too">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // MLIR_XLA_LOWERING_CPU_PASSES_TD
