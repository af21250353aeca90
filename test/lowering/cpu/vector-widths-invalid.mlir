// RUN: not xla-opt %s --xla-plan-kernels=vector-bits=100 2>&1 | FileCheck %s
// RUN: not xla-opt %s --xla-emit-kernels=vector-bits=100 2>&1 | FileCheck %s
// RUN: not xla-opt %s --xla-pack-contractions=vector-bits=100 2>&1 | FileCheck %s

// CHECK: error: vectors have 128, 256 or 512 bits, not 100
module {}
