# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's assembler takes the PTX of whole programs and of the operations' vectors, without a warning, for the oldest
GPUs that it is for and for newer ones; and the emulator, which executes all the others, has been tested with each
instruction in it. Skipped where there is no assembler."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vectors"))

import ptxas
from emulator_cases import covered, instructions
from small_programs import small_programs
from vector_cases import accepted, program

import mlir_xla

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "test" / "python" / "vectors"

try:
    ptxas.find()
    REASON = ""
except ptxas.Absent as absent:
    REASON = str(absent)
NEEDS_PTXAS = pytest.mark.skipif(bool(REASON), reason=REASON)

FILES = sorted((ROOT / "test" / "programs").glob("**/*.mlir"))
# Those of vectors that are programs.
FAMILIES = sorted(
    path.stem.removeprefix("test_").removesuffix("_vectors") for path in VECTORS.glob("test_*_vectors.py")
)
SMALL = small_programs()
# A sample of them; `benchmarks/gpu_kernels.py` has all assembled.
SAMPLE = list(SMALL)[::3]


def ptx_of(source) -> str:
    """Empty if there are no kernels."""
    return mlir_xla.compile(source, target="cuda-emulated").stages.get("binary", "")


def refused(ptx: str) -> dict[str, str]:
    """What the assembler says, by architecture; and instructions that no test of the emulator has."""

    def complaint(architecture: str) -> str:
        text = ptxas.image(ptx, architecture)
        try:
            kernels = ptxas.assemble(text, architecture)
        except ptxas.Refused as error:
            return str(error)
        entries = set(re.findall(r"\.entry\s+([\w$]+)", text))
        return "" if set(kernels) == entries else f"assembled {sorted(kernels)} instead of {sorted(entries)}"

    if not ptx:
        return {}
    with ThreadPoolExecutor(2) as pool:
        said = dict(zip(ptxas.ARCHITECTURES, pool.map(complaint, ptxas.ARCHITECTURES), strict=True))
    said["emulator"] = ", ".join(sorted(set(instructions(ptx)) - covered()))
    return {architecture: each for architecture, each in said.items() if each}


@NEEDS_PTXAS
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_program(path):
    assert refused(ptx_of(path)) == {}


@NEEDS_PTXAS
@pytest.mark.parametrize("name", SAMPLE)
def test_measured_program(name):
    """The programs of benchmarks/, on smaller shapes."""
    assert refused(ptx_of(SMALL[name].export())) == {}


@NEEDS_PTXAS
def test_warpgroups():
    """The tile that the planner takes for large products: without spills, or products that wait for each other."""
    product = """func.func @main(%x: tensor<4096x4096xbf16>, %y: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
      %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
          : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
      return %0 : tensor<4096x4096xbf16>
    }"""
    ptx = ptx_of(product)
    assert refused(ptx) == {}
    [kernel] = ptxas.assemble(ptxas.image(ptx, "sm_90a"), "sm_90a").values()
    assert kernel.registers == 168 and kernel.stack == kernel.spill_stores == kernel.spill_loads == 0


@NEEDS_PTXAS
def test_warpgroups_of_pixels():
    x, y, r = "tensor<32x30x30x128xbf16>", "tensor<3x3x128x128xbf16>", "tensor<32x28x28x128xbf16>"
    ptx = ptx_of(f"""func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{}}
          {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {y}) -> {r}
      return %0 : {r}
    }}""")
    assert refused(ptx) == {}
    image = ptxas.image(ptx, "sm_90a")
    assert ".im2col." in image
    [kernel] = ptxas.assemble(image, "sm_90a").values()
    assert kernel.stack == kernel.spill_stores == kernel.spill_loads == 0


@NEEDS_PTXAS
def test_bytes_of_both_signs():
    """Multiplied by warps, on sm_90a too: PTX 8.0 has no such instruction of warpgroups."""
    x, y, r = "tensor<4096x4096xui8>", "tensor<4096x4096xi8>", "tensor<4096x4096xi32>"
    ptx = ptx_of(f"""func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = xla.convert %x : ({x}) -> {r}
      %1 = xla.convert %y : ({y}) -> {r}
      %2 = xla.dot_general %0, %1, contracting_dims = [1] x [1] : ({r}, {r}) -> {r}
      return %2 : {r}
    }}""")
    assert refused(ptx) == {}
    assert "m16n8k32.row.col.s32.u8.s8" in ptxas.image(ptx, "sm_80")


