# How unit tests are built.
#
#   ein_unit_test(NAME SOURCES... [LINK LIBS...] [LABELS LABELS...] [CTEST TEST]
#                 [NO_LLVM])
#
# Makes the GoogleTest program `NAME-tests` and a ctest entry, `unit-NAME` unless
# it is said. One entry per program, so that its closing line counts all of its
# tests. NO_LLVM: the test links without LLVM, whose headers it then must not see.

find_package(GTest REQUIRED CONFIG)
ein_precompiled_header(test LINK ein_llvm GTest::gmock FOR_PROGRAMS)

function(ein_unit_test NAME)
  cmake_parse_arguments(ARG "NO_LLVM" "CTEST" "LINK;LABELS" ${ARGN})
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
  add_test(NAME ${ARG_CTEST}
           COMMAND ${NAME}-tests
           WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  if(ARG_LABELS)
    set_tests_properties(${ARG_CTEST} PROPERTIES LABELS "${ARG_LABELS}")
  endif()
endfunction()
