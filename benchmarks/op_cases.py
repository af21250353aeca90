# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs of one operation each, as JAX lowers them: every form of every operation that a test should meet.

They are not measured. `write_corpus.py` exports them, with inputs and JAX's results, as material for tests.
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from program import Program, Spec, spec

_WIDE = tuple(spec(name).dtype for name in ("f64", "c128", "i64", "ui64"))


class _Cases:
    def __init__(self) -> None:
        self.found: dict[str, Program] = {}

    def add(self, name, family, function, *inputs, **more) -> None:
        specs = tuple(each if isinstance(each, Spec) else spec(each) for each in inputs)
        wide = more.pop("x64", False) or any(each.dtype in _WIDE for each in specs)
        assert name not in self.found, name
        more.setdefault("rtol", 2e-2 if any("b" in str(e.dtype)[:2] or e.dtype == np.float16 for e in specs) else 1e-4)
        self.found[name] = Program(name, family, function, specs, x64=wide, **more)


def _elementwise(add) -> None:
    floats = ("f32", "f64", "bf16", "f16")
    unary = {
        "abs": (lax.abs, ("f32", "i32", "c64", "bf16"), None),
        "cbrt": (lax.cbrt, ("f32", "f64"), None),
        "ceil": (lax.ceil, ("f32", "f16"), (-9, 9)),
        "floor": (lax.floor, ("f32", "f64"), (-9, 9)),
        "round_away": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), ("f32",), (-9, 9)),
        "round_even": (lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), ("f32", "f64"), (-9, 9)),
        "clz": (lax.clz, ("i32", "ui8", "i64"), None),
        "popcnt": (lax.population_count, ("i32", "ui16"), None),
        "cos": (lax.cos, ("f32", "f64", "c64"), (-100, 100)),
        "sin": (lax.sin, ("f32", "f64", "c64"), (-100, 100)),
        "tan": (lax.tan, ("f32", "f64"), None),
        "exp": (lax.exp, (*floats, "c64"), None),
        "exp2": (lax.exp2, ("f32",), None),
        "expm1": (lax.expm1, ("f32", "f64"), None),
        "log": (lax.log, ("f32", "f64", "c64"), (0.01, 20)),
        "log1p": (lax.log1p, ("f32", "f64"), (-0.9, 20)),
        "logistic": (lax.logistic, ("f32", "bf16"), None),
        "tanh": (lax.tanh, ("f32", "f64", "f16"), None),
        "rsqrt": (lax.rsqrt, ("f32", "f64"), (0.01, 20)),
        "sqrt": (lax.sqrt, ("f32", "f64", "c64"), (0, 20)),
        "neg": (lax.neg, ("f32", "i32", "ui8", "c64"), None),
        "not": (lax.bitwise_not, ("i32", "i1", "ui8"), None),
        "sign": (lax.sign, ("f32", "i32", "ui32"), None),
        "is_finite": (lax.is_finite, ("f32", "f64"), None),
        "real": (lax.real, ("c64",), None),
        "imag": (lax.imag, ("c128",), None),
        "chlo_erf": (lax.erf, ("f32", "f64"), None),
        "chlo_erfc": (lax.erfc, ("f32",), None),
        "chlo_erf_inv": (lax.erf_inv, ("f32",), (-0.95, 0.95)),
        "chlo_lgamma": (lax.lgamma, ("f32",), (0.1, 8)),
        "chlo_asin": (lax.asin, ("f32",), (-1, 1)),
        "chlo_acos": (lax.acos, ("f32",), (-1, 1)),
        "chlo_atan": (lax.atan, ("f32",), None),
        "chlo_sinh": (lax.sinh, ("f32",), None),
        "chlo_cosh": (lax.cosh, ("f32",), None),
        "chlo_asinh": (lax.asinh, ("f32",), None),
        "chlo_acosh": (lax.acosh, ("f32",), (1, 9)),
        "chlo_atanh": (lax.atanh, ("f32",), (-0.9, 0.9)),
    }
    for name, (function, dtypes, bounds) in unary.items():
        for dtype in dtypes:
            low, high = bounds or (None, None)
            shape = "3x7x" if dtype != "i32" else "13x"
            add(f"{name}_{dtype}", "elementwise", function, spec(shape + dtype, low, high))
    binary = {
        "add": (lax.add, ("f32", "i32", "ui8", "c64", "bf16")),
        "sub": (lax.sub, ("f32", "i8", "c64")),
        "mul": (lax.mul, ("f32", "i32", "c64", "f16")),
        "max": (lax.max, ("f32", "i32", "ui32", "bf16")),
        "min": (lax.min, ("f32", "i32", "f64")),
        "and": (lax.bitwise_and, ("i32", "i1")),
        "or": (lax.bitwise_or, ("ui8", "i1")),
        "xor": (lax.bitwise_xor, ("i64", "i1")),
        "atan2": (lax.atan2, ("f32", "f64")),
        "complex": (lax.complex, ("f32", "f64")),
        "chlo_next_after": (lax.nextafter, ("f32",)),
    }
    for name, (function, dtypes) in binary.items():
        for dtype in dtypes:
            add(f"{name}_{dtype}", "elementwise", function, "4x9x" + dtype, "4x9x" + dtype)
    positive = functools.partial(spec, low=1, high=9)
    for dtype in ("f32", "f64", "c64", "i32", "ui32"):
        add(f"div_{dtype}", "elementwise", lax.div, "17x" + dtype, positive("17x" + dtype))
    for dtype in ("f32", "i32", "ui8", "f64"):
        add(f"rem_{dtype}", "elementwise", lax.rem, "17x" + dtype, positive("17x" + dtype))
    for dtype in ("f32", "f64"):
        add(f"pow_{dtype}", "elementwise", lax.pow, positive("17x" + dtype), "17x" + dtype)
    add("pow_i32", "elementwise", lambda x: lax.integer_pow(x, 3), "17xi32")
    add("pow_int_int", "elementwise", jnp.power, "17xi32", spec("17xi32", 0, 5))
    for name, function in (
        ("shl", lax.shift_left),
        ("shra", lax.shift_right_arithmetic),
        ("shrl", lax.shift_right_logical),
    ):
        for dtype in ("i32", "ui8"):
            add(f"{name}_{dtype}", "elementwise", function, "17x" + dtype, spec("17x" + dtype, 0, 8))
    for direction in ("eq", "ne", "lt", "le", "gt", "ge"):
        add(f"compare_{direction}_f32", "elementwise", getattr(lax, direction), spec("31xf32"), spec("31xf32"))
        add(f"compare_{direction}_i32", "elementwise", getattr(lax, direction), "31xi32", "31xi32")
    add("compare_lt_ui8", "elementwise", lax.lt, "31xui8", "31xui8")
    add("compare_eq_i1", "elementwise", lax.eq, "31xi1", "31xi1")
    add("compare_eq_c64", "elementwise", lax.eq, "31xc64", "31xc64")
    add("select_f32", "elementwise", lax.select, "5x6xi1", "5x6xf32", "5x6xf32")
    add("select_scalar_pred", "elementwise", lax.select, "i1", "5x6xi32", "5x6xi32")
    add("clamp_f32", "elementwise", lax.clamp, "f32", "5x6xf32", spec("f32", 1, 2))
    add("clamp_full_i32", "elementwise", lax.clamp, spec("9xi32", -8, -2), "9xi32", spec("9xi32", 2, 8))
    add("scalar_math_f32", "elementwise", lambda x: jnp.sin(x) + 1.0, "f32")
    add("empty_f32", "elementwise", lambda x: x + 1.0, "0x3xf32")
    add("reduce_precision_f32", "elementwise", lambda x: lax.reduce_precision(x, 5, 10), "33xf32")
    for source, target in (
        ("f32", "i32"),
        ("i32", "f32"),
        ("f32", "bf16"),
        ("bf16", "f32"),
        ("f32", "f16"),
        ("f64", "f32"),
        ("i32", "i1"),
        ("i1", "f32"),
        ("ui8", "i32"),
        ("i32", "i8"),
        ("f32", "ui8"),
        ("f32", "c64"),
        ("i64", "i32"),
        ("f32", "f8E4M3FN"),
        ("f8E5M2", "f32"),
        ("i4", "i32"),
        ("i32", "ui4"),
    ):
        low = 0 if target in ("ui8", "ui4") else None
        dtype = spec(target).dtype
        add(
            f"convert_{source}_{target}",
            "elementwise",
            functools.partial(lax.convert_element_type, new_dtype=dtype),
            spec("21x" + source, low, 7 if low == 0 else None),
        )
    for source, target in (
        ("21xf32", "i32"),
        ("21xi32", "f32"),
        ("4x4xui8", "ui32"),
        ("5xf32", "ui8"),
        ("6xbf16", "ui16"),
        ("3x2xf32", "f64"),
    ):
        add(
            f"bitcast_{source}_{target}",
            "elementwise",
            functools.partial(lax.bitcast_convert_type, new_dtype=spec(target).dtype),
            source,
            x64=target == "f64",
        )

    for dtype in ("i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"):
        bits = int(dtype.lstrip("ui"))
        low, high = (0, 2**bits - 1) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        wide = spec(f"37x{dtype}", low, min(high, 2**63 - 1))
        add(f"mulhi_{dtype}", "elementwise", lax.mulhi, wide, wide)


