# Compiles functions in the LLVM dialect to assembly, once, when einc is built:
# what every object holds need not be compiled with every program.
#
#   cmake -DTOOLS=DIR -DINPUT=x.inc -DOUTPUT=y.inc -P CompileHelpers.cmake
#
# INPUT is what LowerToLLVM.cmake made. Functions that no other one calls are for
# the users; the others may become part of these. The output is two C++ tables'
# contents, by macros: what a module declares, `EIN_DECLARATIONS(TEXT)`, and the
# code, `EIN_CODE(ARCHITECTURE, TEXT)`, for each architecture that einc is tested
# for. Labels are local, and meet none that LLVM makes.

file(READ ${INPUT} text)
string(REGEX REPLACE "^R\"mlir\\(|\\)mlir\"\n$" "" text "${text}")
string(REGEX MATCHALL "llvm.func internal @[^\n]*" functions "${text}")
set(declarations "")
foreach(function IN LISTS functions)
  string(REGEX REPLACE ".*internal @([a-zA-Z_]*)\\(.*" "\\1" name "${function}")
  if(text MATCHES "llvm.call @${name}\\(")
    continue()
  endif()
  string(REPLACE "func internal @${name}(" "func @${name}(" text "${text}")
  string(REGEX REPLACE ".*internal (@.*\\)( -> [a-z0-9]+)?) attributes .*" "\\1"
         signature "${function}")
  string(REGEX REPLACE "%arg[0-9]+: " "" signature "${signature}")
  string(APPEND declarations "llvm.func ${signature} attributes "
         "{dso_local, passthrough = [\"nounwind\"]}\n")
endforeach()
file(WRITE ${OUTPUT}.mlir "${text}")

# Runs a tool, whose output is a file of the suffix.
function(make SUFFIX)
  execute_process(COMMAND ${ARGN} -o ${OUTPUT}.${SUFFIX}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(result "EIN_DECLARATIONS(R\"mlir(${declarations})mlir\")\n")
make(ll ${TOOLS}/mlir-translate --mlir-to-llvmir -allow-unregistered-dialect
     ${OUTPUT}.mlir)
foreach(architecture x86_64 aarch64)
  set(triple ${architecture}-unknown-linux-gnu)
  # For their size: they are a large part of a small program.
  make(bc ${TOOLS}/opt "-passes=forceattrs,default<Os>" -force-attribute=optsize
       -mtriple=${triple} ${OUTPUT}.ll)
  make(s ${TOOLS}/llc -O2 -mtriple=${triple} -relocation-model=pic
       --asm-verbose=false ${OUTPUT}.bc)
  file(READ ${OUTPUT}.s code)
  string(REGEX REPLACE "\t\\.(file|globl|ident|section\t\"\\.note)[^\n]*\n" ""
         code "${code}")
  string(REPLACE ".L" ".Lein_" code "${code}")
  string(APPEND result "EIN_CODE(\"${architecture}\", R\"asm(${code}\t.text\n)asm\")\n")
endforeach()
file(WRITE ${OUTPUT} "${result}")
