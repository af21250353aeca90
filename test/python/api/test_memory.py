# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Want of memory, wherever it shows: a MemoryError, after which programs compile and run as before."""

import os
import subprocess
import sys

import pytest
from api_programs import TARGETS

# Compiles and runs a program with a constant of 8 MB under more and more memory.
PROGRAM = r"""
import resource, sys
import numpy as np
import mlir_xla

target, count = sys.argv[1], 2 << 20
small = '''func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}'''
mlir_xla.compile(small, target=target)(np.zeros(4, np.float32))
t = f"tensor<{count}xf32>"
text = f'''func.func @main(%x: {t}) -> {t} {{
  %0 = xla.constant dense<"0x{"0011223F" * count}"> : {t}
  %1 = xla.add %0, %x : {t}
  return %1 : {t}
}}'''
argument = np.zeros((count, 2), np.float32)[:, 0]  # is copied
outcomes = []
for step in range(1, 200):
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (step << 20), resource.RLIM_INFINITY))
    try:
        mlir_xla.compile(text, target=target)(argument)
        outcomes.append("ran")
        break
    except MemoryError as error:
        outcomes.append(str(error))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert outcomes[-1] == "ran" and len(outcomes) > 4, outcomes
assert all("memory" in outcome or "allocate" in outcome for outcome in outcomes[:-1]), outcomes
print(sorted(set(outcomes)))
assert mlir_xla.compile(small, target=target)(np.zeros(4, np.float32)).tolist() == [1, 1, 1, 1]
"""


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="the sanitizers' runtime takes all addresses")
@pytest.mark.parametrize("target", TARGETS)
def test_little_memory(target):
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, target], capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr[-2000:]