def _shape(add) -> None:
    for dtype in ("f32", "i32", "ui8", "f64", "c64", "bf16"):
        add(f"iota_{dtype}", "shape", lambda x, d=dtype: lax.broadcasted_iota(spec(d).dtype, (3, 5), 1) + x, dtype)
    add("iota_dim0", "shape", lambda x: lax.broadcasted_iota(jnp.int32, (4, 3, 2), 0) * x, "i32")
    table = np.arange(12, dtype=np.float32).reshape(3, 4) * 0.37
    add("constant_dense", "shape", lambda x: x + table, "3x4xf32")
    add("constant_splat", "shape", lambda x: x + np.full((3, 4), 2, np.int32), "3x4xi32")
    add("constant_nan_inf", "shape", lambda x: jnp.where(x > 0, jnp.inf, -jnp.inf), "7xf32")
    add("constant_bool", "shape", lambda x: x & np.array([True, False, True]), "3xi1")
    big = np.random.default_rng(0).standard_normal((40, 30)).astype(np.float32)
    add("constant_hex", "shape", lambda x: x * big, "40x30xf32")
    add("broadcast_scalar", "shape", lambda x: lax.broadcast(x, (3, 4)), "f32")
    add("broadcast_leading", "shape", lambda x: lax.broadcast(x, (2, 3)), "4xi32")
    add("broadcast_in_dim", "shape", lambda x: lax.broadcast_in_dim(x, (2, 5, 3), (0, 2)), "2x3xf32")
    add("broadcast_in_dim_expand", "shape", lambda x: lax.broadcast_in_dim(x, (4, 2, 3), (0, 2)), "1x3xf32")
    add("broadcast_in_dim_i1", "shape", lambda x: lax.broadcast_in_dim(x, (6, 2), (1,)), "2xi1")
    add("reshape_merge", "shape", lambda x: lax.reshape(x, (6, 4)), "2x3x4xf32")
    add("reshape_split", "shape", lambda x: lax.reshape(x, (2, 2, 3, 1)), "12xi32")
    add("reshape_mixed", "shape", lambda x: lax.reshape(x, (4, 6)), "3x8xf32")
    add("reshape_scalar", "shape", lambda x: lax.reshape(x, ()), "1x1xf32")
    add("reshape_dims", "shape", lambda x: lax.reshape(x, (12,), (1, 0)), "3x4xf32")
    add("transpose_021", "shape", lambda x: lax.transpose(x, (0, 2, 1)), "2x3x4xf32")
    add("transpose_3021", "shape", lambda x: lax.transpose(x, (3, 0, 2, 1)), "2x3x4x5xi32")
    add("transpose_bf16", "shape", lambda x: x.T, "17x33xbf16")
    add("transpose_c64", "shape", lambda x: x.T, "5x3xc64")
    add("reverse_one", "shape", lambda x: lax.rev(x, (1,)), "3x5xf32")
    add("reverse_all", "shape", lambda x: lax.rev(x, (0, 1, 2)), "2x3x4xi32")
    add("concatenate_0", "shape", lambda a, b, c: lax.concatenate([a, b, c], 0), "2x3xf32", "1x3xf32", "4x3xf32")
    add("concatenate_1", "shape", lambda a, b: lax.concatenate([a, b], 1), "3x0xi32", "3x2xi32")
    add("concatenate_bf16", "shape", lambda a, b: lax.concatenate([a, b], 2), "2x3x4xbf16", "2x3x1xbf16")
    add("pad_edges", "shape", lambda x, v: lax.pad(x, v, [(1, 2, 0), (0, 3, 0)]), "3x4xf32", "f32")
    add("pad_interior", "shape", lambda x, v: lax.pad(x, v, [(1, 0, 2), (0, 0, 1)]), "3x4xf32", "f32")
    add("pad_negative", "shape", lambda x, v: lax.pad(x, v, [(-1, 2, 0), (1, -2, 0)]), "4x5xi32", "i32")
    add("pad_negative_interior", "shape", lambda x, v: lax.pad(x, v, [(-2, -1, 2)]), "6xf32", "f32")
    add("slice_plain", "shape", lambda x: lax.slice(x, (1, 2), (3, 5)), "4x6xf32")
    add("slice_strided", "shape", lambda x: lax.slice(x, (0, 1), (5, 9), (2, 3)), "5x9xi32")
    add("slice_empty", "shape", lambda x: lax.slice(x, (2,), (2,)), "5xf32")
    add("slice_scalar_element", "shape", lambda x: x[1, 2], "4x6xf32")


