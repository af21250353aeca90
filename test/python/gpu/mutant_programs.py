# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of whose kernels `mutants.py` deletes synchronisations: some of each class of kernels, which
`test_mutants.py` takes, and for the command all of `test/programs`, and all that tests of kernels compile."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

TARGET = "cuda-emulated"
HERE = Path(__file__).resolve().parent
#: Tests of kernels whose threads wait for each other, besides those that are always in checked mode.
RECORDED = "test_warpgroups.py", "test_library_steps.py", "test_small_loops.py", "test_merged_launches.py"
CHECKED = 'pytest.mark.usefixtures("checked")'

NORMALIZED = """
func.func private @{name}(%x: tensor<{rows}x{n}xf32>) -> tensor<{rows}x{n}xf32> {{
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<{rows}x{n}xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1]
      : (tensor<{rows}x{n}xf32>, tensor<f32>) -> tensor<{rows}xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<{rows}xf32>) -> tensor<{rows}x{n}xf32>
  %d = xla.divide %e, %b : tensor<{rows}x{n}xf32>
  %r = xla.reverse %d, dims = [1] : tensor<{rows}x{n}xf32>
  return %r : tensor<{rows}x{n}xf32>
}}"""
PROGRAMS = {
    "sum by a block": """
func.func @main(%x: tensor<3x3000xf32>) -> tensor<3xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1]
      : (tensor<3x3000xf32>, tensor<f32>) -> tensor<3xf32>
  return %s : tensor<3xf32>
}""",
    "rows of warps and of blocks, with memory for a row": """
func.func @main(%x: tensor<9x400xf32>, %y: tensor<2x3000xf32>) -> (tensor<9x400xf32>, tensor<2x3000xf32>) {
  %0 = call @normalized(%x) : (tensor<9x400xf32>) -> tensor<9x400xf32>
  %1 = call @normalized_long(%y) : (tensor<2x3000xf32>) -> tensor<2x3000xf32>
  return %0, %1 : tensor<9x400xf32>, tensor<2x3000xf32>
}
"""
    + NORMALIZED.format(name="normalized", rows=9, n=400)
    + NORMALIZED.format(name="normalized_long", rows=2, n=3000),
    "transposition": """
func.func @main(%x: tensor<40x70xf32>) -> tensor<70x40xf32> {
  %t = xla.transpose %x, dims = [1, 0] : (tensor<40x70xf32>) -> tensor<70x40xf32>
  return %t : tensor<70x40xf32>
}""",
    "sums of columns that the last block adds up": """
func.func @main(%x: tensor<2048x32xf32>) -> tensor<32xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0]
      : (tensor<2048x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %s : tensor<32xf32>
}""",
    "sums of columns, and up to each element of long rows": """
func.func @main(%x: tensor<40x48xf32>, %y: tensor<2x2050xf32>) -> (tensor<48xf32>, tensor<2x2050xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0]
      : (tensor<40x48xf32>, tensor<f32>) -> tensor<48xf32>
  %1 = "xla.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 1, 2050>,
      padding = dense<[[0, 0], [2049, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<2x2050xf32>, tensor<f32>) -> tensor<2x2050xf32>
  return %0, %1 : tensor<48xf32>, tensor<2x2050xf32>
}""",
    "sums up to each element, in tiles": """
func.func @main(%x: tensor<32772xf32>) -> tensor<32772xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 32772>,
      padding = dense<[[32771, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<32772xf32>, tensor<f32>) -> tensor<32772xf32>
  return %0 : tensor<32772xf32>
}""",
    "updates by owners": """
func.func @main(%i: tensor<3000x1xi32>, %u: tensor<3000x3xf32>, %x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<3000x1xi32>, tensor<3000x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}""",
}

