# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Affine expressions, maps and integer sets."""

import pytest

from mlir_xla.ir import (
    AffineAddExpr,
    AffineBinaryExpr,
    AffineCeilDivExpr,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineFloorDivExpr,
    AffineMap,
    AffineModExpr,
    AffineMulExpr,
    AffineSymbolExpr,
    Context,
    IntegerSet,
    Location,
)


@pytest.fixture(autouse=True)
def context():
    with Context() as ctx, Location.unknown():
        yield ctx


@pytest.fixture
def d():
    return [AffineDimExpr.get(i) for i in range(4)]


@pytest.fixture
def s():
    return [AffineSymbolExpr.get(i) for i in range(4)]


def test_leaves(context):
    constant = AffineExpr.get_constant(42)
    assert isinstance(constant, AffineConstantExpr) and constant.value == 42 and str(constant) == "42"
    assert constant == AffineConstantExpr.get(42) != AffineConstantExpr.get(43)
    assert AffineExpr.get_dim(1) == AffineDimExpr.get(1) and AffineDimExpr.get(1).position == 1
    assert AffineExpr.get_symbol(2) == AffineSymbolExpr.get(2) and str(AffineSymbolExpr.get(2)) == "s2"
    assert constant != "foo" and constant is not None and constant.context is context
    assert repr(constant) == "AffineExpr(42)"
    with Context():
        assert AffineConstantExpr.get(42) != constant
    with pytest.raises(ValueError):
        AffineDimExpr.get(-1)


def test_capsules(context):
    expr = AffineExpr.get_constant(42)
    assert "mlir_xla.ir.AffineExpr._CAPIPtr" in repr(expr._CAPIPtr)
    assert AffineExpr._CAPICreate(expr._CAPIPtr) == expr
    affine_map, integer_set = AffineMap.get_empty(context), IntegerSet.get_empty(1, 1, context)
    assert AffineMap._CAPICreate(affine_map._CAPIPtr) == affine_map
    assert IntegerSet._CAPICreate(integer_set._CAPIPtr) == integer_set


