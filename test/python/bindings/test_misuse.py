# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plain misuse of upstream's classes raises, where without `_mlir_libs/_misuse.py` the process would end."""

import pytest

from mlir_xla import ir
from mlir_xla.dialects import builtin


@pytest.fixture(autouse=True)
def ctx():
    with ir.Context(), ir.Location.unknown():
        yield


@pytest.mark.parametrize("member", ["filename", "start_line", "callee", "caller", "name_str", "child_loc", "locations"])
def test_members_of_another_location(member):
    with pytest.raises(ValueError, match=f"unknown.* it has no {member}"):
        getattr(ir.Location.unknown(), member)


def test_members_of_a_location():
    location = ir.Location.name("x", ir.Location.file("a.py", 1, 2))
    assert location.name_str == "x" and location.child_loc.filename == "a.py" and location.child_loc.start_line == 1


def test_indices_of_an_array():
    array = ir.ArrayAttr.get([ir.BoolAttr.get(True), ir.StringAttr.get("x")])
    assert array[-1] == array[1] == ir.StringAttr.get("x") and array[0] == array[-2]
    for index in (2, -3):
        with pytest.raises(IndexError):
            array[index]


def test_arguments_of_a_block():
    block = ir.Module.create().body
    for index in (0, -1):
        with pytest.raises(IndexError, match="the block has no argument"):
            block.erase_argument(index)


def test_permutations():
    assert ir.AffineMap.get_permutation([]) == ir.AffineMap.get_empty()
    assert str(ir.AffineMap.get_permutation([1, 0])) == "(d0, d1) -> (d1, d0)"


def test_names_of_parameters():
    """Those of upstream's functions, also where they are wrapped."""
    assert str(ir.AffineMap.get_permutation(permutation=[1, 0])) == "(d0, d1) -> (d1, d0)"
    assert str(ir.DenseElementsAttr.get(attrs=[ir.BoolAttr.get(True)])) == "dense<true> : tensor<1xi1>"


@pytest.mark.parametrize(
    "parse", [ir.Type.parse, ir.Attribute.parse, ir.Operation.parse, ir.Module.parse, builtin.ModuleOp.parse]
)
def test_deep_text(parse):
    with pytest.raises(ValueError, match="nested more than 1000 levels deep"):
        parse("[" * 100_000)