#: Words of 32 bits, and of 64 where there are many places.
PROGRAMS |= {
    f"updates that were dealt by {index}, of which one owner has more than it takes at a time": f"""
func.func @main(%u: tensor<9000xf32>, %x: tensor<{places}xf32>) -> tensor<{places}xf32> {{
  %n = xla.iota dim = 0 : tensor<9000x{index}>
  %four = xla.constant dense<4> : tensor<9000x{index}>
  %size = xla.constant dense<{size}> : tensor<9000x{index}>
  %factor = xla.constant dense<37> : tensor<9000x{index}>
  %often = xla.constant dense<3> : tensor<9000x{index}>
  %some = xla.remainder %n, %four : tensor<9000x{index}>
  %is_often = xla.compare NE, %some, %often : (tensor<9000x{index}>, tensor<9000x{index}>) -> tensor<9000xi1>
  %product = xla.multiply %n, %factor : tensor<9000x{index}>
  %place = xla.remainder %product, %size : tensor<9000x{index}>
  %places = xla.select %is_often, %often, %place : tensor<9000xi1>, tensor<9000x{index}>
  %i = xla.reshape %places : (tensor<9000x{index}>) -> tensor<9000x1x{index}>
  %r = "xla.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }}) : (tensor<{places}xf32>, tensor<9000x1x{index}>, tensor<9000xf32>) -> tensor<{places}xf32>
  return %r : tensor<{places}xf32>
}}"""
    for index, places, size in (("i32", 3000, 3001), ("i64", 2200000, 2200001))
}

#: A convolution, of which each thread stores what it has itself.
PROGRAMS["transform of a prime length"] = """
func.func @main(%x: tensor<2x41xf32>) -> tensor<2x21xcomplex<f32>> {
  %0 = xla.fft %x, type = RFFT, length = [41] : (tensor<2x41xf32>) -> tensor<2x21xcomplex<f32>>
  return %0 : tensor<2x21xcomplex<f32>>
}"""


PROGRAMS |= {
    f"product of {element}": f"""
func.func @main(%x: tensor<200x40x{element}>, %y: tensor<200x40x{element}>) -> tensor<40x40x{result}> {{
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0]
      : (tensor<200x40x{element}>, tensor<200x40x{element}>) -> tensor<40x40x{result}>
  return %0 : tensor<40x40x{result}>
}}"""
    for element, result in (("f32", "f32"), ("bf16", "f32"), ("i8", "i32"))
}
PROGRAMS["product with a vector, whose sums are split"] = """
func.func @main(%x: tensor<2000xf32>, %y: tensor<2000x40xf32>) -> tensor<40xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<2000xf32>, tensor<2000x40xf32>) -> tensor<40xf32>
  return %0 : tensor<40xf32>
}"""

PROGRAMS |= {
    name: f"""
func.func @main(%q: tensor<{rows}x16x{element}>, %k: tensor<70x16x{element}>, %v: tensor<70x16x{element}>)
    -> tensor<{rows}x16xf32> {{
  %zero = xla.constant dense<0.0> : tensor<f32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %q, %k, contracting_dims = [1] x [1]
      : (tensor<{rows}x16x{element}>, tensor<70x16x{element}>) -> tensor<{rows}x70xf32>
  %m = xla.reduce(%s init: %least) applies xla.maximum across dimensions = [1]
      : (tensor<{rows}x70xf32>, tensor<f32>) -> tensor<{rows}xf32>
  %ms = xla.broadcast_in_dim %m, dims = [0] : (tensor<{rows}xf32>) -> tensor<{rows}x70xf32>
  %d = xla.subtract %s, %ms : tensor<{rows}x70xf32>
  %e = xla.exponential %d : tensor<{rows}x70xf32>
  %l = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1]
      : (tensor<{rows}x70xf32>, tensor<f32>) -> tensor<{rows}xf32>
  %ls = xla.broadcast_in_dim %l, dims = [0] : (tensor<{rows}xf32>) -> tensor<{rows}x70xf32>
  %p = xla.divide %e, %ls : tensor<{rows}x70xf32>
  %w = xla.convert %p : (tensor<{rows}x70xf32>) -> tensor<{rows}x70x{element}>
  %r = xla.dot_general %w, %v, contracting_dims = [1] x [0]
      : (tensor<{rows}x70x{element}>, tensor<70x16x{element}>) -> tensor<{rows}x16xf32>
  return %r : tensor<{rows}x16xf32>
}}"""
    for name, element, rows in (
        ("attention", "f32", 70),
        ("attention of bf16", "bf16", 70),
        ("attention of few rows", "f32", 3),
    )
}


