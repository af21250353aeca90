# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The include layout ("mlir_xla/dialect/XlaOps.h" in-tree and installed alike) and the helpers that declare targets.

include(CheckLinkerFlag)

set(XLA_GENERATED_DIR "${CMAKE_BINARY_DIR}/generated")
set(XLA_INCLUDE_DIR "${CMAKE_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${XLA_INCLUDE_DIR}" "${XLA_GENERATED_DIR}/mlir_xla")
file(CREATE_LINK "${CMAKE_SOURCE_DIR}" "${XLA_INCLUDE_DIR}/mlir_xla" SYMBOLIC)
include_directories("${XLA_INCLUDE_DIR}" "${XLA_GENERATED_DIR}")

if(MLIR_XLA_SANITIZE)
  # Assertions are on, also those in LLVM's headers. The function check reads in front of a callee, which is not ours to
  # read where the callee was just compiled by the JIT; vptr checks need the type information of LLVM's own classes; what
  # null checks find is a segmentation fault anyway. Not optimised: that would take most of the build's time.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,vptr)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # One runtime, in a shared library: Python is not instrumented and preloads it.
    list(APPEND sanitizers -fno-sanitize=function -shared-libsan)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-runtime-dir
                    OUTPUT_VARIABLE clang_runtime_dir OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(XLA_SANITIZER_RUNTIME "${clang_runtime_dir}/libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so")
    if(NOT EXISTS "${XLA_SANITIZER_RUNTIME}")
      message(FATAL_ERROR "${XLA_SANITIZER_RUNTIME} was not found (Debian: apt-get install libclang-rt-22-dev)")
    endif()
    link_libraries("-Wl,-rpath,${clang_runtime_dir}")
  endif()
  add_compile_options(${sanitizers} -fno-omit-frame-pointer -O0 -gline-tables-only -UNDEBUG)
  add_link_options(${sanitizers})
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wall -Wextra -Wno-unused-parameter)
endif()
check_linker_flag(CXX -fuse-ld=lld XLA_HAVE_LLD)
if(XLA_HAVE_LLD)
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

# xla_precompile(<target> <headers>...): what most files of the target include.
# xla_precompile(<target> REUSE_FROM <other>): the same headers as another target.
function(xla_precompile target)
  if(MLIR_XLA_PRECOMPILE)
    if(ARGV1 STREQUAL REUSE_FROM)
      target_precompile_headers(${target} ${ARGN})
    else()
      target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # Else each precompiling gives another file, and nothing that is compiled with it is found by ccache again.
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
endfunction()

# xla_tool(<name> SOURCES <files>... LINK <targets>...): an executable in <build>/bin.
function(xla_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  # As the extension does, installed tools find libMLIR and libLLVM where they were at build time.
  set_target_properties(${name} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  if(SKBUILD)
    # A wheel's scripts: the runtime is in the package, which lies elsewhere in a Debian system and below `pip --target`.
    set(package "lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}")
    set_target_properties(${name} PROPERTIES INSTALL_RPATH
      "$ORIGIN/../${package}/site-packages/mlir_xla/_mlir_libs;$ORIGIN/../${package}/dist-packages/mlir_xla/_mlir_libs;$ORIGIN/../mlir_xla/_mlir_libs")
    install(TARGETS ${name} DESTINATION "${SKBUILD_SCRIPTS_DIR}" COMPONENT python)
  else()
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
    install(TARGETS ${name} DESTINATION bin COMPONENT tools)
  endif()
endfunction()
