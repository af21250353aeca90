# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting, and the largest elements."""

from __future__ import annotations
