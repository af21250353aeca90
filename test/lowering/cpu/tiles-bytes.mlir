// RUN: xla-opt %s --to=kernels=instructions=pmaddwd,vpdpbusd | FileCheck %s --check-prefix=VNNI
// RUN: xla-opt %s --to=kernels=instructions=pmaddwd | FileCheck %s --check-prefix=PAIRS
// RUN: xla-opt %s --to=kernels="vector-bits=256 instructions=pmaddwd,vpdpbusd" | FileCheck %s --check-prefix=AVX2
// RUN: xla-opt %s --to=kernels | FileCheck %s --check-prefix=NONE
// RUN: xla-opt %s --to=loops=instructions=pmaddwd,vpdpbusd | FileCheck %s --check-prefixes=LOOPS,LOOPS512
// RUN: xla-opt %s --to=loops="vector-bits=256 instructions=pmaddwd,vpdpbusd" | FileCheck %s --check-prefixes=LOOPS,LOOPS256
// RUN: xla-opt %s --to=loops=instructions=pmaddwd | FileCheck %s --check-prefix=PAIRED
// Products of bytes: four steps of an instruction where the processor has one, else two, else a nest.

// VNNI: xla_rt.plans = [#xla_rt.tiles<512x300x2500, m d0 258, n d1 128, k d2 1252, register 6x4, lanes 16, instruction vpdpbusd, pack a, b>]
// PAIRS: xla_rt.plans = [#xla_rt.tiles<512x300x2500, m d0 258, n d1 128, k d2 1252, register 6x4, lanes 16, instruction pmaddwd, pack a, b>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<512x300x2500, m d0 258, n d1 112, k d2 1252, register 6x2, lanes 8, instruction vpdpbusd, pack a, b>]
// NONE: xla_rt.plans = [#xla_rt.nest<512x300x2500,

// Signed by signed: the rows are made unsigned. What that adds is counted, negated, while columns are packed, and running
// values begin there: those of all rows at the same.
// LOOPS: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd
// LOOPS: arith.subi {{.*}} : vector<{{.*}}xi32>
// LOOPS: arith.xori {{.*}} : vector<{{.*}}xi8>
// LOOPS512-COUNT-4: llvm.load {{.*}} -> vector<16xi32>
// LOOPS512-NOT: llvm.load {{.*}} -> vector<16xi32>
// LOOPS512-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"({{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// LOOPS256-COUNT-12: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"({{.*}}) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
// LOOPS-NOT: vpdpbusd
// The sums of a block of k are added to those before, row by row.
// LOOPS512-COUNT-4: arith.addi {{.*}} : vector<16xi32>
// LOOPS512-NOT: arith.addi {{.*}} : vector<16xi32>
// PAIRED: arith.extsi {{.*}} : vector<32xi8> to vector<32xi16>
// PAIRED-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"({{.*}}) : (vector<32xi16>, vector<32xi16>) -> vector<16xi32>
// PAIRED-NOT: pmaddw
func.func @main(%x: tensor<512x2500xi8>, %y: tensor<2500x300xi8>) -> tensor<512x300xi32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x2500xi8>, tensor<2500x300xi8>) -> tensor<512x300xi32>
  return %0 : tensor<512x300xi32>
}
