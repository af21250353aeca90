// Bytecode is read by a process of its own, and is what it was afterwards.
// RUN: xla-opt %s --emit-bytecode -o %t.mlirbc
// RUN: xla-opt %t.mlirbc --mlir-elide-elementsattrs-if-larger=1 --mlir-elide-resource-strings-if-larger=1 --emit-bytecode \
// RUN:   -o %t.again.mlirbc
// RUN: xla-opt %t.again.mlirbc --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: xla-opt %t.again.mlirbc | FileCheck %s --check-prefix=RESOURCE
// RUN: %if xla-reduce %{ xla-reduce %t.mlirbc --xla-reduction=test=%S/Inputs/has-sine.sh | FileCheck %s --check-prefix=SMALL %}
// RUN: %if xla-reduce %{ xla-reduce - --xla-reduction=test=%S/Inputs/has-sine.sh < %t.mlirbc | FileCheck %s --check-prefix=SMALL %}

// CHECK: %{{.*}} = xla.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32> loc("a.py":1:2)
// CHECK: xla.constant dense_resource<weights> : tensor<4xf32>
// CHECK: xla.sine {{.*}} {note = "kept"} : tensor<4xf32> loc(callsite("f" at "b.py":3:4))
// RESOURCE: weights: "0x040000000000803F000000400000404000008040"
// SMALL-NOT: xla.add
// SMALL: xla.sine
// SMALL-NOT: xla.add
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> loc("a.py":1:2)
  %1 = xla.constant dense_resource<weights> : tensor<4xf32>
  %2 = xla.add %0, %1 : tensor<4xf32>
  %3 = xla.add %2, %x : tensor<4xf32>
  %4 = xla.sine %3 {note = "kept"} : tensor<4xf32> loc(callsite("f" at "b.py":3:4))
  return %4 : tensor<4xf32>
}
{-# dialect_resources: {builtin: {weights: "0x040000000000803F000000400000404000008040"}} #-}

// What cannot be read is an error, whoever reads it.
// RUN: head -c 200 %t.mlirbc > %t.cut.mlirbc
// RUN: not xla-opt %t.cut.mlirbc 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not xla-opt < %t.cut.mlirbc 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: %if xla-reduce %{ not xla-reduce %t.cut.mlirbc --xla-reduction=test=%S/Inputs/has-sine.sh 2>&1 | FileCheck %s --check-prefix=CUT %}
// CUT: xla-{{opt|reduce}}: {{.*}}: cannot read the bytecode: {{.*}}
