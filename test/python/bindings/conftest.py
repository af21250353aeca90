# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixtures of the binding tests, and the check that every test leaves no context behind."""

import gc

import pytest

from mlir_xla import ir

_failed = pytest.StashKey[bool]()
_before = pytest.StashKey[int]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    gc.freeze()  # collections are of what the test makes: of all that JAX and pytest keep, each took 0.4 s
    item.stash[_before] = ir.Context._get_live_count()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[_failed] = True
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """A leaked context is a lifetime bug: a reference cycle or a missing decref."""
    try:
        result = yield
        if not item.stash.get(_failed, False):
            item.funcargs.clear()
            gc.collect()
            # The traceback of a test that failed earlier may still hold some.
            assert ir.Context._get_live_count() <= item.stash[_before], "the test leaked a context"
        return result
    finally:
        gc.unfreeze()


@pytest.fixture
def ctx():
    """A current context that accepts unknown operations, with an unknown current location."""
    with ir.Context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        yield context


@pytest.fixture
def i32(ctx):
    return ir.Type.parse("i32")
