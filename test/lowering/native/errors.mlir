// RUN: split-file %s %t
// RUN: not xla-test-execute %t/symbol.mlir --from=loops 2>&1 | FileCheck %s --check-prefix=SYMBOL
// RUN: not xla-test-execute %t/op.mlir --from=loops 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not xla-test-execute %t/main.mlir 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not xla-test-execute %t/shape.mlir 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not xla-test-execute %t/symbol.mlir --from=loops --target-cpu=z80 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not xla-test-execute %t/symbol.mlir --from=loops --target-features=avx2 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not xla-test-execute %t/instruction.mlir --from=loops --target-cpu=znver4 --target-features=-avx512f 2>&1 | FileCheck %s --check-prefix=INSTRUCTION
// RUN: not xla-test-execute %t/instruction.mlir --from=loops --target-cpu=skylake-avx512 --target-features=+avxvnni 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not xla-test-execute %t/short.mlir --from=loops --target-cpu=knl --target-features=+avx512vnni 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not xla-test-execute %t/short.mlir --from=loops --target-cpu=haswell 2>&1 | FileCheck %s --check-prefix=NONE

// SYMBOL: cannot load the compiled program: {{.*}}Symbols not found: [ no_such_function ]
// OP: op.mlir:3:8: error: internal compiler error in the stage 'llvm', pass 'xla-convert-to-llvm': {{.*}} unless the stage 'loops' was written by hand
// OP: op.mlir:3:8: note: 'tensor.empty' op cannot be converted to LLVM
// MAIN: cannot be compiled: it has no function @main
// SHAPE: 'main' cannot be compiled: its signature has the type 'tensor<?xf32>'
// CPU: unknown CPU 'z80'
// FEATURE: unknown CPU feature 'avx2' (features are written +name or -name)
// INSTRUCTION: instruction.mlir:5:8: error: 'llvm.x86.avx512.vpdpbusd.512' needs 'avx512vnni', which the processor lacks that code is generated for ('znver4' with its features '-avx512{{.*}}')
// LONG: error: 'llvm.x86.avx512.vpdpbusd.512' needs 'avx512vnni'
// SHORT: short.mlir:5:8: error: 'llvm.x86.avx512.vpdpbusd.128' needs 'avx512vl'
// NONE: error: 'llvm.x86.avx512.vpdpbusd.128' needs 'avx512vnni'

//--- symbol.mlir
func.func private @no_such_function()
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.signature = () -> ()} {
  call @no_such_function() : () -> ()
  return
}
//--- op.mlir
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr)
    attributes {xla_rt.signature = () -> ()} {
  %0 = tensor.empty() : tensor<4xf32>
  return
}
//--- main.mlir
func.func @other() {
  return
}
//--- shape.mlir
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
//--- instruction.mlir
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr)
    attributes {xla_rt.signature = () -> ()} {
  %0 = llvm.load %args : !llvm.ptr -> vector<16xi32>
  %1 = llvm.load %args : !llvm.ptr -> vector<64xi8>
  %2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%0, %1, %1) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
  llvm.store %2, %args : vector<16xi32>, !llvm.ptr
  return
}
//--- short.mlir
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr)
    attributes {xla_rt.signature = () -> ()} {
  %0 = llvm.load %args : !llvm.ptr -> vector<4xi32>
  %1 = llvm.load %args : !llvm.ptr -> vector<16xi8>
  %2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128"(%0, %1, %1) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  llvm.store %2, %args : vector<4xi32>, !llvm.ptr
  return
}
