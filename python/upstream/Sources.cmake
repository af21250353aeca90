# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds the sources of upstream's Python bindings and says in XLA_PYTHON_SOURCES where they are: a folder with one folder
# per component, `MLIRPythonSources.*` (Python) and `MLIRPythonExtension.*` (C++), as LLVM installs it below src/python.
#
# Looked for in this order:
# - MLIR_XLA_PYTHON_SOURCES, an LLVM install (a source tree is installed with MLIR_ENABLE_BINDINGS_PYTHON first);
# - the LLVM that is linked, if it was installed with its Python sources (MLIR_ENABLE_BINDINGS_PYTHON);
# - the Python environment: what tools/setup/python-sources.sh put there (`make`), or the installed wheel (`pip install .`).

set(MLIR_XLA_PYTHON_SOURCES "" CACHE PATH "LLVM install with the sources of MLIR's Python bindings")
set(python_sources_list "${CMAKE_SOURCE_DIR}/tools/setup/python-sources.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${python_sources_list}")
file(STRINGS "${python_sources_list}" XLA_PYTHON_WHEEL REGEX "^[a-z]")
string(REGEX MATCH "^[^ ]+" XLA_PYTHON_WHEEL "${XLA_PYTHON_WHEEL}")

set(python_sources_how
  "Any of these provides them:\n"
  "  tools/setup/python-sources.sh ${Python_EXECUTABLE}   # from PyPI into this Python environment\n"
  "  ${Python_EXECUTABLE} -m pip install ${XLA_PYTHON_WHEEL}\n"
  "  -DMLIR_XLA_PYTHON_SOURCES=<an LLVM ${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR} install with its Python sources>\n"
  "or configure with -DMLIR_XLA_PYTHON=OFF.")

# Whether the sources are those of the LLVM that is linked: their C API and headers differ from one 22.x to the next.
function(xla_check_python_sources prefix version)
  if(NOT version STREQUAL "${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}")
    message(FATAL_ERROR
      "The sources of MLIR's Python bindings in ${prefix} are of LLVM ${version}, but LLVM ${LLVM_PACKAGE_VERSION} in "
      "${LLVM_DIR} is linked.\n" ${python_sources_how})
  endif()
  message(STATUS "Using the sources of MLIR's Python bindings (LLVM ${version}) in ${prefix}")
endfunction()

# The prefix of an install: the sources are below src/python, the version is in MLIR's CMake package.
function(xla_installed_python_sources prefix)
  if(XLA_PYTHON_SOURCES OR NOT EXISTS "${prefix}/src/python/MLIRPythonSources.Core.Python")
    return()
  endif()
  file(GLOB_RECURSE package "${prefix}/lib*/cmake/mlir/MLIRConfigVersion.cmake")
  set(version unknown)
  if(package)
    list(GET package 0 package)
    file(STRINGS "${package}" version REGEX "VERSION_EQUAL" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" version "${version}")
  endif()
  xla_check_python_sources("${prefix}" "${version}")
  set(XLA_PYTHON_SOURCES "${prefix}/src/python" PARENT_SCOPE)
endfunction()

set(XLA_PYTHON_SOURCES "")
if(MLIR_XLA_PYTHON_SOURCES)
  xla_installed_python_sources("${MLIR_XLA_PYTHON_SOURCES}")
else()
  xla_installed_python_sources("${LLVM_INSTALL_PREFIX}")
  execute_process(
    COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/locate.py" "${python_sources_list}"
    OUTPUT_VARIABLE prefixes OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  foreach(prefix ${prefixes})
    xla_installed_python_sources("${prefix}")
  endforeach()
endif()

if(NOT XLA_PYTHON_SOURCES)
  set(where "here")
  if(MLIR_XLA_PYTHON_SOURCES)
    set(where "in MLIR_XLA_PYTHON_SOURCES=${MLIR_XLA_PYTHON_SOURCES}")
  endif()
  message(FATAL_ERROR "The sources of MLIR's Python bindings were not found ${where}.\n" ${python_sources_how})
endif()
