# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints where this Python environment has the sources of MLIR's bindings, as a CMake list: locate.py LIST

They must be the ones that the list pins: pip checks the hash of a wheel only where it is told to, which is not possible
for build requirements. `locate.py --digest FOLDER` prints what to pin.
"""

import hashlib
import importlib.metadata
import pathlib
import re
import sys


def digest(folder: pathlib.Path) -> str:
    """SHA-256 of the names and contents of all files."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        if path.is_file() and "__pycache__" not in path.parts:
            total.update(path.relative_to(folder).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def main() -> None:
    if sys.argv[1] == "--digest":
        print(digest(pathlib.Path(sys.argv[2])))
        return
    pins = pathlib.Path(sys.argv[1]).read_text()
    name, version = re.findall(r"^([\w-]+)==(\S+)", pins, re.MULTILINE)[0]
    pinned = re.findall(r"^# src/python: sha256:(\w+)$", pins, re.MULTILINE)[0]
    prefixes = [pathlib.Path(sys.prefix) / "share" / "mlir-python"]
    try:
        distribution = importlib.metadata.distribution(name)
        if distribution.version == version:
            prefixes.append(pathlib.Path(str(distribution.locate_file("mlir"))))
    except importlib.metadata.PackageNotFoundError:
        pass
    found = [prefix for prefix in prefixes if (prefix / "src" / "python").is_dir()]
    for prefix in found:
        if digest(prefix / "src" / "python") != pinned:
            sys.exit(f"the files in {prefix / 'src' / 'python'} are not those of {name}=={version}: remove the folder")
    print(";".join(prefix.as_posix() for prefix in found))


if __name__ == "__main__":
    main()
