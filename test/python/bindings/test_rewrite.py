# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrite patterns in Python and PDL, and their drivers."""

import pytest

from mlir_xla import ir
from mlir_xla.rewrite import (
    GreedyRewriteConfig,
    GreedyRewriteStrictness,
    GreedySimplifyRegionLevel,
    PDLModule,
    RewritePatternSet,
    apply_patterns_and_fold_greedily,
    walk_and_apply_patterns,
)

ADD = """
func.func @f(%a: i64, %b: i64) -> i64 {
  %0 = arith.addi %a, %b : i64
  return %0 : i64
}
"""


@pytest.fixture
def module(ctx):
    return ir.Module.parse(ADD)


def to_mul(op, rewriter):
    with rewriter.ip:
        new = ir.Operation.create("arith.muli", operands=list(op.operands), infer_type=True, loc=op.location)
    rewriter.replace_op(op, new)


def frozen(*patterns):
    patterns_set = RewritePatternSet()
    for root, function in patterns:
        patterns_set.add(root, function)
    return patterns_set.freeze()


@pytest.mark.parametrize("apply", [apply_patterns_and_fold_greedily, walk_and_apply_patterns])
def test_replace(module, apply):
    old = module.body.operations[0].regions[0].blocks[0].operations[0]
    apply(module, frozen(("arith.addi", to_mul)))
    assert "arith.muli" in str(module) and "arith.addi" not in str(module)
    with pytest.raises(RuntimeError, match="invalidated"):
        str(old)


def test_replace_with_values(module):
    apply_patterns_and_fold_greedily(
        module.operation, frozen(("arith.addi", lambda op, rewriter: rewriter.replace_op(op, [op.operands[0]])))
    )
    assert "return %arg0" in str(module)


def test_erase(ctx):
    module = ir.Module.parse('"custom.dead"() : () -> ()')
    apply_patterns_and_fold_greedily(module, frozen(("custom.dead", lambda op, rewriter: rewriter.erase_op(op))))
    assert len(module.body.operations) == 0


def test_erase_used(module):
    with pytest.raises(RuntimeError, match="still has uses"):
        walk_and_apply_patterns(module, frozen(("arith.addi", lambda op, rewriter: rewriter.erase_op(op))))


def test_true_means_no_match(module):
    calls = []
    walk_and_apply_patterns(module, frozen(("arith.addi", lambda op, rewriter: calls.append(op) or True)))
    assert len(calls) == 1 and "arith.addi" in str(module)


def test_root_by_class(module):
    class Add(ir.OpView):
        OPERATION_NAME = "arith.addi"

    walk_and_apply_patterns(module, frozen((Add, to_mul)))
    assert "arith.muli" in str(module)


def test_benefit(module):
    order = []
    patterns = RewritePatternSet()
    patterns.add("arith.addi", lambda op, rewriter: order.append("low") or True, benefit=1)
    patterns.add("arith.addi", lambda op, rewriter: order.append("high") or True, benefit=5)
    walk_and_apply_patterns(module, patterns.freeze())
    assert order == ["high", "low"]


def test_exception_ends_the_rewrite(module):
    calls = []

    def raises(op, rewriter):
        calls.append(op)
        raise KeyError("from the pattern")

    with pytest.raises(KeyError, match="from the pattern"):
        apply_patterns_and_fold_greedily(module, frozen(("arith.addi", raises), ("func.return", raises)))
    assert len(calls) == 1
    assert module.operation.verify()


def test_wrong_result_type(module):
    with pytest.raises(TypeError, match="must return None or a bool"):
        walk_and_apply_patterns(module, frozen(("arith.addi", lambda op, rewriter: "yes")))


def test_wrong_number_of_replacements(module):
    with pytest.raises(ValueError, match="has 1 results but got 0 replacements"):
        walk_and_apply_patterns(module, frozen(("arith.addi", lambda op, rewriter: rewriter.replace_op(op, []))))


def test_rewriter_expires(module):
    kept = []
    walk_and_apply_patterns(module, frozen(("arith.addi", lambda op, rewriter: kept.append(rewriter) or True)))
    with pytest.raises(RuntimeError, match="only while the pattern runs"):
        kept[0].ip


