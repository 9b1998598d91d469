# How every library and tool of einc is built.
#
#   ein_library(NAME SOURCES... [LINK LIBS...] [DEPENDS TARGETS...]
#               [HEADERS PRECOMPILED])
#   ein_tool(NAME SOURCES... [LINK LIBS...] [HEADERS PRECOMPILED] [HOLDS_LLVM])
#
# NAME becomes the static library `ein_NAME`. Sources are seen from the top of
# the tree (`#include "frontend/program/Program.h"`), generated headers likewise.
#
# PRECOMPILED names a header of cmake/precompiled, which is compiled once and
# read by every source: `llvm`, `mlir` or `test`. MLIR's headers are four fifths
# of the time that a pass takes to compile without it.

set(EIN_SANITIZE "" CACHE STRING "Sanitizers to build with, as for -fsanitize=")

# ccache takes part in precompiled headers only if it is told that it may. It
# would hash one, which has 80 MB and more, for each source that reads it, unless
# there is a sum of it beside it (cmake/precompiled/compile-and-sum).
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_PCH_EXTSUM=1
    ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM)
  # Debian's lld-22 puts no `ld.lld` in the PATH, where the compiler looks: it
  # has to be told the directory, or it finds none or another version's.
  cmake_path(GET LLD_PROGRAM PARENT_PATH LLD_DIRECTORY)
  add_link_options(-fuse-ld=lld -B${LLD_DIRECTORY})
endif()

add_library(ein_flags INTERFACE)
target_include_directories(ein_flags INTERFACE ${CMAKE_SOURCE_DIR}
                                               ${CMAKE_BINARY_DIR})
# Assertions stay on in every build: those in MLIR's packages are off.
target_compile_options(ein_flags INTERFACE
  -UNDEBUG -Wall -Wextra -Wno-unused-parameter -Wno-comment
  -fvisibility-inlines-hidden)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12 uses its own deprecated `get_temporary_buffer` in stable_sort.
  target_compile_options(ein_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(EIN_SANITIZE)
  target_compile_options(ein_flags INTERFACE -fsanitize=${EIN_SANITIZE}
                                             -fno-omit-frame-pointer)
  target_link_options(ein_flags INTERFACE -fsanitize=${EIN_SANITIZE})
endif()

# LLVM's and MLIR's headers, as SYSTEM, so that warnings are ours only; and their
# libraries. einc and ein-opt hold what they need of them: the dynamic linker
# looks up 47,000 symbols for MLIR's shared library, which is half of the time of
# `einc --version`, and a test run starts them 4,000 times. They hold the C++
# library too, to whose classes 18,000 words of LLVM's tables point: an eighth of
# the time of `einc --version`. Test programs link the shared libraries, which
# takes a second instead of four.
#
# lld takes archives in any order. GNU ld would want them in groups.
option(EIN_STATIC_LLVM "Have einc and ein-opt hold LLVM and MLIR" ON)
set(ein_static_llvm "")
set(ein_static_mlir "")
if(EIN_STATIC_LLVM AND LLD_PROGRAM AND NOT EIN_SANITIZE)
  file(GLOB ein_static_llvm ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  # These need libraries that nothing else does.
  list(FILTER ein_static_llvm EXCLUDE REGEX
       "libLLVM(Interpreter|LineEditor|WindowsManifest)")
  list(APPEND ein_static_llvm z zstd tinfo z3 rt dl m)
  file(GLOB ein_static_mlir ${LLVM_LIBRARY_DIR}/libMLIR*.a)
  list(FILTER ein_static_mlir EXCLUDE REGEX "libMLIR(CAPI|Test)")
endif()

set(ein_holds "$<BOOL:$<TARGET_PROPERTY:EIN_HOLDS_LLVM>>")
add_library(ein_llvm INTERFACE)
target_include_directories(ein_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(ein_llvm INTERFACE ${LLVM_DEFINITIONS})
target_link_libraries(ein_llvm INTERFACE
  "$<IF:${ein_holds},${ein_static_llvm},LLVM>")
add_library(ein_mlir INTERFACE)
target_include_directories(ein_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
target_link_libraries(ein_mlir INTERFACE
  "$<IF:${ein_holds},${ein_static_mlir},MLIR>" ein_llvm)

#   ein_precompiled_header(NAME [LINK LIBS...] [FOR_PROGRAMS])
#
# One target per precompiled header, whose only source is empty. All targets
# that share it are compiled with the same flags, without exceptions too; so it
# is either for libraries (-fPIC) or for programs (-fPIE).
function(ein_precompiled_header NAME)
  cmake_parse_arguments(ARG "FOR_PROGRAMS" "" "LINK" ${ARGN})
  set(empty ${CMAKE_BINARY_DIR}/precompiled/${NAME}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(ein_precompiled_${NAME} OBJECT ${empty})
  target_link_libraries(ein_precompiled_${NAME} PRIVATE ein_flags ${ARG_LINK})
  target_compile_options(ein_precompiled_${NAME} PRIVATE -fno-exceptions)
  target_precompile_headers(ein_precompiled_${NAME} PRIVATE
    ${CMAKE_SOURCE_DIR}/cmake/precompiled/${NAME}.h)
  if(ARG_FOR_PROGRAMS)
    set_target_properties(ein_precompiled_${NAME} PROPERTIES
      POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(ein_precompiled_${NAME} PRIVATE -fPIE)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # ccache asks for it: the header may be older than its compiled form says.
    target_compile_options(ein_precompiled_${NAME} PRIVATE
      "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(CCACHE_PROGRAM)
    set_target_properties(ein_precompiled_${NAME} PROPERTIES
      CXX_COMPILER_LAUNCHER
      "${CMAKE_SOURCE_DIR}/cmake/precompiled/compile-and-sum;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

function(ein_use_precompiled_header TARGET NAME)
  if(NAME)
    target_precompile_headers(${TARGET} REUSE_FROM ein_precompiled_${NAME})
  endif()
endfunction()

function(ein_library NAME)
  cmake_parse_arguments(ARG "" "HEADERS" "LINK;DEPENDS" ${ARGN})
  add_library(ein_${NAME} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(ein_${NAME} PUBLIC ein_flags ${ARG_LINK})
  target_compile_options(ein_${NAME} PRIVATE -fno-exceptions)
  ein_use_precompiled_header(ein_${NAME} "${ARG_HEADERS}")
  if(ARG_DEPENDS)
    add_dependencies(ein_${NAME} ${ARG_DEPENDS})
  endif()
endfunction()

function(ein_tool NAME)
  cmake_parse_arguments(ARG "HOLDS_LLVM" "HEADERS" "LINK" ${ARGN})
  add_executable(${NAME} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${NAME} PRIVATE ein_flags ${ARG_LINK})
  if(ARG_HEADERS)
    target_compile_options(${NAME} PRIVATE -fno-exceptions)
  endif()
  ein_use_precompiled_header(${NAME} "${ARG_HEADERS}")
  if(ARG_HOLDS_LLVM AND ein_static_llvm)
    set_target_properties(${NAME} PROPERTIES EIN_HOLDS_LLVM ON)
    target_link_options(${NAME} PRIVATE
      -no-pie -Wl,--gc-sections -Wl,--as-needed -static-libstdc++ -static-libgcc)
  endif()
endfunction()

ein_precompiled_header(llvm LINK ein_llvm)
ein_precompiled_header(mlir LINK ein_mlir)
