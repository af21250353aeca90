# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text that JAX wrote: scatter, shardings, locations; and errors of `compile` that name what is in the text."""

import io

import numpy as np
import pytest
from api_programs import TARGETS

import mlir_xla
from mlir_xla import Shape, XlaBuilder, ir, ops

# What jax.jit(lambda x, i, u: x.at[i].add(u)) gives but for negative indices: as text, with debug_info, generic.
SCATTER = """
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3xf32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %5 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32>
    return %6 : tensor<5xf32>
  }
}
"""  # noqa: E501
SCATTER_DEBUG = """
#loc1 = loc("x")
#loc6 = loc("scatter-add")
#loc9 = loc("scatter-add:"(#loc6))
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32> loc("x"), %arg1: tensor<3xi32> loc("i"), %arg2: tensor<3xf32> loc("u")) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %5 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32> loc(#loc15)
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32> loc("scatter-add:"(#loc6)), %arg4: tensor<f32> loc("scatter-add:"(#loc6))):
      %7 = stablehlo.add %arg3, %arg4 : tensor<f32> loc(#loc16)
      stablehlo.return %7 : tensor<f32> loc(#loc16)
    }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32> loc(#loc16)
    return %6 : tensor<5xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc4 = loc("model.py":14:20 to :70)
#loc5 = loc("model.py":14:42 to :56)
#loc7 = loc("<module>"(#loc4))
#loc8 = loc("<lambda>"(#loc5))
#loc11 = loc(callsite(#loc8 at #loc7))
#loc15 = loc("jit(<lambda>)/broadcast_in_dim"(#loc11))
#loc16 = loc("jit(<lambda>)/scatter-add"(#loc11))
"""  # noqa: E501
SCATTER_GENERIC = """
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<5xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<5xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<5xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3xf32>):
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32>
    "func.return"(%8) : (tensor<5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
"""  # noqa: E501

# jax.jit(f, in_shardings=s, out_shardings=s), f = lambda x: with_sharding_constraint(x * x, s) in a nested jit.
SHARDED = """
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=1]> {stablehlo.mesh = {axes = [{name = "x", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x3xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = call @inner(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func private @inner(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x3xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
"""  # noqa: E501

# The same with jax_use_shardy_partitioner=False, for four devices.
GSPMD = """
module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) -> (tensor<2x3xf32> {jax.result_info = "result", mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x3xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
"""  # noqa: E501

