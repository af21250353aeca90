# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever a plan says, the kernel computes what it should, or the plan is refused with the rule that it breaks."""

import pytest
from plan_mutants import PROGRAMS, SEED, arguments, check, mutants
from plan_text import kernels, plans, replan, run

from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.tuning.plans import Nest


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_mutants(program):
    found = mutants(program, range(25))
    assert found["refused"] and found["right"], found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_text_is_understood(program):
    """What is printed is read, and printed again as it was."""
    text = kernels(program.text)
    assert plans(text)
    assert replan(text, lambda number, plan: plan) == text


def test_a_wrong_result_is_found():
    program = PROGRAMS[0]
    text = kernels(program.text)
    wrong = text.replace("arith.addf", "arith.subf", 1)
    assert wrong != text
    with pytest.raises(AssertionError, match="instead of"):
        check(program, wrong, run(text, arguments(program.text, SEED)))


def test_override_end_to_end():
    """The register tile of a product is another one in the machine code, too."""
    program = PROGRAMS[0]
    text = kernels(program.text)
    (plan,) = plans(text)
    assert plan.lanes and plan.jam

    def change(number: int, plan: Nest) -> Nest:
        plan.lanes, plan.jam, plan.cut = (plan.lanes[0], 8, 1), (plan.jam[0], 2), {}
        plan.flags.clear()
        return plan

    changed = replan(text, change)
    assert "lanes d1 8x1, jam d0 2" in changed
    assert check(program, changed, run(text, arguments(program.text, SEED))) == "right"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_plans_change_nothing_by_being_written(program):
    """Kernels are planned where they are emitted unless stages are kept: the machine code is the same."""
    with ir.Context():
        kept, unkept = (
            compiler.compile(ir.Module.parse(program.text).operation, keep_stages=keep) for keep in (True, False)
        )
    assert kept.object_code == unkept.object_code
    assert "xla_rt.plans" in kept.stages["kernels"]