def _indexing(add) -> None:
    add(
        "dynamic_slice_f32",
        "indexing",
        lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)),
        "5x7xf32",
        spec("i32", 0, 4),
        spec("i32", 0, 4),
    )
    add(
        "dynamic_slice_clamped",
        "indexing",
        lambda x, i: lax.dynamic_slice(x, (i, i - 40), (2, 3)),
        "5x7xi32",
        spec("i32", 20, 21),
    )
    add(
        "dynamic_slice_ui8_index", "indexing", lambda x, i: lax.dynamic_slice(x, (i,), (3,)), "9xf32", spec("ui8", 4, 5)
    )
    add(
        "dynamic_slice_i64_index", "indexing", lambda x, i: lax.dynamic_slice(x, (i,), (3,)), "9xf64", spec("i64", 4, 5)
    )
    add(
        "dynamic_update_slice_f32",
        "indexing",
        lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 1)),
        "5x7xf32",
        "2x3xf32",
        spec("i32", 0, 4),
    )
    add(
        "dynamic_update_slice_clamped",
        "indexing",
        lambda x, u, i: lax.dynamic_update_slice(x, u, (i,)),
        "8xi32",
        "3xi32",
        spec("i32", 40, 41),
    )
    add(
        "dynamic_update_slice_bf16",
        "indexing",
        lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)),
        "5x7xbf16",
        "5x2xbf16",
        spec("i32", 3, 4),
    )
    rows = spec("6xi32", 0, 10)
    for mode in ("clip", "fill", "promise_in_bounds"):
        add(f"gather_rows_{mode}", "indexing", lambda x, i, m=mode: x.at[i].get(mode=m), "10x4xf32", rows)
    add(
        "gather_out_of_bounds_clip",
        "indexing",
        lambda x, i: x.at[i].get(mode="clip"),
        "10x4xf32",
        spec("9xi32", -20, 20),
    )
    add(
        "gather_out_of_bounds_fill",
        "indexing",
        lambda x, i: x.at[i].get(mode="fill", fill_value=7),
        "10x4xi32",
        spec("9xi32", 0, 20),
    )
    add("gather_columns", "indexing", lambda x, i: x[:, i], "4x10xf32", rows)
    add("gather_middle", "indexing", lambda x, i: x[:, i, :], "3x10x2xi32", rows)
    add("gather_points", "indexing", lambda x, i, j: x[i, j], "10x10xf32", rows, rows)
    add("gather_2d_indices", "indexing", lambda x, i: x[i], "10x3xf32", spec("2x3xi32", 0, 10))
    add(
        "gather_take_along_axis",
        "indexing",
        lambda x, i: jnp.take_along_axis(x, i, axis=1),
        "4x10xf32",
        spec("4x3xi32", 0, 10),
    )
    add("gather_i1", "indexing", lambda x, i: x[i], "10xi1", rows)
    numbers = lax.GatherDimensionNumbers(offset_dims=(0, 2), collapsed_slice_dims=(), start_index_map=(1, 0))
    add(
        "gather_windows",
        "indexing",
        lambda x, i: lax.gather(x, i, numbers, (2, 3), mode="clip"),
        "7x8xf32",
        spec("5x2xi32", 0, 9),
    )
    batched = lax.GatherDimensionNumbers(
        offset_dims=(1,),
        collapsed_slice_dims=(),
        start_index_map=(1,),
        operand_batching_dims=(0,),
        start_indices_batching_dims=(0,),
    )
    add(
        "gather_batching",
        "indexing",
        lambda x, i: lax.gather(x, i, batched, (1, 2), mode="clip"),
        "3x8xf32",
        spec("3x1xi32", 0, 9),
    )


