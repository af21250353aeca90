# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of products by warpgroups of sm_90a, on the emulated GPU in checked mode: orders of dimensions, remainders,
types, batches, what is computed of sums, split sums, clusters; and which kernels a device takes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from test_blocks import BLOCKS, ORDERS, TARGET, kernels, numbers, product

import mlir_xla

SPECIAL = re.compile(r", xla_rt\.plans_sm_90a = \[[^\]]*\]")
RUN = """
import json, sys
import numpy as np
import ml_dtypes
from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler
for text, shapes, out in json.load(sys.stdin):
    with ir.Context():
        program = compiler.compile(ir.Module.parse(text).operation, target="cuda-emulated", from_stage="kernels")
    arguments = [np.load(path).view(dtype) for path, dtype in shapes]
    np.save(out, np.asarray(program.run(arguments)[0]).astype(np.float64))
"""
TF32 = """algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
    lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
    allow_imprecise_accumulation = false>"""


def planned(text: str, plan: str) -> str:
    """With that plan, and no other for sm_90a."""
    found = SPECIAL.sub("", kernels(text))
    changed, count = BLOCKS.subn(lambda match: f"#xla_rt.blocks<{match[1].split(',')[0]}, {plan}>", found)
    assert count == 1, found
    return changed


def check(tmp_path, jobs: list[tuple[str, str, list[np.ndarray]]], environment: dict[str, str] | None = None) -> None:
    """Programs, plans and arguments, all in one process."""
    requests, wanted = [], []
    for number, (text, plan, arguments) in enumerate(jobs):
        wanted.append(np.asarray(mlir_xla.compile(text, target="reference")(*arguments)).astype(np.float64))
        files = []
        for i, argument in enumerate(arguments):
            files.append((str(tmp_path / f"{number}-{i}.npy"), str(argument.dtype)))
            np.save(files[-1][0], argument.view(f"u{argument.itemsize}"))
        requests.append((planned(text, plan), files, str(tmp_path / f"{number}.npy")))
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(requests),
        env={**os.environ, "CUDA_EMU_CHECK": "1", **(environment or {})},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for number, want in enumerate(wanted):
        np.testing.assert_array_equal(np.load(tmp_path / f"{number}.npy"), want)


PLANS = [
    "m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 3",
    "m d0 128, n d1 128, k d2 64, register 64x128, instruction wgmma, stages 2",
    "m d0 64, n d1 128, k d2 64, register 64x64, instruction wgmma, stages 2, cluster 2",
    "m d0 256, n d1 64, k d2 64, register 128x64, instruction wgmma, stages 2",
    "m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 3, split 2",
]
WIDEST = "m d0 128, n d1 256, k d2 64, register 64x256, instruction wgmma, stages 4"


def ordered(order: str, plan: str, sizes: tuple[int, int, int] = (72, 136, 264)) -> tuple[str, str, list[np.ndarray]]:
    left, right, dims = ORDERS[order](*sizes)
    rng = np.random.default_rng(1)
    text = product(left, right, f"{sizes[0]}x{sizes[1]}", "bf16", "f32", dims)
    return text, plan, [numbers(rng, left, "bf16"), numbers(rng, right, "bf16")]


@pytest.mark.parametrize("plan", PLANS[:4])
def test_orders_and_plans(tmp_path, plan):
    """One tile or two along m, remainders of all of them; threads take turns at random, or copies are early."""
    number = PLANS.index(plan)
    environment = {"CUDA_EMU_ASYNC": "early"} if number % 2 else {"CUDA_EMU_SEED": str(number)}
    check(tmp_path, [ordered(order, plan) for order in ORDERS], environment)


@pytest.mark.parametrize(
    ("tiles", "orders"), [("n d1 128, stages 2", ["right transposed"]), ("n d1 256, stages 3", ["plain"])]
)
def test_clusters_of_four(tmp_path, tiles, orders):
    """Each block asks for a part of the columns, of lines along k or across, and waits until all have read a stage."""
    plan = f"m d0 64, k d2 64, register 64x128, instruction wgmma, cluster 4, {tiles}"
    jobs = [ordered(order, plan, sizes) for order in orders for sizes in ((200, 136, 328), (456, 264, 200))]
    check(tmp_path, jobs, {"CUDA_EMU_ASYNC": "early"} if "256" in tiles else {"CUDA_EMU_SEED": "3"})


