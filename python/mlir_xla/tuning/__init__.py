# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning: plans that are measured on this machine instead of estimated."""

from .tuner import Settings, tune

__all__ = ["Settings", "tune"]
