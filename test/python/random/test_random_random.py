# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the random family: bits and states are equal to the bit. Numbers of hidden state are tested in
`test/python/api/test_random_numbers.py`."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import DTYPES, FLOAT, INT, SEEDS, check, one_op, shapes, tensor

OUTPUTS = [DTYPES[name] for name in INT + FLOAT]
# Several steps of the kernel, and parts of one.
DIMS = st.one_of(shapes(), st.tuples(st.integers(1, 1100)))


@given(st.sampled_from(["DEFAULT", "PHILOX", "THREE_FRY"]), st.sampled_from(OUTPUTS), DIMS, SEEDS, st.data())
def test_rng_bit_generator(algorithm, dtype, dims, seed, data):
    words = data.draw(st.sampled_from({"DEFAULT": [2, 3], "PHILOX": [3], "THREE_FRY": [2]}[algorithm]))
    state = np.random.default_rng(seed).integers(0, 2**64, words, np.uint64, endpoint=False)
    # Counters that carry within the first few blocks.
    if data.draw(st.booleans()):
        state[1] = np.uint64(2**64 - data.draw(st.integers(1, 40)))
    elif data.draw(st.booleans()):
        state[1] = np.uint64(2**32 - data.draw(st.integers(1, 40)))
    attributes = {"rng_algorithm": f"#xla<rng_algorithm {algorithm}>"}
    # Not a number is as good as any other: what the bits are is compared.
    bits = np.dtype(f"u{dtype.itemsize}")
    case = one_op("rng_bit_generator", [state], [tensor(state.dtype, state.shape), tensor(dtype, dims)], attributes)
    if dtype.kind not in "iu":
        own, wanted = tensor(dtype, dims), tensor(bits, dims)
        case.text = case.text.replace(
            "  return", f'  %bits = "xla.bitcast_convert"(%r#1) : ({own}) -> {wanted}\n  return'
        )
        head, body = case.text.split("{", 1)
        body, end = body.rsplit("return", 1)
        case.text = f"{head.replace(own, wanted)}{{{body}return{end.replace('%r#1', '%bits').replace(own, wanted)}"
    check(case)
