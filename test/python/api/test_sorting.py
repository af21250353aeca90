# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting of lines of thousands of elements, beside NumPy's; comparators that contradict themselves; the builder."""

import numpy as np
import pytest
from api_programs import TARGETS

import mlir_xla
from mlir_xla import Shape, ShapeError, XlaBuilder, XlaError, ops

needs_cpu = pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
NAMES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i32": np.int32, "i64": np.int64, "i8": np.int8}


def program(shape, dim, names, body):
    """The stable sort of arrays of these element types."""
    types = [f"tensor<{'x'.join(map(str, shape))}x{name}>" for name in names]
    scalars = ", ".join(f"%a{i}: tensor<{name}>, %b{i}: tensor<{name}>" for i, name in enumerate(names))
    arguments = ", ".join(f"%x{i}: {t}" for i, t in enumerate(types))
    operands = ", ".join(f"%x{i}" for i in range(len(types)))
    results = ", ".join(f"%r#{i}" for i in range(len(types))) if len(types) > 1 else "%r"
    several = f":{len(types)}" if len(types) > 1 else ""
    return f"""func.func @main({arguments}) -> ({", ".join(types)}) {{
  %r{several} = "xla.sort"({operands}) <{{dimension = {dim} : i64, is_stable = true}}> ({{
  ^bb0({scalars}):
{body}
    xla.return %p : tensor<i1>
  }}) : ({", ".join(types)}) -> ({", ".join(types)})
  return {results} : {", ".join(types)}
}}"""


def less(name, i=0, result="p", direction="LT"):
    t = f"tensor<{name}>"
    return f"    %{result} = xla.compare {direction}, %a{i}, %b{i} : ({t}, {t}) -> tensor<i1>\n"


def difference(name):
    """Compares without a key."""
    t = f"tensor<{name}>"
    zero = f"    %z = xla.constant dense<{'0' if name[0] == 'i' else '0.0'}> : {t}\n"
    return zero + f"    %d = xla.subtract %a0, %b0 : {t}\n    %p = xla.compare LT, %d, %z : ({t}, {t}) -> tensor<i1>\n"


def run(text, *arrays, threads=0):
    found = mlir_xla.compile(text, threads=threads)(*arrays)
    return [np.asarray(each) for each in (found if isinstance(found, (list, tuple)) else [found])]


def keys(name, shape, seed=0):
    rng = np.random.default_rng(seed)
    if name[0] == "i":
        info = np.iinfo(NAMES[name])
        return rng.integers(info.min, info.max, shape, NAMES[name])
    values = np.round(rng.standard_normal(shape) * 1000) / 8
    values[rng.random(shape) < 0.01] = np.nan
    values[rng.random(shape) < 0.01] = -0.0
    values[rng.random(shape) < 0.01] = np.inf
    return values.astype(NAMES[name])


def same(found, expected):
    kind = f"u{found.dtype.itemsize}"
    nan = np.isnan(expected) if expected.dtype.kind == "f" else np.zeros(expected.shape, bool)
    return np.array_equal(found[~nan].view(kind), expected[~nan].view(kind)) and bool(np.all(found[nan] != found[nan]))


# Rows that a network sorts, rows one by one, and a line that all cores sort.
SHAPES = [((3000, 17), 1), ((17, 3000), 0), ((40, 3000), 1), ((3000, 40), 0), ((131_072,), 0), ((300_001,), 0)]
IDS = ["x".join(map(str, shape)) + f"-{dim}" for shape, dim in SHAPES]


@needs_cpu
@pytest.mark.parametrize(("shape", "dim"), SHAPES, ids=IDS)
@pytest.mark.parametrize("name", NAMES)
def test_keys(name, shape, dim):
    x = keys(name, shape)
    order = np.argsort(x, dim, kind="stable")
    [found] = run(program(shape, dim, [name], less(name)), x)
    assert same(found, np.take_along_axis(x, order, dim))


@needs_cpu
@pytest.mark.parametrize(("shape", "dim"), SHAPES, ids=IDS)
@pytest.mark.parametrize(
    ("name", "payload"), [("f32", "i32"), ("i32", "f64"), ("i8", "f64"), ("f64", "i8"), ("f16", "f32")]
)
def test_keys_with_values(name, payload, shape, dim):
    x, y = keys(name, shape), keys(payload, shape, 1)
    order = np.argsort(x, dim, kind="stable")
    text = program(shape, dim, [name, payload], less(name))
    found = run(text, x, y)
    for have, want in zip(found, (x, y), strict=True):
        assert same(have, np.take_along_axis(want, order, dim))
    for have, want in zip(run(text, x, y, threads=1), found, strict=True):
        assert have.tobytes() == want.tobytes()