MANUAL = """
func.func @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg1: tensor<4x4xf32>) {
    sdy.return %arg1 : tensor<4x4xf32>
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""  # noqa: E501


class TestScatter:
    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize("text", [SCATTER, SCATTER_DEBUG, SCATTER_GENERIC], ids=["pretty", "debug", "generic"])
    def test_text(self, text, target):
        scatter = mlir_xla.compile(text, target=target)
        result = scatter(np.arange(5, dtype=np.float32), np.int32([1, 3, 1]), np.float32([10, 20, 30]))
        np.testing.assert_array_equal(result, [0, 41, 2, 23, 4])

    @pytest.mark.parametrize("target", TARGETS)
    def test_builder(self, target):
        builder = XlaBuilder("scatter")
        inputs = [ops.Parameter(builder, i, Shape(np.float32, (5,))) for i in range(2)]
        indices = ops.Parameter(builder, 2, Shape(np.int32, (3, 1)))
        updates = [ops.Parameter(builder, i, Shape(np.float32, (3,))) for i in range(3, 5)]
        inner = XlaBuilder("sum_and_last")
        a, b, c, d = (ops.Parameter(inner, i, Shape(np.float32, ())) for i in range(4))
        computation = inner.build(ops.Tuple(inner, [ops.Add(a, c), d]))
        numbers = ops.ScatterDimensionNumbers(
            inserted_window_dims=[0], scatter_dims_to_operand_dims=[0], index_vector_dim=1
        )
        scatter = mlir_xla.compile(
            builder.build(ops.Scatter(inputs, indices, updates, computation, numbers)), target=target
        )
        x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
        u, v = np.float32([10, 20, 30]), np.float32([1, 2, 3])
        sums, last = scatter(x, y, np.int32([[1], [3], [1]]), u, v)
        np.testing.assert_array_equal(sums, [0, 41, 2, 23, 4])
        np.testing.assert_array_equal(last, [0, 3, 0, 2, 0])


class TestShardings:
    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize("text", [SHARDED, GSPMD], ids=["sdy", "gspmd"])
    def test_ignored(self, text, target):
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        np.testing.assert_array_equal(mlir_xla.compile(text, target=target)(x), x * x)

    def test_dropped(self):
        with ir.Context():
            text = str(mlir_xla.parse(SHARDED))
        assert "sdy" not in text
        assert "mesh" not in text

    @pytest.mark.parametrize("target", TARGETS)
    def test_manual_computation(self, target):
        with pytest.raises(ir.MLIRError, match=r"'sdy\.manual_computation' is not supported: .* one device"):
            mlir_xla.compile(MANUAL, target=target)


@pytest.mark.skipif("cpu" not in TARGETS, reason="about the compiler")
class TestErrors:
    def test_later_stage(self):
        linalg = mlir_xla.compile(SHARDED).stages["linalg"]
        with pytest.raises(ir.MLIRError, match=r"' op is not an op of the stage `xla`; `xla-opt --from=<stage>"):
            mlir_xla.compile(linalg)

    def test_arithmetic_on_tensors(self):
        text = """
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = arith.addf %x, %x : tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        """
        with pytest.raises(ir.MLIRError, match=r"'arith\.addf' op is not an op of the stage `xla`"):
            mlir_xla.compile(text)

    def test_undefined_resource(self):
        text = """
        func.func @main() -> tensor<4xf32> {
          %0 = stablehlo.constant dense_resource<weights> : tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        """
        with pytest.raises(ir.MLIRError, match=r"'xla\.constant' op .* the resource 'weights' is not defined"):
            mlir_xla.compile(text)


def test_exported(tmp_path):
    """What `jax.export` returns is compiled from its text; its serialized form is not StableHLO."""
    jax = pytest.importorskip("jax")
    from jax import export

    x = np.float32([1, 2])
    exported = export.export(jax.jit(lambda x: x + 1))(x)
    np.testing.assert_array_equal(mlir_xla.compile(exported.mlir_module())(x), x + 1)
    path = tmp_path / "artifact.mlirbc"
    path.write_bytes(exported.mlir_module_serialized)
    for program in (path, exported.mlir_module_serialized):
        with pytest.raises(ir.MLIRError, match=r"portable artifact of StableHLO \(VHLO\); give .* `mlir_module\(\)`"):
            mlir_xla.compile(program)
    lowered = jax.jit(lambda x: x + 1).lower(x)
    with pytest.raises(TypeError, match=r"give its text, as_text\(\)"):
        mlir_xla.compile(lowered)
    written = io.BytesIO()
    jax.jit(jax.numpy.argmax).lower(x).compiler_ir().operation.write_bytecode(written)
    with pytest.raises(ir.MLIRError, match=r"as only its own tools read them; give .* `as_text"):
        mlir_xla.compile(written.getvalue())


def test_booleans():
    """JAX writes many booleans as bytes in hexadecimal digits, and so does any MLIR that is newer than this one."""
    jax = pytest.importorskip("jax")
    mask = np.random.default_rng(0).random((24, 13)) < 0.5
    x = np.random.default_rng(1).random((24, 13), np.float32)
    text = jax.jit(lambda x: jax.numpy.where(jax.numpy.asarray(mask), x, 0)).lower(x).as_text()
    assert 'dense<"0x' in text
    for target in TARGETS:
        np.testing.assert_array_equal(mlir_xla.compile(text, target=target)(x), np.where(mask, x, 0))
