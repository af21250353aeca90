# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MemRef descriptors from and to NumPy, for calling functions that MLIR's own execution engine compiled."""

from .np_to_memref import (
    BF16,
    C64,
    C128,
    F8E5M2,
    F16,
    UnrankedMemRefDescriptor,
    as_ctype,
    get_ranked_memref_descriptor,
    get_unranked_memref_descriptor,
    make_nd_memref_descriptor,
    make_zero_d_memref_descriptor,
    move_aligned_ptr_by_offset,
    ranked_memref_to_numpy,
    to_numpy,
    unranked_memref_to_numpy,
)

__all__ = [
    "BF16",
    "C64",
    "C128",
    "F8E5M2",
    "F16",
    "UnrankedMemRefDescriptor",
    "as_ctype",
    "get_ranked_memref_descriptor",
    "get_unranked_memref_descriptor",
    "make_nd_memref_descriptor",
    "make_zero_d_memref_descriptor",
    "move_aligned_ptr_by_offset",
    "ranked_memref_to_numpy",
    "to_numpy",
    "unranked_memref_to_numpy",
]
