// RUN: xla-opt %s --split-input-file | FileCheck %s

// What devices send each other is read where a device is alone: it hears itself. The modules are what JAX writes for
// `shard_map` and `pmap` over a mesh of one device.

// CHECK-LABEL: module @sums
// CHECK: func.func public @main(%[[X:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<i32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[N]]
module @sums attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i32>) {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %1:2 = "stablehlo.all_reduce"(%x, %n) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
    return %0, %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>, tensor<i32>
  }
}

// -----

// Groups of one device each, of a program for four.

// CHECK-LABEL: module @moves
// CHECK: func.func public @main(%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
module @moves attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1], [2], [3]]> : tensor<4x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0], [1], [2], [3]]> : tensor<4x1xi64>, scatter_dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0], [1], [2], [3]]> : tensor<4x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0], [1], [2], [3]]> : tensor<4x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// Nobody sends: zeros.

// CHECK-LABEL: module @permuted
// CHECK: func.func public @main(%[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<2xcomplex<f32>>, %{{.*}}: tensor<ui8>)
// CHECK-DAG: %[[ZERO:.*]] = xla.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[ZEROS:.*]] = xla.broadcast_in_dim %[[ZERO]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-DAG: %[[COMPLEX:.*]] = xla.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
// CHECK-DAG: %[[COMPLEXES:.*]] = xla.broadcast_in_dim %[[COMPLEX]], dims = [] : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
// CHECK-DAG: %[[BYTE:.*]] = xla.constant dense<0> : tensor<ui8>
// CHECK: return %[[X]], %[[ZEROS]], %[[COMPLEXES]], %[[BYTE]]
module @permuted {
  func.func public @main(%x: tensor<4xf32>, %c: tensor<2xcomplex<f32>>, %i: tensor<ui8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xcomplex<f32>>, tensor<ui8>) {
    %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.collective_permute"(%c) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %3 = "stablehlo.collective_permute"(%i) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<ui8>) -> tensor<ui8>
    return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<2xcomplex<f32>>, tensor<ui8>
  }
}

// -----

// Where a device is the only one, its number is 0.

// CHECK-LABEL: module @numbers
// CHECK-COUNT-3: xla.constant dense<0> : tensor<ui32>
module @numbers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<ui32>, tensor<ui32>, tensor<ui32>) {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.replica_id : tensor<ui32>
    %2 = "stablehlo.partition_id"() : () -> tensor<ui32>
    return %0, %1, %2 : tensor<ui32>, tensor<ui32>, tensor<ui32>
  }
}