def _scatter(add) -> None:
    rows, near = spec("6xi32", 0, 10), spec("9xi32", -20, 20)
    updates = {"add": "f32", "multiply": "f32", "min": "i32", "max": "f32", "set": "f32"}
    for name, dtype in updates.items():
        # Which of several values is set is not defined.
        ids = spec("6xi32", 0, 10, "distinct") if name == "set" else rows
        function = lambda x, i, v, name=name: getattr(x.at[i], name)(v)  # noqa: E731
        add(f"scatter_{name}", "indexing", function, f"10x20x{dtype}", ids, f"6x20x{dtype}")
    for dtype in ("bf16", "f64", "c64", "i8", "ui64"):
        add(f"scatter_add_{dtype}", "indexing", lambda x, i, v: x.at[i].add(v), f"10x3x{dtype}", rows, f"6x3x{dtype}")
    for mode in ("clip", "fill", "promise_in_bounds"):
        add(f"scatter_add_{mode}", "indexing", lambda x, i, v, m=mode: x.at[i].add(v, mode=m), "10xi32", rows, "6xi32")
    add("scatter_out_of_bounds", "indexing", lambda x, i, v: x.at[i].add(v), "10x4xi32", near, "9x4xi32")
    add("scatter_out_of_bounds_clip", "indexing", lambda x, i, v: x.at[i].add(v, mode="clip"), "10xi32", near, "9xi32")
    add("scatter_i1", "indexing", lambda x, i: x.at[i].set(True), "10xi1", rows)
    add("scatter_columns", "indexing", lambda x, i, v: x.at[:, i].add(v), "4x10xi32", rows, "4x6xi32")
    add("scatter_points", "indexing", lambda x, i, j, v: x.at[i, j].add(v), "10x10xi32", rows, rows, "6xi32")
    add(
        "scatter_2d_indices",
        "indexing",
        lambda x, i, v: x.at[i].add(v),
        "10x3xi32",
        spec("2x3xi32", 0, 10),
        "2x3x3xi32",
    )
    add("scatter_slice", "indexing", lambda x, v: x.at[2:7, 3].set(v), "10x10xf32", "5xf32")
    add("scatter_strided", "indexing", lambda x, v: x.at[::3].multiply(v), "10x4xf32", "4xf32")
    add("scatter_apply", "indexing", lambda x, i: x.at[i].apply(jnp.abs), "10xf32", rows)
    windows = lax.ScatterDimensionNumbers(
        update_window_dims=(1, 2), inserted_window_dims=(), scatter_dims_to_operand_dims=(1, 0)
    )
    add(
        "scatter_windows",
        "indexing",
        lambda x, i, v: lax.scatter_add(x, i, v, windows, mode="clip"),
        "7x8xi32",
        spec("5x2xi32", 0, 9),
        "5x2x3xi32",
    )
    batched = lax.ScatterDimensionNumbers(
        update_window_dims=(1,),
        inserted_window_dims=(),
        scatter_dims_to_operand_dims=(1,),
        operand_batching_dims=(0,),
        scatter_indices_batching_dims=(0,),
    )
    add(
        "scatter_batching",
        "indexing",
        lambda x, i, v: lax.scatter_add(x, i, v, batched, mode="clip"),
        "3x8xf32",
        spec("3x1xi32", 0, 9),
        "3x2xf32",
    )
    add(
        "scatter_vmap",
        "indexing",
        jax.vmap(lambda x, i, v: x.at[i].max(v)),
        "3x8x2xf32",
        spec("3x5xi32", 0, 8),
        "3x5x2xf32",
    )
    add("scatter_gather_gradient", "indexing", jax.grad(lambda x, i: jnp.sum(x[i] ** 2)), "10x4xf32", rows)
    for name in ("sum", "prod", "max", "min"):
        function = functools.partial(getattr(jax.ops, f"segment_{name}"), num_segments=10)
        add(f"segment_{name}", "indexing", lambda x, i, f=function: f(x, i), "6x3xi32", rows)
    add("scatter_bincount", "indexing", lambda i: jnp.bincount(i, length=10), rows)
    add("scatter_histogram", "indexing", lambda x: jnp.histogram(x, bins=5, range=(-2.0, 2.0))[0], "30xf32")


