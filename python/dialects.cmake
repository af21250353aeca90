# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Generates the Python classes of every dialect with mlir-tblgen: `_<name>_ops_gen.py` and `_<name>_enum_gen.py` under
# ${XLA_PYTHON_PACKAGE_DIR}/dialects, from the .td files of MLIR's installation and of this project. The modules that
# users import (mlir_xla/dialects/<name>.py) are written by hand and re-export these.
#
# Enums: never name a .td that includes another dialect's enums (MemRefOps.td would register arith's a second time).

set(XLA_PYTHON_DIALECT_OUTPUTS)
if(NOT DEFINED XLA_PYTHON_PACKAGE_DIR)
  set(XLA_PYTHON_PACKAGE_DIR "${CMAKE_BINARY_DIR}/python/mlir_xla")
endif()
file(MAKE_DIRECTORY "${XLA_PYTHON_PACKAGE_DIR}/dialects")

# xla_python_tblgen(<td> <output.py> <mlir-tblgen arguments>...): appends to XLA_PYTHON_DIALECT_OUTPUTS of the caller.
function(xla_python_tblgen td output)
  set(out "${XLA_PYTHON_PACKAGE_DIR}/dialects/${output}")
  add_custom_command(
    OUTPUT "${out}"
    COMMAND "${MLIR_TABLEGEN_EXE}" ${ARGN} "-I${XLA_INCLUDE_DIR}" "-I${MLIR_INCLUDE_DIRS}"
            "-I${CMAKE_CURRENT_SOURCE_DIR}" "${td}" -o "${out}" -d "${out}.d" --write-if-changed
    DEPFILE "${out}.d"
    DEPENDS "${td}" "${MLIR_TABLEGEN_EXE}"
    COMMENT "Generating dialects/${output}")
  set(XLA_PYTHON_DIALECT_OUTPUTS ${XLA_PYTHON_DIALECT_OUTPUTS} "${out}" PARENT_SCOPE)
endfunction()

# xla_python_dialect(<name> OPS <td> [ENUMS <td>]); a relative .td is one of MLIR's dialect folder.
function(xla_python_dialect name)
  cmake_parse_arguments(ARG "" "OPS;ENUMS" "" ${ARGN})
  foreach(kind OPS ENUMS)
    if(ARG_${kind})
      cmake_path(ABSOLUTE_PATH ARG_${kind} BASE_DIRECTORY "${MLIR_INCLUDE_DIRS}/mlir/Dialect" NORMALIZE)
    endif()
  endforeach()
  if(ARG_OPS)
    xla_python_tblgen("${ARG_OPS}" _${name}_ops_gen.py -gen-python-op-bindings -bind-dialect=${name})
  endif()
  if(ARG_ENUMS)
    xla_python_tblgen("${ARG_ENUMS}" _${name}_enum_gen.py -gen-python-enum-bindings -bind-dialect=${name})
  endif()
  set(XLA_PYTHON_DIALECT_OUTPUTS ${XLA_PYTHON_DIALECT_OUTPUTS} PARENT_SCOPE)
endfunction()

# xla_python_transform_extension(<name> OPS <td> [ENUMS <td>]): ops that another dialect adds to `transform`.
function(xla_python_transform_extension name)
  cmake_parse_arguments(ARG "" "OPS;ENUMS" "" ${ARGN})
  foreach(kind OPS ENUMS)
    if(ARG_${kind})
      cmake_path(ABSOLUTE_PATH ARG_${kind} BASE_DIRECTORY "${MLIR_INCLUDE_DIRS}/mlir/Dialect" NORMALIZE)
    endif()
  endforeach()
  xla_python_tblgen("${ARG_OPS}" _${name}_transform_ops_gen.py
    -gen-python-op-bindings -bind-dialect=transform -dialect-extension=${name}_transform)
  if(ARG_ENUMS)
    xla_python_tblgen("${ARG_ENUMS}" _${name}_transform_enum_gen.py
      -gen-python-enum-bindings -bind-dialect=transform -dialect-extension=${name}_transform)
  endif()
  set(XLA_PYTHON_DIALECT_OUTPUTS ${XLA_PYTHON_DIALECT_OUTPUTS} PARENT_SCOPE)
endfunction()

xla_python_dialect(xla
  OPS "${CMAKE_SOURCE_DIR}/dialect/XlaOps.td" ENUMS "${CMAKE_SOURCE_DIR}/dialect/XlaEnums.td")

xla_python_dialect(affine OPS Affine/IR/AffineOps.td)
xla_python_dialect(amdgpu OPS AMDGPU/IR/AMDGPU.td ENUMS AMDGPU/IR/AMDGPU.td)
xla_python_dialect(arith OPS Arith/IR/ArithOps.td ENUMS Arith/IR/ArithOps.td)
xla_python_dialect(async OPS Async/IR/AsyncOps.td)
xla_python_dialect(bufferization
  OPS Bufferization/IR/BufferizationOps.td ENUMS Bufferization/IR/BufferizationEnums.td)
xla_python_dialect(builtin OPS "${MLIR_INCLUDE_DIRS}/mlir/IR/BuiltinOps.td")
xla_python_dialect(cf OPS ControlFlow/IR/ControlFlowOps.td)
xla_python_dialect(complex OPS Complex/IR/ComplexOps.td)
xla_python_dialect(emitc OPS EmitC/IR/EmitC.td ENUMS EmitC/IR/EmitC.td)
xla_python_dialect(func OPS Func/IR/FuncOps.td)
xla_python_dialect(gpu OPS GPU/IR/GPUOps.td ENUMS GPU/IR/GPUOps.td)
xla_python_dialect(index OPS Index/IR/IndexOps.td ENUMS Index/IR/IndexEnums.td)
xla_python_dialect(irdl OPS IRDL/IR/IRDLOps.td ENUMS IRDL/IR/IRDLAttributes.td)
xla_python_dialect(linalg
  OPS "${CMAKE_CURRENT_SOURCE_DIR}/td/linalg_ops.td" ENUMS "${CMAKE_CURRENT_SOURCE_DIR}/td/linalg_ops.td")
