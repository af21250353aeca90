#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ducc0.sh PYTHON [FOLDER]: puts the sources of DUCC's Fourier transforms (ducc0.txt) into FOLDER or, without one, into
# share/ducc0 of the Python environment, where CMake finds them. pip fetches them, and checks their hash.
set -euo pipefail
python=$1
list=$(dirname "$0")/ducc0.txt
target=${2:-$("$python" -c 'import sys; print(sys.prefix)')/share/ducc0}
if [ -f "$target/LICENSE" ] && cmp -s "$list" "$target/ducc0.txt"; then
  exit 0
fi
archive=$(mktemp -d)
trap 'rm -rf "$archive"' EXIT
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary ducc0 \
  --require-hashes -r "$list" -d "$archive"
rm -rf "$target"
mkdir -p "$target"
"$python" - "$archive"/*.tar.gz "$target" <<'END'
import pathlib
import re
import sys
import tarfile

wanted = re.compile(r"[^/]+/src/(ducc0/(fft/[^/]+\.h|infra/[^/]+\.(h|cc)|math/(cmplx|unity_roots)\.h))")
with tarfile.open(sys.argv[1]) as archive:
    for member in archive.getmembers():
        if (name := wanted.fullmatch(member.name)) and (content := archive.extractfile(member)):
            path = pathlib.Path(sys.argv[2], name[1])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read())
# What goes with copies of the library: the notice at the head of each file.
notice = pathlib.Path(sys.argv[2], "ducc0/fft/fft.h").read_text()
pieces = re.search(r"(Copyright.*?)\*/.*?(All rights reserved.*?)\*/", notice, re.DOTALL)
assert pieces
pathlib.Path(sys.argv[2], "LICENSE").write_text("DUCC, the Fourier transforms\n\n" + pieces[1] + pieces[2])
END
cp "$list" "$target/"
