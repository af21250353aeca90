// RUN: xla-opt %s --split-input-file --to=kernels=instructions=pmaddwd,vpdpbusd,tdpbssd,tdpbf16ps,tdpfp16ps | FileCheck %s
// RUN: xla-opt %s --split-input-file --to=kernels="vector-bits=256 instructions=pmaddwd,vpdpbusd,tdpbssd,tdpbf16ps,tdpfp16ps" | FileCheck %s --check-prefix=NARROW
// RUN: xla-opt %s --split-input-file --to=loops="threads=1 instructions=pmaddwd,tdpbssd,tdpbf16ps,tdpfp16ps" | FileCheck %s --check-prefix=LOOPS
// Products in tile registers: 2 by 2 of them, 1 by 4 for few rows, 4 by 1 for few columns.

// NARROW-NOT: tdp

// Rows are read as they are: 512 bytes apart, whole steps, and not often. Sums are results, and written where these are.
// CHECK-LABEL: @bytes
// CHECK-LABEL: func.func private
// CHECK-SAME: xla_rt.plans = [#xla_rt.tiles<512x256x512, m d0 64, n d1 128, k d2 512, register 32x2, lanes 16, instruction tdpbssd, pack b>]

// The registers have their shapes before the work, and none after it.
// LOOPS-LABEL: func.func private @contraction_0.impl
// LOOPS: call @xla_rt_allow_tile_registers
// LOOPS: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// LOOPS: scf.for
// LOOPS-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero"
// LOOPS: scf.for
// LOOPS-COUNT-3: llvm.call_intrinsic "llvm.x86.tileloadd64"
// LOOPS-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbssd"
// LOOPS: llvm.call_intrinsic "llvm.x86.tileloadd64"
// LOOPS-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbssd"
// LOOPS-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"
// LOOPS-NOT: llvm.store
// LOOPS: llvm.call_intrinsic "llvm.x86.tilerelease"
// LOOPS-NEXT: return
module @bytes {
  func.func @main(%x: tensor<512x512xi8>, %y: tensor<512x256xi8>) -> tensor<512x256xi32> {
    %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x512xi8>, tensor<512x256xi8>) -> tensor<512x256xi32>
    return %0 : tensor<512x256xi32>
  }
}

// -----

// CHECK-LABEL: @unsigned_bytes
// CHECK: register 5x4, lanes 16, instruction tdpbssd, pack a, b>
// LOOPS: "llvm.x86.tdpbuud"
module @unsigned_bytes {
  func.func @main(%x: tensor<5x500xui8>, %y: tensor<500x300xui8>) -> tensor<5x300xi32> {
    %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<5x500xui8>, tensor<500x300xui8>) -> tensor<5x300xi32>
    return %0 : tensor<5x300xi32>
  }
}

// -----

// CHECK-LABEL: @two_types
// CHECK: register 24x2, lanes 16, instruction tdpbssd, pack a, b>
// LOOPS: "llvm.x86.tdpbsud"
module @two_types {
  func.func @main(%x: tensor<24x500xi8>, %y: tensor<500x300xui8>) -> tensor<24x300xi32> {
    %0 = xla.convert %x : (tensor<24x500xi8>) -> tensor<24x500xi32>
    %1 = xla.convert %y : (tensor<500x300xui8>) -> tensor<500x300xi32>
    %2 = xla.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<24x500xi32>, tensor<500x300xi32>) -> tensor<24x300xi32>
    return %2 : tensor<24x300xi32>
  }
}

// -----

// Several blocks of steps.
// CHECK-LABEL: @brains
// CHECK-NOT: xla_rt.kernel<elementwise>
// CHECK: xla_rt.plans = [#xla_rt.tiles<500x10x9000, m d0 256, n d1 16, k d2 1024, register 64x1, lanes 16, instruction tdpbf16ps, pack a, b>]
// LOOPS: "llvm.x86.tdpbf16ps"
module @brains {
  func.func @main(%x: tensor<500x9000xbf16>, %y: tensor<9000x10xbf16>) -> tensor<500x10xbf16> {
    %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<500x9000xbf16>, tensor<9000x10xbf16>) -> tensor<500x10xbf16>
    return %0 : tensor<500x10xbf16>
  }
}

// -----

// Many columns: rows are packed, a few of them for as many columns as the second-level cache holds.
// CHECK-LABEL: @many_columns
// CHECK: xla_rt.plans = [#xla_rt.tiles<512x600x512, m d0 64, n d1 320, k d2 512, register 32x2, lanes 16, instruction tdpbssd, pack a, b>]
module @many_columns {
  func.func @main(%x: tensor<512x512xi8>, %y: tensor<512x600xi8>) -> tensor<512x600xi32> {
    %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x512xi8>, tensor<512x600xi8>) -> tensor<512x600xi32>
    return %0 : tensor<512x600xi32>
  }
}

// -----

// Longer sums are one block where other rows find the columns packed.
// CHECK-LABEL: @long_sums
// CHECK: xla_rt.plans = [#xla_rt.tiles<512x512x2048, m d0 64, n d1 128, k d2 2048, register 32x2, lanes 16, instruction tdpbf16ps, pack a, b>]
module @long_sums {
  func.func @main(%x: tensor<512x2048xbf16>, %y: tensor<2048x512xbf16>) -> tensor<512x512xf32> {
    %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x2048xbf16>, tensor<2048x512xbf16>) -> tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
}

// -----

// CHECK-LABEL: @long_sums_of_few_rows
// CHECK: xla_rt.plans = [#xla_rt.tiles<64x512x2048, m d0 64, n d1 128, k d2 1024, register 32x2, lanes 16, instruction tdpbf16ps, pack a, b>]
module @long_sums_of_few_rows {
  func.func @main(%x: tensor<64x2048xbf16>, %y: tensor<2048x512xbf16>) -> tensor<64x512xf32> {
    %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x2048xbf16>, tensor<2048x512xbf16>) -> tensor<64x512xf32>
    return %0 : tensor<64x512xf32>
  }
}

// -----

// Few rows: a few steps of long rows of columns at a time.
// CHECK-LABEL: @few_rows
// CHECK: xla_rt.plans = [#xla_rt.tiles<8x4096x1024, m d0 8, n d1 1024, k d2 128, register 8x4, lanes 16, instruction tdpbf16ps, pack a, b>]
module @few_rows {
  func.func @main(%x: tensor<8x1024xbf16>, %y: tensor<1024x4096xbf16>) -> tensor<8x4096xbf16> {
    %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<8x4096xbf16>
    return %0 : tensor<8x4096xbf16>
  }
}

// -----

// CHECK-LABEL: @halves
// CHECK-NOT: xla_rt.kernel<elementwise>
// CHECK: instruction tdpfp16ps, pack b, work d0>
// LOOPS: "llvm.x86.tdpfp16ps"
module @halves {
  func.func @main(%x: tensor<3x64x96xf16>, %y: tensor<3x96x70xf16>) -> tensor<3x64x70xf16> {
    %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x64x96xf16>, tensor<3x96x70xf16>) -> tensor<3x64x70xf16>
    return %0 : tensor<3x64x70xf16>
  }
}
