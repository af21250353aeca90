#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cuda-checks.sh PYTHON: installs what checks PTX with NVIDIA's tools (requirements-cuda.txt). Where that cannot be had,
# it says so and succeeds: the tests that need it are skipped.
set -euo pipefail
python=$1
# Without what they need in turn, which is a compiler of CUDA C++.
if ! "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  -r "$(dirname "$0")/../../requirements-cuda.txt"; then
  echo "NVIDIA's assembler cannot be installed here: the tests that assemble PTX are skipped." >&2
fi
