# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a program becomes machine code: a softmax written as StableHLO, its IR after every stage, and the time of each.

    python examples/stages.py [FILE.mlir] [FOLDER]

Each stage is MLIR that `xla-opt` reads again: `xla-opt --to=linalg examples/softmax.mlir` prints one of them.
"""

import pathlib
import sys
import tempfile

import mlir_xla

here = pathlib.Path(__file__).resolve().parent
program = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here / "softmax.mlir"
folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(tempfile.mkdtemp(prefix="mlir-xla-stages-"))

executable = mlir_xla.compile(program)
for path in executable.dump(folder):
    print(f"{path}  {len(path.read_text().splitlines()):6} lines")
print()
for phase, milliseconds in executable.timings.items():
    print(f"{phase:24} {milliseconds:8.2f} ms")
