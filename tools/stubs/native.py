#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type stubs of the extension modules, next to them in the build tree: native.py BUILD/python/mlir_xla

The modules are loaded without upstream's `_mlir_libs/__init__.py`, which replaces classes by ones that have no place of
their own; native.pat says what those have.
"""

import pathlib
import sys
import types

from nanobind import stubgen

HOOKS = ("get_dialect_registry", "append_load_on_create_dialect", "get_load_on_create_dialects")


def main() -> None:
    package = pathlib.Path(sys.argv[1]).absolute()
    libraries = package / "_mlir_libs"
    for name, folder in (("mlir_xla", package), ("mlir_xla._mlir_libs", libraries)):
        module = sys.modules[name] = types.ModuleType(name)
        module.__path__ = [str(folder)]
        for hook in HOOKS:
            setattr(module, hook, None)
    arguments = ["-q", "-r", "-P", "-O", str(libraries), "-p", str(pathlib.Path(__file__).with_name("native.pat"))]
    for path in sorted(libraries.glob("_*.so")):
        arguments += ["-m", f"mlir_xla._mlir_libs.{path.name.split('.')[0]}"]
    stubgen.main(arguments)


if __name__ == "__main__":
    main()