def test_no_convergence(ctx):
    module = ir.Module.parse('"custom.op"() : () -> ()')

    def again(op, rewriter):
        with rewriter.ip:
            ir.Operation.create("custom.op", loc=op.location)
        rewriter.erase_op(op)

    with pytest.raises(RuntimeError, match="failed to converge"):
        apply_patterns_and_fold_greedily(module, frozen(("custom.op", again)))


def test_frozen_set_is_empty_afterwards(ctx):
    patterns = RewritePatternSet()
    patterns.freeze()
    with pytest.raises(RuntimeError, match="frozen"):
        patterns.add("arith.addi", to_mul)


def test_patterns_of_another_context(module):
    with ir.Context():
        patterns = RewritePatternSet().freeze()
    with pytest.raises(ValueError, match="another context"):
        apply_patterns_and_fold_greedily(module, patterns)


def test_target_must_be_an_operation(ctx):
    with pytest.raises(TypeError, match="expected a Module, Operation or OpView"):
        apply_patterns_and_fold_greedily(3, frozen())


def test_config():
    config = GreedyRewriteConfig()
    config.max_iterations = 5
    config.max_num_rewrites = 50
    config.use_top_down_traversal = True
    config.enable_folding = False
    config.strictness = GreedyRewriteStrictness.EXISTING_AND_NEW_OPS
    config.region_simplification_level = GreedySimplifyRegionLevel.AGGRESSIVE
    config.enable_constant_cse = False
    assert (config.max_iterations, config.max_num_rewrites, config.use_top_down_traversal) == (5, 50, True)
    assert (config.enable_folding, config.enable_constant_cse) == (False, False)
    assert config.strictness == GreedyRewriteStrictness.EXISTING_AND_NEW_OPS
    assert config.region_simplification_level == GreedySimplifyRegionLevel.AGGRESSIVE


def test_config_is_used(ctx):
    source = """
      func.func @f() -> (i64, i64) {
        %0 = arith.constant 1 : i64
        %1 = arith.constant 1 : i64
        return %0, %1 : i64, i64
      }"""
    for cse, expected in ((False, 2), (True, 1)):
        module = ir.Module.parse(source)
        config = GreedyRewriteConfig()
        config.enable_constant_cse = cse
        apply_patterns_and_fold_greedily(module, frozen(), config)
        assert str(module).count("arith.constant") == expected


PDL = """
pdl.pattern @add_to_mul : benefit(1) {
  %type = type : i64
  %lhs = operand : %type
  %rhs = operand : %type
  %add = operation "arith.addi"(%lhs, %rhs : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  rewrite %add {
    %mul = operation "arith.muli"(%lhs, %rhs : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    replace %add with %mul
  }
}
"""


def test_pdl(module):
    patterns = PDLModule(ir.Module.parse(PDL)).freeze()
    apply_patterns_and_fold_greedily(module, patterns)
    assert "arith.muli" in str(module)


def test_pdl_native_constraint_and_rewrite(module):
    source = PDL.replace("rewrite %add {", 'apply_native_constraint "wanted"(%add : !pdl.operation)\n  rewrite %add {')
    for wanted in (True, False):
        target = ir.Module.parse(ADD)
        pdl = PDLModule(ir.Module.parse(source))
        pdl.register_constraint_function("wanted", lambda rewriter, results, values, wanted=wanted: not wanted)
        apply_patterns_and_fold_greedily(target, pdl.freeze())
        assert ("arith.muli" in str(target)) == wanted


def test_pdl_module_must_be_a_module(module):
    with pytest.raises(TypeError, match="expected a builtin.module"):
        PDLModule(module.body.operations[0])


def test_pdl_written_in_python(module):
    from mlir_xla.dialects import pdl

    with ir.Location.unknown():
        patterns = ir.Module.create()
        with ir.InsertionPoint(patterns.body):

            @pdl.pattern(benefit=1, sym_name="add_to_mul")
            def pattern():
                i64 = pdl.TypeOp(ir.IntegerType.get_signless(64))
                operands = [pdl.OperandOp(i64), pdl.OperandOp(i64)]
                add = pdl.OperationOp(name="arith.addi", args=operands, types=[i64])

                @pdl.rewrite()
                def rewrite():
                    pdl.ReplaceOp(add, with_op=pdl.OperationOp(name="arith.muli", args=operands, types=[i64]))

    patterns.operation.verify()
    apply_patterns_and_fold_greedily(module, PDLModule(patterns).freeze())
    assert "arith.muli" in str(module)
