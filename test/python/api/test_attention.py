# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention is one kernel over blocks of queries, and computes what its formula says: any sizes, masks and layouts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from vector_cases import TARGETS

import mlir_xla

pytestmark = pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")


def tensor(*shape, element="f32"):
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


@dataclass(frozen=True)
class Attention:
    """Queries are batch, heads, length, depth, or (`apart`) batch, length, heads, depth, as are keys and values."""

    batch: int = 1
    heads: int = 2
    queries: int = 100
    keys: int = 131
    depth: int = 40
    apart: bool = False
    mask: str = ""  # "causal", "window", "below"; "bias" adds an argument
    masked: float = -1e30
    kept: bool = False  # the probabilities are a result, too

    @property
    def shift(self) -> int:
        return self.keys - self.queries

    def shape(self, length):
        inner = (length, self.heads) if self.apart else (self.heads, length)
        return (self.batch, *inner, self.depth)

    def scores(self):
        return (self.batch, self.heads, self.queries, self.keys)

    def text(self) -> str:
        q, k = tensor(*self.shape(self.queries)), tensor(*self.shape(self.keys))
        s, r = tensor(*self.scores()), tensor(*self.scores()[:3])
        heads, length = (2, 1) if self.apart else (1, 2)
        plane = {e: tensor(self.queries, self.keys, element=e) for e in ("i32", "i1")}
        lines = [
            f"%s0 = xla.dot_general %q, %k, batching_dims = [0, {heads}] x [0, {heads}], contracting_dims = [3] x [3]"
            f" : ({q}, {k}) -> {s}",
            f"%scale = xla.constant dense<{self.depth**-0.5}> : {s}",
            f"%s1 = xla.multiply %s0, %scale : {s}",
        ]
        if self.mask in ("causal", "window", "below"):
            compare = "GT" if self.mask == "below" else "GE"
            planes = f"({plane['i32']}, {plane['i32']}) -> {plane['i1']}"
            lines += [
                f"%row0 = xla.iota dim = 0 : {plane['i32']}",
                f"%shift = xla.constant dense<{self.shift}> : {plane['i32']}",
                f"%row = xla.add %row0, %shift : {plane['i32']}",
                f"%column = xla.iota dim = 1 : {plane['i32']}",
                f"%m0 = xla.compare {compare}, %row, %column, SIGNED : {planes}",
            ]
            if self.mask == "window":
                lines += [
                    f"%width = xla.constant dense<20> : {plane['i32']}",
                    f"%reach = xla.add %column, %width : {plane['i32']}",
                    f"%m1 = xla.compare LT, %row, %reach, SIGNED : ({plane['i32']}, {plane['i32']}) -> {plane['i1']}",
                    f"%m = xla.and %m0, %m1 : {plane['i1']}",
                ]
            else:
                lines.append(f"%m = xla.and %m0, %m0 : {plane['i1']}")
            i1 = tensor(*self.scores(), element="i1")
            number = "0xFF800000" if np.isinf(self.masked) else f"{self.masked:e}"
            lines += [
                f"%mb = xla.broadcast_in_dim %m, dims = [2, 3] : ({plane['i1']}) -> {i1}",
                f"%far = xla.constant dense<{number}> : {s}",
                f"%s = xla.select %mb, %s1, %far : {i1}, {s}",
            ]
        elif self.mask == "bias":
            lines += [
                f"%bb = xla.broadcast_in_dim %bias, dims = [1, 2, 3] : ({tensor(*self.scores()[1:])}) -> {s}",
                f"%s = xla.add %s1, %bb : {s}",
            ]
        else:
            lines.append(f"%s = xla.add %s1, %s1 : {s}")
        lines += [
            "%low = xla.constant dense<0xFF800000> : tensor<f32>",
            "%zero = xla.constant dense<0.0> : tensor<f32>",
            f"%max = xla.reduce(%s init: %low) applies xla.maximum across dimensions = [3] : ({s}, tensor<f32>) -> {r}",
            f"%maxb = xla.broadcast_in_dim %max, dims = [0, 1, 2] : ({r}) -> {s}",
            f"%d = xla.subtract %s, %maxb : {s}",
            f"%e = xla.exponential %d : {s}",
            f"%sum = xla.reduce(%e init: %zero) applies xla.add across dimensions = [3] : ({s}, tensor<f32>) -> {r}",
            f"%sumb = xla.broadcast_in_dim %sum, dims = [0, 1, 2] : ({r}) -> {s}",
            f"%p = xla.divide %e, %sumb : {s}",
        ]
        o, out = tensor(self.batch, self.heads, self.depth, self.queries), tensor(*self.shape(self.queries))
        order = [0, 3, 1, 2] if self.apart else [0, 1, 3, 2]
        lines += [
            f"%o = xla.dot_general %v, %p, batching_dims = [0, {heads}] x [0, 1], contracting_dims = [{length}] x [3]"
            f" : ({k}, {s}) -> {o}",
            f"%r = xla.transpose %o, dims = {order} : ({o}) -> {out}",
        ]
        bias = f", %bias: {tensor(*self.scores()[1:])}" if self.mask == "bias" else ""
        results = (f"({out}, {s})", f"return %r, %p : {out}, {s}") if self.kept else (out, f"return %r : {out}")
        body = "\n".join(lines)
        return f"func.func @main(%q: {q}, %k: {k}, %v: {k}{bias}) -> {results[0]} {{\n{body}\n{results[1]}\n}}"

    def arguments(self, seed=0):
        rng = np.random.default_rng(seed)
        shapes = [self.shape(self.queries), self.shape(self.keys), self.shape(self.keys)]
        if self.mask == "bias":
            shapes.append(self.scores()[1:])
        return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]

    def expected(self, q, k, v, bias=None):
        q, k, v = (x.astype(np.float64).swapaxes(1, 2) if self.apart else x.astype(np.float64) for x in (q, k, v))
        s = q @ k.swapaxes(2, 3) * self.depth**-0.5
        rows, columns = np.arange(self.queries)[:, None] + self.shift, np.arange(self.keys)[None]
        if self.mask in ("causal", "window", "below"):
            mask = rows > columns if self.mask == "below" else rows >= columns
            if self.mask == "window":
                mask &= rows < columns + 20
            s = np.where(mask, s, self.masked)
        elif self.mask == "bias":
            s += bias
        else:
            s *= 2
        e = np.exp(s - s.max(-1, keepdims=True))
        p = e / e.sum(-1, keepdims=True)
        return (p @ v).swapaxes(1, 2) if self.apart else p @ v


