# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers and random bits."""

from __future__ import annotations
