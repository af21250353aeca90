# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sort family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

OPS: dict[str, Callable[..., Any]] = {}