xla_python_dialect(llvm OPS "${CMAKE_CURRENT_SOURCE_DIR}/td/llvm_ops.td" ENUMS LLVMIR/LLVMOps.td)
xla_python_dialect(math OPS Math/IR/MathOps.td)
xla_python_dialect(memref OPS MemRef/IR/MemRefOps.td)
xla_python_dialect(ml_program OPS MLProgram/IR/MLProgramOps.td)
xla_python_dialect(nvgpu OPS NVGPU/IR/NVGPUOps.td ENUMS NVGPU/IR/NVGPUOps.td)
xla_python_dialect(nvvm OPS LLVMIR/NVVMOps.td ENUMS LLVMIR/NVVMOps.td)
xla_python_dialect(pdl OPS PDL/IR/PDLOps.td)
xla_python_dialect(quant OPS Quant/IR/QuantOps.td)
xla_python_dialect(rocdl OPS LLVMIR/ROCDLOps.td)
xla_python_dialect(scf OPS SCF/IR/SCFOps.td)
xla_python_dialect(shape OPS Shape/IR/ShapeOps.td)
xla_python_dialect(shard OPS Shard/IR/ShardOps.td ENUMS Shard/IR/ShardOps.td)
xla_python_dialect(smt OPS SMT/IR/SMTOps.td)
xla_python_dialect(sparse_tensor
  OPS SparseTensor/IR/SparseTensorOps.td ENUMS SparseTensor/IR/SparseTensorAttrDefs.td)
xla_python_dialect(spirv OPS SPIRV/IR/SPIRVOps.td ENUMS SPIRV/IR/SPIRVOps.td)
xla_python_dialect(tensor OPS Tensor/IR/TensorOps.td)
xla_python_dialect(tosa OPS Tosa/IR/TosaOps.td ENUMS Tosa/IR/TosaOps.td)
xla_python_dialect(transform OPS Transform/IR/TransformOps.td ENUMS Transform/IR/TransformAttrs.td)
xla_python_dialect(ub OPS UB/IR/UBOps.td)
xla_python_dialect(vector OPS Vector/IR/VectorOps.td ENUMS Vector/IR/VectorAttributes.td)
xla_python_dialect(x86vector OPS X86Vector/X86Vector.td)

xla_python_transform_extension(bufferization OPS Bufferization/TransformOps/BufferizationTransformOps.td)
xla_python_transform_extension(debug OPS Transform/DebugExtension/DebugExtensionOps.td)
xla_python_transform_extension(gpu OPS GPU/TransformOps/GPUTransformOps.td)
xla_python_transform_extension(loop OPS SCF/TransformOps/SCFTransformOps.td)
xla_python_transform_extension(loop_extension OPS Transform/LoopExtension/LoopExtensionOps.td)
xla_python_transform_extension(memref OPS MemRef/TransformOps/MemRefTransformOps.td)
xla_python_transform_extension(nvgpu OPS NVGPU/TransformOps/NVGPUTransformOps.td)
xla_python_transform_extension(pdl OPS Transform/PDLExtension/PDLExtensionOps.td)
xla_python_transform_extension(smt OPS Transform/SMTExtension/SMTExtensionOps.td)
xla_python_transform_extension(sparse_tensor OPS SparseTensor/TransformOps/SparseTensorTransformOps.td)
xla_python_transform_extension(structured
  OPS Linalg/TransformOps/LinalgTransformOps.td ENUMS Linalg/TransformOps/LinalgTransformEnums.td)
xla_python_transform_extension(tensor OPS Tensor/TransformOps/TensorTransformOps.td)
xla_python_transform_extension(tune OPS Transform/TuneExtension/TuneExtensionOps.td)
xla_python_transform_extension(vector
  OPS Vector/TransformOps/VectorTransformOps.td ENUMS Vector/Transforms/VectorTransformsBase.td)

add_custom_target(XlaPythonDialects ALL DEPENDS ${XLA_PYTHON_DIALECT_OUTPUTS})
install(FILES ${XLA_PYTHON_DIALECT_OUTPUTS} DESTINATION "${XLA_PYTHON_INSTALL_DIR}/dialects" COMPONENT python)

if(MLIR_XLA_SANITIZE)
  return() # as for the stubs of the extension
endif()

# Type stubs of the dialect modules, written and generated, beside them: tools/stubs/generate.py imports the modules.
set(generator "${CMAKE_SOURCE_DIR}/tools/stubs/generate.py")
set(stamp "${CMAKE_BINARY_DIR}/dialect-stubs.stamp")
file(GLOB_RECURSE modules CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/mlir_xla/dialects/*.py")
add_custom_command(
  OUTPUT "${stamp}"
  COMMAND "${Python_EXECUTABLE}" "${generator}" "${XLA_PYTHON_PACKAGE_DIR}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
  DEPENDS "${generator}" ${modules} ${XLA_PYTHON_DIALECT_OUTPUTS} XlaPythonExtension
  COMMENT "Generating the stubs of the dialect modules")
add_custom_target(XlaPythonDialectStubs ALL DEPENDS "${stamp}")
install(DIRECTORY "${XLA_PYTHON_PACKAGE_DIR}/dialects" DESTINATION "${XLA_PYTHON_INSTALL_DIR}" COMPONENT python
        FILES_MATCHING PATTERN "*.pyi" PATTERN "__pycache__" EXCLUDE)