def test_types_batches_and_what_is_computed_of_sums(tmp_path):
    rng = np.random.default_rng(2)
    jobs = [ordered("plain", WIDEST)]
    for element, result, k in (("f16", "f16", 64), ("i8", "i32", 128), ("f32", "f32", 32)):
        left, right, dims = ORDERS["right transposed"](80, 72, 272)
        text = product(left, right, "80x72", element, result, dims)
        if element == "f32":
            text = text.replace(dims, f"{dims}, {TF32}")
        plan = PLANS[0].replace("k d2 64", f"k d2 {k}")
        jobs.append((text, plan, [numbers(rng, left, element), numbers(rng, right, element)]))
    text = product("3x40x72", "3x72x80", "3x40x80", "bf16", "bf16", "[2] x [1]", "batching_dims = [0] x [0], ")
    plan = "m d1 64, n d2 64, k d3 64, register 64x64, instruction wgmma, stages 3, work d0"
    jobs.append((text, plan, [numbers(rng, "3x40x72", "bf16"), numbers(rng, "3x72x80", "bf16")]))
    m, n, k = 70, 90, 136
    x, y, r = f"tensor<{m}x{k}xbf16>", f"tensor<{n}x{k}xbf16>", f"tensor<{m}x{n}xbf16>"
    text = f"""
    func.func @main(%x: {x}, %y: {y}, %b: tensor<{n}xbf16>, %z: {r}) -> {r} {{
      %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : ({x}, {y}) -> {r}
      %1 = xla.broadcast_in_dim %b, dims = [1] : (tensor<{n}xbf16>) -> {r}
      %2 = xla.add %0, %1 : {r}
      %3 = xla.maximum %2, %z : {r}
      return %3 : {r}
    }}"""
    arguments = [numbers(rng, shape, "bf16") for shape in (f"{m}x{k}", f"{n}x{k}", f"{n}", f"{m}x{n}")]
    check(tmp_path, [*jobs, (text, PLANS[1], arguments), (text, PLANS[4], arguments)])


# Images, kernel, results, dimension numbers, window.
HWIO = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
PIXELS = {
    "padded": ("2x14x14x64", "3x3x64x72", "2x14x14x72", HWIO, "pad = [[1, 1], [1, 1]]"),
    "strided": ("2x15x17x64", "3x3x64x64", "2x7x8x64", HWIO, "stride = [2, 2]"),
    "steps without a window": ("3x13x14x64", "1x1x64x64", "3x7x5x64", HWIO, "stride = [2, 3]"),
    "dilated": ("2x12x13x128", "3x2x128x64", "2x8x10x64", HWIO, "rhs_dilate = [2, 3]"),
    "dilated and strided": ("2x13x13x64", "3x3x64x64", "2x5x5x64", HWIO, "stride = [2, 2], rhs_dilate = [2, 2]"),
    "backwards": ("2x12x12x64", "3x3x64x64", "2x12x12x64", HWIO, "pad = [[1, 1], [1, 1]], reverse = [true, true]"),
    "one image": ("1x12x13x64", "4x5x64x64", "1x9x9x64", HWIO, ""),
    "kernels along k": ("2x9x10x64", "64x3x3x64", "2x7x8x64", "[b, 0, 1, f]x[o, 0, 1, i]->[b, 0, 1, f]", ""),
    "padded in front": ("2x11x12x64", "3x3x64x64", "2x12x11x64", HWIO, "pad = [[3, 0], [1, 0]]"),
    "padded behind": ("3x10x7x64", "3x2x64x64", "3x5x10x64", HWIO, "stride = [2, 1], pad = [[0, 1], [0, 4]]"),
    "padded, strided": ("2x15x13x64", "3x3x64x64", "2x8x5x64", HWIO, "stride = [2, 3], pad = [[1, 1], [2, 0]]"),
    "padded, dilated": ("2x10x9x64", "3x3x64x64", "2x9x9x64", HWIO, "pad = [[2, 1], [4, 2]], rhs_dilate = [2, 3]"),
    "padded and cut": ("2x12x12x64", "3x3x64x64", "2x11x9x64", HWIO, "pad = [[-1, 2], [1, -2]]"),
    "padded, backwards": ("2x9x9x64", "4x3x64x64", "2x9x9x64", HWIO, "pad = [[3, 0], [0, 2]], reverse = [true, true]"),
    "padded rows": ("3x60x64", "5x64x64", "3x66x64", "[b, 0, f]x[0, i, o]->[b, 0, f]", "pad = [[7, 3]]"),
    "padded volumes": (
        *("2x5x6x7x64", "3x3x3x64x64", "2x5x3x8x64", "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]"),
        "stride = [1, 2, 1], pad = [[1, 1], [0, 1], [2, 1]]",
    ),
    "rows": ("3x70x64", "5x64x64", "3x66x64", "[b, 0, f]x[0, i, o]->[b, 0, f]", ""),
    "one row": ("1x140x64", "5x64x64", "1x136x64", "[b, 0, f]x[0, i, o]->[b, 0, f]", ""),
    "volumes": ("2x6x7x8x64", "3x3x3x64x64", "2x4x5x6x64", "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]", ""),
}
DIMS = re.compile(r"([\dx]+), m ((?:d\d, )*d\d) \d+, n (d\d) \d+, k ((?:d\d, )*d\d) \d+, .*")


