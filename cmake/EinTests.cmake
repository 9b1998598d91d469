# How unit tests are built.
#
#   ein_unit_test(NAME SOURCES... [LINK LIBS...] [LABELS LABELS...] [CTEST TEST]
#                 [SHARDS N] [NO_LLVM])
#
# Makes the GoogleTest program `NAME-tests` and a ctest entry, `unit-NAME` unless
# it is said. One entry per program, so that its closing line counts all of its
# tests; with SHARDS, N entries `TEST-1` to `TEST-N` that run a part each, so that
# a long program fills all cores. NO_LLVM: the test links without LLVM, whose
# headers it then must not see.

find_package(GTest REQUIRED CONFIG)
ein_precompiled_header(test LINK ein_llvm GTest::gmock FOR_PROGRAMS)

#   ein_test_library(NAME SOURCES... [LINK LIBS...])
#
# What several test programs share, compiled once as a part of a program.
function(ein_test_library NAME)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${NAME} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${NAME} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${NAME} PRIVATE -fPIE -fno-exceptions)
  target_link_libraries(${NAME} PUBLIC ein_flags ${ARG_LINK} GTest::gmock)
  ein_use_precompiled_header(${NAME} test)
endfunction()

function(ein_unit_test NAME)
  cmake_parse_arguments(ARG "NO_LLVM" "CTEST;SHARDS" "LINK;LABELS" ${ARGN})
  if(NOT ARG_CTEST)
    set(ARG_CTEST unit-${NAME})
  endif()
  add_executable(${NAME}-tests ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${NAME}-tests PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/tests)
  # gmock_main understands both --gtest_ and --gmock_ flags.
  target_link_libraries(${NAME}-tests PRIVATE ein_flags ${ARG_LINK}
                                              GTest::gmock_main)
  if(NOT ARG_NO_LLVM)
    target_compile_options(${NAME}-tests PRIVATE -fno-exceptions)
    ein_use_precompiled_header(${NAME}-tests test)
  endif()
  set(entries ${ARG_CTEST})
  if(ARG_SHARDS)
    set(entries "")
    foreach(number RANGE 1 ${ARG_SHARDS})
      list(APPEND entries ${ARG_CTEST}-${number})
    endforeach()
  endif()
  set(index 0)
  foreach(entry ${entries})
    add_test(NAME ${entry}
             COMMAND ${NAME}-tests
             WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    if(ARG_LABELS)
      set_tests_properties(${entry} PROPERTIES LABELS "${ARG_LABELS}")
    endif()
    if(ARG_SHARDS)
      # What takes long begins first.
      set_tests_properties(${entry} PROPERTIES COST 100 ENVIRONMENT
        "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index}")
    endif()
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()
