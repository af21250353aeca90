# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factorisations and solutions of linear systems."""

from __future__ import annotations
