// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only the GPU's stages do: plans for threads, kernels that are launched, their conversion to NVVM.

#ifndef MLIR_XLA_LOWERING_GPU_PASSES_TD
#define MLIR_XLA_LOWERING_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanThreads : Pass<"xla-plan-threads", "::mlir::ModuleOp"> {
  let summary = "Decide what each thread of a GPU does of a kernel";
  let description = [{
    Builds the loop nests of each kernel that has no plans yet and writes its decisions about them as `xla_rt.plans`:
    which iterations are items of work, and whether a thread, a warp or a block does one. Scatters get
    `#xla_rt.updates`.

    ```mlir
    func.func private @contraction_0(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>} {...}
    // =>
    func.func private @contraction_0(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>,
                    xla_rt.plans = [#xla_rt.nest<96x192x64, work d0, d1, reduce d2>]} {...}
    ```
  }];
  let dependentDialects = ["::mlir::xla::XlaRtDialect"];
}

def PlanBlocks : Pass<"xla-plan-blocks", "::mlir::ModuleOp"> {
  let summary = "Decide which sums of products blocks of a GPU's threads do, and in which tiles";
  let description = [{
    Kernels that sum products, are large enough and have no plans yet get `#xla_rt.blocks` as their plan. Those that
    warpgroups of sm_90a do faster get a second one, `xla_rt.plans_sm_90a`.

    ```mlir
    func.func private @contraction_0(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>} {...}
    // =>
    func.func private @contraction_0(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>,
                    xla_rt.plans = [#xla_rt.blocks<96x192x64, m d0 64, n d1 64, k d2 16, register 8x8>]} {...}
    ```
  }];
  let options = [
    Option<"instructions", "instructions", "std::string", [{""}],
           "mma: no plans for sm_90a; wgmma: these in place of the others">,
  ];
  let dependentDialects = ["::mlir::xla::XlaRtDialect"];
}

