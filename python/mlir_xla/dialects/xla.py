# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The xla dialect: XLA's operations on tensors, tuples and tokens.

Operations, enumerations (`ComparisonDirection.EQ`) and structured attributes (`DotDimensionNumbers.get(...)`) of the
dialect. Where an operation takes an enumeration, a member of it, its name or its number will do; where it takes a list
of integers or a matrix, so do Python sequences and NumPy arrays. For building programs with shape inference,
broadcasting and operators see `mlir_xla.XlaBuilder`.
"""

from .._mlir_libs._xla import dialect as _xla
from .._mlir_libs._xla.dialect import *  # noqa: F401,F403
from ..ir import (
    ArrayAttr,
    Attribute,
    DenseElementsAttr,
    FlatSymbolRefAttr,
    IndexType,
    IntegerType,
    register_attribute_builder,
)
from ._xla_enum_gen import *  # noqa: F401,F403
from ._xla_ops_gen import *  # noqa: F401,F403


def _register_builders() -> None:
    def enum_builder(attribute_class):
        return lambda value, context: attribute_class.get(value, context=context)

    for name in (
        "ComparisonDirection",
        "ComparisonType",
        "Precision",
        "FftType",
        "Transpose",
        "RngAlgorithm",
        "RngDistribution",
        "PaddingValue",
        "ResultAccuracyMode",
    ):
        register_attribute_builder(f"Xla_{name}Attr", replace=True)(enum_builder(getattr(_xla, f"{name}Attr")))

    @register_attribute_builder("Xla_PrecisionConfigAttr", replace=True)
    def _precision_config(values, context):
        make = enum_builder(_xla.PrecisionAttr)
        items = [v if isinstance(v, Attribute) else make(v, context) for v in values]
        return ArrayAttr.get(items, context=context)

    def elements(values, element_type, context):
        import numpy as np

        return DenseElementsAttr.get(np.asarray(values, dtype=np.int64), type=element_type, context=context)

    # Dimension numbers and the like as dictionaries of their parameters.
    for name in (
        "DotDimensionNumbers",
        "GatherDimensionNumbers",
        "ScatterDimensionNumbers",
        "ConvDimensionNumbers",
        "DotAlgorithm",
        "ChannelHandle",
        "ResultAccuracy",
    ):
        attribute_class = getattr(_xla, name, None) or getattr(_xla, f"{name}Attr")

        @register_attribute_builder(f"Xla_{name}Attr", replace=True)
        def _structured(parameters, context, attribute_class=attribute_class):
            return attribute_class.get(**parameters, context=context)

    @register_attribute_builder("Xla_OutputOperandAliasesAttr", replace=True)
    def _aliases(values, context):
        make = _xla.OutputOperandAlias.get
        items = [v if isinstance(v, Attribute) else make(**v, context=context) for v in values]
        return ArrayAttr.get(items, context=context)

    @register_attribute_builder("Xla_CalledComputationsAttr", replace=True)
    def _called_computations(values, context):
        items = [v if isinstance(v, Attribute) else FlatSymbolRefAttr.get(v, context=context) for v in values]
        return ArrayAttr.get(items, context=context)

    @register_attribute_builder("ElementsAttr", replace=True)
    def _elements(values, context):
        import numpy as np

        return DenseElementsAttr.get(np.asarray(values), context=context)

    @register_attribute_builder("Xla_I64MatrixAttr", replace=True)
    def _i64_matrix(values, context):
        return elements(values, IntegerType.get_signless(64, context=context), context)

    @register_attribute_builder("Xla_IndexVectorAttr", replace=True)
    def _index_vector(values, context):
        return elements(values, IndexType.get(context=context), context)

    @register_attribute_builder("Xla_ArrayOfLayoutAttr", replace=True)
    def _layouts(values, context):
        index = IndexType.get(context=context)
        items = [v if isinstance(v, Attribute) else elements(v, index, context) for v in values]
        return ArrayAttr.get(items, context=context)


_register_builders()
