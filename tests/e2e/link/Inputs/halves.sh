#!/bin/sh
# halves.sh DIR CC CXX: builds and runs the programs with each version of the
# languages, and as with compilers that have no types of half precision.
set -e
flags="-Wall -Wextra -pedantic -Werror -I."
for mode in c99 c2x c++17 c++2b; do
  for without in "" "-DEIN_TEST_NO_HALVES"; do
    case $mode in
      c++*) compiler=$3 source=halves.cpp ;;
      *) compiler=$2 source=halves.c ;;
    esac
    $compiler -std=$mode $flags $without "$1/$source" halves.o -o program
    echo "$mode $without $(./program)"
  done
done
