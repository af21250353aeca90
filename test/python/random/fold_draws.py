# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of one operation that combines elements: the families reduction, linear and sort.

Elements are small whole numbers, so that every order of evaluation gives the same sum and results are compared to the
bit; some sums and products of arbitrary floats have the bound of their roundings.
"""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
from draws import CLASSES, Case, Draw, one_op
from random_cases import DTYPES, binary_region, ints, region, tensor


def _is_integer(dtype: np.dtype) -> bool:
    return "int" in dtype.name


def neutral(op: str, dtype: np.dtype) -> np.ndarray:
    """The identity of a combiner."""
    if op in ("add", "or", "xor"):
        return np.zeros((), dtype)
    if op == "multiply":
        return np.ones((), dtype)
    if dtype == np.bool_:
        return np.array(op in ("and", "minimum"))
    if _is_integer(dtype):
        info = ml_dtypes.iinfo(dtype)
        if op == "and":
            return np.array(-1 if info.min else info.max, dtype)
        return np.array(info.min if op == "maximum" else info.max, dtype)
    largest = np.inf if dtype.itemsize > 1 else float(ml_dtypes.finfo(dtype).max)
    return np.array(-largest if op == "maximum" else largest, dtype)


def _combiner(d: Draw) -> tuple[str, str]:
    """An operation with an element type for which its order is open."""
    op = d.choice(["add", "add", "maximum", "minimum", "and", "or", "xor", "multiply"])
    if op in ("and", "or", "xor"):
        return op, d.name("PRED", "INT")
    if op == "multiply":
        return op, d.name("INT")
    if op == "add":
        return op, d.name("INT", "FLOAT", "FLOAT", "COMPLEX")
    return op, d.name("PRED", "INT", "FLOAT", "FLOAT", "TINY")


def _array(d: Draw, name: str, dims, op: str = "add") -> np.ndarray:
    """Elements whose sums are exact: fewer, if the type is narrow."""
    dtype = DTYPES[name]
    if op != "add" or dtype == np.bool_ or _is_integer(dtype):
        x = d.array(name, dims)
        # The order of -0 and 0 and of NaN is open for XLA only.
        return np.abs(x) if name == "float8_e8m0fnu" else x
    x = d.array(name, dims, "small")
    return np.sign(x) if dtype.itemsize <= 2 else x


def _reduced(x: np.ndarray, dims) -> list[int]:
    return [n for i, n in enumerate(x.shape) if i not in dims]


def _init(d: Draw, op: str, dtype: np.dtype) -> np.ndarray:
    init = neutral(op, dtype)
    if op == "add" and not _is_integer(dtype) and dtype.kind != "c" and d.chance(0.4):
        return -init  # the only one that keeps a -0
    return init


def reduce(d: Draw) -> Case:
    op, name = _combiner(d)
    x = _array(d, name, d.dims(0, 4, 120 if DTYPES[name].itemsize <= 2 else 3000), op)
    dims = d.subset(d.shuffled(range(x.ndim)))
    attributes = {"dimensions": ints(dims)}
    result = tensor(x.dtype, _reduced(x, dims))
    operands, known = [x, _init(d, op, x.dtype)], d.randint(0, 1)
    return one_op("reduce", operands, [result], attributes, [binary_region(op, x.dtype)], constants=known)


def reduce_floats(d: Draw) -> Case:
    x = d.array(d.choice(["f32", "f64"]), d.dims(0, 4), "moderate")
    dims = d.subset(range(x.ndim))
    # Every element passes one rounding for each element that is added later, by half an eps each; on both targets.
    terms = math.prod(x.shape[i] for i in dims)
    within = (terms + 1) * np.finfo(x.dtype).eps * np.abs(x).sum(axis=tuple(dims), dtype=np.float64)
    operands, result = [x, neutral("add", x.dtype)], tensor(x.dtype, _reduced(x, dims))
    attributes, regions = {"dimensions": ints(dims)}, [binary_region("add", x.dtype)]
    return one_op("reduce", operands, [result], attributes, regions, within=[within])


def extremum_region(value, index, direction: str = "GT") -> str:
    """The better value with its index; of equal values the one with the smaller index, whatever the order."""
    v, i, p = tensor(value, ()), tensor(index, ()), "tensor<i1>"
    compare = "{comparison_direction = #xla<comparison_direction %s>}"
    body = f"""  %better = "xla.compare"(%p0, %p2) {compare % direction} : ({v}, {v}) -> {p}
  %eq = "xla.compare"(%p0, %p2) {compare % "EQ"} : ({v}, {v}) -> {p}
  %lt = "xla.compare"(%p1, %p3) {compare % "LT"} : ({i}, {i}) -> {p}
  %tie = "xla.and"(%eq, %lt) : ({p}, {p}) -> {p}
  %left = "xla.or"(%better, %tie) : ({p}, {p}) -> {p}
  %v = "xla.select"(%left, %p0, %p2) : ({p}, {v}, {v}) -> {v}
  %i = "xla.select"(%left, %p1, %p3) : ({p}, {i}, {i}) -> {i}
  "xla.return"(%v, %i) : ({v}, {i}) -> ()"""
    return region(v, i, v, i, body=body)


def _with_indices(d: Draw, x: np.ndarray) -> tuple[list[np.ndarray], str]:
    """Values, their indices and the initial ones."""
    direction = d.choice(["GT", "LT"])
    indices = np.arange(x.size).astype(DTYPES[d.choice(["s32", "s64"])]).reshape(x.shape)
    init = neutral("maximum" if direction == "GT" else "minimum", x.dtype)
    last = np.array(np.iinfo(indices.dtype).max, indices.dtype)
    return [x, indices, init, last], extremum_region(x.dtype, indices.dtype, direction)


def reduce_with_indices(d: Draw) -> Case:
    x = d.array(d.choice(["f32", "f64", "s32", "bf16", "u8"]), d.dims(), "small")
    dims = d.subset(range(x.ndim))
    operands, body = _with_indices(d, x)
    results = [tensor(a.dtype, _reduced(x, dims)) for a in operands[:2]]
    return one_op("reduce", operands, results, {"dimensions": ints(dims)}, [body])


def _window(d: Draw, shape, plain: bool = False) -> tuple[dict[str, str], list[int]]:
    """Window attributes that leave at least the window itself, and the result's dims."""
    lists: list[list[int]] = [[], [], [], []]
    padding, dims = [], []
    for n in shape:
        w, s = (d.choice([1, 1, 2, 3, 4]) for _ in range(2))
        bd, wd = (1 if plain else d.choice([1, 1, 2, 3]) for _ in range(2))
        lo, hi = (d.choice([0, 0, 1, 2]) if plain else d.randint(-2, 3) for _ in range(2))
        padded = max(0, (n - 1) * bd + 1 if n else 0) + lo + hi
        if padded < 0:
            lo, hi, padded = 0, 0, padded - lo - hi
        extent = (w - 1) * wd + 1
        for values, value in zip(lists, (w, s, bd, wd), strict=True):
            values.append(value)
        padding.append([lo, hi])
        dims.append(0 if padded < extent else (padded - extent) // s + 1)
    keys = ["window_dimensions", "window_strides", "base_dilations", "window_dilations"][: 2 if plain else 4]
    attributes = {key: ints(value) for key, value in zip(keys, lists, strict=False)}
    return attributes | {"padding": f"dense<{padding if padding else ''}> : tensor<{len(dims)}x2xi64>"}, dims


_WINDOWED = [1, 2, 3, 4, 5, 7, 9, 17]


def reduce_window(d: Draw) -> Case:
    op, name = _combiner(d)
    x = _array(d, name, d.dims(1, 3, 400, _WINDOWED), op)
    attributes, dims = _window(d, x.shape)
    operands, result = [x, neutral(op, x.dtype)], tensor(x.dtype, dims)
    return one_op("reduce_window", operands, [result], attributes, [binary_region(op, x.dtype)])


def reduce_window_with_indices(d: Draw) -> Case:
    x = d.array(d.choice(["f32", "s32"]), d.dims(1, 3, 400, _WINDOWED), "small")
    attributes, dims = _window(d, x.shape)
    operands, body = _with_indices(d, x)
    return one_op("reduce_window", operands, [tensor(a.dtype, dims) for a in operands[:2]], attributes, [body])


def cumulative(d: Draw) -> Case:
    """Windows of all the elements up to one, or from it on."""
    op, name = _combiner(d)
    x = _array(d, name, d.dims(1, 3, 120 if DTYPES[name].itemsize <= 2 else 1500, [1, 2, 3, 7, 8, 16, 17, 40]), op)
    axis = d.randrange(x.ndim)
    before = [[n - 1 if i == axis else 0, 0] for i, n in enumerate(x.shape)]
    padding = before if d.chance(0.5) else [pair[::-1] for pair in before]
    attributes = {
        "window_dimensions": ints([n if i == axis else 1 for i, n in enumerate(x.shape)]),
        "padding": f"dense<{padding}> : tensor<{x.ndim}x2xi64>",
    }
    operands, known = [x, neutral(op, x.dtype)], d.randint(0, 1)
    regions = [binary_region(op, x.dtype)]
    return one_op("reduce_window", operands, [tensor(x.dtype, x.shape)], attributes, regions, constants=known)


def select_and_scatter(d: Draw) -> Case:
    x = d.array(d.choice(["f32", "f64", "s32", "u8", "bf16"]), d.dims(1, 3, 300, _WINDOWED), "small")
    attributes, dims = _window(d, x.shape, plain=True)
    source = d.array(next(n for n in DTYPES if DTYPES[n] == x.dtype), dims, "small")
    source = np.sign(source) if x.dtype.itemsize <= 2 else source
    t = tensor(x.dtype, ())
    direction = f"{{comparison_direction = #xla<comparison_direction {d.choice(['GE', 'LE'])}>}}"
    body = f"""  %r = "xla.compare"(%p0, %p1) {direction} : ({t}, {t}) -> tensor<i1>
  "xla.return"(%r) : (tensor<i1>) -> ()"""
    regions = [region(t, t, body=body), binary_region("add", x.dtype)]
    operands = [x, source, np.zeros((), x.dtype)]
    return one_op("select_and_scatter", operands, [tensor(x.dtype, x.shape)], attributes, regions, signed_zeros=False)


def scan(d: Draw) -> Case:
    """Running values of a computation that neither commutes nor is associative."""
    name, rank_least = d.choice(["s32", "u8", "s64", "u32"]), 1
    x = d.array(name, d.dims(rank_least, 3, 600, [1, 2, 3, 5, 8, 17]))
    axis = d.randrange(x.ndim)
    slice_ = _reduced(x, [axis])
    init, t = d.array(name, slice_), tensor(x.dtype, slice_)
    one, two = (d.choice(["add", "subtract", "multiply", "xor", "maximum"]) for _ in range(2))
    body = f"""  %next = "xla.{one}"(%p1, %p0) : ({t}, {t}) -> {t}
  %out = "xla.{two}"(%next, %p0) : ({t}, {t}) -> {t}
  "xla.return"(%out, %next) : ({t}, {t}) -> ()"""
    attributes = {
        "dimension": f"{axis} : i64",
        "is_reverse": str(d.chance(0.5)).lower(),
        "operandSegmentSizes": "array<i32: 1, 1>",
        "resultSegmentSizes": "array<i32: 1, 1>",
    }
    return one_op("scan", [x, init], [tensor(x.dtype, x.shape), t], attributes, [region(t, t, body=body)], xla=False)


# ---- Linear ----------------------------------------------------------------------------------------------------------

_WIDER = [("s8", "s32"), ("u8", "u32"), ("bf16", "f32"), ("f16", "f32")]


def _types(d: Draw) -> tuple[str, str]:
    """Element types of the operands and of the result of a contraction."""
    if d.chance(0.2):
        return d.choice(_WIDER)
    name = d.name("INT", "FLOAT", "FLOAT", "COMPLEX")
    return name, name


def _factor(d: Draw, name: str, dims) -> np.ndarray:
    x = d.array(name, dims, "small")
    return np.sign(x) if DTYPES[name].name in ("float16", "bfloat16") else x


def dot_general(d: Draw) -> Case:
    name, result = _types(d)
    floats = name == result and name in ("f32", "f64") and d.chance(0.3)
    sizes = [0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33]
    batch = [d.randint(1, 3) for _ in range(d.choice([0, 0, 1, 2]))]
    contracting = [d.choice(sizes) for _ in range(d.choice([0, 1, 1, 1, 2]))]
    operands, places = [], []
    for _ in range(2):
        lengths = [*batch, *contracting, *(d.choice(sizes) for _ in range(d.choice([0, 1, 1, 2])))]
        order = d.shuffled(range(len(lengths)))
        dims = [lengths[i] for i in order]
        places.append([order.index(i) for i in range(len(lengths))])
        operands.append(d.array(name, dims, "moderate") if floats else _factor(d, name, dims))
    b, k = len(batch), len(contracting)
    lists = {f"{n}_batching_dimensions": p[:b] for n, p in zip(("lhs", "rhs"), places, strict=True)}
    lists |= {f"{n}_contracting_dimensions": p[b : b + k] for n, p in zip(("lhs", "rhs"), places, strict=True)}
    used = [set(p[: b + k]) for p in places]
    free = [[n for i, n in enumerate(x.shape) if i not in u] for x, u in zip(operands, used, strict=True)]
    numbers = ", ".join(f"{key} = {value}" for key, value in lists.items() if value)
    attributes = {"dot_dimension_numbers": f"#xla.dot<{numbers}>"}
    out = tensor(DTYPES[result], [*batch, *free[0], *free[1]])
    judge = _rounded(lambda x, y: _contracted(x, y, places, b, k), math.prod(contracting)) if floats else None
    return one_op("dot_general", operands, [out], attributes, signed_zeros=False, judge=judge)


def _contracted(x: np.ndarray, y: np.ndarray, places, b: int, k: int) -> np.ndarray:
    names = [[""] * x.ndim, [""] * y.ndim]
    letters = iter("abcdefghijkl")
    shared = [next(letters) for _ in range(b + k)]
    free: list[str] = []
    for name, place in zip(names, places, strict=True):
        for i, p in enumerate(place):
            name[p] = shared[i] if i < b + k else next(letters)
            free += [name[p]] if i >= b + k else []
    order = [[n for n in name if n in free] for name in names]
    return np.einsum(f"{''.join(names[0])},{''.join(names[1])}->{''.join([*shared[:b], *order[0], *order[1]])}", x, y)


def _rounded(magnitude, terms: int):
    """Compares sums of products of floats: a product passes at most one rounding of its own and `terms` - 1 of sums, by
    half an eps each; on both sides."""
    from comparison import difference

    def judge(have, want, arguments):
        sizes = magnitude(*(np.abs(a).astype(np.float64) for a in arguments))
        within = (terms + 1) * np.finfo(arguments[0].dtype).eps * sizes
        return difference(have[0], want[0], within, signed_zeros=False)

    return judge


def dot(d: Draw) -> Case:
    name, result = _types(d)
    m, k, n = (d.choice([0, 1, 2, 3, 7, 8, 17, 33]) for _ in range(3))
    lhs, out = ([m, k], [m]) if d.chance(0.6) else ([k], [])
    rhs, out = ([k, n], [*out, n]) if d.chance(0.6) else ([k], out)
    operands = [_factor(d, name, lhs), _factor(d, name, rhs)]
    return one_op("dot", operands, [tensor(DTYPES[result], out)], signed_zeros=False)


def ragged_dot(d: Draw) -> Case:
    name = d.choice(["f32", "f32", "f64", "s32", "bf16"])
    groups, m, k, n = d.randint(1, 4), *(d.choice([1, 2, 5, 8, 17, 32]) for _ in range(3))
    ragged = d.choice(["free", "contracting"])
    total = m if ragged == "free" else k
    cuts = sorted(d.randint(0, total) for _ in range(groups - (1 if d.chance(0.7) else 0)))
    cuts = [0, *cuts, total][: groups + 1] if len(cuts) < groups else [0, *cuts]
    sizes = np.diff(np.array(cuts)).astype(np.int32)
    if ragged == "free":
        shapes, out = ([m, k], [groups, k, n]), [m, n]
        numbers = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
        numbers += "rhs_group_dimensions = [0]"
    else:
        shapes, out = ([k, m], [k, n]), [groups, m, n]
        numbers = "lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]"
    attributes = {"ragged_dot_dimension_numbers": f"#xla.ragged_dot<{numbers}>"}
    operands = [*(_factor(d, name, s) for s in shapes), sizes]
    return one_op("ragged_dot", operands, [tensor(DTYPES[name], out)], attributes, signed_zeros=False)


def convolution(d: Draw) -> Case:
    name, wide = _types(d)
    spatial = d.randint(0, 3)
    kind = d.choice(["none", "none", "feature", "batch"])
    groups = 1 if kind == "none" else d.randint(2, 3)
    feature_groups, batch_groups = groups if kind == "feature" else 1, groups if kind == "batch" else 1
    inputs, outputs, batch = d.randint(1, 3), d.choice([1, 2, 3, 8]) * groups, d.randint(1, 2) * batch_groups
    lists: dict[str, list[int]] = {key: [] for key in ("window_strides", "lhs_dilation", "rhs_dilation")}
    base, kernel, result, padding = [], [], [], []
    for _ in range(spatial):
        n, w = d.randint(1, 8), d.randint(1, 3)
        s, bd, wd = (d.choice([1, 1, 2, 3]) for _ in range(3))
        lo, hi = d.randint(-1, 3), d.randint(-1, 3)
        padded, extent = (n - 1) * bd + 1 + lo + hi, (w - 1) * wd + 1
        if padded < 0:
            lo, hi, padded = 0, 0, (n - 1) * bd + 1
        base.append(n), kernel.append(w), padding.append([lo, hi])
        for key, value in zip(lists, (s, bd, wd), strict=True):
            lists[key].append(value)
        result.append(0 if padded < extent else (padded - extent) // s + 1)

    def arranged(letters: str, sizes: list[int]) -> tuple[str, list[int]]:
        order = d.shuffled(range(spatial + 2))
        spelling = [*letters, *map(str, range(spatial))]
        return "[" + ", ".join(spelling[i] for i in order) + "]", [sizes[i] for i in order]

    lhs_order, lhs = arranged("bf", [batch, inputs * feature_groups, *base])
    rhs_order, rhs = arranged("oi", [outputs, inputs, *kernel])
    out_order, out = arranged("bf", [batch // batch_groups, outputs, *result])
    reversal = ", ".join(str(d.chance(0.3)).lower() for _ in range(spatial))
    attributes = {key: ints(value) for key, value in lists.items()} | {
        "padding": f"dense<{padding if padding else ''}> : tensor<{spatial}x2xi64>",
        "window_reversal": f"array<i1{': ' if spatial else ''}{reversal}>",
        "dimension_numbers": f"#xla.conv<{lhs_order}x{rhs_order}->{out_order}>",
        "feature_group_count": f"{feature_groups} : i64",
        "batch_group_count": f"{batch_groups} : i64",
    }
    operands = [_factor(d, name, lhs), _factor(d, name, rhs)]
    return one_op("convolution", operands, [tensor(DTYPES[wide], out)], attributes, signed_zeros=False)


# ---- Sort ------------------------------------------------------------------------------------------------------------


def _compare(result: str, a: str, b: str, t: str, direction: str, total: bool = False) -> str:
    attributes = f"comparison_direction = #xla<comparison_direction {direction}>"
    attributes += ", compare_type = #xla<comparison_type TOTALORDER>" if total else ""
    return f'  {result} = "xla.compare"({a}, {b}) {{{attributes}}} : ({t}, {t}) -> tensor<i1>\n'


def _canonical(name: str, t: str) -> tuple[str, str]:
    """What JAX compares in the place of a float: zeros of one sign, NaN of one kind."""
    k, chosen = name, f"(tensor<i1>, {t}, {t}) -> {t}"
    body = f'  {k}z = "xla.constant"() {{value = dense<0.0> : {t}}} : () -> {t}\n'
    body += _compare(f"{k}is0", name, f"{k}z", t, "EQ")
    body += f'  {k}b = "xla.select"({k}is0, {k}z, {name}) : {chosen}\n'
    body += _compare(f"{k}isn", name, name, t, "NE")
    body += f'  {k}q = "xla.divide"({k}z, {k}z) : ({t}, {t}) -> {t}\n  {k}n = "xla.abs"({k}q) : ({t}) -> {t}\n'
    body += f'  {k}c = "xla.select"({k}isn, {k}n, {k}b) : {chosen}\n'
    return body, f"{k}c"


def sort(d: Draw) -> Case:
    """One to three arrays; comparators as compilers and JAX write them, and others. Where equal elements could change
    places unnoticed by the comparator, the sort is stable."""
    dims = d.dims(1, 3, 3000, [0, 1, 2, 3, 4, 7, 8, 9, 16, 17, 33, 64, 100, 257])
    axis, count = d.randrange(len(dims)), d.choice([1, 1, 2, 2, 3])
    form = d.choice(["plain", "plain", "total", "jax", "lexicographic", "computed", "never", "complex"])
    names = [d.name("INT", "FLOAT") for _ in range(count)]
    if form in ("total", "jax"):
        names[0] = d.name("FLOAT")
    if form == "computed":
        names[0] = d.choice(["s32", "u8", "s64", "s8"])
    if form == "complex":
        names[0] = d.name("COMPLEX")
    arrays = [d.array(n, dims, "small" if d.chance(0.4) else "any") for n in names]
    if form in ("plain", "lexicographic", "complex"):  # comparisons that are no order where there is NaN
        keys = 2 if form == "lexicographic" else 1
        arrays[:keys] = [_without_nan(a) for a in arrays[:keys]]
    types = [tensor(a.dtype, ()) for a in arrays]
    direction, t = d.choice(["LT", "GT"]), types[0]
    body, first, second = "", "%p0", "%p1"
    if form == "jax":
        (one, first), (two, second) = _canonical("%p0", t), _canonical("%p1", t)
        body = one + two
    if form == "complex":
        part = tensor(arrays[0].real.dtype, ())
        for k, p in enumerate(("%p0", "%p1")):
            body += f'  %r{k} = "xla.real"({p}) : ({t}) -> {part}\n  %i{k} = "xla.imag"({p}) : ({t}) -> {part}\n'
        body += _compare("%lt", "%r0", "%r1", part, direction) + _compare("%eq", "%r0", "%r1", part, "EQ")
        body += _compare("%more", "%i0", "%i1", part, direction)
        both = "(tensor<i1>, tensor<i1>) -> tensor<i1>"
        body += f'  %tie = "xla.and"(%eq, %more) : {both}\n  %r = "xla.or"(%lt, %tie) : {both}\n'
    elif form == "never":
        body += '  %r = "xla.constant"() {value = dense<false> : tensor<i1>} : () -> tensor<i1>\n'
    elif form == "computed":  # by some bits only
        mask = f'  %m = "xla.constant"() {{value = dense<{d.choice([3, 5, 12])}> : {t}}} : () -> {t}\n'
        body += mask + "".join(f'  %c{k} = "xla.and"(%p{k}, %m) : ({t}, {t}) -> {t}\n' for k in range(2))
        body += _compare("%r", "%c0", "%c1", t, direction)
    elif form == "lexicographic" and count > 1:
        second_type = types[1]
        body += _compare("%lt", "%p0", "%p1", t, direction) + _compare("%eq", "%p0", "%p1", t, "EQ")
        body += _compare("%more", "%p2", "%p3", second_type, d.choice(["LT", "GT"]))
        both = "(tensor<i1>, tensor<i1>) -> tensor<i1>"
        body += f'  %tie = "xla.and"(%eq, %more) : {both}\n  %r = "xla.or"(%lt, %tie) : {both}\n'
    else:
        body += _compare("%r", first, second, t, direction, form in ("total", "jax"))
    body += '  "xla.return"(%r) : (tensor<i1>) -> ()'
    # The order of all bits is that of integers, and of a total order with NaN of one pattern.
    one_way = count == 1 and (form == "total" or form == "plain" and not _has_floats(arrays))
    attributes = {
        "dimension": f"{axis - len(dims) if d.chance(0.2) else axis} : i64",
        "is_stable": "false" if one_way and d.chance(0.7) else "true",
    }
    pairs = [each for t in types for each in (t, t)]
    results = [tensor(a.dtype, dims) for a in arrays]
    # XLA wants its own spelling of the dimension.
    return one_op(
        "sort", arrays, results, attributes, [region(*pairs, body=body)], xla="-" not in attributes["dimension"]
    )


def _has_floats(arrays) -> bool:
    return any(a.dtype.kind in "fcV" and not _is_integer(a.dtype) for a in arrays)


def _without_nan(x: np.ndarray) -> np.ndarray:
    if x.dtype.kind == "c":
        x = x.copy()
        x.real, x.imag = _without_nan(x.real), _without_nan(x.imag)
        return x
    if _is_integer(x.dtype) or x.dtype == np.bool_:
        return x
    return np.where(np.isnan(x.astype(np.float64)), np.ones((), x.dtype), x).astype(x.dtype)


def top_k(d: Draw) -> Case:
    x = d.array(d.choice(CLASSES["INT"][:8] + CLASSES["FLOAT"]), d.dims(1, 3), d.choice(["any", "small"]))
    k = d.choice([0, 1, 2, x.shape[-1], d.randint(0, x.shape[-1])])
    k = min(k, x.shape[-1])
    dims = [*x.shape[:-1], k]
    return one_op("top_k", [x], [tensor(x.dtype, dims), tensor(np.int32, dims)], {"k": f"{k} : i64"})


DRAWS = {
    reduce: 4,
    reduce_floats: 2,
    reduce_with_indices: 2,
    reduce_window: 3,
    reduce_window_with_indices: 1,
    cumulative: 2,
    select_and_scatter: 2,
    scan: 1,
    dot_general: 4,
    dot: 1,
    ragged_dot: 2,
    convolution: 4,
    sort: 8,
    top_k: 3,
}
