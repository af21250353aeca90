// RUN: xla-opt %s --to=loops | FileCheck %s
// What would be subnormal is scaled to a normal number, and an addition makes its bits: the scaling instruction of some
// processors takes a hundred cycles for a subnormal result.

// CHECK: %[[LARGEST:.*]] = arith.constant dense<-87.3365478>
// CHECK-NEXT: %[[TINY:.*]] = arith.cmpf ole, %{{.*}}, %[[LARGEST]]
// CHECK: %[[MORE:.*]] = arith.addf %[[N:.*]], %{{.*}}
// CHECK-NEXT: %[[POWER:.*]] = arith.select %[[TINY]], %[[MORE]], %[[N]]
// CHECK: %[[SCALED:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%{{.*}}, %[[POWER]],
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SCALED]]
// CHECK: %[[COUNT:.*]] = arith.subi
// CHECK-NEXT: arith.select %[[TINY]], %[[COUNT]], %[[BITS]]
func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %0 = xla.exponential %x : tensor<65536xf32>
  return %0 : tensor<65536xf32>
}