def kernels(program: Attention) -> str:
    return mlir_xla.compile(program.text()).stages["kernels"]


def is_fused(program: Attention) -> bool:
    text = kernels(program)
    return " by " in text and "kernel<contraction" not in text


def check(program: Attention, threads=0, tolerance=2e-5):
    arguments = program.arguments()
    found = mlir_xla.compile(program.text(), threads=threads)(*arguments)
    found = np.asarray(found[0] if program.kept else found)
    np.testing.assert_allclose(found, program.expected(*arguments), rtol=tolerance, atol=tolerance)


SIZES = [
    Attention(),
    Attention(apart=True),
    Attention(batch=3, heads=1, queries=24, keys=24, depth=16),
    Attention(queries=48, keys=512, depth=64, apart=True),
    Attention(queries=49, keys=16, depth=8),
    Attention(queries=197, keys=197, depth=64, heads=3),
    Attention(queries=25, keys=1000, depth=33, apart=True),
    Attention(queries=64, keys=3000, depth=20, heads=1),
    Attention(queries=30, keys=6001, depth=16, heads=1),
]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mask", ["", "causal", "window", "below", "bias"])
@pytest.mark.parametrize("program", SIZES, ids=str)
def test_values(program, mask, threads):
    program = replace(program, mask=mask)
    if mask in ("window", "below") and program.queries > program.keys:
        pytest.skip("rows without any key: sums of numbers that are all masked")
    assert is_fused(program)
    check(program, threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_row_without_keys_averages_all(threads):
    check(Attention(queries=60, keys=50, mask="causal"), threads)


def test_masked_scores_may_be_infinite():
    check(Attention(mask="causal", masked=-np.inf))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("length", [96, 330])
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_values_that_are_not_numbers(threads, length, bad):
    """A mask hides scores, whatever they are; it does not hide values, whose product with zero may be NaN."""
    program = Attention(mask="causal", queries=length, keys=length, depth=32)
    q, k, v = program.arguments()
    k[0, 0, -16], v[0, 1, -6, 3] = np.inf, bad
    text = program.text()
    have = np.asarray(mlir_xla.compile(text, threads=threads)(q, k, v))
    want = np.asarray(mlir_xla.compile(text, target="reference")(q, k, v))
    np.testing.assert_allclose(have, want, rtol=2e-5, atol=2e-5)
    assert np.isnan(have[0, 0, -16:]).all() and np.isfinite(have[0, 0, :-16]).all()
    assert np.isnan(have[0, 1, :-6, 3]).all() and np.isfinite(have[0, 1, :, 2]).all()


@pytest.mark.parametrize("mask", ["causal", "window", "below"])
@pytest.mark.parametrize("masked", [-1e30, -np.inf])
@pytest.mark.parametrize(
    "program",
    [
        Attention(queries=300, keys=300, depth=32),
        Attention(queries=190, keys=257, depth=48, apart=True),
        Attention(queries=64, keys=2500, depth=16, heads=1),
    ],
    ids=str,
)
def test_sums_end_where_all_weights_are_zero(program, mask, masked):
    """Those of keys that a block of queries does not see, unless a query sees none."""
    program = replace(program, mask=mask, masked=masked)
    assert kernels(program).count("trim") == 1
    arguments = program.arguments()
    with np.errstate(invalid="ignore"):
        want = program.expected(*arguments)
    found = np.asarray(mlir_xla.compile(program.text())(*arguments))
    np.testing.assert_allclose(found, want, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("mask", ["", "bias"])
def test_sums_without_a_mask_are_whole(mask):
    assert "trim" not in kernels(Attention(queries=300, keys=300, depth=32, mask=mask))


def test_probabilities_that_others_read_are_in_memory():
    program = Attention(kept=True, mask="causal")
    assert not is_fused(program)
    check(program)


def test_few_queries_are_three_kernels():
    program = Attention(queries=5)
    assert not is_fused(program)
    check(program)


@pytest.mark.parametrize("features", ["-avx512f", "-avx2,-avx512f,-avx,-fma"])
def test_other_vectors(features):
    program = Attention(mask="causal", apart=True)
    arguments = program.arguments()
    found = mlir_xla.compile(program.text(), features=features)(*arguments)
    np.testing.assert_allclose(np.asarray(found), program.expected(*arguments), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("threads", [1, 2])
def test_grouped_queries(threads):
    """As `jax.nn.dot_product_attention` writes them: three heads of queries share one of keys."""
    queries, keys, depth = 50, 70, 16
    q, k = tensor(1, queries, 2, 3, depth), tensor(1, keys, 2, depth)
    s0, s, r = tensor(1, 2, queries, 3, keys), tensor(3, 1, 2, queries, keys), tensor(3, 1, 2, queries)
    o, out, i32 = tensor(1, 2, depth, 3, queries), tensor(1, queries, 2, 3, depth), tensor(queries, keys, element="i32")
    i1, plane = tensor(3, 1, 2, queries, keys, element="i1"), tensor(queries, keys, element="i1")
    text = f"""
    func.func @main(%q: {q}, %k: {k}, %v: {k}) -> {out} {{
      %s0 = xla.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : ({q}, {k}) -> {s0}
      %scale = xla.constant dense<0.25> : {s0}
      %s1 = xla.multiply %s0, %scale : {s0}
      %s2 = xla.transpose %s1, dims = [3, 0, 1, 2, 4] : ({s0}) -> {s}
      %row = xla.iota dim = 0 : {i32}
      %column = xla.iota dim = 1 : {i32}
      %m = xla.compare GE, %row, %column, SIGNED : ({i32}, {i32}) -> {plane}
      %mb = xla.broadcast_in_dim %m, dims = [3, 4] : ({plane}) -> {i1}
      %far = xla.constant dense<-1.0e+30> : {s}
      %s = xla.select %mb, %s2, %far : {i1}, {s}
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %zero = xla.constant dense<0.0> : tensor<f32>
      %max = xla.reduce(%s init: %low) applies xla.maximum across dimensions = [4] : ({s}, tensor<f32>) -> {r}
      %maxb = xla.broadcast_in_dim %max, dims = [0, 1, 2, 3] : ({r}) -> {s}
      %d = xla.subtract %s, %maxb : {s}
      %e = xla.exponential %d : {s}
      %sum = xla.reduce(%e init: %zero) applies xla.add across dimensions = [4] : ({s}, tensor<f32>) -> {r}
      %sumb = xla.broadcast_in_dim %sum, dims = [0, 1, 2, 3] : ({r}) -> {s}
      %p = xla.divide %e, %sumb : {s}
      %o = xla.dot_general %v, %p, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : ({k}, {s}) -> {o}
      %r = xla.transpose %o, dims = [0, 4, 1, 3, 2] : ({o}) -> {out}
      return %r : {out}
    }}"""
    rng = np.random.default_rng(0)
    shapes = [(1, queries, 2, 3, depth), *[(1, keys, 2, depth)] * 2]
    arguments = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    exe = mlir_xla.compile(text, threads=threads)
    want = np.asarray(mlir_xla.compile(text, target="reference")(*arguments))
    np.testing.assert_allclose(np.asarray(exe(*arguments)), want, rtol=2e-5, atol=2e-5)
    assert " by " in exe.stages["kernels"]