@needs_cpu
@pytest.mark.parametrize("length", [255, 256, 700, 2047, 2048])
@pytest.mark.parametrize("bits", [0, 1, 7, 8, 9, 16, 17, 24, 25, 32, 33, 40, 63])
def test_rows_of_keys_near_each_other(length, bits):
    """Rows of a few hundred words are sorted by up to four digits of 8 bits, where vectors are short."""
    rng = np.random.default_rng(bits)
    least = rng.integers(-(2**62), 2**61, (20, 1))
    x = least + rng.integers(0, 2**bits - 1, (20, length), np.int64, endpoint=True)
    y = rng.integers(-100, 100, x.shape).astype(np.int32)
    order = np.argsort(x, 1, kind="stable")
    [alone] = run(program(x.shape, 1, ["i64"], less("i64")), x)
    assert np.array_equal(alone, np.take_along_axis(x, order, 1))
    found = run(program(x.shape, 1, ["i64", "i32"], less("i64")), x, y)
    assert np.array_equal(found[0], alone)
    assert np.array_equal(found[1], np.take_along_axis(y, order, 1))
    if bits <= 32:
        narrow = (x - least).astype(np.uint32).view(np.int32)
        found = run(program(x.shape, 1, ["i32", "i32"], less("i32")), narrow, y)
        order = np.argsort(narrow, 1, kind="stable")
        assert np.array_equal(found[0], np.take_along_axis(narrow, order, 1))
        assert np.array_equal(found[1], np.take_along_axis(y, order, 1))


@needs_cpu
@pytest.mark.parametrize("bits", [0, 3, 16, 31])
@pytest.mark.parametrize("names", [["i32", "i64", "f32"], ["i8", "f64", "f16", "i32"], ["i64", "i8", "i32"]])
def test_a_line_with_arrays_of_several_widths(names, bits):
    """One line that all cores sort, of many equal keys; two of the results may hold words of the first ones."""
    length = 200_003
    rng = np.random.default_rng(bits)
    top = min(2**bits - 1, np.iinfo(NAMES[names[0]]).max)
    arrays = [rng.integers(0, top, length, NAMES[names[0]], endpoint=True)]
    arrays += [(rng.permutation(length) % 2001).astype(NAMES[name]) for name in names[1:]]
    order = np.argsort(arrays[0], kind="stable")
    for have, want in zip(run(program((length,), 0, names, less(names[0])), *arrays), arrays, strict=True):
        assert have.tobytes() == want[order].tobytes()


@needs_cpu
@pytest.mark.parametrize(("shape", "dim"), SHAPES[2:5], ids=IDS[2:5])
def test_more_keys_than_a_word_holds(shape, dim):
    names = ["i64", "f64", "i32"]
    rng = np.random.default_rng(3)
    arrays = [rng.integers(-3, 3, shape).astype(NAMES[name]) for name in names]
    body = less("i32", 2, "l2")
    inner = "l2"
    for i in (1, 0):
        body += less(names[i], i, f"l{i}") + less(names[i], i, f"e{i}", "EQ")
        body += f"    %n{i} = xla.and %e{i}, %{inner} : tensor<i1>\n    %o{i} = xla.or %l{i}, %n{i} : tensor<i1>\n"
        inner = f"o{i}"
    found = run(program(shape, dim, names, body.replace("%o0", "%p")), *arrays)
    order = np.lexsort(arrays[::-1], axis=dim)
    for have, want in zip(found, arrays, strict=True):
        assert np.array_equal(have, np.take_along_axis(want, order, dim))


@needs_cpu
@pytest.mark.parametrize(("shape", "dim"), [*SHAPES[:4], ((50_000,), 0)])
def test_any_comparator(shape, dim):
    x = np.random.default_rng(5).integers(-1000, 1000, shape).astype(np.int32)
    y = np.arange(x.size, dtype=np.float32).reshape(shape)
    order = np.argsort(x, dim, kind="stable")
    text = program(shape, dim, ["i32", "f32"], difference("i32"))
    found = run(text, x, y)
    for have, want in zip(found, (x, y), strict=True):
        assert np.array_equal(have, np.take_along_axis(want, order, dim))
    for have, want in zip(run(text, x, y, threads=1), found, strict=True):
        assert have.tobytes() == want.tobytes()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("body", [less("f32"), less("f32", direction="GT"), difference("f32")])
def test_inconsistent_comparator(body, target):
    """With NaN these say that everything is equal to NaN: all elements come out, in some order."""
    x = np.random.default_rng(6).standard_normal((3, 100)).astype(np.float32)
    x[:, ::3] = np.nan
    found = np.asarray(mlir_xla.compile(program((3, 100), 1, ["f32"], body), target=target)(x))
    assert np.array_equal(np.sort(found), np.sort(x), equal_nan=True)