def _reduction(add) -> None:
    for name, function in (("sum", jnp.sum), ("prod", jnp.prod), ("max", jnp.max), ("min", jnp.min)):
        for dtype in ("f32", "i32", "f64"):
            add(f"reduce_{name}_{dtype}", "reduction", functools.partial(function, axis=1), "5x17x" + dtype)
    add("reduce_sum_bf16", "reduction", functools.partial(jnp.sum, axis=0), "5x17xbf16", rtol=2e-2)
    add("reduce_sum_c64", "reduction", functools.partial(jnp.sum, axis=0), "5x17xc64")
    add("reduce_max_ui8", "reduction", functools.partial(jnp.max, axis=0), "5x17xui8")
    add("reduce_all", "reduction", functools.partial(jnp.all, axis=1), "5x3xi1")
    add("reduce_any", "reduction", functools.partial(jnp.any, axis=0), "5x3xi1")
    add("reduce_full_f32", "reduction", jnp.sum, "3x5x7xf32")
    add("reduce_axes_02", "reduction", functools.partial(jnp.sum, axis=(0, 2)), "3x5x7xf32")
    add("reduce_axis_1_of_3", "reduction", functools.partial(jnp.max, axis=1), "3x5x70xf32")
    add("reduce_no_axes", "reduction", lambda x: lax.reduce(x, jnp.float32(0), lax.add, ()), "3x5xf32")
    add("reduce_empty", "reduction", functools.partial(jnp.sum, axis=0), "0x5xf32")
    add("reduce_init", "reduction", lambda x, v: lax.reduce(x, v, lax.add, (1,)), "4x6xf32", "f32")
    add("reduce_nan_max", "reduction", lambda x: jnp.max(jnp.log(x), axis=1), "4x6xf32")
    add("reduce_xor", "reduction", lambda x: lax.reduce(x, jnp.int32(0), lax.bitwise_xor, (0,)), "9x4xi32")
    add("argmax_f32", "reduction", lambda x: lax.argmax(x, 1, jnp.int32), "5x17xf32")
    add("argmin_i32", "reduction", lambda x: lax.argmin(x, 0, jnp.int32), "5x17xi32")
    add("argmax_f64", "reduction", lambda x: jnp.argmax(x), "5x17xf64")

    def variadic(x, y):
        def combine(a, b):
            return a[0] + b[0], lax.max(a[1], b[1])

        return lax.reduce((x, y), (jnp.float32(0), jnp.int32(-100)), combine, (0,))

    add("reduce_variadic", "reduction", variadic, "9x4xf32", "9x4xi32")
    add(
        "reduce_custom",
        "reduction",
        lambda x: lax.reduce(x, jnp.float32(0), lambda a, b: jnp.sqrt(a * a + b * b), (1,)),
        "5x9xf32",
    )

    def window(init, op, size, strides, padding, base=None, dilation=None):
        return lambda x: lax.reduce_window(x, np.array(init, x.dtype), op, size, strides, padding, base, dilation)

    add("reduce_window_max", "reduction", window(-np.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), "2x6x6x3xf32")
    add("reduce_window_sum_same", "reduction", window(0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), "2x7x7x3xf32")
    add("reduce_window_min_i32", "reduction", window(100, lax.min, (3, 2), (1, 1), [(1, 1), (0, 1)]), "6x5xi32")
    add("reduce_window_dilated", "reduction", window(0, lax.add, (3, 2), (2, 1), "VALID", (1, 2), (2, 1)), "9x5xf32")
    add(
        "reduce_window_generic",
        "reduction",
        lambda x: lax.reduce_window(x, jnp.float32(1), lambda a, b: a * b + 0.5, (2, 2), (2, 2), "VALID"),
        "6x4xf32",
    )

    def window_variadic(x, y):
        def combine(a, b):
            return a[0] + b[0], lax.max(a[1], b[1])

        return lax.reduce_window((x, y), (jnp.float32(0), jnp.int32(-100)), combine, (3,), (2,), "VALID")

    add("reduce_window_variadic", "reduction", window_variadic, "11xf32", "11xi32")
    for name, function in (
        ("cumsum", lax.cumsum),
        ("cumprod", lax.cumprod),
        ("cummax", lax.cummax),
        ("cummin", lax.cummin),
    ):
        add(f"{name}_f32", "reduction", functools.partial(function, axis=1), "3x9xf32")
    add("cumsum_reverse", "reduction", functools.partial(lax.cumsum, axis=0, reverse=True), "9x3xi32")
    add("cumlogsumexp", "reduction", functools.partial(lax.cumlogsumexp, axis=0), "9x3xf32")


