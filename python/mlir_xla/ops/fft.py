# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms."""

from __future__ import annotations
