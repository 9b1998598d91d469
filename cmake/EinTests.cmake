# How unit tests are built.
#
#   ein_unit_test(NAME SOURCES... [LINK LIBS...] [LABELS LABELS...] [CTEST TEST])
#
# Makes the GoogleTest program `NAME-tests` and a ctest entry, `unit-NAME` unless
# it is said. One entry per program, so that its closing line counts all of its
# tests.

find_package(GTest REQUIRED CONFIG)

function(ein_unit_test NAME)
  cmake_parse_arguments(ARG "" "CTEST" "LINK;LABELS" ${ARGN})
  if(NOT ARG_CTEST)
    set(ARG_CTEST unit-${NAME})
  endif()
  add_executable(${NAME}-tests ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${NAME}-tests PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/tests)
  # gmock_main understands both --gtest_ and --gmock_ flags.
  target_link_libraries(${NAME}-tests PRIVATE ein_flags ${ARG_LINK}
                                              GTest::gmock_main)
  add_test(NAME ${ARG_CTEST}
           COMMAND ${NAME}-tests
           WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  if(ARG_LABELS)
    set_tests_properties(${ARG_CTEST} PROPERTIES LABELS "${ARG_LABELS}")
  endif()
endfunction()
