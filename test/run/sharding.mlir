// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

// Shardings change no value, whatever the number of devices that they are for.
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main() {
    %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %x = stablehlo.optimization_barrier %x0 : tensor<2x2xf32>
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %1 = func.call @double(%0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    check.expect_eq_const %1, dense<[[2.0, 4.0], [6.0, 8.0]]> : tensor<2x2xf32>
    return
  }
  func.func private @double(%x: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2x2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2x2xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}
