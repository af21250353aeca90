#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# configure.sh BUILD VENV: configures the build with clang, lld, Ninja and (if present) ccache.
set -euo pipefail
build=$1 python=$(realpath -s "$2")/bin/python
launcher=()
if command -v ccache >/dev/null; then
  # What ccache has to overlook to accept precompiled headers, as its manual says.
  ccache="env;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache"
  launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache "-DCMAKE_CXX_COMPILER_LAUNCHER=$ccache")
fi
cmake -G Ninja -B "$build" -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
  -DPython_EXECUTABLE="$python" -DPython3_EXECUTABLE="$python" "${launcher[@]}" ${CMAKE_ARGS:-}