#: Of the device's library, for the command; `test_library_kernels.py` only has them checked as they are.
LIBRARY = {}
LIBRARY["factors and systems"] = """
func.func @main(%x: tensor<70x70xf32>, %y: tensor<20x20xf64>, %z: tensor<70x37xf32>, %w: tensor<3x20xf64>)
    -> (tensor<70x70xf32>, tensor<20x20xf64>, tensor<70x37xf32>, tensor<3x20xf64>) {
  %0 = call @large_diagonal(%x) : (tensor<70x70xf32>) -> tensor<70x70xf32>
  %1 = call @small_diagonal(%y) : (tensor<20x20xf64>) -> tensor<20x20xf64>
  %2 = xla.cholesky %0, lower = true : tensor<70x70xf32>
  %3 = xla.cholesky %1, lower = false : tensor<20x20xf64>
  %4 = "xla.triangular_solve"(%0, %z) <{left_side = true, lower = true, unit_diagonal = false,
      transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<70x70xf32>, tensor<70x37xf32>) -> tensor<70x37xf32>
  %5 = "xla.triangular_solve"(%1, %w) <{left_side = false, lower = true, unit_diagonal = true,
      transpose_a = #xla<transpose TRANSPOSE>}> : (tensor<20x20xf64>, tensor<3x20xf64>) -> tensor<3x20xf64>
  return %2, %3, %4, %5 : tensor<70x70xf32>, tensor<20x20xf64>, tensor<70x37xf32>, tensor<3x20xf64>
}""" + "".join(
    f"""
func.func private @{name}(%x: tensor<{n}x{n}x{element}>) -> tensor<{n}x{n}x{element}> {{
  %i = xla.iota dim = 0 : tensor<{n}x{n}xi32>
  %j = xla.iota dim = 1 : tensor<{n}x{n}xi32>
  %is = xla.compare EQ, %i, %j : (tensor<{n}x{n}xi32>, tensor<{n}x{n}xi32>) -> tensor<{n}x{n}xi1>
  %much = xla.constant dense<100.0> : tensor<{n}x{n}x{element}>
  %r = xla.select %is, %much, %x : tensor<{n}x{n}xi1>, tensor<{n}x{n}x{element}>
  return %r : tensor<{n}x{n}x{element}>
}}"""
    for name, n, element in (("large_diagonal", 70, "f32"), ("small_diagonal", 20, "f64"))
)

LIBRARY["factors with pivots"] = """
func.func @main(%x: tensor<2x20x20xf32>) -> (tensor<2x20x20xf32>, tensor<2x20xi32>, tensor<2xi32>) {
  %r:3 = xla.custom_call @lapack_sgetrf_ffi(%x)
      : (tensor<2x20x20xf32>) -> (tensor<2x20x20xf32>, tensor<2x20xi32>, tensor<2xi32>)
  return %r#0, %r#1, %r#2 : tensor<2x20x20xf32>, tensor<2x20xi32>, tensor<2xi32>
}"""

LIBRARY["transforms"] = """
func.func @main(%x: tensor<3x60xf32>, %y: tensor<7x24x3xcomplex<f64>>)
    -> (tensor<3x31xcomplex<f32>>, tensor<3x60xf32>, tensor<7x24x3xcomplex<f64>>) {
  %0 = xla.fft %x, type = RFFT, length = [60] : (tensor<3x60xf32>) -> tensor<3x31xcomplex<f32>>
  %1 = xla.fft %0, type = IRFFT, length = [60] : (tensor<3x31xcomplex<f32>>) -> tensor<3x60xf32>
  %2 = xla.fft %y, type = FFT, length = [24, 3] : (tensor<7x24x3xcomplex<f64>>) -> tensor<7x24x3xcomplex<f64>>
  return %0, %1, %2 : tensor<3x31xcomplex<f32>>, tensor<3x60xf32>, tensor<7x24x3xcomplex<f64>>
}"""

LIBRARY["transforms of prime lengths"] = """
func.func @main(%x: tensor<2x41xcomplex<f64>>, %y: tensor<2x21xcomplex<f32>>, %z: tensor<1x67xcomplex<f32>>)
    -> (tensor<2x41xcomplex<f64>>, tensor<2x41xf32>, tensor<1x67xcomplex<f32>>) {
  %0 = xla.fft %x, type = FFT, length = [41] : (tensor<2x41xcomplex<f64>>) -> tensor<2x41xcomplex<f64>>
  %1 = xla.fft %y, type = IRFFT, length = [41] : (tensor<2x21xcomplex<f32>>) -> tensor<2x41xf32>
  %2 = xla.fft %z, type = FFT, length = [67] : (tensor<1x67xcomplex<f32>>) -> tensor<1x67xcomplex<f32>>
  return %0, %1, %2 : tensor<2x41xcomplex<f64>>, tensor<2x41xf32>, tensor<1x67xcomplex<f32>>
}"""

