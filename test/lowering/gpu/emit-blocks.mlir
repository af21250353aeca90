// RUN: xla-opt %s --target=cuda --to=kernels | sed 's/#xla_rt.blocks<[^>]*>/#xla_rt.blocks<96x192x128, m d0 32, n d1 32, k d2 16, register 4x4>/' > %t
// RUN: xla-opt %t --target=cuda --from=kernels --to=loops | FileCheck %s --check-prefix=LOOPS
// RUN: xla-opt %t --target=cuda --from=kernels --to=llvm | FileCheck %s --check-prefix=NVVM
// RUN: xla-opt %s --target=cuda --to=kernels | sed 's/#xla_rt.blocks<[^>]*>/#xla_rt.blocks<96x192x128, m d0 64, n d1 64, k d2 32, register 32x32, instruction mma, stages 3>/' \
// RUN:   | xla-opt --target=cuda --from=kernels --to=llvm | FileCheck %s --check-prefix=MMA
// RUN: xla-opt %s --target=cuda --to=kernels | sed 's/#xla_rt.blocks<[^>]*>/#xla_rt.blocks<96x192x128, m d0 64, n d1 64, k d2 16, register 8x8>/' \
// RUN:   | xla-opt --target=cuda --from=kernels --to=loops | FileCheck %s --check-prefix=OTHERS
// A tile of 32x32 by 64 threads, a block of the grid for each of 3x6.

// LOOPS: func.func private @contraction_0.impl({{.*}}) attributes {xla_rt.buffer_bytes = array<i64: {{.*}}>, xla_rt.launches}
// LOOPS-DAG: %[[GRID:.*]] = arith.constant 18 : index
// LOOPS-DAG: %[[THREADS:.*]] = arith.constant 64 : index
// LOOPS: gpu.launch_func @kernels::@contraction_0 blocks in (%[[GRID]], {{.*}}) threads in (%[[THREADS]],
// LOOPS: llvm.mlir.global internal @contraction_0_shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<8192 x i8>
// LOOPS: gpu.func @contraction_0({{.*}}) kernel attributes {known_block_size = array<i32: 64, 1, 1>}
// The first tile of rows and columns, 8 values each for a thread.
// LOOPS-COUNT-4: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<4xbf16>
// LOOPS: scf.for
// LOOPS: gpu.barrier
// LOOPS: scf.if
// LOOPS: scf.for
// LOOPS-COUNT-64: math.fma {{[^ ]*, [^ ]*, [^ ]*}} : f32
// LOOPS-NOT: math.fma
// LOOPS: gpu.barrier
// What a thread reads of the sums are its own: no second barrier before results.
// LOOPS-NOT: gpu.barrier
// LOOPS: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<4xbf16>, !llvm.ptr

// Of 8 columns a thread has, results of 4 are computed at a time, by others.
// OTHERS-COUNT-64: math.fma
// OTHERS-COUNT-2: gpu.barrier
// OTHERS: gpu.return

// NVVM: nvvm.maxntid = array<i32: 64, 1, 1>
// NVVM: nvvm.barrier

// Three stages: two tiles are asked for before the loop, 4 copies of 16 bytes for each thread, the third within it.
// MMA-COUNT-4: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// MMA: nvvm.cp.async.commit.group
// MMA-COUNT-4: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// MMA: nvvm.cp.async.commit.group
// MMA: nvvm.cp.async.wait.group 1
// MMA: nvvm.barrier
// MMA-COUNT-4: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// MMA: nvvm.cp.async.commit.group
// Rows along k are read as they are, columns along n transposed; 2x4 products of 16x8 for each of two steps.
// MMA: nvvm.ldmatrix %{{.*}} {{.*}}layout = #nvvm.mma_layout<row>
// MMA: nvvm.ldmatrix %{{.*}} {{.*}}layout = #nvvm.mma_layout<col>
// MMA-COUNT-16: nvvm.mma.sync
// MMA-NOT: nvvm.mma.sync
func.func @main(%x: tensor<96x128xbf16>, %y: tensor<128x192xbf16>) -> tensor<96x192xbf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x128xbf16>, tensor<128x192xbf16>) -> tensor<96x192xbf16>
  return %0 : tensor<96x192xbf16>
}
