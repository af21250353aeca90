#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sanitize.sh BUILD VENV [PYTEST-ARGUMENT...]: builds with AddressSanitizer and UBSan in BUILD and runs all tests under
# them. Every finding ends the process that it is in, and so fails its test.
#
# The tests see C++ of this project and what it inlines of LLVM's headers. libMLIR, libLLVM and Python are not
# instrumented, nor is the code that programs are compiled to.
set -euo pipefail
build=$PWD/$1 python=$PWD/$2/bin/python
shift 2

CMAKE_ARGS="-DMLIR_XLA_SANITIZE=ON" tools/setup/configure.sh "$build" "$(dirname "$(dirname "$python")")"
ninja -C "$build" -j "${JOBS:-$(nproc)}"

# - detect_leaks: MLIR and Python keep what they own until the process ends.
# - allow_user_poisoning: LLVM's arenas poison memory in code that is compiled here and unpoison it in libLLVM, which
#   is not instrumented and does not.
# - allocator_may_return_null: more memory than there is is an error of the program's, which tests expect.
export ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0:handle_abort=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
"$(dirname "$python")/lit" -sv "$build/test"

# Objects of Python come from malloc, where their ends are known.
export LD_PRELOAD
LD_PRELOAD=$(sed -n 's/^config.sanitizer_runtime = r"\(.*\)"/\1/p' "$build/test/lit.site.cfg.py")
PYTHONMALLOC=malloc PYTHONPATH=$build/python "$python" -m pytest -q test/python \
  --ignore=test/python/bindings/test_stubs.py "$@" # this build writes no stubs