#: Warpgroups, which the planner leaves alone at such sizes: alone, in clusters, in parts, with a stage for each tile,
#: and with one for each but the last.
WARPGROUPS = {
    f"product by warpgroups{what}": f"""
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func private @product(%x: tensor<{m}x{k}xbf16>, %y: tensor<{k}x72xbf16>) -> tensor<{m}x72xf32> attributes {{
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<{m}x72x{k}, {plan}>]}} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{m}x72xf32>) -> tensor<{m}x72xf32>
  %0 = linalg.generic {{indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %y : tensor<{m}x{k}xbf16>, tensor<{k}x72xbf16>) outs(%f : tensor<{m}x72xf32>) {{
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }} -> tensor<{m}x72xf32>
  return %0 : tensor<{m}x72xf32>
}}
func.func @main(%x: tensor<{m}x{k}xbf16>, %y: tensor<{k}x72xbf16>) -> tensor<{m}x72xf32> {{
  %0 = call @product(%x, %y) : (tensor<{m}x{k}xbf16>, tensor<{k}x72xbf16>) -> tensor<{m}x72xf32>
  return %0 : tensor<{m}x72xf32>
}}"""
    for what, m, k, plan in (
        ("", 128, 400, "m d0 128, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 3"),
        (" in clusters", 128, 1600, "m d0 64, n d1 128, k d2 64, register 64x64, instruction wgmma, cluster 2"),
        (" in clusters of 4", 256, 264, "m d0 64, n d1 256, k d2 64, register 64x128, instruction wgmma, cluster 4"),
        (" in parts", 128, 400, "m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 2, split 2"),
        (" of few tiles", 128, 136, "m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 4"),
        (" of three tiles", 128, 136, "m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 2"),
    )
}


def own_programs() -> dict[str, tuple[str, str]]:
    """Text and stage of each, by name."""
    found = {name: (text, "") for name, text in (PROGRAMS | LIBRARY).items()}
    return found | {name: (text, "kernels") for name, text in WARPGROUPS.items()}


# === What tests compile ===


def record(out: str, files: Sequence[str]) -> None:
    """Writes the programs that the tests in these files compile for GPUs, and does not run them."""
    import pytest
    import test_warpgroups

    from mlir_xla._mlir_libs._xla import compiler

    found: dict[str, tuple[str, str]] = {}
    current = [""]
    original = compiler.compile

    class Recorder:
        def pytest_runtest_setup(self, item: pytest.Item) -> None:
            current[0] = item.name

    def note(text: str, stage: str) -> None:
        found[f"{current[0]} {len(found)}"] = text, stage

    def compile_or_record(operation, **options):  # as the compiler's
        if options.get("target") != TARGET:
            return original(operation, **options)
        note(str(operation), options.get("from_stage", ""))
        return pytest.skip("recorded")

    def check_or_record(_, jobs, *rest):  # as that of test_warpgroups.py, whose programs run in another process
        for text, plan, _ in jobs:
            note(test_warpgroups.planned(text, plan), "kernels")

    compiler.compile = compile_or_record
    test_warpgroups.check = check_or_record
    pytest.main(["-q", "-p", "no:cacheprovider", *files], plugins=[Recorder()])
    Path(out).write_text(json.dumps(found))


def recorded(files: Iterable[Path]) -> dict[str, tuple[str, str]]:
    """Text and stage of what tests in these files compile for GPUs, by the tests' names."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "recorded.json"
        subprocess.run([sys.executable, __file__, out, *files], check=True, stdout=subprocess.DEVNULL)
        return {name: (text, stage) for name, (text, stage) in json.loads(out.read_text()).items()}


def files_of_kernels() -> list[Path]:
    return [each for each in sorted(HERE.glob("test_*.py")) if each.name in RECORDED or CHECKED in each.read_text()]


def all_programs() -> dict[str, tuple[str, str]]:
    """Text and stage of each, by name; of equal ones one."""
    folder = HERE.parents[1] / "programs"
    found = {path.stem: (path.read_text(), "") for path in sorted(folder.rglob("*.mlir"))}
    found |= recorded(files_of_kernels())
    found |= own_programs()
    return {name: program for program, name in {program: name for name, program in found.items()}.items()}


if __name__ == "__main__":
    record(sys.argv[1], sys.argv[2:])