def test_operators(d):
    d1, d2 = d[1], d[2]
    c2 = AffineConstantExpr.get(2)
    for expr, text in [
        (d1 + d2, "d1 + d2"),
        (d1 + 2, "d1 + 2"),
        (2 + d1, "d1 + 2"),
        (d1 * 2, "d1 * 2"),
        (2 * d1, "d1 * 2"),
        (d1 % 2, "d1 mod 2"),
        (2 % d1, "2 mod d1"),
        (d1 - d2, "d1 - d2"),
        (d1 - 42, "d1 - 42"),
        (42 - d1, "-d1 + 42"),
        (-d1, "-d1"),
        (d1 // 2, "d1 floordiv 2"),
        (AffineExpr.get_floor_div(2, d1), "2 floordiv d1"),
        (AffineExpr.get_ceil_div(d1, 2), "d1 ceildiv 2"),
        (AffineExpr.get_ceil_div(c2, d1), "2 ceildiv d1"),
        (AffineExpr.get_mod(d1, c2), "d1 mod 2"),
        (AffineExpr.get_mul(d1, c2), "d1 * 2"),
        (AffineExpr.get_add(d1, d2), "d1 + d2"),
    ]:
        assert str(expr) == text
    assert (d1 + d2).lhs == d1 and (d1 + d2).rhs == d2
    assert d1 - 42 == d1 - AffineConstantExpr.get(42)
    rhs = AffineMulExpr((d1 - d2).rhs)
    assert rhs.lhs == d2 and rhs.rhs == AffineConstantExpr.get(-1)
    with pytest.raises(TypeError):
        d1 + "x"


def test_classes(d):
    c2 = AffineConstantExpr.get(2)
    binary = {
        AffineAddExpr: AffineAddExpr.get(d[1], c2),
        AffineMulExpr: AffineMulExpr.get(d[1], c2),
        AffineModExpr: AffineModExpr.get(d[1], c2),
        AffineFloorDivExpr: AffineFloorDivExpr.get(d[1], c2),
        AffineCeilDivExpr: AffineCeilDivExpr.get(d[1], c2),
    }
    for cls, expr in binary.items():
        assert type(expr) is cls and isinstance(expr, AffineBinaryExpr) and AffineBinaryExpr(expr) == expr
        assert [other.isinstance(expr) for other in binary] == [other is cls for other in binary]
        assert type(expr.lhs) is AffineDimExpr and type(expr.rhs) is AffineConstantExpr
    assert not isinstance(d[1], AffineBinaryExpr)
    with pytest.raises(ValueError, match="Cannot cast affine expression to AffineBinaryExpr"):
        AffineBinaryExpr(d[1])
    # Folding gives the class of what remains.
    assert type(d[0] * 1) is AffineDimExpr
    assert type(AffineExpr.get_add(c2, c2)) is AffineConstantExpr


def test_transformations(d, s):
    affine_map = AffineMap.get(3, 2, [d[0] + s[1], d[1] + s[0], d[0] + d[1] + d[2]])
    assert str((d[0] + d[2]).compose(affine_map)) == "d0 + s1 + d0 + d1 + d2"
    assert (d[0] + d[1]).shift_dims(2, 2) == d[2] + d[3]
    assert (s[0] + s[1]).shift_symbols(2, 2, 0) == s[2] + s[3]
    expr = d[0] + s[0] - d[0]
    assert AffineExpr.simplify_affine_expr(expr, 1, 1) == s[0]
    with pytest.raises(ValueError, match="d3 is out of range of 1 dimensions"):
        AffineExpr.simplify_affine_expr(d[3], 1, 1)


def test_hash(d, s):
    assert hash(d[0] + s[1]) == hash(AffineAddExpr.get(d[0], s[1]))
    assert {d[0]: 0, s[1]: 1}[AffineDimExpr.get(0)] == 0
    maps = {AffineMap.get(2, 0, [d[0], d[1]]): 1, AffineMap.get(2, 0, [d[1], d[0]]): 2}
    assert maps[AffineMap.get(2, 0, [d[0], d[1]])] == 1
    integer_set = IntegerSet.get(2, 0, [d[0] + d[1]], [True])
    assert {integer_set: 42}[IntegerSet.get(2, 0, [d[0] + d[1]], [True])] == 42


def test_map_factories(d):
    c2 = AffineConstantExpr.get(2)
    for affine_map, text in [
        (AffineMap.get(2, 3, []), "(d0, d1)[s0, s1, s2] -> ()"),
        (AffineMap.get(2, 3, [d[1], c2]), "(d0, d1)[s0, s1, s2] -> (d1, 2)"),
        (AffineMap.get_constant(2), "() -> (2)"),
        (AffineMap.get_identity(2), "(d0, d1) -> (d0, d1)"),
        (AffineMap.get_minor_identity(2, 1), "(d0, d1) -> (d1)"),
        (AffineMap.get_permutation([2, 0, 1]), "(d0, d1, d2) -> (d2, d0, d1)"),
        (AffineMap.get_empty(), "() -> ()"),
    ]:
        assert str(affine_map) == text and repr(affine_map) == f"AffineMap({text})"
    assert AffineMap.get(0, 0, []) == AffineMap.get_empty()
    with pytest.raises(RuntimeError, match="Invalid expression when attempting to create an AffineMap"):
        AffineMap.get(1, 1, [1])
    with pytest.raises(RuntimeError, match=r"Invalid expression \(None\?\) when attempting to create an AffineMap"):
        AffineMap.get(1, 1, [None])
    for bad in ([1, 0, 1], [0, 3]):
        with pytest.raises(RuntimeError, match="Invalid permutation when attempting to create an AffineMap"):
            AffineMap.get_permutation(bad)
    with pytest.raises(ValueError, match="dimension d1 is out of range"):
        AffineMap.get(1, 0, [d[0] + d[1]])
    with pytest.raises(ValueError, match="number of results out of bounds"):
        AffineMap.get_minor_identity(2, 3)


def test_map_members(d, s):
    affine_map = AffineMap.get(3, 1, [d[2], d[0], d[1]])
    assert (affine_map.n_dims, affine_map.n_symbols, affine_map.n_inputs) == (3, 1, 4)
    assert list(affine_map.results) == [d[2], d[0], d[1]] and len(affine_map.results) == 3
    assert list(affine_map.results[-1:-4:-1]) == [d[1], d[0], d[2]]
    assert list(affine_map.results[1:][::-1]) == [d[1], d[0]] and affine_map.results[-1] == d[1]
    assert affine_map.results + affine_map.results == [d[2], d[0], d[1]] * 2
    with pytest.raises(IndexError):
        affine_map.results[3]
    assert not affine_map.is_permutation and not affine_map.is_projected_permutation
    assert AffineMap.get(3, 0, [d[2], d[0], d[1]]).is_permutation
    assert AffineMap.get(3, 0, [d[2], d[0]]).is_projected_permutation
    five = AffineMap.get_identity(5)
    assert str(five.get_submap([1, 2, 3])) == "(d0, d1, d2, d3, d4) -> (d1, d2, d3)"
    assert str(five.get_major_submap(2)) == "(d0, d1, d2, d3, d4) -> (d0, d1)"
    assert str(five.get_minor_submap(2)) == "(d0, d1, d2, d3, d4) -> (d3, d4)"
    with pytest.raises(ValueError, match="result position out of bounds"):
        five.get_submap([42])
    for submap in (five.get_major_submap, five.get_minor_submap):
        with pytest.raises(ValueError, match="number of results out of bounds"):
            submap(42)


def test_map_rewriting(d, s):
    affine_map = AffineMap.get(3, 3, [d[2], d[0] + s[1] + s[2], d[1] + s[0]])
    c = AffineConstantExpr.get(42)
    assert str(affine_map.replace(s[0], c, 3, 3)) == "(d0, d1, d2)[s0, s1, s2] -> (d2, d0 + s1 + s2, d1 + 42)"
    assert str(affine_map.replace(s[2], c, 3, 2)) == "(d0, d1, d2)[s0, s1] -> (d2, d0 + s1 + 42, d1 + s0)"
    compressed = AffineMap.compress_unused_symbols([AffineMap.get(1, 3, [d[0] + s[2]]), AffineMap.get(1, 3, [d[0]])])
    assert str(compressed) == "[AffineMap((d0)[s0] -> (d0 + s0)), AffineMap((d0)[s0] -> (d0))]"


def test_integer_set(d, s):
    integer_set = IntegerSet.get(2, 1, [d[0] - d[1], s[0] - 42, s[0] - d[0]], [True, False, False])
    assert str(integer_set) == "(d0, d1)[s0] : (d0 - d1 == 0, s0 - 42 >= 0, -d0 + s0 >= 0)"
    assert (integer_set.n_dims, integer_set.n_symbols, integer_set.n_inputs) == (2, 1, 3)
    assert (integer_set.n_equalities, integer_set.n_inequalities) == (1, 2)
    assert [(str(c.expr), c.is_eq) for c in integer_set.constraints] == [
        ("d0 - d1", True),
        ("s0 - 42", False),
        ("-d0 + s0", False),
    ]
    assert len(integer_set.constraints[1:]) == 2
    assert str(IntegerSet.get_empty(1, 1)) == "(d0)[s0] : (1 == 0)" and IntegerSet.get_empty(1, 1).is_canonical_empty
    replaced = IntegerSet.get(2, 1, [d[0] - d[1], s[0] - 42], [True, False]).get_replaced([d[0], s[1]], [s[0]], 1, 2)
    assert str(replaced) == "(d0)[s0, s1] : (d0 - s1 == 0, s0 - 42 >= 0)"


def test_integer_set_errors(d, s):
    integer_set = IntegerSet.get(2, 1, [d[0] - d[1]], [True])
    for call, error, text in [
        (lambda: IntegerSet.get(2, 1, [], []), ValueError, "Expected non-empty list of constraints"),
        (lambda: IntegerSet.get(2, 1, [d[0]], [True, False]), ValueError, "match that of equality flags"),
        (
            lambda: IntegerSet.get(2, 1, [0], [True]),
            RuntimeError,
            "Invalid expression when attempting to create an Int",
        ),
        (lambda: IntegerSet.get(2, 1, [None], [True]), RuntimeError, r"Invalid expression \(None\?\)"),
        (lambda: integer_set.get_replaced([d[0]], [s[0]], 1, 1), ValueError, "to match that of dimensions"),
        (lambda: integer_set.get_replaced([d[0], d[1]], [s[0], s[0]], 2, 1), ValueError, "to match that of symbols"),
        (lambda: integer_set.get_replaced([d[0], 1], [s[0]], 1, 1), RuntimeError, "by replacing dimensions"),
        (lambda: integer_set.get_replaced([d[0], d[0]], [None], 1, 1), RuntimeError, "by replacing symbols"),
    ]:
        with pytest.raises(error, match=text):
            call()


def test_permutation_without_dimensions(ctx):
    with pytest.raises(ValueError, match="at least one dimension"):
        AffineMap.get_permutation([])