def _linear(add) -> None:
    for dtype in ("f32", "f64", "bf16", "f16", "i32", "c64", "i8"):
        add(
            f"dot_{dtype}",
            "linear",
            jnp.dot,
            f"5x7x{dtype}",
            f"7x3x{dtype}",
            atol=1e-1 if dtype in ("bf16", "f16") else 1e-5,
        )
    add("dot_vector_vector", "linear", jnp.dot, "19xf32", "19xf32")
    add("dot_matrix_vector", "linear", jnp.dot, "5x19xf32", "19xf32")
    add("dot_vector_matrix", "linear", jnp.dot, "19xf32", "19x5xf32")
    add("dot_odd", "linear", jnp.dot, "33x47xf32", "47x51xf32", atol=1e-4)
    add("dot_tiles", "linear", jnp.dot, "64x128xf32", "128x96xf32", atol=1e-4)
    add("dot_general_batch", "linear", lambda a, b: jnp.einsum("bij,bjk->bik", a, b), "3x4x5xf32", "3x5x2xf32")
    add("dot_general_inner_batch", "linear", lambda a, b: jnp.einsum("ibj,jkb->bik", a, b), "4x3x5xf32", "5x2x3xf32")
    add("dot_general_two_contracting", "linear", lambda a, b: jnp.einsum("ijk,kjl->il", a, b), "3x4x5xf32", "5x4x2xf32")
    add("dot_general_outer", "linear", lambda a, b: jnp.einsum("i,j->ij", a, b), "4xf32", "3xf32")
    add("dot_general_transposed", "linear", lambda a, b: jnp.einsum("ki,jk->ij", a, b), "7x5xf32", "3x7xf32")
    add("dot_general_batch_only", "linear", lambda a, b: jnp.einsum("bi,bi->b", a, b), "4x6xf32", "4x6xf32")
    add(
        "dot_preferred_i32",
        "linear",
        lambda a, b: jnp.matmul(a, b, preferred_element_type=jnp.int32),
        "5x7xi8",
        "7x3xi8",
    )
    add(
        "dot_preferred_f32",
        "linear",
        lambda a, b: jnp.matmul(a, b, preferred_element_type=jnp.float32),
        "5x7xbf16",
        "7x3xbf16",
    )
    add("dot_highest", "linear", functools.partial(jnp.dot, precision="highest"), "5x7xf32", "7x3xf32")
    add("dot_empty_contraction", "linear", jnp.dot, "5x0xf32", "0x3xf32")

    def conv(name, x, kernel, strides, padding, layout=("NHWC", "HWIO", "NHWC"), **more):
        tolerance = {"atol": 1e-1} if "bf16" in x else {"atol": 1e-4}
        add(
            f"conv_{name}",
            "linear",
            lambda x, k: lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=layout, **more),
            x,
            kernel,
            **tolerance,
        )

    conv("same", "2x7x6x3xf32", "3x3x3x5xf32", (1, 1), "SAME")
    conv("valid_strided", "2x9x8x3xf32", "3x2x3x4xf32", (2, 3), "VALID")
    conv("padding", "1x5x5x2xf32", "3x3x2x3xf32", (1, 1), [(2, 1), (0, 3)])
    conv("negative_padding", "1x7x7x2xf32", "3x3x2x3xf32", (1, 1), [(-1, 0), (1, -2)])
    conv("lhs_dilation", "1x4x5x2xf32", "3x3x2x3xf32", (1, 1), [(1, 1), (2, 1)], lhs_dilation=(2, 3))
    conv("rhs_dilation", "1x9x9x2xf32", "3x2x2x3xf32", (1, 1), "VALID", rhs_dilation=(2, 3))
    conv(
        "all_dilations",
        "1x6x5x4xf32",
        "2x3x2x6xf32",
        (2, 1),
        [(1, 2), (-1, 3)],
        lhs_dilation=(2, 1),
        rhs_dilation=(1, 2),
        feature_group_count=2,
    )
    conv("groups", "2x5x5x6xf32", "3x3x2x9xf32", (1, 1), "SAME", feature_group_count=3)
    conv("depthwise", "2x5x5x6xf32", "3x3x1x6xf32", (1, 1), "SAME", feature_group_count=6)
    conv("depthwise_multiplier", "2x5x5x3xf32", "3x3x1x6xf32", (1, 1), "SAME", feature_group_count=3)
    conv("batch_groups", "4x5x5x3xf32", "3x3x3x6xf32", (1, 1), "SAME", batch_group_count=2)
    conv("nchw", "2x3x7x6xf32", "5x3x3x3xf32", (1, 1), "SAME", ("NCHW", "OIHW", "NCHW"))
    conv("mixed_layout", "7x6x2x3xf32", "3x5x3x3xf32", (1, 1), "SAME", ("HWNC", "IOHW", "NCHW"))
    conv("1x1", "2x4x4x5xf32", "1x1x5x3xf32", (1, 1), "VALID")
    conv("1d", "2x9x3xf32", "4x3x5xf32", (2,), [(1, 1)], ("NWC", "WIO", "NWC"))
    conv("3d", "1x4x5x4x2xf32", "2x3x2x2x3xf32", (1, 2, 1), "SAME", ("NDHWC", "DHWIO", "NDHWC"))
    conv("0d", "3x4xf32", "4x5xf32", (), [], ("NC", "IO", "NC"))
    conv("f64", "1x5x5x2xf64", "3x3x2x3xf64", (1, 1), "SAME")
    conv("bf16", "1x5x5x2xbf16", "3x3x2x3xbf16", (1, 1), "SAME")
    conv("i32", "1x5x5x2xi32", "3x3x2x3xi32", (1, 1), "SAME")
    add(
        "conv_transpose",
        "linear",
        lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"),
        "1x4x4x2xf32",
        "3x3x2x3xf32",
        atol=1e-4,
    )

    def gradient(strides, padding, wrt, **more):
        def loss(x, k):
            return jnp.sum(
                jnp.sin(
                    lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), **more)
                )
            )

        return jax.grad(loss, wrt)

    add("conv_grad_input", "linear", gradient((2, 2), "SAME", 0), "2x7x7x3xf32", "3x3x3x4xf32", atol=1e-4)
    add("conv_grad_kernel", "linear", gradient((2, 2), "SAME", 1), "2x7x7x3xf32", "3x3x3x4xf32", atol=1e-4)
    add(
        "conv_grad_depthwise",
        "linear",
        gradient((1, 1), "SAME", 1, feature_group_count=3),
        "2x5x5x3xf32",
        "3x3x1x3xf32",
        atol=1e-4,
    )