def convolution(name: str, element: str = "bf16") -> tuple[str, list[np.ndarray]]:
    left, right, shape, dims, window = PIXELS[name]
    x, y, r = (f"tensor<{each}x{element}>" for each in (left, right, shape))
    text = f"""
    func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = stablehlo.convolution(%x, %y) dim_numbers = {dims}, window = {{{window}}}
          {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {y}) -> {r}
      return %0 : {r}
    }}"""
    rng = np.random.default_rng(3)
    return text, [numbers(rng, left, element), numbers(rng, right, element)]


def of_pixels(text: str, tiles: str) -> str:
    """The plan of that product in `m_n_k` tiles of warpgroups, with its own dimensions."""
    sizes, m, n, k = DIMS.fullmatch(BLOCKS.search(kernels(text))[1]).groups()
    m_tile, n_tile, k_tile, rest = tiles.split("_")
    return f"m {m} {m_tile}, n {n} {n_tile}, k {k} {k_tile}, instruction wgmma, {rest}"


@pytest.mark.parametrize("tiles", ["64_64_64_register 64x64, stages 3", "256_64_64_register 128x64, stages 2"])
def test_pixels_of_convolutions(tmp_path, tiles):
    """The accelerator counts pixels as results are numbered: over the ends of rows and images, in steps, with windows
    that are dilated or go backwards."""
    jobs = []
    for name in PIXELS:
        text, arguments = convolution(name)
        jobs.append((text, of_pixels(text, tiles), arguments))
    for element, more in (
        ("f16", "64_128_64_register 64x64, stages 2, split 3"),
        ("bf16", "128_128_64_register 64x128, stages 2, cluster 2"),
    ):
        text, arguments = convolution("padded", element)
        jobs.append((text, of_pixels(text, more), arguments))
    check(tmp_path, jobs, {"CUDA_EMU_SEED": "2"} if "256" in tiles else {"CUDA_EMU_ASYNC": "early"})


def test_planned_pixels():
    """A convolution of many channels is worth it; of few, k's tiles would be at several places of the window."""

    def text(channels: int) -> str:
        x, y, r = (f"tensor<{each}xbf16>" for each in (f"32x28x28x{channels}", f"3x3x{channels}x128", "32x28x28x128"))
        return f"""
        func.func @main(%x: {x}, %y: {y}) -> {r} {{
          %0 = stablehlo.convolution(%x, %y) dim_numbers = {HWIO}, window = {{pad = [[1, 1], [1, 1]]}}
              {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {y}) -> {r}
          return %0 : {r}
        }}"""

    assert "instruction wgmma" in SPECIAL.search(kernels(text(128)))[0]
    assert ".im2col." in mlir_xla.compile(text(128), target="cuda", chip="sm_90a").stages["binary"]
    assert not SPECIAL.search(kernels(text(96)))


