// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @groups(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.all_gather' among 2 devices is not supported: a program runs on one device here}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @without_groups(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.all_gather' needs replica_groups, a constant of two dimensions}}
  %0 = "stablehlo.all_gather"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 3 : i32} {
  func.func @all(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{'stablehlo.collective_broadcast' among 6 devices is not supported}}
    %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<> : tensor<0x0xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error @+1 {{'stablehlo.partition_id' of 2 devices is not supported: a program runs on one device here}}
    %1 = stablehlo.partition_id : tensor<ui32>
    // expected-error @+1 {{'stablehlo.replica_id' of 3 devices is not supported: a program runs on one device here}}
    %2 = stablehlo.replica_id : tensor<ui32>
    return %0 : tensor<4xf32>
  }
}

// -----

func.func @pairs(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.collective_permute' among several devices is not supported: a program runs on one device here}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.collective_permute' needs source_target_pairs, a constant of N by 2}}
  %1 = "stablehlo.collective_permute"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @types(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.all_gather' from ('tensor<4xf32>') to ('tensor<8xf32>') is not supported: a program runs on one device here}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @number() -> tensor<i32> {
  // expected-error @+1 {{'stablehlo.partition_id' takes nothing and gives tensor<ui32>}}
  %0 = stablehlo.partition_id : tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @custom_form(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has only the generic form, "stablehlo.all_reduce"(...)}}
  %0 = stablehlo.all_reduce %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @malformed(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.collective_permute' needs source_target_pairs, a constant of N by 2}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.collective_permute' has the same source in two pairs}}
  %1 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.all_gather' has replica_groups with device -1, which is none}}
  %2 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<-1> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.all_gather' has replica_groups with device 0 twice}}
  %3 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<2x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.all_to_all' needs a split_count of 1, the number of devices in a group}}
  %4 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.all_reduce' needs a computation}}
  %5 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_zero(%x: tensor<4xf8E8M0FNU>) -> tensor<4xf8E8M0FNU> {
  // expected-error @+1 {{'stablehlo.collective_permute' needs a static shape, of elements that have a zero}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<4xf8E8M0FNU>) -> tensor<4xf8E8M0FNU>
  return %0 : tensor<4xf8E8M0FNU>
}
