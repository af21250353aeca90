// The dialects and passes that the driver knows, and `--to=<stage>`.

// RUN: xla-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS-DAG: {{^}}linalg{{$}}
// DIALECTS-DAG: {{^}}stablehlo{{$}}
// DIALECTS-DAG: {{^}}xla{{$}}

// RUN: xla-opt --help | FileCheck %s --check-prefix=HELP
// HELP-DAG: --to=<stage>
// HELP-DAG: --from=<stage>
// HELP-DAG: cpu: xla legal linalg kernels loops llvm
// HELP-DAG: --canonicalize
// HELP-DAG: --xla-legalize-to-linalg
// HELP-DAG: --xla-to-kernels

// RUN: not xla-opt --to=nowhere %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: xla-opt: unknown stage 'nowhere'; the stages are xla legal linalg kernels loops llvm{{$}}

// RUN: not xla-opt --from=nowhere --to=llvm %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// RUN: not xla-opt --to=binary %s 2>&1 | FileCheck %s --check-prefix=BINARY
// BINARY: xla-opt: prints IR, of stages up to 'llvm'; 'binary' is what `xla-run --dump=DIR` writes to DIR/07-binary.s

// RUN: xla-run --target=cuda --to=binary %s | FileCheck %s --check-prefix=PTX
// PTX: .target sm_80
// PTX: .visible .entry
// RUN: xla-run --to=legal %s | FileCheck %s --check-prefix=LEGAL
// RUN: not xla-run --to=nowhere %s 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: the target 'cpu' has no stage 'nowhere' here; there are xla legal linalg kernels loops llvm binary{{$}}
// RUN: not xla-run --to=loop %s 2>&1 | FileCheck %s --check-prefix=MEANT
// MEANT: there are xla legal linalg kernels loops llvm binary; did you mean 'loops'?

// RUN: not xla-opt --target=npu --to=legal %s 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: xla-opt: unknown target 'npu'; the targets are cpu cuda cuda-emulated
// RUN: xla-opt --target=cpu --to=legal %s | FileCheck %s --check-prefix=LEGAL
// RUN: not xla-opt --xla-to-legal="target=npu" %s 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: unknown target 'npu'; the targets are cpu
// RUN: not xla-opt --xla-to-legal="from=nowhere" %s 2>&1 | FileCheck %s --check-prefix=PIPELINE-FROM
// PIPELINE-FROM: unknown stage 'nowhere'; the stages are xla legal linalg kernels loops llvm

// Options that no pass would take are the command's fault, said once and before anything is compiled.
// RUN: not xla-opt --to=loops=thread=1 %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: xla-opt: --to=loops: unknown option 'thread'; the options are vector-bits instructions fma f16c fp16 threads from target; did you mean 'threads'?
// OPTION-NOT: thread
// RUN: not xla-opt --xla-to-loops=thread=1 %s 2>&1 | FileCheck %s --check-prefix=PIPELINE-OPTION
// PIPELINE-OPTION: unknown option 'thread'; the options are vector-bits instructions fma f16c fp16 threads from target
// RUN: not xla-opt --to=loops=threads=-5 %s 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: xla-opt: --to=loops: threads must not be negative, got -5
// RUN: not xla-opt --to=loops=vector-bits=17 %s 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: xla-opt: --to=loops: vectors have 128, 256 or 512 bits, not 17
// BITS-NOT: internal compiler error
// RUN: not xla-opt --to=loops=vector-bits=-512 %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: xla-opt: --to=loops: vectors have 128, 256 or 512 bits, not -512
// RUN: not xla-opt --to=loops=instructions=fma %s 2>&1 | FileCheck %s --check-prefix=INSTRUCTIONS
// INSTRUCTIONS: xla-opt: --to=loops: the instructions that products know are {{.*}}, not 'fma'
// RUN: not xla-opt --to=loops=threads=many %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: for the --threads option: 'many' value invalid
// NUMBER-NOT: many
// RUN: not xla-opt --to= %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not xla-opt --to %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: xla-opt: --to needs a stage, --to=<stage>
// RUN: not xla-opt --from= --to=legal %s 2>&1 | FileCheck %s --check-prefix=EMPTY-FROM
// EMPTY-FROM: xla-opt: --from needs a stage, --from=<stage>

