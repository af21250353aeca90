# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upstream's place to register the linalg passes; all passes are registered when the package is imported."""
