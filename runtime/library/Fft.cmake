# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# libxla_rt_fft.so: Fourier transforms by DUCC, whose sources tools/setup/ducc0.sh fetches.

set(XLA_DUCC0_DIR "" CACHE PATH "The sources of DUCC (tools/setup/ducc0.sh); looked for in the Python environment if empty")
set(ducc0_dir "${XLA_DUCC0_DIR}")
set(ducc0_fetch "${CMAKE_SOURCE_DIR}/tools/setup/ducc0.sh")
if(NOT ducc0_dir AND SKBUILD)
  # `pip install .` builds in an environment of its own.
  set(ducc0_dir "${CMAKE_BINARY_DIR}/ducc0")
  execute_process(COMMAND "${ducc0_fetch}" "${Python_EXECUTABLE}" "${ducc0_dir}" RESULT_VARIABLE ducc0_failed)
  if(ducc0_failed)
    message(FATAL_ERROR "The sources of DUCC could not be fetched. Fetch them with `tools/setup/ducc0.sh python3 FOLDER` "
                        "and build with `pip install . -C cmake.define.XLA_DUCC0_DIR=FOLDER`.")
  endif()
elseif(NOT ducc0_dir)
  find_package(Python 3.11 COMPONENTS Interpreter)
  if(Python_FOUND)
    execute_process(COMMAND "${Python_EXECUTABLE}" -c "import sys; print(sys.prefix)"
                    OUTPUT_VARIABLE ducc0_dir OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(APPEND ducc0_dir "/share/ducc0")
  endif()
endif()
set(ducc0_list "${CMAKE_SOURCE_DIR}/tools/setup/ducc0.txt")
if(EXISTS "${ducc0_dir}/ducc0.txt")
  file(READ "${ducc0_dir}/ducc0.txt" ducc0_found)
  file(READ "${ducc0_list}" ducc0_wanted)
endif()
if(NOT EXISTS "${ducc0_dir}/ducc0.txt" OR NOT ducc0_found STREQUAL ducc0_wanted)
  message(FATAL_ERROR "The sources of DUCC for Fourier transforms are not in '${ducc0_dir}', or not those of ${ducc0_list}. "
                      "Fetch them with `tools/setup/ducc0.sh ${Python_EXECUTABLE}` (`make build` does), or with "
                      "`tools/setup/ducc0.sh python3 FOLDER` and configure with -DXLA_DUCC0_DIR=FOLDER.")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ducc0_list}")

# An object for each element type and kind of processor. Inline functions of the standard library are in all of them, and
# the linker takes the first it meets: those for any processor come first.
set(ducc0_variants baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND ducc0_variants avx2)
endif()
set(ducc0_objects)
foreach(variant ${ducc0_variants})
  foreach(type float double)
    string(REPLACE float f32 name ${type})
    string(REPLACE double f64 name ${name})
    set(target xla_rt_fft_${name}_${variant})
    add_library(${target} OBJECT "${CMAKE_CURRENT_SOURCE_DIR}/library/FftPlans.cpp")
    target_include_directories(${target} SYSTEM PRIVATE "${ducc0_dir}")
    target_compile_definitions(${target} PRIVATE XLA_FFT_TYPE=${type} XLA_FFT_VARIANT=${name}_${variant})
    target_compile_options(${target} PRIVATE -O3 -ffp-contract=fast -fno-math-errno -fno-trapping-math
                           $<$<STREQUAL:${variant},avx2>:-march=haswell>)
    list(APPEND ducc0_objects $<TARGET_OBJECTS:${target}>)
  endforeach()
endforeach()
xla_rt_library(fft library/Fft.cpp ${ducc0_objects})
if(avx2 IN_LIST ducc0_variants)
  target_compile_definitions(xla_rt_fft PRIVATE XLA_FFT_HAS_AVX2)
endif()