IN_GRAPHS = """
import ctypes, json, sys
import numpy as np
import mlir_xla
from mlir_xla import api
text, inputs, results = json.load(sys.stdin)
program = api.compile_stage(text, "cuda-emulated", "kernels")
device = mlir_xla.devices("cuda-emulated")[0]
library = next(line.split()[-1] for line in open("/proc/self/maps") if "libcuda-emu" in line)
launches = ctypes.CDLL(library).cuda_emu_graph_launches
sets = []
for files in inputs:
    arrays = [np.load(path).view(dtype) for path, dtype in files]
    sets.append([mlir_xla.device_put(array, device) for array in arrays])
for number in range(6):
    for arguments, path in zip(sets, results, strict=True):
        before = launches()
        (result,) = program(*arguments)
        if number == 5:
            assert launches() == before + 1
        np.testing.assert_array_equal(np.asarray(result).astype(np.float64), np.load(path))
"""


def test_graphs_have_tensor_maps(tmp_path):
    """Products of products, captured for two sets of addresses and replayed: each graph brings tiles from its own."""
    plan = "k d2 64, instruction wgmma, m d0 64, n d1 64, register 64x64, stages 2"
    x, y, z = (f"tensor<{dims}xbf16>" for dims in ("128x72", "72x136", "136x80"))
    text = f"""
    func.func @main(%x: {x}, %y: {y}, %z: {z}) -> tensor<80x80xbf16> {{
      %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : ({x}, {y}) -> tensor<128x136xbf16>
      %1 = xla.dot_general %0, %z, contracting_dims = [1] x [0] : (tensor<128x136xbf16>, {z}) -> tensor<128x80xbf16>
      %2 = xla.dot_general %1, %1, contracting_dims = [0] x [0]
          : (tensor<128x80xbf16>, tensor<128x80xbf16>) -> tensor<80x80xbf16>
      return %2 : tensor<80x80xbf16>
    }}"""
    found, count = BLOCKS.subn(lambda match: f"#xla_rt.blocks<{match[1].split(',')[0]}, {plan}>", kernels(text))
    assert count == 3
    reference = mlir_xla.compile(text, target="reference")
    rng = np.random.default_rng(5)
    inputs, results = [], []
    for number in range(2):
        # So small that no sum of f32 is rounded.
        arrays = [np.sign(numbers(rng, shape, "bf16")) for shape in ("128x72", "72x136", "136x80")]
        files = [str(tmp_path / f"{number}-{i}.npy") for i in range(3)]
        for path, array in zip(files, arrays, strict=True):
            np.save(path, array.view(np.uint16))
        inputs.append([(path, "bfloat16") for path in files])
        results.append(str(tmp_path / f"{number}.npy"))
        np.save(results[-1], np.asarray(reference(*arrays)).astype(np.float64))
    done = subprocess.run(
        [sys.executable, "-c", IN_GRAPHS],
        input=json.dumps([found, inputs, results]),
        env={**os.environ, "CUDA_EMU_CHECK": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


LARGE = product("4096x4096", "4096x4096", "4096x4096", "bf16", "bf16", "[1] x [0]")


def test_the_planner_has_both():
    found = kernels(LARGE)
    assert len(BLOCKS.findall(found)) == 2 and "instruction wgmma" in SPECIAL.search(found)[0]


def test_a_device_takes_its_own():
    """Without a choice of the user's, PTX for both; of a chip, only its own."""
    both = mlir_xla.compile(LARGE, target="cuda").stages["binary"]
    assert both.count(".target sm_80") == both.count(".target sm_90a") == 1
    old, new = both.split("// For sm_90a:")
    assert "mma.sync" in old and "wgmma" not in old
    assert "mma.sync" not in new and "wgmma.mma_async" in new
    for chip, has, lacks in (("sm_80", "mma.sync", "wgmma"), ("sm_90a", "wgmma", "mma.sync")):
        text = mlir_xla.compile(LARGE, target="cuda", chip=chip).stages["binary"]
        assert has in text and lacks not in text
    small = product("64x64", "64x64", "64x64", "bf16", "bf16", "[1] x [0]")
    assert ".target sm_90a" not in mlir_xla.compile(small, target=TARGET).stages["binary"]
