# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters of one update into each row of a constant, which are chosen by their places: no kernel of their own."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

NUMBERS = {
    "rows": (
        "6x40", "6x1x1", "6x1",
        "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
        "scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
    ),
    "no vector": (
        "6x40", "6", "6",
        "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
        "scatter_dims_to_operand_dims = [1], index_vector_dim = 1",
    ),
    "batches change places": (
        "3x9x5", "5x1x3", "5x3",
        "inserted_window_dims = [1], input_batching_dims = [0, 2], scatter_indices_batching_dims = [2, 0], "
        "scatter_dims_to_operand_dims = [1], index_vector_dim = 1",
    ),
    "windows": (
        "4x9x7", "4x1", "7x4",
        "update_window_dims = [0], inserted_window_dims = [1], input_batching_dims = [0], "
        "scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1",
    ),
    "two components": (
        "4x9x7", "2x4", "4",
        "inserted_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [1], "
        "scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 0",
    ),
    "one place": (
        "12x5", "1", "",
        "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 0",
    ),
    "a row": (
        "12x5", "1", "5",
        "update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 0",
    ),
    "no rows": (
        "0x40", "0x1x1", "0x1",
        "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
        "scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
    ),
}  # fmt: skip


def program(name, index, combiner, init):
    shapes = NUMBERS[name][:3]
    array, indices, updates = (
        f"tensor<{each + 'x' * bool(each)}{element}>"
        for each, element in zip(shapes, ("f32", index, "f32"), strict=True)
    )
    combined = f"%r = stablehlo.{combiner} %c, %u : tensor<f32>" if combiner else ""
    result = "%r" if combiner else "%u"
    return f"""
    func.func @main(%i: {indices}, %x: {updates}) -> {array} {{
      %init = stablehlo.constant dense<{init}> : {array}
      %0 = "stablehlo.scatter"(%init, %i, %x) <{{
          scatter_dimension_numbers = #stablehlo.scatter<{NUMBERS[name][3]}>}}> ({{
      ^bb0(%c: tensor<f32>, %u: tensor<f32>):
        {combined}
        stablehlo.return {result} : tensor<f32>
      }}) : ({array}, {indices}, {updates}) -> {array}
      return %0 : {array}
    }}"""


def check(text, arguments):
    compiled = mlir_xla.compile(text, target="cuda-emulated")
    assert "xla_rt.scatter" not in compiled.stages["kernels"]
    np.testing.assert_array_equal(compiled(*arguments), mlir_xla.compile(text, target="reference")(*arguments))


def drawn(rng, name, index=np.int32):
    shapes = [tuple(map(int, filter(None, each.split("x")))) for each in NUMBERS[name][1:3]]
    low = 0 if np.issubdtype(index, np.unsignedinteger) else -2
    return rng.integers(low, 11, shapes[0]).astype(index), rng.standard_normal(shapes[1]).astype(np.float32)


@pytest.mark.parametrize("combiner", ["add", "multiply", "maximum", ""])
@pytest.mark.parametrize("name", NUMBERS)
def test_places(name, combiner):
    """Indices may be outside."""
    arguments = drawn(np.random.default_rng(4), name)
    check(program(name, "i32", combiner, "2.5"), arguments)


@pytest.mark.parametrize("index", ["i8", "ui8", "i16", "ui32", "i64", "ui64"])
def test_integers(index):
    """None of the index's bits are lost."""
    numpy = np.dtype(index.replace("ui", "uint") if index[0] == "u" else index.replace("i", "int"))
    i, x = drawn(np.random.default_rng(5), "rows", numpy.type)
    if numpy.itemsize > 1:
        i[0], i[1] = np.iinfo(numpy).max, np.iinfo(numpy).min
    if numpy.itemsize == 8:
        i[2] = (1 << 32) + 3
    check(program("rows", index, "add", "0.0"), (i, x))


def test_gradient_of_labels():
    """A cross entropy and its gradient read the logits, and write no array of zeros."""

    def loss(logits, labels):
        return -jnp.take_along_axis(jax.nn.log_softmax(logits.astype(np.float32)), labels[:, None], 1).mean()

    rng = np.random.default_rng(6)
    logits = (rng.standard_normal((9, 130)) * 3).astype(ml_dtypes.bfloat16)
    labels = rng.integers(0, 130, 9).astype(np.int32)
    text = jax.jit(jax.value_and_grad(loss)).lower(logits, labels).as_text()
    compiled = mlir_xla.compile(text, target="cuda-emulated")
    assert "xla_rt.scatter" not in compiled.stages["kernels"]
    have, want = compiled(logits, labels), mlir_xla.compile(text, target="reference")(logits, labels)
    np.testing.assert_allclose(have[0], want[0], rtol=1e-6)
    np.testing.assert_allclose(have[1].astype(np.float32), want[1].astype(np.float32), rtol=1e-2, atol=1e-6)
