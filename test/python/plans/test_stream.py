# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results that are written past the caches: wherever they lie, and with what is left of rows."""

import numpy as np
import pytest

from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler

BODIES = {
    "sum": ("4124x2048xf32", "%0 = xla.add %x, %x : {t}", lambda x: x + x, "4124x2048xf32"),
    "rest": ("2111777xf32", "%0 = xla.negate %x : {t}", lambda x: -x, "2111777xf32"),
    "narrow": ("4124x2048xui8", "%0 = xla.add %x, %x : {t}", lambda x: x + x, "4124x2048xui8"),
    "transposed": (
        "1031x2064xf32",
        "%0 = xla.transpose %x, dims = [1, 0] : ({t}) -> {r}",
        lambda x: x.T,
        "2064x1031xf32",
    ),
    "transposed whole": (
        "2064x1040xf32",
        "%0 = xla.transpose %x, dims = [1, 0] : ({t}) -> {r}",
        lambda x: x.T,
        "1040x2064xf32",
    ),
}


@pytest.mark.parametrize("offset", [0, 4, 16, 60])
@pytest.mark.parametrize("name", BODIES)
def test_results_at_any_address(name, offset):
    operand, body, reference, result = BODIES[name]
    argument, returned = f"tensor<{operand}>", f"tensor<{result}>"
    text = f"func.func @main(%x: {argument}) -> {returned} {{\n  {body.format(t=argument, r=returned)}\n"
    with ir.Context():
        program = compiler.compile(ir.Module.parse(text + f"  return %0 : {returned}\n}}").operation)
    _, shape, dtype = program.argument_types[0]
    x = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    expected = np.ascontiguousarray(reference(x))
    margin = 256
    memory = np.full(expected.nbytes + 2 * margin, 7, np.uint8)
    begin = margin - memory.ctypes.data % 64 + offset
    program.execute([x.ctypes.data], [memory.ctypes.data + begin])
    end = begin + expected.nbytes
    np.testing.assert_array_equal(memory[begin:end].view(np.uint8), expected.view(np.uint8).ravel())
    assert (memory[:begin] == 7).all() and (memory[end:] == 7).all()
