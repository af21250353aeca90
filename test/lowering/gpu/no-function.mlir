// RUN: not xla-opt %s --xla-convert-to-nvvm 2>&1 | FileCheck %s
// A function that no instruction computes is an error before LLVM sees it.

// CHECK: error: 'math.sin' op has no instruction on the device
module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func private @f(%x: f64) -> f64 {
      %0 = math.sin %x : f64
      return %0 : f64
    }
  }
}
