//===- Header.cpp - C headers -------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header says everything that a caller has to know, because it may be the
// only thing of einc that the caller ever sees: shapes, who owns what, the
// codes.
//
//===----------------------------------------------------------------------===//

#include "driver/Header.h"
#include "ir/Signature.h"
#include "mlir/IR/MLIRContext.h"
#include "runtime/SizeSources.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace ein {

std::string getParameterName(StringRef name) {
  return isReservedWord(name) ? name.str() + "_" : name.str();
}

std::string getViewType(const Tensor &tensor) {
  return ("ein_" + getSpelling(tensor.type) + "_" + Twine(tensor.dims.size()) +
          "d")
      .str();
}

std::vector<std::string> getViewSizes(const Def &def) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  runtime::Signature signature =
      makeSignature(def, &context).toRuntime(def.name);
  std::vector<std::string> sizes;
  for (unsigned position : runtime::getSizesWithoutSource(signature))
    sizes.push_back(signature.symbols[position]);
  return sizes;
}

static std::string printDims(const Def &def, const Tensor &tensor) {
  auto symbolName = [&](SymbolId id) { return StringRef(def[id].name); };
  auto indexName = [](IndexId) { return StringRef(); };
  std::string text;
  for (const Affine &dim : tensor.dims)
    text += "[" + dim.str(indexName, symbolName) + "]";
  return text.empty() ? "" : " " + text;
}

/// `const ein_f32_2d *A, float s, …`.
static std::string printViewParameters(const Def &def) {
  std::vector<std::string> parameters;
  for (const std::vector<TensorId> *ids : {&def.params, &def.results})
    for (TensorId id : *ids) {
      const Tensor &tensor = def[id];
      parameters.push_back((tensor.isScalarInput()
                                ? getCType(tensor.type).str() + " "
                                : "const " + getViewType(tensor) + " *") +
                           getParameterName(tensor.name));
    }
  for (const std::string &size : getViewSizes(def))
    parameters.push_back("int64_t " + getParameterName(size));
  return parameters.empty() ? "void" : join(parameters, ", ");
}

static void emitFunction(raw_ostream &os, const Def &def) {
  os << "/**\n * " << def.name << "\n *\n";
  std::vector<std::string> parameters;
  auto describe = [&](const Tensor &tensor, StringRef role) {
    std::string name = getParameterName(tensor.name);
    os << " * @param " << name << " " << role << ", " << getCType(tensor.type)
       << printDims(def, tensor) << "\n";
  };
  for (TensorId id : def.params) {
    const Tensor &tensor = def[id];
    bool isScalar = tensor.isScalarInput();
    describe(tensor, isScalar ? "scalar" : "input");
    parameters.push_back((isScalar ? "" : "const ") +
                         getCType(tensor.type).str() + (isScalar ? " " : " *") +
                         getParameterName(tensor.name));
  }
  for (TensorId id : def.results) {
    const Tensor &tensor = def[id];
    describe(tensor,
             tensor.role == TensorRole::InOut ? "input and output" : "output");
    parameters.push_back(getCType(tensor.type).str() + " *" +
                         getParameterName(tensor.name));
  }
  for (const Symbol &symbol : def.symbols) {
    if (symbol.bound) {
      os << " * " << symbol.name << " is " << *symbol.bound
         << ", bound when this was compiled.\n";
      continue;
    }
    os << " * @param " << getParameterName(symbol.name) << " size\n";
    parameters.push_back("int64_t " + getParameterName(symbol.name));
  }
  for (const SizeCheck &check : def.checks)
    os << " * Checked: " << check.what << ".\n";
  os << " */\nint " << def.name << "(" << join(parameters, ", ") << ");\n"
     << "int " << getViewName(def.name) << "(" << printViewParameters(def)
     << ");\n\n";
}

/// Each type that a view entry takes, once, and guarded: another header may
/// have it too.
static void emitViewTypes(raw_ostream &os, const Program &program) {
  StringSet<> seen;
  for (const Def &def : program.defs)
    for (const std::vector<TensorId> *ids : {&def.params, &def.results})
      for (TensorId id : *ids) {
        const Tensor &tensor = def[id];
        std::string type = getViewType(tensor);
        if (tensor.isScalarInput() || !seen.insert(type).second)
          continue;
        size_t rank = tensor.dims.size();
        std::string guard = StringRef(type).upper();
        os << "#ifndef " << guard << "\n#define " << guard
           << "\ntypedef struct {\n  " << getCType(tensor.type) << " *data;\n";
        if (rank > 0)
          os << "  int64_t sizes[" << rank << "];\n  int64_t strides[" << rank
             << "];\n";
        os << "} " << type << ";\n#endif\n\n";
      }
}

/// Outside of `extern "C"`, as the C++ library has templates.
static void emitComplexTypes(raw_ostream &os) {
  os << "#ifdef __cplusplus\n#include <complex>\n#endif\n\n";
  for (ElementType type : {ElementType::C64, ElementType::C128}) {
    std::string name = getCType(type).str(), guard = StringRef(name).upper();
    StringRef part = getCType(getPartType(type));
    os << "/* A number of type " << getSpelling(type)
       << ": real, then imaginary part. */\n"
       << "#ifndef " << guard << "\n#define " << guard
       << "\n#ifdef __cplusplus\ntypedef std::complex<" << part << "> " << name
       << ";\n#else\ntypedef " << part << " _Complex " << name
       << ";\n#endif\n#endif\n\n";
  }
}