@NEEDS_PTXAS
def test_last_blocks():
    """Sums of columns, and parts of products."""
    x, y = "tensor<4096x1024xf32>", "tensor<1024x1024xf32>"
    texts = [
        ptx_of(f"""func.func @main(%x: {x}) -> tensor<1024xf32> {{
          %zero = xla.constant dense<0.0> : tensor<f32>
          %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0]
              : ({x}, tensor<f32>) -> tensor<1024xf32>
          return %s : tensor<1024xf32>
        }}"""),
        ptx_of(f"""func.func @main(%x: {y}, %y: {y}) -> {y} {{
          %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : ({y}, {y}) -> {y}
          return %0 : {y}
        }}"""),
    ]
    for text in texts:
        assert refused(text) == {}
        assert len(re.findall(r"fence\.acq_rel\.gpu;", text)) == 2 * text.count("global.inc.u32") > 0


@NEEDS_PTXAS
@pytest.mark.parametrize("m, n, k", [(1021, 1025, 1023), (6272, 128, 512), (3136, 64, 64)])
def test_tiles_do_not_spill(m, n, k):
    """Of 16 sums, which the assembler would have in few registers, so that there are many blocks."""
    x, y, r = f"tensor<{m}x{k}xf32>", f"tensor<{k}x{n}xf32>", f"tensor<{m}x{n}xf32>"
    ptx = ptx_of(f"""func.func @main(%x: {x}, %y: {y}, %scale: tensor<{n}xf32>, %shift: tensor<{n}xf32>) -> {r} {{
      %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : ({x}, {y}) -> {r}
      %1 = xla.broadcast_in_dim %scale, dims = [1] : (tensor<{n}xf32>) -> {r}
      %2 = xla.broadcast_in_dim %shift, dims = [1] : (tensor<{n}xf32>) -> {r}
      %3 = xla.multiply %0, %1 : {r}
      %4 = xla.add %3, %2 : {r}
      %zero = xla.constant dense<0.0> : {r}
      %5 = xla.maximum %4, %zero : {r}
      return %5 : {r}
    }}""")
    assert refused(ptx) == {}
    for architecture in ptxas.ARCHITECTURES:
        [kernel] = ptxas.assemble(ptxas.image(ptx, architecture), architecture).values()
        assert kernel.stack == kernel.spill_stores == kernel.spill_loads == 0


@NEEDS_PTXAS
@pytest.mark.parametrize("element, result", [("f32", "f32"), ("f64", "f64"), ("bf16", "f32"), ("i8", "i32")])
@pytest.mark.parametrize("size", [1000, 3000])
def test_products_do_not_spill(element, result, size):
    """The planner takes no tile for which a thread has too few registers."""
    x, r = f"tensor<{size}x{size}x{element}>", f"tensor<{size}x{size}x{result}>"
    ptx = ptx_of(f"""func.func @main(%x: {x}, %y: {x}) -> {r} {{
      %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : ({x}, {x}) -> {r}
      return %0 : {r}
    }}""")
    assert refused(ptx) == {}
    for architecture in ptxas.ARCHITECTURES:
        for kernel in ptxas.assemble(ptxas.image(ptx, architecture), architecture).values():
            assert kernel.stack == kernel.spill_stores == kernel.spill_loads == 0


def different(family: str) -> list[str]:
    """One program for each op and the element types that it has there."""
    chosen = {}
    for vector in (each.values[0] for each in accepted(family)):
        text = program(vector)
        types = frozenset(re.findall(r"(?:tensor<[\dx]*|complex<)(\w+)>", text))
        chosen.setdefault((vector.get("op", text), types), text)
    return list(chosen.values())


@NEEDS_PTXAS
@pytest.mark.parametrize("family", FAMILIES)
def test_vectors(family):
    texts = {ptx_of(text) for text in different(family)}
    assert any(texts)
    complaints = [each for each in map(refused, sorted(texts)) if each]
    assert not complaints, complaints[0]


@NEEDS_PTXAS
def test_what_is_wrong_is_refused():
    """Errors and warnings alike; and a kernel's registers and shared memory are read."""
    text = ptx_of(ROOT / "test" / "programs" / "softmax.mlir")
    wrong = refused(text.replace("ld.global.b32", "ld.global.b33"))
    assert wrong.keys() == {*ptxas.ARCHITECTURES, "emulator"} and wrong["emulator"] == "ld.global.b33"
    doubled = text.replace(".version 8.0", ".version 99.0")
    assert "sm_80" in refused(doubled)
    [kernel] = ptxas.assemble(text, "sm_80").values()
    assert kernel.registers > 8 and kernel.spill_stores == kernel.spill_loads == 0
    shared = text.replace(".reg .pred", ".shared .align 16 .b8 x[4096];\n.reg .b32 %a;\nmov.u32 %a, x;\n.reg .pred", 1)
    used = shared.replace("ret;", "st.shared.b32 [%a], %a;\nret;")
    assert next(iter(ptxas.assemble(used, "sm_80").values())).shared == 4096


def test_there_are_programs():
    assert len(FILES) >= 60 and len(SMALL) >= 100 and len(FAMILIES) >= 10
