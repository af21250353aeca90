#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# packages.sh [PACKAGE...]: installs the missing system packages, and those named in addition, or, without root, prints
# the line that does and stops.
set -euo pipefail

packages=(libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 clang-format-22 lld-22 ninja-build ccache cmake
  g++ git python3 python3-dev python3-venv libzstd-dev zlib1g-dev libedit-dev libhwy-dev "$@")

if ! command -v dpkg-query >/dev/null; then
  echo "This is not Debian: install LLVM/MLIR 22 (shared libraries), clang 22, lld, ninja, cmake >= 3.25 and Python >= 3.11," >&2
  echo "then run 'cmake -G Ninja -B build -DMLIR_DIR=<prefix>/lib/cmake/mlir' yourself." >&2
  for tool in ninja cmake clang++-22 python3; do
    command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 1; }
  done
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ]; then
  echo "Some system packages are missing. Install them with:" >&2
  echo "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
echo "Installing ${missing[*]}"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
