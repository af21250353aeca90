# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Location: every kind, its inspectors, and locations from the Python call stack."""

import pytest

from mlir_xla import ir
from mlir_xla._mlir_libs import _mlir


def test_unknown(ctx):
    loc = ir.Location.unknown()
    assert str(loc) == repr(loc) == "loc(unknown)"
    assert loc.context is ctx


def test_file(ctx):
    loc = ir.Location.file("foo.txt", 123, 56)
    assert str(loc) == 'loc("foo.txt":123:56)'
    assert loc.is_a_file()
    assert (loc.filename, loc.start_line, loc.start_col) == ("foo.txt", 123, 56)


def test_file_range(ctx):
    loc = ir.Location.file("foo.txt", 1, 2, 3, 4)
    assert str(loc) == 'loc("foo.txt":1:2 to 3:4)'
    assert (loc.start_line, loc.start_col, loc.end_line, loc.end_col) == (1, 2, 3, 4)


def test_name(ctx):
    inner = ir.Location.name("inner")
    loc = ir.Location.name("outer", inner)
    assert str(loc) == 'loc("outer"("inner"))'
    assert loc.is_a_name()
    assert loc.name_str == "outer"
    assert loc.child_loc == inner


def test_callsite(ctx):
    frames = [ir.Location.file("util.py", 2, 3), ir.Location.file("main.py", 4, 5)]
    loc = ir.Location.callsite(ir.Location.file("f.py", 1, 1), frames)
    assert str(loc) == 'loc(callsite("f.py":1:1 at callsite("util.py":2:3 at "main.py":4:5)))'
    assert loc.is_a_callsite()
    assert str(loc.callee) == 'loc("f.py":1:1)'
    assert loc.caller.caller == frames[1]
    with pytest.raises(ValueError, match="No caller frames"):
        ir.Location.callsite(loc, [])


def test_fused(ctx):
    a, b = ir.Location.name("a"), ir.Location.name("b")
    metadata = ir.Attribute.parse('"why"')
    assert str(ir.Location.fused([a])) == 'loc("a")'
    assert str(ir.Location.fused([a, b])) == 'loc(fused["a", "b"])'
    assert str(ir.Location.fused([a, b], metadata)) == 'loc(fused<"why">["a", "b"])'
    assert str(ir.Location.fused([])) == "loc(unknown)"
    fused = ir.Location.fused([a, b])
    assert fused.is_a_fused()
    assert fused.locations == [a, b]


def test_inspectors_of_another_kind_raise(ctx):
    loc = ir.Location.unknown()
    for member in ("filename", "start_line", "callee", "caller", "name_str", "child_loc", "locations"):
        with pytest.raises(ValueError, match="location"):
            getattr(loc, member)
    assert not (loc.is_a_file() or loc.is_a_name() or loc.is_a_callsite() or loc.is_a_fused())


def test_attribute_roundtrip(ctx):
    loc = ir.Location.file("a.py", 1, 2)
    assert ir.Location.from_attr(loc.attr) == loc
    assert ir.Location.from_attr(loc.get_attr()) == loc
    with pytest.raises(ValueError, match="not a location attribute"):
        ir.Location.from_attr(ir.Attribute.parse("1 : i32"))


def test_equality_and_hash(ctx):
    a, b = ir.Location.name("a"), ir.Location.name("a")
    assert a == b and hash(a) == hash(b)
    assert a != ir.Location.name("b")
    assert a != "a" and a != None  # noqa: E711


def test_capsule(ctx):
    loc = ir.Location.file("a.py", 1, 2)
    assert '"mlir_xla.ir.Location._CAPIPtr"' in repr(loc._CAPIPtr)
    assert ir.Location._CAPICreate(loc._CAPIPtr) == loc


def test_lives_longer_than_its_context_variable():
    with ir.Context():
        loc = ir.Location.name("kept")
    assert str(loc) == 'loc("kept")'


@pytest.fixture
def settings():
    """The process-wide traceback settings, restored afterwards."""
    settings = _mlir.globals
    limit = settings.loc_tracebacks_frame_limit()
    yield settings
    settings.set_loc_tracebacks_frame_limit(limit)
    settings.set_loc_tracebacks_enabled(False)


def test_tracebacks_name_this_function(settings):
    with ir.Context() as ctx, ir.loc_tracebacks(max_depth=1):
        ctx.allow_unregistered_dialects = True
        location = ir.Operation.create("custom.op").location
    assert location.is_a_name()
    assert location.name_str == "test_tracebacks_name_this_function"
    assert location.child_loc.filename == __file__


def test_tracebacks_are_call_sites(settings):
    def helper():
        return ir.Operation.create("custom.op").location

    with ir.Context() as ctx, ir.loc_tracebacks(max_depth=2):
        ctx.allow_unregistered_dialects = True
        location = helper()
    assert location.is_a_callsite()
    assert location.callee.name_str.endswith("helper")
    assert location.caller.name_str == "test_tracebacks_are_call_sites"


def test_traceback_depth_zero_is_unknown(settings):
    with ir.Context() as ctx, ir.loc_tracebacks(max_depth=0):
        ctx.allow_unregistered_dialects = True
        assert str(ir.Operation.create("custom.op").location) == "loc(unknown)"


def test_explicit_location_wins_over_tracebacks(settings):
    with ir.Context() as ctx, ir.loc_tracebacks():
        ctx.allow_unregistered_dialects = True
        explicit = ir.Location.name("explicit")
        assert ir.Operation.create("custom.op", loc=explicit).location == explicit


def test_tracebacks_are_off_afterwards(settings):
    with ir.Context(), ir.loc_tracebacks():
        assert settings.loc_tracebacks_enabled()
    assert not settings.loc_tracebacks_enabled()


def test_current_location_still_counts_without_tracebacks(ctx):
    with ir.Location.name("here") as here:
        assert ir.Operation.create("custom.op").location == here
