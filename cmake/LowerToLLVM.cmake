# Lowers functions written in MLIR to the LLVM dialect, once, when einc is built:
# what every program is compiled with should not be lowered with every program.
#
#   cmake -DTOOL=mlir-opt -DINPUTS=a.mlir,b.mlir -DOUTPUT=x.inc -P LowerToLLVM.cmake
#
# The output is one module, as a C++ string literal.

set(pipeline canonicalize cse "func.func(loop-invariant-code-motion)"
  convert-scf-to-cf canonicalize convert-arith-to-llvm convert-func-to-llvm
  convert-cf-to-llvm reconcile-unrealized-casts canonicalize cse)
list(JOIN pipeline "," pipeline)
set(source "")
string(REPLACE "," ";" INPUTS "${INPUTS}")
foreach(file ${INPUTS})
  file(READ ${file} text)
  string(APPEND source "${text}")
endforeach()
file(WRITE ${OUTPUT}.mlir "${source}")
execute_process(
  COMMAND ${TOOL} -allow-unregistered-dialect
          --pass-pipeline=builtin.module\(${pipeline}\) ${OUTPUT}.mlir
  OUTPUT_VARIABLE lowered COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${OUTPUT} "R\"mlir(${lowered})mlir\"\n")
