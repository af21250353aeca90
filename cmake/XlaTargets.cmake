# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The include layout ("mlir_xla/dialect/XlaOps.h" in-tree and installed alike) and the helpers that declare targets.

set(XLA_GENERATED_DIR "${CMAKE_BINARY_DIR}/generated")
set(XLA_INCLUDE_DIR "${CMAKE_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${XLA_INCLUDE_DIR}" "${XLA_GENERATED_DIR}/mlir_xla")
file(CREATE_LINK "${CMAKE_SOURCE_DIR}" "${XLA_INCLUDE_DIR}/mlir_xla" SYMBOLIC)
include_directories("${XLA_INCLUDE_DIR}" "${XLA_GENERATED_DIR}")

if(MLIR_XLA_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize=vptr)
  add_link_options(-fsanitize=address,undefined -fno-sanitize=vptr)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wall -Wextra -Wno-unused-parameter)
  add_link_options(-fuse-ld=lld)
endif()

# xla_tablegen(<folder/File.td> <folder/Output.inc> <mlir-tblgen arguments>...)
# Generates ${XLA_GENERATED_DIR}/mlir_xla/<folder/Output.inc> and appends it to XLA_TABLEGEN_OUTPUTS of the caller.
function(xla_tablegen td output)
  set(out "${XLA_GENERATED_DIR}/mlir_xla/${output}")
  get_filename_component(dir "${out}" DIRECTORY)
  file(MAKE_DIRECTORY "${dir}")
  add_custom_command(
    OUTPUT "${out}"
    COMMAND "${MLIR_TABLEGEN_EXE}" ${ARGN} "-I${XLA_INCLUDE_DIR}" "-I${MLIR_INCLUDE_DIRS}"
            "${CMAKE_SOURCE_DIR}/${td}" -o "${out}" -d "${out}.d" --write-if-changed
    DEPFILE "${out}.d"
    DEPENDS "${CMAKE_SOURCE_DIR}/${td}" "${MLIR_TABLEGEN_EXE}"
    COMMENT "Generating ${output}")
  set(XLA_TABLEGEN_OUTPUTS ${XLA_TABLEGEN_OUTPUTS} "${out}" PARENT_SCOPE)
endfunction()

# xla_library(<name> SOURCES <files>... LINK <targets>... DEPENDS <targets>...)
function(xla_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# xla_tool(<name> SOURCES <files>... LINK <targets>...): an executable in <build>/bin.
function(xla_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  install(TARGETS ${name} DESTINATION bin COMPONENT tools)
endfunction()
