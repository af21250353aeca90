# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIRError and diagnostic handlers."""

import gc

import pytest

from mlir_xla import ir

DOMINANCE_ERROR = """
func.func @foo() {
  "test.use"(%0) : (i64) -> () loc("use")
  %0 = "test.def"() : () -> i64 loc("def")
  return
}
"""


def test_error_has_message_location_and_notes(ctx):
    with pytest.raises(ir.MLIRError) as info:
        ir.Operation.parse(DOMINANCE_ERROR)
    error = info.value
    assert error.message == "Unable to parse operation assembly"
    (diagnostic,) = error.error_diagnostics
    assert diagnostic.severity == ir.DiagnosticSeverity.ERROR
    assert str(diagnostic.location) == 'loc("use")'
    assert diagnostic.message == "operand #0 does not dominate this use"
    assert len(diagnostic.notes) == 2
    assert str(diagnostic.notes[1].location) == 'loc("def")'


def test_error_text(ctx):
    with pytest.raises(ir.MLIRError) as info:
        ir.Module.parse("}oops{")
    assert str(info.value) == ('Unable to parse module assembly:\nerror: "-":1:1: expected operation name in quotes')


def test_notes_are_indented_by_one(ctx):
    with pytest.raises(ir.MLIRError) as info:
        ir.Operation.parse(DOMINANCE_ERROR)
    lines = str(info.value).splitlines()
    assert lines[1].startswith('error: "use": ')
    assert lines[2].startswith(' note: "use": see current operation')
    assert lines[3].startswith(' note: "def": operand defined here')


def test_error_outlives_its_context():
    with ir.Context():
        try:
            ir.Type.parse("nonsense")
        except ir.MLIRError as error:
            kept = error
    gc.collect()
    assert "nonsense" in str(kept) or kept.error_diagnostics


def test_verify_reports(ctx):
    op = ir.Operation.create("arith.addi")
    with pytest.raises(ir.MLIRError, match="requires one result") as info:
        op.verify()
    assert info.value.message == "Verification failed"


def test_handler_sees_diagnostics(ctx):
    seen = []

    def callback(diagnostic):
        seen.append((diagnostic.message, diagnostic.severity, str(diagnostic.location), diagnostic.notes))
        return True

    with ctx.attach_diagnostic_handler(callback) as handler:
        ir.Location.name("place").emit_error("foobar")
        assert not handler.had_error
    assert seen == [("foobar", ir.DiagnosticSeverity.ERROR, 'loc("place")', ())]


def test_last_handler_comes_first_and_may_pass_on(ctx):
    order = []
    first = ctx.attach_diagnostic_handler(lambda d: order.append("first") or True)
    second = ctx.attach_diagnostic_handler(lambda d: order.append("second"))
    ir.Location.unknown().emit_error("x")
    assert order == ["second", "first"]
    first.detach()
    second.detach()


def test_handled_diagnostics_go_no_further(ctx):
    order = []
    with ctx.attach_diagnostic_handler(lambda d: order.append("first") or True):
        with ctx.attach_diagnostic_handler(lambda d: order.append("second") or True):
            ir.Location.unknown().emit_error("x")
    assert order == ["second"]


def test_detach(ctx):
    handler = ctx.attach_diagnostic_handler(lambda d: True)
    assert handler.attached
    handler.detach()
    assert not handler.attached
    handler.detach()


def test_context_detaches_its_handlers():
    ctx = ir.Context()
    handler = ctx.attach_diagnostic_handler(lambda d: True)
    del ctx
    gc.collect()
    assert not handler.attached


def test_callback_may_refer_to_the_context():
    # The cycle context -> handler -> callback -> context is collected.
    def attach():
        ctx = ir.Context()
        ctx.attach_diagnostic_handler(lambda d: ctx is not None)

    gc.collect()
    before = ir.Context._get_live_count()
    attach()
    gc.collect()
    assert ir.Context._get_live_count() == before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_raising_handler_is_noted(ctx):
    def callback(diagnostic):
        raise ValueError("Error in handler")

    handler = ctx.attach_diagnostic_handler(callback)
    ir.Location.unknown().emit_error("foobar")
    assert handler.had_error
    handler.detach()


def test_diagnostic_is_invalid_after_the_callback(ctx):
    kept = []

    def callback(diagnostic):
        kept.append(diagnostic)
        kept.append(ir.DiagnosticInfo(diagnostic))
        return True

    with ctx.attach_diagnostic_handler(callback):
        ir.Location.unknown().emit_error("foobar")
    diagnostic, info = kept
    assert str(diagnostic) == "<Invalid Diagnostic>"
    for member in ("severity", "location", "message", "notes"):
        with pytest.raises(ValueError, match="invalid"):
            getattr(diagnostic, member)
    assert str(info) == info.message == "foobar"


def test_notes_in_a_handler(ctx):
    ctx.emit_error_diagnostics = True
    notes = []
    with ctx.attach_diagnostic_handler(lambda d: notes.extend(map(str, d.notes)) or True):
        with pytest.raises(ir.MLIRError):
            ir.Operation.create("arith.addi").verify()
    assert len(notes) == 1 and notes[0].startswith("see current operation")


def test_errors_go_to_the_exception_or_to_the_handlers(ctx):
    seen = []
    with ctx.attach_diagnostic_handler(lambda d: seen.append(str(d)) or True):
        with pytest.raises(ir.MLIRError) as info:
            ir.Attribute.parse("not an attr")
        assert [str(d) for d in info.value.error_diagnostics] == ["expected attribute value"]
        assert seen == []

        ctx.emit_error_diagnostics = True
        with pytest.raises(ir.MLIRError) as info:
            ir.Attribute.parse("not an attr")
        assert info.value.error_diagnostics == []
        assert seen == ["expected attribute value"]
