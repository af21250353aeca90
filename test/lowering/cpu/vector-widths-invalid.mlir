// RUN: not xla-opt %s --xla-plan-kernels=vector-bits=100 2>&1 | FileCheck %s
// RUN: not xla-opt %s --xla-emit-kernels=vector-bits=100 2>&1 | FileCheck %s
// RUN: not xla-opt %s --xla-pack-contractions=vector-bits=100 2>&1 | FileCheck %s

// RUN: not xla-opt %s --xla-plan-kernels=instructions=pmaddwd,vpmulld 2>&1 | FileCheck %s --check-prefix=INSTRUCTION
// RUN: not xla-opt %s --xla-pack-contractions=instructions=vpmulld 2>&1 | FileCheck %s --check-prefix=INSTRUCTION
// RUN: not xla-opt %s --xla-form-kernels=instructions=vpmulld 2>&1 | FileCheck %s --check-prefix=INSTRUCTION
// RUN: not xla-opt %s --xla-emit-kernels=instructions=vpmulld 2>&1 | FileCheck %s --check-prefix=INSTRUCTION

// INSTRUCTION: error: the instructions that products know are mulps, pmaddwd, vpdpbusd, vdpbf16ps, tdpbssd, tdpbf16ps and tdpfp16ps, not 'vpmulld'
// CHECK: error: vectors have 128, 256 or 512 bits, not 100
module {}
