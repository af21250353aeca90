// RUN: xla-opt %s --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --to=legal | FileCheck %s --check-prefix=LEGAL

// How JAX distributes arrays over devices is read and dropped; on one device it changes nothing. The modules are what
// `jax.jit(f, in_shardings=..).lower(x).as_text()` gives.

// CHECK-NOT: sdy
// CHECK-NOT: @Sharding
// LEGAL-NOT: sdy
// LEGAL-NOT: @Sharding

// CHECK-LABEL: module @arguments
// CHECK: func.func public @main(%[[X:.*]]: tensor<4x3xf32>) -> (tensor<4x3xf32> {jax.result_info = "result"}) {
// CHECK-NEXT: %[[Y:.*]] = xla.sine %[[X]] : tensor<4x3xf32>
// CHECK-NEXT: return %[[Y]]
// LEGAL-LABEL: module @arguments
module @arguments attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=1]> {stablehlo.mesh = {axes = [{name = "x", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x3xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.sine %arg0 : tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// -----

// CHECK-LABEL: module @constraints
// CHECK: func.func public @main(%[[X:.*]]: tensor<4x4xf32>)
// CHECK-NEXT: %[[D:.*]] = xla.dot_general %[[X]], %[[X]]
// CHECK-NEXT: return %[[D]]
// LEGAL-LABEL: module @constraints
module @constraints attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {"y"}]> : tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}

// -----

// CHECK-LABEL: module @generic
// CHECK: func.func public @main(%[[X:.*]]: tensor<4x3xf32>)
// CHECK-NEXT: %[[Y:.*]] = xla.multiply %[[X]], %[[X]]
// CHECK-NEXT: return %[[Y]]
// LEGAL-LABEL: module @generic
"builtin.module"() <{sym_name = "generic"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=1]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 1 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}], function_type = (tensor<4x3xf32>) -> tensor<4x3xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x3xf32>):
    %2 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<4x3xf32>) -> tensor<4x3xf32>
    "func.return"(%3) : (tensor<4x3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// The custom calls of GSPMD, one after the other.
// CHECK-LABEL: module @custom_calls
// CHECK: func.func public @main(%[[X:.*]]: tensor<4x4xf32>
// CHECK-NEXT: return %[[X]]
// LEGAL-LABEL: module @custom_calls
module @custom_calls {
  func.func public @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.custom_call"(%1) <{api_version = 1 : i32, backend_config = "", call_target_name = "SPMDShardToFullShape", called_computations = [], has_side_effect = false}> {mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}

// -----

// All of the syntax: axes without sizes and with parts, open dimensions, priorities, other fields, rules.
// CHECK-LABEL: module @syntax
// CHECK: %[[C:.*]]:2 = xla.custom_call @lapack_spotrf_ffi(
// CHECK-NOT: sharding_rule
// CHECK: return %[[C]]#0
// LEGAL-LABEL: module @syntax
module @syntax {
  sdy.mesh @empty = <[]>
  sdy.mesh @ordered = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
  func.func public @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = sdy.sharding_constraint %arg0 <@ordered, [{"x":(1)2, ?}p1, {?}], replicated={"y"}, unreduced={"z"}> : tensor<4x4xf32>
    %1 = sdy.sharding_constraint %0 <mesh<["x"=2]>, [{}, {"x"}]> : tensor<4x4xf32>
    %2:2 = stablehlo.custom_call @lapack_spotrf_ffi(%1) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], []) {i=4, j=4, k=4, l=4}, custom>} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
    return %2#0 : tensor<4x4xf32>
  }
}
