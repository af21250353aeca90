# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds LLVM and MLIR 22 (or says which packages provide them) and sets the flags every target of the project needs.

find_program(LLVM_CONFIG_22 NAMES llvm-config-22)
if(LLVM_CONFIG_22 AND NOT MLIR_DIR)
  execute_process(COMMAND ${LLVM_CONFIG_22} --cmakedir OUTPUT_VARIABLE llvm_cmakedir OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(llvm_cmakedir "${llvm_cmakedir}" DIRECTORY)
  list(APPEND CMAKE_PREFIX_PATH "${llvm_cmakedir}/mlir" "${llvm_cmakedir}/llvm")
  set(MLIR_DIR "${llvm_cmakedir}/mlir" CACHE PATH "MLIR's CMake package")
endif()

find_package(MLIR QUIET CONFIG)
if(NOT MLIR_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL 22 OR NOT TARGET MLIR)
  set(problem "LLVM/MLIR 22 development files were not found.")
  if(MLIR_FOUND)
    set(problem "LLVM ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR} will not do: version 22 with the shared libMLIR is needed.")
  endif()
  message(FATAL_ERROR
    "${problem}\n"
    "On Debian or Ubuntu install them with:\n"
    "  apt-get install libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22\n"
    "Elsewhere pass -DMLIR_DIR=<prefix>/lib/cmake/mlir of an LLVM 22 built with "
    "LLVM_BUILD_LLVM_DYLIB=ON, MLIR_BUILD_MLIR_DYLIB=ON and LLVM_ENABLE_RTTI=ON.")
endif()
message(STATUS "Using MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
# Everything links the shared libMLIR and libLLVM: a static libMLIR*.a beside them would duplicate every TypeID.
set(MLIR_LINK_MLIR_DYLIB ON)
set(LLVM_LINK_LLVM_DYLIB ON)
include(AddLLVM)
include(AddMLIR)

include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})
