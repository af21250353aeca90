// RUN: xla-opt %s --split-input-file --to=kernels="vector-bits=256" | FileCheck %s --check-prefixes=CHECK,PAIRS
// RUN: xla-opt %s --split-input-file --to=kernels="vector-bits=512" | FileCheck %s --check-prefixes=CHECK,LINES
// RUN: xla-opt %s --split-input-file --to=loops="vector-bits=256" | FileCheck %s --check-prefix=EMIT

// A transposition that is written past the caches writes whole lines: of vectors of 256 bits, two at a time.

// CHECK-LABEL: @large
// PAIRS: xla_rt.plans = [#xla_rt.nest<4096x2048, lanes d1 8x2, jam d0 4, cut d1 512, cut d0 64, transpose 4, stream>]
// LINES: xla_rt.plans = [#xla_rt.nest<4096x2048, lanes d1 16x1, jam d0 16, cut d1 512, cut d0 64, transpose 4, stream>]
// EMIT-LABEL: @large
// Of four rows.
// EMIT-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 32 : i64, nontemporal} : vector<8xf32>
// EMIT-NOT: nontemporal
// EMIT: llvm.call_intrinsic "llvm.x86.sse.sfence"
module @large {
  func.func @main(%x: tensor<2048x4096xf32>) -> tensor<4096x2048xf32> {
    %0 = xla.transpose %x, dims = [1, 0] : (tensor<2048x4096xf32>) -> tensor<4096x2048xf32>
    return %0 : tensor<4096x2048xf32>
  }
}

// -----

// Rows of 2040 elements are no whole lines: half of those that begin somewhere would be written in two steps.
// CHECK-LABEL: @no_lines
// PAIRS: lanes d1 8x1, jam d0 4, {{.*}} transpose 4>]
// LINES: lanes d1 16x1, jam d0 4, {{.*}} transpose 4>]
module @no_lines {
  func.func @main(%x: tensor<2040x4096xf32>) -> tensor<4096x2040xf32> {
    %0 = xla.transpose %x, dims = [1, 0] : (tensor<2040x4096xf32>) -> tensor<4096x2040xf32>
    return %0 : tensor<4096x2040xf32>
  }
}

// -----

// What is computed along the way makes no difference.
// CHECK-LABEL: @sum
// PAIRS: lanes d1 8x2, jam d0 4, {{.*}} transpose 4, stream>]
// LINES: lanes d1 16x1, {{.*}} transpose 4, stream>]
module @sum {
  func.func @main(%x: tensor<2048x4096xf32>, %y: tensor<4096x2048xf32>) -> tensor<4096x2048xf32> {
    %0 = xla.transpose %x, dims = [1, 0] : (tensor<2048x4096xf32>) -> tensor<4096x2048xf32>
    %1 = xla.add %0, %y : tensor<4096x2048xf32>
    return %1 : tensor<4096x2048xf32>
  }
}

// -----

// One that the caches hold is not written by halves of lines, either.
// CHECK-LABEL: @small
// PAIRS: xla_rt.plans = [#xla_rt.nest<256x264, lanes d1 8x2, jam d0 4, transpose 4>]
// LINES: xla_rt.plans = [#xla_rt.nest<256x264, lanes d1 16x1, jam d0 4, transpose 4>]
module @small {
  func.func @main(%x: tensor<264x256xf32>) -> tensor<256x264xf32> {
    %0 = xla.transpose %x, dims = [1, 0] : (tensor<264x256xf32>) -> tensor<256x264xf32>
    return %0 : tensor<256x264xf32>
  }
}

// -----

// Rows that begin anywhere in a line are written by vector.
// CHECK-LABEL: @odd
// PAIRS: lanes d1 8x1, jam d0 4, {{.*}}transpose 4>]
// LINES: lanes d1 16x1, jam d0 4, {{.*}}transpose 4>]
module @odd {
  func.func @main(%x: tensor<257x256xf32>) -> tensor<256x257xf32> {
    %0 = xla.transpose %x, dims = [1, 0] : (tensor<257x256xf32>) -> tensor<256x257xf32>
    return %0 : tensor<256x257xf32>
  }
}

// -----

// Elements of 16 bits come in chunks of eight: two vectors of each would be all registers.
// CHECK-LABEL: @halves
// PAIRS: lanes d1 16x1, jam d0 8, transpose 8>]
// LINES: lanes d1 32x1, jam d0 8, transpose 8>]
module @halves {
  func.func @main(%x: tensor<256x256xi16>) -> tensor<256x256xi16> {
    %0 = xla.transpose %x, dims = [1, 0] : (tensor<256x256xi16>) -> tensor<256x256xi16>
    return %0 : tensor<256x256xi16>
  }
}

// -----

// Not past the caches, either, where those write lines of 32 elements.
// CHECK-LABEL: @large_halves
// PAIRS: lanes d1 16x1, jam d0 8, {{.*}}transpose 8>]
// LINES: lanes d1 32x1, {{.*}}transpose 8, stream>]
module @large_halves {
  func.func @main(%x: tensor<4096x4096xi16>) -> tensor<4096x4096xi16> {
    %0 = xla.transpose %x, dims = [1, 0] : (tensor<4096x4096xi16>) -> tensor<4096x4096xi16>
    return %0 : tensor<4096x4096xi16>
  }
}
