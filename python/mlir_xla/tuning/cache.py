# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was measured before: plans of kernels in a file of the user's, by what they were measured for."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import tempfile
import warnings


def folder() -> pathlib.Path:
    """`$MLIR_XLA_CACHE`, or else `mlir_xla` among the user's caches."""
    if own := os.environ.get("MLIR_XLA_CACHE"):
        return pathlib.Path(own)
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "mlir_xla"


class Cache:
    """Plans by key. A file that is no such thing counts as empty; one that cannot be written is a warning."""

    def __init__(self) -> None:
        self._path = folder() / "plans.json"
        self._new: dict[str, list[str]] = {}
        self._known = self._read()

    @staticmethod
    def key(*parts: object) -> str:
        """What plans depend on, as a short text."""
        return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()

    def get(self, key: str) -> list[str] | None:
        """The plans that were best, as text, one for each of the kernel."""
        return self._known.get(key)

    def put(self, key: str, plans: list[str]) -> None:
        """Notes plans; `save` writes them."""
        self._known[key] = self._new[key] = plans

    def save(self) -> None:
        """Adds what is new to the file, which others may have changed meanwhile."""
        if not self._new:
            return
        temporary = None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=self._path.parent, suffix=".json", delete=False) as file:
                temporary = file.name
                json.dump(self._read() | self._new, file, indent=0)
            os.replace(temporary, self._path)
        except OSError as error:
            if temporary:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            warnings.warn(f"plans cannot be kept in {self._path}: {error.strerror or error}", stacklevel=2)
        self._new = {}

    def _read(self) -> dict[str, list[str]]:
        try:
            found = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {
            key: each
            for key, each in found.items()
            if isinstance(each, list) and all(isinstance(plan, str) for plan in each)
        }
