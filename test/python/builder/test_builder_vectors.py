# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the builder adds to the ops: implicit broadcasting, collapse, padding keywords, reshape with an order."""

import re

import numpy as np
import pytest
from comparison import difference
from vector_cases import TARGETS, load

import mlir_xla


def parameters(family, rejected):
    return [pytest.param(v, id=v["id"]) for v in load(family) if ("rejects" in v) == rejected]


def call(vector):
    """Entries of broadcasting.json have two operands and ``broadcast_dimensions``, those of builder.json a ``call``."""
    if "call" in vector:
        return vector["call"], vector["operands"], vector["arguments"]
    arguments = {key: vector[key] for key in ("broadcast_dimensions",) if key in vector}
    return vector["op"], [vector["lhs"], vector["rhs"]], arguments


def check_value(vector, target):
    from builder_api import array, computation

    name, operands, arguments = call(vector)
    compiled = mlir_xla.compile(computation(name, operands, arguments), target=target)
    result = np.asarray(compiled(*map(array, operands)))
    expected = array(vector.get("result") or vector["results"][0])
    assert not (found := difference(result, expected)), found


def check_error(vector):
    from builder_api import computation

    wanted = "|".join(re.escape(f"[{identifier}]") for identifier in vector["rejects"].split("|"))
    with pytest.raises(Exception, match=wanted):
        computation(*call(vector))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("vector", parameters("broadcasting", rejected=False))
def test_broadcasting(vector, target):
    check_value(vector, target)


@pytest.mark.parametrize("vector", parameters("broadcasting", rejected=True))
def test_broadcasting_rejected(vector):
    check_error(vector)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("vector", parameters("builder", rejected=False))
def test_sugar(vector, target):
    check_value(vector, target)


@pytest.mark.parametrize("vector", parameters("builder", rejected=True))
def test_sugar_rejected(vector):
    check_error(vector)
