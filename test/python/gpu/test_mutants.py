# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator's checks find every synchronisation that compiled kernels would lack, and each is needed."""

import dataclasses
import json
import os
import resource
import sys

import mutant_programs
import mutants
import pytest
import test_small_loops

import mlir_xla

#: Clusters and the device's library are for the command: there are many more mutants of them.
PROGRAMS = {
    name: each
    for name, each in mutants.own_programs().items()
    if "clusters" not in name and name not in mutants.LIBRARY
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_mutant_survives(name):
    count, alive = mutants.survivors(*PROGRAMS[name])
    assert count > 0
    assert not alive


def test_a_survivor_is_found():
    """A mutant that is none: what the emulator says nothing of is counted."""
    text = mutants.own_programs()["transposition"][0]
    with mutants.mutants_of(text) as program:
        (kernel,) = mutants.kernels(program.ptx)
        nothing = next(n for n, line in enumerate(program.ptx.split("\n"), start=1) if line.startswith("//"))
        assert program.without(0) == ""
        assert program.survivors(kernel) == ([], 0)
        kernel = dataclasses.replace(kernel, lines=(nothing, *kernel.lines))
        assert program.survivors(kernel) == ([f"line {nothing}: //"], 0)
        assert program.survivors(dataclasses.replace(kernel, spared=frozenset([nothing]))) == ([], 1)


ADDED = """
func.func @main(%x: tensor<300xf32>) -> tensor<300xf32> {
  %0 = xla.add %x, %x : tensor<300xf32>
  return %0 : tensor<300xf32>
}"""


def test_waits_for_kernels_in_front():
    """The only synchronisation of a kernel whose threads have nothing to do with each other, which is a comment in PTX
    for devices that have no such instruction."""
    with mutants.mutants_of(ADDED) as program:
        (kernel,) = mutants.kernels(program.ptx)
        (line,) = kernel.lines
        assert program.ptx.split("\n")[line - 1].strip() == "//.sm_90 griddepcontrol.wait;"
        assert program.without(0) == ""
        assert "before 'griddepcontrol.wait'" in program.without(line)
    text = mutants.own_programs()["transposition"][0]
    for chip in ("sm_80", "sm_90a"):
        ptx = mlir_xla.compile(text, target="cuda-emulated", chip=chip).stages["binary"]
        (kernel,) = mutants.kernels(ptx)
        assert ["griddepcontrol" in ptx.split("\n")[line - 1] for line in kernel.lines] == [True, False]


def test_loops_that_a_predicate_ends():
    """Arguments of zeros and ones end it before two iterations race; with others more barriers are found missing."""
    text = test_small_loops.until(70, test_small_loops.BRANCH.replace("%w", "%v"))
    with mutants.mutants_of(text) as program:
        (kernel,) = (each for each in mutants.kernels(program.ptx) if mutants.LOOP.match(each.name))
        alive = [line for line in kernel.lines if mutants.FINDING not in program.without(line)]
        assert program.further == [1, 2, 3, 4, 5]
        assert not all(program.is_alive(line) for line in alive)


PROGRAMS_OF_TESTS = mutants.HERE.parents[1] / "programs"


def test_blocks_that_the_first_thread_writes():
    """Each counts itself without a barrier before: its result is one vector."""
    ptx = mutants.compiled((PROGRAMS_OF_TESTS / "transformer_block.mlir").read_text()).stages["binary"]
    lines = ptx[ptx.index(".entry rows_5_and_2_more(") :].split("\n")
    counted = next(i for i, line in enumerate(lines) if "atom.global.inc" in line)
    assert "st.global.v4" in lines[counted - 2] and "fence.acq_rel" in lines[counted - 1]


def test_other_orders_of_blocks():
    """The block that has written what the last one reads comes last, but need not."""
    text = """
    func.func @main(%x: tensor<900xf32>, %y: tensor<3x70xf32>) -> (tensor<900xf32>, tensor<3xf32>) {
      %zero = xla.constant dense<0.0> : tensor<f32>
      %e = xla.sine %x : tensor<900xf32>
      %s = xla.reduce(%y init: %zero) applies xla.add across dimensions = [1]
          : (tensor<3x70xf32>, tensor<f32>) -> tensor<3xf32>
      %r = xla.reverse %s, dims = [0] : tensor<3xf32>
      return %e, %r : tensor<900xf32>, tensor<3xf32>
    }"""
    with mutants.mutants_of(text) as program:
        (kernel,) = mutants.kernels(program.ptx)
        alive = [line for line in kernel.lines if mutants.FINDING not in program.without(line)]
        assert alive
        assert not any(program.is_alive(line) for line in kernel.lines)


def test_limits_are_of_the_processor():
    """What goes on for ever is ended, what only waits is not."""
    for body, want in (("while True: pass", None), ("import time; time.sleep(1.5)", "")):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
            os.dup2(writing, 2)
            os.execv(sys.executable, [sys.executable, "-S", "-c", body])
        os.close(writing)
        assert mutants.outcome(child, reading, 300) == want


# Two kernels, of which the second needs the first: else they would be one launch.
REDUCED = """
func.func private @folded(%x: tensor<3x3000xf32>) -> tensor<3xf32> {{
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.{op} across dimensions = [1]
      : (tensor<3x3000xf32>, tensor<f32>) -> tensor<3xf32>
  return %s : tensor<3xf32>
}}
func.func @main(%x: tensor<3x3000xf32>, %y: tensor<40x70xf32>) -> (tensor<70x40xf32>, tensor<3xf32>) {{
  %s = call @folded(%x) : (tensor<3x3000xf32>) -> tensor<3xf32>
  %first = xla.slice %s [0:1] : (tensor<3xf32>) -> tensor<1xf32>
  %scalar = xla.reshape %first : (tensor<1xf32>) -> tensor<f32>
  %all = xla.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> tensor<40x70xf32>
  %z = xla.add %y, %all : tensor<40x70xf32>
  %t = xla.transpose %z, dims = [1, 0] : (tensor<40x70xf32>) -> tensor<70x40xf32>
  return %t, %s : tensor<70x40xf32>, tensor<3xf32>
}}"""


def test_equal_kernels_are_one():
    """By their text, whatever comes before them and whatever they are called."""
    texts = [mutants.own_programs()["sum by a block"][0], REDUCED.format(op="add"), REDUCED.format(op="maximum")]
    alone, add, maximum = (mutants.kernels(mutants.compiled(text).stages["binary"]) for text in texts)
    assert len(alone) == 1 and len(add) == len(maximum) == 2
    keys = [{kernel.key for kernel in each} for each in (alone, add, maximum)]
    assert keys[0] < keys[1] and len(keys[1] & keys[2]) == 1 and not keys[0] & keys[2]
    assert mutants.kernels("// no kernel") == []


def test_what_is_known_is_not_tried_again(tmp_path, capsys):
    """Programs that were not tried are listed, and kernels that were are remembered, but those with survivors."""
    text = mutants.own_programs()["transposition"][0]
    (tmp_path / "one.mlir").write_text(text)
    known = tmp_path / "known.json"
    arguments = [str(tmp_path / "one.mlir"), f"--resume={known}", f"--report={tmp_path / 'report.md'}"]
    assert mutants.main([*arguments, "--minutes=0"]) == 0
    assert "0 mutants of 0 kernels, 0 survived, 0 may; 1 programs were left out" in capsys.readouterr().out
    assert "no time left" in (tmp_path / "report.md").read_text()
    assert mutants.main(arguments) == 0
    assert "2 mutants of 1 kernels, 0 survived, 0 may; 0 programs" in capsys.readouterr().out
    found = json.loads(known.read_text())
    (key,) = found
    known.write_text(json.dumps({key: found[key] | {"seconds": -1.0}}))
    assert mutants.main(arguments) == 0 and json.loads(known.read_text())[key]["seconds"] == -1
    known.write_text(json.dumps({key: found[key] | {"seconds": -1.0, "alive": ["line 1: bar.sync 0;"]}}))
    assert mutants.main(arguments) == 0 and json.loads(known.read_text())[key]["seconds"] >= 0


def test_what_tests_compile(tmp_path, capsys):
    """Tests that are in checked mode lend their programs, which do not run for that."""
    test = mutants.HERE / "test_updates_of_places.py"
    assert test in mutant_programs.files_of_kernels()
    report = tmp_path / "report.md"
    assert mutants.main([str(test), "--minutes=0", f"--report={report}"]) == 0
    assert "0 mutants of 0 kernels, 0 survived, 0 may; 4 programs were left out" in capsys.readouterr().out
    assert report.read_text().count("test_each_element_at_its_own_place") == 3


def test_what_may_survive():
    """Barriers of a loop, and a commit with no copy since the last one, or before."""
    copy, commit, again = "cp.async.cg.shared.global [%rd1], [%rd2], 16;", "cp.async.commit_group;", "bra $L__BB0_2;"
    body = [
        "$L__BB0_1:",
        commit,
        copy,
        commit,
        commit,
        "@%p1 " + copy,
        commit,
        "$L__BB0_3:",
        commit,
        commit,
        "bar.sync 0;",
    ]
    for name, before, after, spared in (
        ("k", "", "", {3, 6, 11}),
        ("k", "$L__BB0_2:", again, {6 + 1, 11 + 1}),
        ("loop_2", "", "", {3, 6, 11, 12}),
    ):
        lines = [f".visible .entry {name}(", *([before] if before else []), *body, after]
        (kernel,) = mutants.kernels("\n".join(lines))
        assert len(kernel.lines) == 7 and kernel.spared == spared


def test_fences_of_later_products_may_survive():
    fence, product = "wgmma.fence.sync.aligned;", "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1}, a, b, p;"
    lines = [".visible .entry k(", fence, product, product, fence, product, "bar.sync 0;"]
    (kernel,) = mutants.kernels("\n".join(lines))
    assert kernel.lines == (2, 5, 7) and kernel.spared == {5}


def test_what_one_thread_does_after_all_blocks():
    """The first barrier may survive, if the thread that counts its block does the rest; else neither may."""
    for condition, spared in (("or.pred %p10, %p8, %p9;", {2}), ("or.pred %p10, %p7, %p9;", set())):
        lines = [
            ".visible .entry k(",
            "bar.sync 0;",
            "@%p8 bra $L__BB0_7;",
            "fence.acq_rel.gpu;",
            "atom.global.inc.u32 %r27, [k_arrived], 1;",
            "fence.acq_rel.gpu;",
            "$L__BB0_7:",
            "bar.sync 0;",
            "ld.shared.b32 %r28, [k_flag];",
            condition,
            "@%p10 bra $L__BB0_9;",
        ]
        (kernel,) = mutants.kernels("\n".join(lines))
        assert kernel.lines == (2, 4, 6, 8) and kernel.spared == spared


FACTOR = """
func.func @main(%x: tensor<2x40x40xf32>) -> tensor<2x40x40xf32> {
  %0 = xla.cholesky %x {lower = true} : tensor<2x40x40xf32>
  return %0 : tensor<2x40x40xf32>
}"""


def test_factors_of_several_tiles():
    """No thread waits behind the last column of a tile, whether or not there are more tiles."""
    count, alive = mutants.survivors(FACTOR)
    assert count >= 38
    assert not alive


PROMISED = """
func.func @main(%x: tensor<37x8xf32>, %i: tensor<29x1xi32>, %u: tensor<29x8xf32>) -> tensor<37x8xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<37x8xf32>, tensor<29x1xi32>, tensor<29x8xf32>) -> tensor<37x8xf32>
  return %0 : tensor<37x8xf32>
}"""


def test_promises_are_kept():
    """Zeros and ones are not all different, which the program promises of its indices."""
    with mutants.mutants_of(PROMISED) as program:
        assert mutants.FINDING in program.ask(0)
        assert program.usual == mutants.PROMISED
        assert program.without(0) == ""
    count, alive = mutants.survivors(PROMISED)
    assert count > 0
    assert not alive
