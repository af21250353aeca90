# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building programs operation by operation: `XlaBuilder`, the values `XlaOp`, and the result `XlaComputation`."""

from ._builder import XlaBuilder
from ._computation import ProgramShape, XlaComputation
from ._op import Operand, XlaOp

__all__ = ["Operand", "ProgramShape", "XlaBuilder", "XlaComputation", "XlaOp"]
