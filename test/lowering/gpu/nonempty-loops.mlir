// A loop whose first iteration is certain is one block, also in the loop of a kernel that launches take together, which
// then is no region any more.
// RUN: xla-opt %s --xla-convert-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @loop(
// CHECK: llvm.br ^[[TEST:.*]](%{{.*}} : i64)
// CHECK: ^[[TEST]](%[[N:.*]]: i64):
// CHECK: %[[GOES_ON:.*]] = llvm.icmp "slt" %[[N]]
// CHECK: llvm.cond_br %[[GOES_ON]], ^[[OUTER:.*]](%[[N]] : i64), ^[[END:.*]]
// CHECK: ^[[OUTER]](%[[M:.*]]: i64):
// CHECK: llvm.br ^[[INNER:.*]](%{{.*}}, %{{.*}} : i64, f32)
// CHECK: ^[[INNER]](%{{.*}}: i64, %[[X:.*]]: f32):
// CHECK: %[[Y:.*]] = llvm.fadd %[[X]], %[[X]]
// CHECK: llvm.cond_br %{{.*}}, ^[[INNER]](%{{.*}}, %[[Y]] : i64, f32), ^[[STORE:.*]]
// CHECK: ^[[STORE]]:
// CHECK: llvm.store %[[Y]]
// CHECK: %[[NEXT:.*]] = llvm.add %[[M]]
// CHECK: llvm.br ^[[TEST]](%[[NEXT]] : i64)
// CHECK: ^[[END]]:
// CHECK-NEXT: llvm.return
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @loop(%place: !llvm.ptr) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %first = arith.constant 0 : index
      %step = arith.constant 1 : index
      %steps = arith.constant 50 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %eight = arith.constant 8 : i64
      %x = arith.constant 1.0 : f32
      %last = scf.while (%n = %first) : (index) -> index {
        %more = arith.cmpi slt, %n, %steps : index
        scf.condition(%more) %n : index
      } do {
      ^bb0(%m: index):
        %sum = scf.for %i = %zero to %eight step %one iter_args(%a = %x) -> (f32) : i64 {
          %y = arith.addf %a, %a : f32
          scf.yield %y : f32
        }
        llvm.store %sum, %place : f32, !llvm.ptr
        %next = arith.addi %m, %step : index
        scf.yield %next : index
      }
      gpu.return
    }
  }
}
