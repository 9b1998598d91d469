# How every library and tool of einc is built.
#
#   ein_library(NAME SOURCES... [LINK LIBS...] [DEPENDS TARGETS...])
#
# NAME becomes the static library `ein_NAME`. Sources are seen from the top of
# the tree (`#include "frontend/Program.h"`), generated headers likewise.

set(EIN_SANITIZE "" CACHE STRING "Sanitizers to build with, as for -fsanitize=")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
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
if(EIN_SANITIZE)
  target_compile_options(ein_flags INTERFACE -fsanitize=${EIN_SANITIZE}
                                             -fno-omit-frame-pointer)
  target_link_options(ein_flags INTERFACE -fsanitize=${EIN_SANITIZE})
endif()

# LLVM's and MLIR's headers and shared libraries; as SYSTEM, so that warnings
# are ours only.
add_library(ein_llvm INTERFACE)
target_include_directories(ein_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(ein_llvm INTERFACE ${LLVM_DEFINITIONS})
target_link_libraries(ein_llvm INTERFACE LLVM)
add_library(ein_mlir INTERFACE)
target_include_directories(ein_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
target_link_libraries(ein_mlir INTERFACE MLIR ein_llvm)

function(ein_library NAME)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(ein_${NAME} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(ein_${NAME} PUBLIC ein_flags ${ARG_LINK})
  target_compile_options(ein_${NAME} PRIVATE -fno-exceptions)
  if(ARG_DEPENDS)
    add_dependencies(ein_${NAME} ${ARG_DEPENDS})
  endif()
endfunction()

function(ein_tool NAME)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${NAME} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${NAME} PRIVATE ein_flags ${ARG_LINK})
endfunction()