static void emitDeclarations(raw_ostream &os, bool hasComplex,
                             function_ref<void(raw_ostream &)> emitFunctions) {
  os << "#include <stdint.h>\n"
        "#ifndef __cplusplus\n#include <stdbool.h>\n#endif\n\n";
  if (hasComplex)
    emitComplexTypes(os);
  os << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
        "#ifndef EIN_CODES\n#define EIN_CODES\nenum {\n";
#define EIN_CODE(ENUM, CNAME, VALUE, TEXT)                                     \
  os << "  " #CNAME " = " << VALUE << ", /* " TEXT " */\n";
#include "runtime/Codes.def"
  os << "};\n#endif\n\n";
  for (ElementType type : {ElementType::F16, ElementType::BF16}) {
    std::string name = getCType(type).str(), guard = StringRef(name).upper();
    os << "/* The bits of a number of type " << getSpelling(type) << ". */\n"
       << "#ifndef " << guard << "\n#define " << guard << "\ntypedef uint16_t "
       << name << ";\n#endif\n\n";
  }
  emitFunctions(os);
  os << "#ifdef __cplusplus\n}\n#endif\n";
}

static bool hasComplex(const Program &program) {
  for (const Def &def : program.defs)
    for (const std::vector<TensorId> *ids : {&def.params, &def.results})
      for (TensorId id : *ids)
        if (isComplex(def[id].type))
          return true;
  return false;
}

static bool hasComplex(ArrayRef<CompiledEntry> entries) {
  for (const CompiledEntry &entry : entries)
    for (const runtime::Argument &argument : entry.signature.arguments)
      if (runtime::getKind(argument.type) == runtime::DKind::Complex)
        return true;
  return false;
}

void emitDeclarations(raw_ostream &os, const Program &program) {
  emitDeclarations(os, hasComplex(program), [&](raw_ostream &stream) {
    emitViewTypes(stream, program);
    for (const Def &def : program.defs)
      emitFunction(stream, def);
  });
}

/// The same from a signature, all of whose sizes are arguments.
static void emitFunction(raw_ostream &os, const CompiledEntry &entry) {
  const runtime::Signature &signature = entry.signature;
  os << "/**\n * " << signature.name << "\n *\n";
  std::vector<std::string> parameters;
  for (const runtime::Argument &argument : signature.arguments) {
    std::string name = getParameterName(argument.name);
    StringRef type = getCType(static_cast<ElementType>(argument.type));
    bool isScalar = argument.isScalarInput();
    os << " * @param " << name << " "
       << (isScalar                                ? "scalar"
           : argument.role == runtime::Role::Input ? "input"
           : argument.role == runtime::Role::InOut ? "input and output"
                                                   : "output")
       << ", " << type << (argument.dims.empty() ? "" : " ");
    for (const runtime::Dim &dim : argument.dims)
      os << "[" << runtime::print(dim, signature.symbols) << "]";
    os << "\n";
    parameters.push_back((argument.isResult() || isScalar ? "" : "const ") +
                         type.str() + (isScalar ? " " : " *") + name);
  }
  for (const std::string &symbol : signature.symbols) {
    os << " * @param " << getParameterName(symbol) << " size\n";
    parameters.push_back("int64_t " + getParameterName(symbol));
  }
  for (const std::string &check : entry.checks)
    os << " * Checked: " << check << ".\n";
  os << " */\nint " << signature.name << "("
     << (parameters.empty() ? "void" : join(parameters, ", ")) << ");\n\n";
}

static void emitPreamble(raw_ostream &os, StringRef source, bool hasViews) {
  os << "/* Made by einc from " << source
     << ". Do not edit.\n"
        " *\n"
        " * Arrays are contiguous and row-major, aligned as their elements "
        "are.\n";
  if (hasViews)
    os << " * A function NAME_view takes them with sizes and strides, which "
          "count\n"
          " * elements and may be negative or zero; data points to the element "
          "whose\n"
          " * subscripts are all zero. There is an _mlir_ciface_NAME too, "
          "which "
          "takes\n"
          " * pointers to MLIR's memref descriptors, scalars, and all sizes.\n"
          " *\n";
  os << " * Inputs may overlap each other; an output may overlap nothing.\n"
        " * Functions may be called from several threads at once. Each "
        "returns\n"
        " * EIN_OK or another of the codes below.\n"
        " */\n"
        "#pragma once\n";
}

std::string emitHeader(const Program &program, StringRef source) {
  std::string text;
  raw_string_ostream os(text);
  emitPreamble(os, source, /*hasViews=*/true);
  emitDeclarations(os, program);
  return text;
}

std::string emitHeader(ArrayRef<CompiledEntry> entries, StringRef source) {
  std::string text;
  raw_string_ostream os(text);
  emitPreamble(os, source, /*hasViews=*/false);
  emitDeclarations(os, hasComplex(entries), [&](raw_ostream &stream) {
    for (const CompiledEntry &entry : entries)
      emitFunction(stream, entry);
  });
  return text;
}

} // namespace ein
