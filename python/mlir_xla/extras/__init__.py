# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conveniences on top of the bindings: short names of types, decorators for operations with regions."""
