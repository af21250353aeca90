// RUN: xla-opt %s --xla-emit-kernels --split-input-file | FileCheck %s

// A table of 15 numbers is read once, before the loop, and not beyond its end. Places are clamped in 32 bits, and those of
// the last lanes, which are outside of the nest, are any.
// CHECK-LABEL: func.func private @table.impl
// CHECK-DAG: %[[INSIDE:.*]] = arith.constant dense<[true, {{.*}}, true, false]> : vector<16xi1>
// CHECK: %[[TABLE:.*]] = llvm.intr.masked.load %arg1, %[[INSIDE]]
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[TABLE]] : vector<16xf32> to vector<16xi32>
// CHECK: scf.for
// CHECK-NOT: gather
// CHECK: %[[AT:.*]] = arith.minsi {{.*}} : vector<16xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"(%[[BITS]], %[[AT]])
// CHECK-NOT: gather
// CHECK: llvm.intr.masked.store
#row = affine_map<(d0) -> (d0)>
func.func private @table(%x: tensor<100xi32>, %t: tensor<15xf32>) -> tensor<100xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<100, lanes d0 16x1, lookup 16>]} {
  %e = tensor.empty() : tensor<100xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<100xi32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: i32, %out: f32):
    %c0 = arith.constant 0 : index
    %c14 = arith.constant 14 : index
    %i = arith.index_cast %a : i32 to index
    %low = arith.maxsi %i, %c0 : index
    %at = arith.minsi %low, %c14 : index
    %v = tensor.extract %t[%at] : tensor<15xf32>
    linalg.yield %v : f32
  } -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// -----

// Two registers have 20 numbers of 8 bits, as wider ones; 32 lanes are two permutations.
// CHECK-LABEL: func.func private @bytes.impl
// CHECK: %[[LOW:.*]] = llvm.load %arg1 {{.*}} -> vector<16xi8>
// CHECK: %[[FIRST:.*]] = arith.extui %[[LOW]] : vector<16xi8> to vector<16xi32>
// CHECK: llvm.intr.masked.load
// CHECK: %[[SECOND:.*]] = arith.extui {{.*}} : vector<16xi8> to vector<16xi32>
// CHECK: scf.for
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.d.512"(%[[FIRST]], %{{.*}}, %[[SECOND]])
// CHECK: arith.trunci {{.*}} : vector<32xi32> to vector<32xi8>
#row = affine_map<(d0) -> (d0)>
func.func private @bytes(%x: tensor<96xi8>, %t: tensor<20xi8>) -> tensor<96xi8>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<96, lanes d0 32x1, lookup 16>]} {
  %e = tensor.empty() : tensor<96xi8>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<96xi8>) outs(%e : tensor<96xi8>) {
  ^bb0(%a: i8, %out: i8):
    %c20 = arith.constant 20 : i8
    %r = arith.remui %a, %c20 : i8
    %at = arith.index_castui %r : i8 to index
    %v = tensor.extract %t[%at] : tensor<20xi8>
    linalg.yield %v : i8
  } -> tensor<96xi8>
  return %0 : tensor<96xi8>
}

// -----

// Registers of 256 bits: two permutations, of which a bit of the place chooses, as a sign. A row that a loop changes is read there.
// CHECK-LABEL: func.func private @rows.impl
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> vector<8xf32>
// CHECK: llvm.intr.masked.load
// CHECK: scf.for
// CHECK: %[[IN_LOW:.*]] = llvm.call_intrinsic "llvm.x86.avx2.permd"
// CHECK: %[[IN_HIGH:.*]] = llvm.call_intrinsic "llvm.x86.avx2.permd"
// CHECK: %[[SIGN:.*]] = arith.shli
// CHECK: %[[IS_HIGH:.*]] = arith.cmpi slt, %[[SIGN]]
// CHECK: arith.select %[[IS_HIGH]], %[[IN_HIGH]], %[[IN_LOW]]
#both = affine_map<(d0, d1) -> (d0, d1)>
func.func private @rows(%x: tensor<4x64xi32>, %t: tensor<4x12xf32>) -> tensor<4x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<4x64, lanes d1 8x1, loop d0, lookup 8>]} {
  %e = tensor.empty() : tensor<4x64xf32>
  %0 = linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x64xi32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%a: i32, %out: f32):
    %row = linalg.index 0 : index
    %c0 = arith.constant 0 : i32
    %c11 = arith.constant 11 : i32
    %low = arith.maxsi %a, %c0 : i32
    %clamped = arith.minsi %low, %c11 : i32
    %at = arith.index_cast %clamped : i32 to index
    %v = tensor.extract %t[%row, %at] : tensor<4x12xf32>
    linalg.yield %v : f32
  } -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

// Seven registers have 100 numbers, of which three pairs and one are read, and bits of the place choose.
// CHECK-LABEL: func.func private @hundred.impl
// CHECK: scf.for
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.d.512"
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"
// CHECK: arith.cmpi ne
// CHECK: arith.select
// CHECK: arith.select
// CHECK: arith.select
// CHECK-NOT: arith.select
#row = affine_map<(d0) -> (d0)>
func.func private @hundred(%x: tensor<160xi32>, %t: tensor<100xf32>) -> tensor<160xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<160, lanes d0 16x1, lookup 16>]} {
  %e = tensor.empty() : tensor<160xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<160xi32>) outs(%e : tensor<160xf32>) {
  ^bb0(%a: i32, %out: f32):
    %c100 = arith.constant 100 : i32
    %r = arith.remui %a, %c100 : i32
    %at = arith.index_cast %r : i32 to index
    %v = tensor.extract %t[%at] : tensor<100xf32>
    linalg.yield %v : f32
  } -> tensor<160xf32>
  return %0 : tensor<160xf32>
}

// -----

// Of a larger table the places are computed in 32 bits, too.
// CHECK-LABEL: func.func private @gathered.impl
// CHECK: %[[LOW:.*]] = arith.maxsi {{.*}} : vector<16xi32>
// CHECK: %[[AT:.*]] = arith.minsi %[[LOW]], {{.*}} : vector<16xi32>
// CHECK: %[[POINTERS:.*]] = llvm.getelementptr {{.*}}[%[[AT]]] : (!llvm.ptr, vector<16xi32>)
// CHECK: llvm.intr.masked.gather %[[POINTERS]]
#row = affine_map<(d0) -> (d0)>
func.func private @gathered(%x: tensor<160xi32>, %t: tensor<1000xf32>) -> tensor<160xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<160, lanes d0 16x1>]} {
  %e = tensor.empty() : tensor<160xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<160xi32>) outs(%e : tensor<160xf32>) {
  ^bb0(%a: i32, %out: f32):
    %c0 = arith.constant 0 : index
    %c999 = arith.constant 999 : index
    %i = arith.index_cast %a : i32 to index
    %low = arith.maxsi %i, %c0 : index
    %at = arith.minsi %low, %c999 : index
    %v = tensor.extract %t[%at] : tensor<1000xf32>
    linalg.yield %v : f32
  } -> tensor<160xf32>
  return %0 : tensor<160xf32>
}
