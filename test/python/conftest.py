# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every compilation of the tests, and of processes that they start, has the IR verified after each pass.

A kernel that fails takes the GPU from its whole process. So where tests run in several processes (`make test-gpu`), one
that has lost its GPU ends, and the tests that were still to come run in another.
"""

import os

import pytest

os.environ.setdefault("MLIR_XLA_VERIFY_EACH", "1")
# Threads of NumPy's OpenBLAS wait for work by spinning: an eighth of the processor time of test_linear_algebra.py.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

TARGETS = os.environ.get("MLIR_XLA_TEST_TARGETS", "").split(",")
#: What the runtime says of every call after one in which a kernel failed.
LOST = "cannot be used any more in this process"


_is_lost = False


def _is_gpu_lost() -> bool:
    import mlir_xla

    try:
        mlir_xla.device_put(0.0, "cuda:0")
    except Exception as error:  # noqa: BLE001  memory may be short, too
        return LOST in str(error)
    return False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    global _is_lost
    report = yield
    if report.failed and "PYTEST_XDIST_WORKER" in os.environ and "cuda" in TARGETS:
        _is_lost = _is_lost or _is_gpu_lost()
    return report


@pytest.hookimpl(trylast=True)
def pytest_runtest_logfinish():
    if _is_lost:  # the test's report is out
        os._exit(1)