// RUN: not xla-opt --from=linalg %s 2>&1 | FileCheck %s --check-prefix=FROM
// RUN: not xla-opt --from=linalg --to=legal %s 2>&1 | FileCheck %s --check-prefix=FROM
// FROM: xla-opt: --from=linalg needs --to=<stage> with a later stage

// RUN: not xla-opt %s.does-not-exist 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: xla-opt: cannot open input file {{.*}}No such file

// RUN: xla-opt --to=xla %s | FileCheck %s --check-prefix=XLA
// RUN: xla-opt --to=legal %s | FileCheck %s --check-prefix=LEGAL
// RUN: xla-opt --to=linalg %s | FileCheck %s --check-prefix=LINALG
// RUN: xla-opt --to=kernels %s | FileCheck %s --check-prefix=KERNELS
// RUN: xla-opt --to=loops %s | FileCheck %s --check-prefix=LOOPS
// RUN: xla-opt --to=llvm %s | FileCheck %s --check-prefix=LLVM

// A stage's output is the next one's input.
// RUN: xla-opt --to=linalg %s | xla-opt --to=kernels=from=linalg | FileCheck %s --check-prefix=KERNELS
// RUN: xla-opt --to=xla %s | xla-opt --from=xla --to=legal | FileCheck %s --check-prefix=LEGAL
// RUN: xla-opt --to=legal %s | xla-opt --from=legal --to=linalg | FileCheck %s --check-prefix=LINALG
// RUN: xla-opt --to=linalg %s | xla-opt --to=kernels=threads=1 --from=linalg | FileCheck %s --check-prefix=KERNELS
// RUN: xla-opt --to=kernels %s | xla-opt --from=kernels --to=loops | FileCheck %s --check-prefix=LOOPS
// RUN: xla-opt --to=loops %s | xla-opt --from=loops --to=llvm | FileCheck %s --check-prefix=LLVM

// A later stage's file without --from is reported as such.
// RUN: xla-opt --to=linalg %s | not xla-opt --to=llvm 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: xla-opt --to=kernels %s | not xla-opt --to=llvm 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: xla-opt --to=loops %s | not xla-opt --to=llvm 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: xla-opt --to=llvm %s | not xla-opt --to=llvm 2>&1 | FileCheck %s --check-prefix=LATER
// LATER: error: '{{.*}}' op is not an op of the stage `xla`; `xla-opt --from=<stage> --to=<stage>` goes on from a later one
// LATER-NOT: error:

// Nor is code taken for that of another stage, or of another target.
// RUN: xla-opt --to=linalg %s | not xla-opt --from=loops --to=llvm 2>&1 | FileCheck %s --check-prefix=EARLIER
// EARLIER: error: the program is not in the stage 'loops': @main takes no addresses of buffers
// RUN: xla-opt --to=llvm %s | not xla-opt --from=loops --to=llvm 2>&1 | FileCheck %s --check-prefix=CODE
// CODE: error: the program is in the stage 'llvm', not in 'loops'
// RUN: xla-opt --to=loops %s | not xla-opt --from=linalg --to=llvm 2>&1 | FileCheck %s --check-prefix=TENSORS
// TENSORS: error: the program is in the stage 'loops', not in 'linalg'
// RUN: xla-opt --to=loops %s | not xla-opt --target=cuda --from=loops --to=llvm 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: the program is in the stage 'loops' of a CPU's target, not of 'cuda'
// RUN: xla-opt --target=cuda --to=loops %s | not xla-opt --from=loops --to=llvm 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: the program is in the stage 'loops' of a GPU's target, not of 'cpu'

// XLA: call @twice
// XLA: xla.dot
// LEGAL-NOT: call
// LEGAL: xla.add
// LEGAL: xla.dot_general
// LINALG-NOT: xla.
// LINALG: linalg.generic
// KERNELS-DAG: func.func @main(
// KERNELS-DAG: call @contraction
// KERNELS-DAG: func.func private @contraction{{.*}} attributes {{.*}}xla_rt.kernel = #xla_rt.kernel<contraction>
// LOOPS: func.func {{.*}}@main(%{{.*}}: !llvm.ptr
// LLVM: llvm.func @main(
// LLVM-NOT: func.func
func.func public @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = call @twice(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot %0, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
func.func private @twice(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