def EmitBlocks : Pass<"xla-emit-blocks", "::mlir::ModuleOp"> {
  let summary = "Give kernels with plans of blocks their code on the device";
  let description = [{
    A kernel whose plan is `#xla_rt.blocks` becomes one of `gpu.module @kernels`, with shared memory of its own, and
    host code that launches it.

    ```mlir
    func.func private @k(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>,
                    xla_rt.plans = [#xla_rt.blocks<96x192x64, m d0 64, n d1 64, k d2 16, register 8x8>]} {...}
    // =>
    func.func private @k(tensor<96x64xf32>, tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.implementation = #xla_rt.implementation<@k.impl>}
    func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %z: !llvm.ptr, %begin: index, %end: index) {
      gpu.launch_func @kernels::@k blocks in (%c6, %c1, %c1) threads in (%c64, %c1, %c1) args(...)
      return
    }
    gpu.module @kernels {
      llvm.mlir.global internal @k_shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<18432 x i8>
      gpu.func @k(%x: !llvm.ptr, %y: !llvm.ptr, %z: !llvm.ptr) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {...}
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::xla::XlaRtDialect"];
}

def FuseTransforms : Pass<"xla-fuse-transforms", "::mlir::ModuleOp"> {
  let summary = "Make elementwise code a part of the Fourier transform that it is beside";
  let description = [{
    An elementwise kernel that computes what a transform reads, for nobody else, becomes a part of the transform's
    kernel, and so does one that alone reads what has been transformed: the first pass computes elements where it would
    load them, and the last one goes on with them where it would store them. They are little code, and read memory about
    in the order of the transform's elements.

    ```mlir
    %0 = call @elementwise_0(%x) : (tensor<64x1000xf32>) -> tensor<64x1024xf32>
    %1 = call @library_1(%0) : (tensor<64x1024xf32>) -> tensor<64x513xcomplex<f32>>
    // =>
    %1 = call @library_1_0(%x) : (tensor<64x1000xf32>) -> tensor<64x513xcomplex<f32>>
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect", "::mlir::xla::XlaRtDialect"];
}

def LaunchLibraries : Pass<"xla-launch-libraries", "::mlir::ModuleOp"> {
  let summary = "Give kernels that call a library an implementation on the host";
  let description = [{
    A kernel that is a call of a library becomes host code which has the runtime copy the buffers to the host, call the
    function there, and copy the results back.

    ```mlir
    func.func private @library_0(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
      %e = tensor.empty() : tensor<8x8xf32>
      %0 = xla_rt.library_call "xla_rt_lapack_f" ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
          parameters = [8] work = 1 cost = 100 scratch = 0 -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
    // =>
    func.func private @library_0.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index)
        attributes {xla_rt.launches} {
      ...
      func.call @xla_rt_cuda_call_library(%call) : (!llvm.ptr) -> ()
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect", "::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::xla::XlaRtDialect"];
}

def LaunchKernels : Pass<"xla-launch-kernels", "::mlir::ModuleOp"> {
  let summary = "Make the implementations of kernels launches on a GPU";
  let description = [{
    Every implementation moves to `gpu.module @kernels`, where a kernel calls it: each thread does one item of work, or
    every n-th one if there are more items than n threads that may have scratch memory at the same time. What remains
    under its name is host code that launches the kernel, and meets the same contract. A call of a library that has no
    function for the device remains, too, and becomes one of the runtime, which copies the buffers to the host.

    ```mlir
    func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
        xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4>}
    func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) { ... }
    // =>
    func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
      return
    }
    gpu.module @kernels {
      gpu.func @k(%x: !llvm.ptr, %y: !llvm.ptr) kernel {
        %thread = gpu.thread_id x
        ...
        scf.if %some { func.call @k.impl(%x, %y, %item, %next) : (!llvm.ptr, !llvm.ptr, index, index) -> () }
        gpu.return
      }
      func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) { ... }
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect", "::mlir::xla::XlaRtDialect"];
}

def MarkPlaces : Pass<"xla-mark-places", "::mlir::ModuleOp"> {
  let summary = "Note which places of a tensor kernels write that update it";
  let description = [{
    A kernel that inserts a slice at a known place gets `xla_rt.places`: for each dimension of the updated tensor, where
    that begins, how many places it has, and how far apart they are; and the tensor's shape. `--xla-merge-launches` and
    `--xla-launch-loops` ask whether two kernels write different ones. Where the place is data, `xla_rt.placed_by` has
    the numbers of the arguments that say which it is.

    ```mlir
    func.func private @update_1(%x: tensor<2x3xf32>, %y: tensor<2x6xf32>) -> tensor<2x6xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
      %0 = tensor.insert_slice %x into %y[0, 3] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x6xf32>
      ...
    // =>
    func.func private @update_1(%x: tensor<2x3xf32>, %y: tensor<2x6xf32>) -> tensor<2x6xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<update>,
                    xla_rt.places = [array<i64: 0, 3>, array<i64: 2, 3>, array<i64: 1, 1>, array<i64: 2, 6>]} {
    ```
  }];
  let dependentDialects = ["::mlir::xla::XlaRtDialect"];
}

def SplitSteps : Pass<"xla-split-steps", "::mlir::ModuleOp"> {
  let summary = "Make a kernel of each launch of library calls that are a few";
  let description = [{
    The passes of a transform or a sort are launches of one kernel of the schedule. They become kernels of their own,
    which hand results and scratch memory on: the first one has them new, the others update them. So steps of two
    transforms that need nothing of each other can be one launch.

    ```mlir
    %0 = call @fft(%x) : (tensor<8192xcomplex<f32>>) -> tensor<8192xcomplex<f32>>
    // =>
    %0:2 = call @fft_step0(%x) : (tensor<8192xcomplex<f32>>) -> (tensor<8192xcomplex<f32>>, tensor<65536xi8>)
    %1:2 = call @fft_step1(%x, %0#0, %0#1) : (...) -> (tensor<8192xcomplex<f32>>, tensor<65536xi8>)
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::xla::XlaRtDialect"];
}

def MergeLaunches : Pass<"xla-merge-launches", "::mlir::ModuleOp"> {
  let summary = "Make one launch of kernels that need nothing of each other";
  let description = [{
    Calls of a block whose kernels do not fill the device, or take about as long as a launch, become one call if none
    reads what another one computes; so do updates of different places of one tensor. Calls that are not neighbours come
    next to each other, if what they read and what reads them allows it. Blocks of the merged kernel do the first
    kernel, the next ones the second; the same kernel for different arguments is there once, with a table of them. Small
    kernels that read what others compute are done by the last block to arrive, when all have done that.

    ```mlir
    %0 = call @a(%x) : (tensor<1000xf32>) -> tensor<1000xf32>
    %1 = call @a(%y) : (tensor<1000xf32>) -> tensor<1000xf32>
    // =>
    %0:2 = call @a_and_1_more(%x, %y) : (tensor<1000xf32>, tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::xla::XlaRtDialect"];
}

def LaunchLoops : Pass<"xla-launch-loops", "::mlir::ModuleOp"> {
  let summary = "Make loops of small kernels kernels of one block";
  let description = [{
    A loop that launches kernels, copies, fills and lets the device decide between branches, and does nothing else,
    becomes one kernel: its threads go through the loop together and do what the kernels' threads would do, with a
    barrier between two of them where a thread may come to memory that another one has written, or write what another
    one has accessed. So do they if each of the kernels has one block, or takes so little time that a launch takes
    longer. Kernels whose threads have shared memory or barriers need a block of their size, or are the first threads of
    a larger one, with a barrier of their own. What the host has computed in the loop, such as which buffer is which, it
    still does. A loop that ends by a predicate launches its kernel until that is false: each time it is many
    iterations, then the runtime is asked, so that the loop can be interrupted.

    ```mlir
    scf.while ... {
      func.call @k.impl(%x, %x, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
    }
    // =>
    gpu.launch_func @kernels::@loop blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : !llvm.ptr)
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::xla::XlaRtDialect"];
}

def ConvertToNVVM : Pass<"xla-convert-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Convert GPU modules to the NVVM dialect, and launches to calls of the runtime";
  let description = [{
    The functions of `gpu.module @kernels` are converted as those of the host are, and indices of threads become
    registers of NVVM. Kernels are numbered in their order, for the runtime.

    ```mlir
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : !llvm.ptr)
    // =>
    func.call @xla_rt_cuda_launch(%number, %sizes, %arguments) : (i64, !llvm.ptr, !llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::func::FuncDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // MLIR_XLA_LOWERING_GPU_PASSES_TD
