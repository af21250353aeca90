# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first minute: build a computation, compile it, call it on NumPy arrays, look at its stages.

python examples/quickstart.py
"""

import numpy as np

import mlir_xla
from mlir_xla import Shape, XlaBuilder, ops

# A dense layer, tanh(x w + b), as a computation of three parameters.
builder = XlaBuilder("dense")
x = ops.Parameter(builder, 0, Shape(np.float32, (4, 3)), "x")
w = ops.Parameter(builder, 1, Shape(np.float32, (3, 2)), "w")
b = ops.Parameter(builder, 2, Shape(np.float32, (2,)), "b")
product = ops.Dot(x, w)
computation = builder.build(ops.Tanh(ops.Add(product, b, broadcast_dimensions=[1])))
print(computation)

# From there to machine code, and a call.
dense = mlir_xla.compile(computation)
rng = np.random.default_rng(0)
arrays = [rng.standard_normal(shape).astype(np.float32) for shape in ((4, 3), (3, 2), (2,))]
result = dense(*arrays)
print(result)
np.testing.assert_allclose(result, np.tanh(arrays[0] @ arrays[1] + arrays[2]), rtol=1e-5, atol=1e-6)

print("stages:", " > ".join(dense.stages))
