# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments that are given away: results take their memory where the program does not need it any more."""

import numpy as np
import pytest

import mlir_xla

TARGET = "cuda-emulated"
N = 70


def program(body, results, arguments=1):
    names = ", ".join(f"%{name}: tensor<{N}xf32>" for name in "xyz"[:arguments])
    types = ", ".join([f"tensor<{N}xf32>"] * len(results.split(",")))
    body = body.replace("tensor<n", f"tensor<{N}")
    text = f"func.func @main({names}) -> ({types}) {{\n{body}\nreturn {results} : {types}\n}}"
    return mlir_xla.compile(text, target=TARGET), mlir_xla.compile(text, target="reference")


ADD = "%r = xla.add %x, %x : tensor<nxf32>"
REVERSE = "%r = xla.reverse %x, dims = [0] : tensor<nxf32>"
SUM = "%r = xla.add %x, %y : tensor<nxf32>"
# The result must not be written before the last addition has read.
LATER = """%c = xla.reverse %x, dims = [0] : tensor<nxf32>
%b = xla.optimization_barrier %c : tensor<nxf32>
%d = xla.reverse %b, dims = [0] : tensor<nxf32>
%r = xla.add %d, %x : tensor<nxf32>"""
UPDATE = """%three = xla.constant dense<3> : tensor<i32>
%u = xla.constant dense<[7.0, 8.0]> : tensor<2xf32>
%r = xla.dynamic_update_slice %x, %u, %three : (tensor<nxf32>, tensor<2xf32>, tensor<i32>) -> tensor<nxf32>"""
LOOP = """%i0 = xla.constant dense<0> : tensor<i32>
%w:2 = xla.while(%i = %i0, %r0 = %x) : tensor<i32>, tensor<nxf32>
cond {
  %end = xla.constant dense<9> : tensor<i32>
  %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
  xla.return %p : tensor<i1>
} do {
  %one = xla.constant dense<1> : tensor<i32>
  %j = xla.add %i, %one : tensor<i32>
  %s = xla.sine %r0 : tensor<nxf32>
  %t = xla.reverse %s, dims = [0] : tensor<nxf32>
  xla.return %j, %t : tensor<i32>, tensor<nxf32>
}
%r = xla.add %w#1, %w#1 : tensor<nxf32>"""


def put(array):
    return mlir_xla.device_put(array, mlir_xla.devices(TARGET)[0])


@pytest.mark.parametrize(
    "body, results, isReused",
    [
        (ADD, "%r", True),
        (REVERSE, "%r", False),
        (LATER, "%r", None),
        (UPDATE, "%r", True),
        (LOOP, "%r", None),
        (ADD, "%r, %x", False),
        ("", "%x", True),
        (REVERSE, "%x, %r", None),
    ],
)
def test_one_argument(body, results, isReused):
    compiled, reference = program(body, results)
    x = np.random.default_rng(1).standard_normal(N).astype(np.float32)
    want = np.asarray(reference(x))
    for _ in range(3):
        kept, given = put(x), put(x)
        before = given._memory.address
        got = compiled(given, donate=[0])
        assert given.is_deleted
        every = got if isinstance(got, tuple) else (got,)
        if isReused is not None:
            assert (every[0]._memory.address == before) == isReused
        np.testing.assert_allclose(np.squeeze([np.asarray(each) for each in every]), want, rtol=1e-5)
        # What is not given away is not touched.
        compiled(kept)
        np.testing.assert_array_equal(np.asarray(kept), x)


def test_the_same_array_twice():
    compiled, _ = program(SUM, "%r", arguments=2)
    x = np.arange(N, dtype=np.float32)
    given = put(x)
    np.testing.assert_array_equal(np.asarray(compiled(given, given, donate=[0])), 2 * x)


def test_two_arguments():
    compiled, _ = program(SUM, "%r, %r", arguments=2)
    x = np.arange(N, dtype=np.float32)
    first, second = compiled(put(x), put(x), donate=[0, 1])
    np.testing.assert_array_equal(np.asarray(first), 2 * x)
    np.testing.assert_array_equal(np.asarray(second), 2 * x)