def _fft(add) -> None:
    transforms = {
        "fft": (jnp.fft.fft, ("c64", "c128", "f32")),
        "ifft": (jnp.fft.ifft, ("c64", "c128")),
        "rfft": (jnp.fft.rfft, ("f32", "f64")),
        "irfft": (jnp.fft.irfft, ("c64", "c128")),
        "hfft": (jnp.fft.hfft, ("c64",)),
        "ihfft": (jnp.fft.ihfft, ("f32",)),
        "fft2": (jnp.fft.fft2, ("c64",)),
        "ifft2": (jnp.fft.ifft2, ("c64",)),
        "rfft2": (jnp.fft.rfft2, ("f32",)),
        "irfft2": (jnp.fft.irfft2, ("c64", "c128")),
        "fftn": (lambda x: jnp.fft.fftn(x, axes=(1, 2, 3)), ("c64",)),
        "rfftn": (lambda x: jnp.fft.rfftn(x, axes=(1, 2, 3)), ("f32", "f64")),
        "irfftn": (lambda x: jnp.fft.irfftn(x, axes=(1, 2, 3)), ("c64",)),
    }
    for name, (function, dtypes) in transforms.items():
        for dtype in dtypes:
            add(f"{name}_{dtype}", "fft", function, "2x3x8x12x" + dtype, atol=1e-4)
    add("fft_prime", "fft", jnp.fft.fft, "11x101xc64", atol=1e-4)
    add("fft_one", "fft", jnp.fft.fft, "1xc64")
    add("fft_no_batch", "fft", jnp.fft.fft, "0x8xc64")
    add("fft_padded", "fft", lambda x: jnp.fft.fft(x, n=16), "3x11xc64", atol=1e-4)
    add("fft_cropped", "fft", lambda x: jnp.fft.rfft(x, n=7, axis=0), "11x3xf32", atol=1e-4)
    add("fft_ortho", "fft", lambda x: jnp.fft.fft(x, norm="ortho"), "3x11xc64", atol=1e-4)
    add("irfft_odd", "fft", lambda x: jnp.fft.irfft(x, n=9), "3x5xc64", atol=1e-4)
    add("fft_first_axis", "fft", lambda x: jnp.fft.fft(x, axis=0), "12x3x5xc64", atol=1e-4)
    add("fft_shifted", "fft", lambda x: jnp.fft.fftshift(jnp.fft.fft2(x)), "6x7xc64", atol=1e-4)

    def energy(transform):
        return jax.grad(lambda x: jnp.sum(jnp.abs(transform(x)) ** 3))

    add("rfft_gradient", "fft", energy(jnp.fft.rfft), "3x12xf32", rtol=1e-3, atol=1e-2)
    add("rfft_gradient_odd", "fft", energy(jnp.fft.rfft), "3x11xf32", rtol=1e-3, atol=1e-2)
    add("rfft2_gradient", "fft", energy(jnp.fft.rfft2), "6x8xf32", rtol=1e-3, atol=1e-2)
    add("irfft_gradient", "fft", energy(lambda x: jnp.fft.irfft(x + 1j * x**2)), "3x7xf32", rtol=1e-3, atol=1e-2)
    add("fft_gradient", "fft", energy(jnp.fft.fft), "3x8xf32", rtol=1e-3, atol=1e-2)
    add("fft_jvp", "fft", lambda x, y: jax.jvp(jnp.fft.fft, (x,), (y,)), "3x8xc64", "3x8xc64", atol=1e-4)
    add("fft_vmap", "fft", jax.vmap(jnp.fft.rfft, in_axes=1, out_axes=1), "12x3xf32", atol=1e-4)


def _control(add) -> None:
    add("cond_pred", "control", lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), "i1", "5xf32")
    add(
        "cond_pairs",
        "control",
        lambda p, x, y: lax.cond(p, lambda a, b: (b, a), lambda a, b: (a + b, a - b), x, y),
        "i1",
        "5xf32",
        "5xf32",
    )
    for index in (-3, 1, 9):
        add(
            f"switch_{index if index >= 0 else 'negative'}",
            "control",
            lambda i, x: lax.switch(i, [lambda v: v, lambda v: v * 2.0, lambda v: v - 1.0], x),
            spec("i32", index, index + 1),
            "5xf32",
        )
    add(
        "while_count",
        "control",
        lambda n: lax.while_loop(lambda v: v < n, lambda v: v * 2 + 1, jnp.int32(0)),
        spec("i32", 50, 60),
    )
    add("while_never", "control", lambda x: lax.while_loop(lambda v: v > 1e9, lambda v: v + 1, x), "f32")
    add(
        "while_nested",
        "control",
        lambda x: lax.fori_loop(0, 5, lambda i, a: lax.fori_loop(0, i, lambda j, b: b + jnp.float32(0.1) * j, a), x),
        "3xf32",
    )
    add(
        "while_in_cond",
        "control",
        lambda p, x: lax.cond(p, lambda v: lax.fori_loop(0, 3, lambda i, u: u * 2.0, v), lambda v: v, x),
        "i1",
        "4xf32",
    )
    add(
        "cond_in_while",
        "control",
        lambda x: lax.fori_loop(0, 6, lambda i, u: lax.cond(i % 2 == 0, lambda v: v + 1.0, lambda v: v * 0.5, u), x),
        "4xf32",
    )
    add(
        "while_permute",
        "control",
        lambda a, b, c: lax.fori_loop(0, 7, lambda i, s: (s[1], s[2], s[0] + s[1]), (a, b, c)),
        "4xf32",
        "4xf32",
        "4xf32",
    )
    add(
        "while_mixed_types",
        "control",
        lambda x, n: lax.while_loop(
            lambda s: s[1] > 0, lambda s: (s[0] * 1.5, s[1] - 1, ~s[2]), (x, n, jnp.bool_(True))
        ),
        "2x3xf32",
        spec("i32", 4, 6),
    )
    add(
        "while_invariant",
        "control",
        lambda w, x: lax.fori_loop(0, 4, lambda i, v: jnp.tanh(w @ v), x),
        "5x5xf32",
        "5xf32",
    )
    add("scan_carry", "control", lambda x: lax.scan(lambda c, v: (c + v, c * v), jnp.float32(0), x), "9xf32")
    add(
        "scan_reverse",
        "control",
        lambda x: lax.scan(lambda c, v: (c * 0.5 + v, c), jnp.zeros(3), x, reverse=True),
        "6x3xf32",
    )
    add("optimization_barrier", "control", lambda x, y: lax.optimization_barrier((x + 1.0, y * 2.0)), "4xf32", "4xf32")
    add("call", "control", lambda x: jax.jit(lambda v: jnp.sin(v) * 2.0)(jax.jit(lambda v: v + 1.0)(x)), "4xf32")
    add("identity", "control", lambda x: x, "4xf32")
    add("no_arguments", "control", lambda: jnp.arange(4, dtype=jnp.float32))
    add("duplicate_results", "control", lambda x: (x, x + 1.0, x), "4xf32")
    add("unused_argument", "control", lambda x, y: y, "4xf32", "3xi32")
    add(
        "vmap_while",
        "control",
        lambda x: jax.vmap(lambda v: lax.while_loop(lambda u: u < 10.0, lambda u: u * 2.0, v))(x),
        spec("5xf32", 1, 9),
    )
    add(
        "newton_grad",
        "control",
        jax.grad(lambda x: jnp.sum(lax.scan(lambda c, _: (0.5 * (c + x / c), None), x, length=4)[0])),
        spec("6xf32", 1, 9),
    )


