#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# python-sources.sh PYTHON: puts the sources of upstream's Python bindings (python-sources.txt) into a Python
# environment, in share/mlir-python, where CMake finds them. The wheel is 73 MB, of which they are 2.
set -euo pipefail
python=$1
list=$(dirname "$0")/python-sources.txt
target=$("$python" -c 'import sys; print(sys.prefix)')/share/mlir-python
if cmp -s "$list" "$target/python-sources.txt"; then
  exit 0
fi
wheel=$(mktemp -d)
trap 'rm -rf "$wheel"' EXIT
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
  -r "$list" -d "$wheel"
rm -rf "$target"
mkdir -p "$target"
"$python" - "$wheel"/*.whl "$target" <<'END'
import pathlib
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in wheel.namelist():
        if name.startswith(("mlir/src/python/", "mlir/lib/cmake/mlir/")) and not name.endswith("/"):
            path = pathlib.Path(sys.argv[2], name.removeprefix("mlir/"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(wheel.read(name))
END
cp "$list" "$target/"