class TestBuilder:
    def comparator(self, *dtypes):
        b = XlaBuilder("less")
        parameters = [b.parameter(i, Shape(dtypes[i // 2])) for i in range(2 * len(dtypes))]
        return b.build(ops.Lt(parameters[0], parameters[1]))

    @pytest.mark.parametrize("target", TARGETS)
    def test_sort(self, target):
        b = XlaBuilder("test")
        x = b.parameter(0, Shape("f32", (2, 3)))
        less = self.comparator("f32")
        sorted_ = ops.Sort(x, less)
        assert sorted_.shape == Shape("f32", (2, 3))
        columns = ops.Sort(x, less, dimension=0, is_stable=True)
        rows, there = mlir_xla.compile(b.build(ops.Tuple(b, [sorted_, columns])), target=target)(
            np.array([[3, 1, 2], [0, 5, 4]], np.float32)
        )
        assert np.asarray(rows).tolist() == [[1, 2, 3], [0, 4, 5]]
        assert np.asarray(there).tolist() == [[0, 1, 2], [3, 5, 4]]

    @pytest.mark.parametrize("target", TARGETS)
    def test_several(self, target):
        b = XlaBuilder("test")
        x, y = b.parameter(0, Shape("s32", (3,))), b.parameter(1, Shape("f32", (3,)))
        both = ops.Sort([x, y], self.comparator("s32", "f32"), 0)
        assert str(both.shape) == "(s32[3], f32[3])"
        found = mlir_xla.compile(b.build(both), target=target)(np.array([3, 1, 2], np.int32), np.float32([7, 8, 9]))
        assert [np.asarray(each).tolist() for each in found] == [[1, 2, 3], [8, 9, 7]]

    @pytest.mark.parametrize("target", TARGETS)
    def test_top_k(self, target):
        b = XlaBuilder("test")
        largest = ops.TopK(b.parameter(0, Shape("f32", (4,))), 2)
        assert str(largest.shape) == "(f32[2], s32[2])"
        found = mlir_xla.compile(b.build(largest), target=target)(np.float32([1, 4, 2, 4]))
        assert [np.asarray(each).tolist() for each in found] == [[4, 4], [1, 3]]

    @pytest.mark.parametrize("length", [5, 63, 64, 65, 200, 1000])
    @pytest.mark.parametrize("count", [1, 2, 5, 16, 17, 63])
    @pytest.mark.parametrize("name", ["s8", "u16", "s64", "f16", "f32", "f64"])
    def test_top_k_of_rows(self, name, count, length):
        """In any order, ascending, descending, with few different values, and with NaN, which is the largest."""
        count = min(count, length)
        b = XlaBuilder("test")
        found = ops.TopK(b.parameter(0, Shape(name, (6, length))), count)
        rng = np.random.default_rng(count)
        x = rng.integers(0, 120, (6, length))
        x[1], x[2], x[3] = np.sort(x[1]), -np.sort(-x[2]), x[3] % 3
        kind, bits = name[0], int(name[1:])
        x = x.astype({"s": f"int{bits}", "u": f"uint{bits}", "f": f"float{bits}"}[kind])
        if kind == "f":
            x = x - x.dtype.type(60)
            x[4, :: max(1, length // 3)] = np.nan
            x[5] = np.where(rng.random(length) < 0.5, 0.0, -0.0)
        values, places = map(np.asarray, mlir_xla.compile(b.build(found))(x))
        # Of zeros, the positive one is larger.
        keys = x.astype(np.float64) + np.where(np.signbit(x.astype(np.float64)), -1e-300, 0)
        keys = np.where(np.isnan(keys), np.inf, keys)
        expected = np.argsort(-keys, axis=1, kind="stable")[:, :count]
        np.testing.assert_array_equal(places, expected)
        np.testing.assert_array_equal(values, np.take_along_axis(x, expected, 1))

    def test_refused(self):
        b = XlaBuilder("test")
        x = b.parameter(0, Shape("f32", (4,)))
        with pytest.raises(XlaError, match="Sort-C1"):
            ops.Sort([], self.comparator("f32"))
        with pytest.raises(ShapeError, match="Sort-C3"):
            ops.Sort(x, self.comparator("s32"))
        with pytest.raises(ShapeError, match="Sort-C4"):
            ops.Sort(x, self.comparator("f32"), 1)
        with pytest.raises(ShapeError, match="TopK-C2"):
            ops.TopK(x, 5)


@pytest.mark.parametrize("name", ["f32", "f64"])
def test_by_functions_of_elements(name):
    """A comparator that is more than arithmetic: by the remainders of sines."""
    t = f"tensor<{name}>"
    body = f"    %half = xla.constant dense<0.5> : {t}\n"
    for i, x in (("0", "%a0"), ("1", "%b0")):
        body += f"    %s{i} = xla.sine {x} : {t}\n    %m{i} = xla.remainder %s{i}, %half : {t}\n"
    body += f"    %p = xla.compare LT, %m0, %m1 : ({t}, {t}) -> tensor<i1>\n"
    x = np.random.default_rng(3).uniform(-100, 100, 999).astype(NAMES[name])
    (given,) = run(program(x.shape, 0, [name], body), x)
    order = np.fmod(np.sin(given.astype(np.float64)), 0.5)
    np.testing.assert_array_equal(np.sort(given), np.sort(x))
    assert (np.diff(order) >= -1e-6).all()