def _sort(add) -> None:
    for dtype in ("f32", "f64", "bf16", "i32", "i64", "ui8", "i1", "c64"):
        add(f"sort_{dtype}", "sort", jnp.sort, f"5x37x{dtype}")
    add("sort_columns", "sort", lambda x: jnp.sort(x, axis=0), "37x5xf32")
    add("sort_middle", "sort", lambda x: jnp.sort(x, axis=1), "3x300x2xf32")
    add("sort_down", "sort", lambda x: jnp.sort(x, descending=True), "1000xf32")
    add("sort_ties", "sort", jnp.sort, "1000xi32")
    add("argsort", "sort", jnp.argsort, "5x37xf32")
    add("argsort_down", "sort", lambda x: jnp.argsort(x, descending=True), "5x37xi32")
    add("argsort_wide", "sort", jnp.argsort, "3x400xi64")
    add("sort_by_key", "sort", lambda k, x: lax.sort((k, x), num_keys=1), "100xi32", "100xf32")
    add("sort_two_keys", "sort", lambda a, b, x: lax.sort((a, b, x), num_keys=2), "100xi32", "100xf32", "100xi64")
    add("sort_three_keys", "sort", lambda a, b, x: lax.sort((a, b, x), num_keys=3), "100xi64", "100xf32", "100xi64")
    add("lexsort", "sort", lambda a, b: jnp.lexsort((a, b)), "100xi32", "100xi32")
    add("top_k", "sort", lambda x: lax.top_k(x, 5), "4x300xf32")
    add("top_k_ties", "sort", lambda x: lax.top_k(x, 30), "4x100xi32")
    add("top_k_all", "sort", lambda x: lax.top_k(x, 33), "33xbf16")
    add("approx_max_k", "sort", lambda x: lax.approx_max_k(x, 5), "4x300xf32")
    add("median", "sort", jnp.median, "101xf32")
    add("percentile", "sort", lambda x: jnp.percentile(x, jnp.array([5.0, 50.0, 99.0]), axis=1), "5x101xf32")
    add("unique", "sort", lambda x: jnp.unique(x, size=20, fill_value=0), "100xi32")
    add("searchsorted", "sort", lambda a, v: jnp.searchsorted(jnp.sort(a), v), "100xf32", "20xf32")
    key = "2xui32"
    add("permutation", "sort", lambda k, x: jax.random.permutation(jax.random.wrap_key_data(k), x), key, "100xf32")
    add("choice", "sort", lambda k, x: jax.random.choice(jax.random.wrap_key_data(k), x, (9,), False), key, "100xf32")


def _random(add) -> None:
    algorithms = {
        "default": lax.RandomAlgorithm.RNG_DEFAULT,
        "philox": lax.RandomAlgorithm.RNG_PHILOX,
        "three_fry": lax.RandomAlgorithm.RNG_THREE_FRY,
    }
    key = spec("4xui32", 0, 2**32)
    for name, algorithm in algorithms.items():
        for dtype in (jnp.uint8, jnp.uint16, jnp.uint32, jnp.uint64):
            for shape in ((), (1,), (67,), (5, 4), (4, 5), (3, 5), (5, 3, 1), (30, 3), (3, 30), (7, 6, 5)):
                size = "x".join(map(str, shape)) or "scalar"
                add(
                    f"bits_{name}_{jnp.dtype(dtype).name}_{size}",
                    "random",
                    functools.partial(lax.rng_bit_generator, shape=shape, dtype=dtype, algorithm=algorithm),
                    key,
                    x64=True,
                )
    drawn = {
        "normal": lambda k: jax.random.normal(k, (300,)),
        "normal_bf16": lambda k: jax.random.normal(k, (33, 3), jnp.bfloat16),
        "uniform": lambda k: jax.random.uniform(k, (7, 40), minval=-2.0, maxval=3.0),
        "uniform_f16": lambda k: jax.random.uniform(k, (65,), jnp.float16),
        "bits": lambda k: jax.random.bits(k, (40,), jnp.uint8),
        "randint": lambda k: jax.random.randint(k, (50,), -5, 17),
        "bernoulli": lambda k: jax.random.bernoulli(k, 0.3, (9, 9)),
        "exponential": lambda k: jax.random.exponential(k, (100,)),
        "gumbel": lambda k: jax.random.gumbel(k, (100,)),
        "truncated": lambda k: jax.random.truncated_normal(k, -1.0, 2.0, (100,)),
        "split": lambda k: jax.random.key_data(jax.random.split(k, 5)),
        "fold": lambda k: jax.random.key_data(jax.random.fold_in(k, 7)),
        "dropout": lambda k: jnp.where(jax.random.bernoulli(k, 0.9, (8, 33)), jnp.float32(1 / 0.9), 0.0),
        "split_normal": lambda k: jax.vmap(lambda each: jax.random.normal(each, (5,)))(jax.random.split(k, 3)),
    }
    for implementation, words in (("rbg", 4), ("unsafe_rbg", 4), ("threefry2x32", 2)):
        for name, draw in drawn.items():

            def from_data(data, draw=draw, implementation=implementation):
                return draw(jax.random.wrap_key_data(data, impl=implementation))

            add(f"{implementation}_{name}", "random", from_data, spec(f"{words}xui32", 0, 2**32))


def op_cases() -> dict[str, Program]:
    """All cases by name."""
    cases = _Cases()
    for family in (_elementwise, _shape, _indexing, _scatter, _reduction, _linear, _fft, _sort, _control, _random):
        family(cases.add)
    return cases.found
