#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# link.sh BUILD VENV: makes the build usable from the virtual environment: the tools in bin/, the package importable.
set -euo pipefail
build=$PWD/$1 venv=$PWD/$2
for tool in "$build"/bin/xla-*; do
  case $(basename "$tool") in xla-test-* | xla-rt-test) continue ;; esac
  ln -sf "$tool" "$venv/bin/"
done
site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "$build/python" >"$site/mlir_xla_build.pth"
printf '#!%s\nimport sys\nfrom mlir_xla.tools.run import main\nsys.exit(main())\n' "$venv/bin/python" >"$venv/bin/xla-run"
chmod +x "$venv/bin/xla-run"
