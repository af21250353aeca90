// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @manual(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{custom op 'sdy.manual_computation' is not supported: a program runs on one device here}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x", "y"} (%a: tensor<2x4xf32>) {
    sdy.return %a : tensor<2x4xf32>
  } : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @manual_generic(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' is not supported: a program runs on one device here}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    "sdy.return"(%a) : (tensor<2x4xf32>) -> ()
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @shards(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{'xla.custom_call' of @SPMDFullToShardShape from ('tensor<4x4xf32>') to ('tensor<2x4xf32>') is not supported: a program runs on one device here}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @constraint_types(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' from ('tensor<4xf32>') to ('tensor<2xf32>') is not supported}}
  %0 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, [{"x"}]>}> : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @unread(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot read this sharding}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, %x]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected '<'}}
sdy.mesh @mesh = ["x"=1]

// -----

func.func @nameless(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires attribute 'call_target_name'}}
  %0 = "stablehlo.custom_call"(%x) {value = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
