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
#include "abi/SizeSources.h"
#include "driver/HalfTypes.h"
#include "driver/Metadata.h"
#include "ir/Signature.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ein {

std::string getParameterName(StringRef name) {
  return isReservedWord(name) ? name.str() + "_" : name.str();
}

static std::string getViewType(ElementType type, size_t rank) {
  return ("ein_" + getSpelling(type) + "_" + Twine(rank) + "d").str();
}

std::string getViewType(const Tensor &tensor) {
  return getViewType(tensor.type, tensor.dims.size());
}

static ElementType getElementType(const runtime::Argument &argument) {
  return static_cast<ElementType>(argument.type);
}

static runtime::Signature getSignature(const Def &def) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  return makeSignature(def, &context).toRuntime(def.name);
}

static std::vector<std::string>
getViewSizes(const runtime::Signature &signature) {
  std::vector<std::string> sizes;
  for (unsigned position : runtime::getSizesWithoutSource(signature))
    sizes.push_back(signature.symbols[position]);
  return sizes;
}

std::vector<std::string> getViewSizes(const Def &def) {
  return getViewSizes(getSignature(def));
}

static std::string printDims(const Def &def, const Tensor &tensor) {
  auto symbolName = [&](SymbolId id) { return StringRef(def[id].name); };
  auto indexName = [](IndexId) { return StringRef(); };
  std::string text;
  for (const Affine &dim : tensor.dims)
    text += "[" + dim.str(indexName, symbolName) + "]";
  return text.empty() ? "" : " " + text;
}

/// What stands before a function that returns a code.
static std::string getDeclarator(StringRef apiMacro) {
  return ("EIN_NODISCARD " + apiMacro + " ").str();
}

/// `int f_view(const ein_f32_2d *A, float s, …);`
static void emitViewFunction(raw_ostream &os,
                             const runtime::Signature &signature,
                             StringRef declares) {
  std::vector<std::string> parameters;
  for (const runtime::Argument &argument : signature.arguments) {
    ElementType type = getElementType(argument);
    parameters.push_back(
        (argument.isScalarInput()
             ? getArgumentType(type) + " "
             : "const " + getViewType(type, argument.dims.size()) + " *") +
        getParameterName(argument.name));
  }
  for (const std::string &size : getViewSizes(signature))
    parameters.push_back("int64_t " + getParameterName(size));
  os << declares << "int " << getViewName(signature.name) << "("
     << (parameters.empty() ? "void" : join(parameters, ", ")) << ");\n";
}

/// What is declared for each function, whatever it takes.
static void emitIntrospection(raw_ostream &os, StringRef name,
                              StringRef apiMacro) {
  os << getDeclarator(apiMacro) << "int " << name
     << "_packed(void **arguments);\n"
     << apiMacro << " const ein_metadata *" << name << "_metadata(void);\n\n";
}

/// `int f_block(MPI_Comm comm, int argument, …);`
static void emitBlockFunction(raw_ostream &os, const Def &def,
                              StringRef apiMacro) {
  std::vector<std::string> parameters = {"MPI_Comm comm", "int argument",
                                         "int64_t *starts", "int64_t *extents"};
  std::string numbers;
  for (const std::vector<TensorId> *ids : {&def.params, &def.results})
    for (TensorId id : *ids) {
      std::string number = std::to_string(llvm::count(numbers, ','));
      numbers += " " + number + ": " + def[id].name + ",";
    }
  for (const Symbol &symbol : def.symbols)
    if (symbol.isSize() && !symbol.bound)
      parameters.push_back("int64_t " + getParameterName(symbol.name));
  os << "/* Which block of an argument the calling rank has:"
     << StringRef(numbers).rtrim(',') << ". */\n"
     << getDeclarator(apiMacro) << "int " << def.name << "_block("
     << join(parameters, ", ") << ");\n"
     << apiMacro << " const ein_metadata *" << def.name
     << "_metadata(void);\n\n";
}

static void emitFunction(raw_ostream &os, const Def &def, StringRef apiMacro,
                         StringRef mpi) {
  os << "/**\n * " << def.name << "\n *\n";
  std::vector<std::string> parameters;
  if (!mpi.empty()) {
    os << " * @param comm all its ranks call this, each with its blocks\n";
    parameters.push_back("MPI_Comm comm");
  }
  auto getType = [](const Tensor &tensor) {
    return tensor.isScalarInput() ? getArgumentType(tensor.type)
                                  : getCType(tensor.type).str();
  };
  auto describe = [&](const Tensor &tensor, StringRef role) {
    std::string name = getParameterName(tensor.name);
    os << " * @param " << name << " " << role << ", " << getType(tensor)
       << printDims(def, tensor) << "\n";
  };
  for (TensorId id : def.params) {
    const Tensor &tensor = def[id];
    bool isScalar = tensor.isScalarInput();
    describe(tensor, isScalar ? "scalar" : "input");
    parameters.push_back((isScalar ? "" : "const ") + getType(tensor) +
                         (isScalar ? " " : " *") +
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
    if (!symbol.isSize())
      continue;
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
  os << " */\n"
     << getDeclarator(apiMacro) << "int " << def.name << "("
     << join(parameters, ", ") << ");\n";
  if (!mpi.empty())
    return emitBlockFunction(os, def, apiMacro);
  emitViewFunction(os, getSignature(def), getDeclarator(apiMacro));
  emitIntrospection(os, def.name, apiMacro);
}

/// Each type that a view entry takes, once, and guarded: another header may
/// have it too.
static void emitViewTypes(raw_ostream &os, const runtime::Signature &signature,
                          StringSet<> &seen) {
  for (const runtime::Argument &argument : signature.arguments) {
    size_t rank = argument.dims.size();
    std::string type = getViewType(getElementType(argument), rank);
    if (argument.isScalarInput() || !seen.insert(type).second)
      continue;
    std::string guard = StringRef(type).upper();
    os << "#ifndef " << guard << "\n#define " << guard
       << "\ntypedef struct {\n  " << getCType(getElementType(argument))
       << " *data;\n";
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

/// A field of a struct of backend/Metadata.def.
static void emitField(raw_ostream &os, StringRef kind, StringRef name,
                      StringRef text) {
  StringRef type = StringSwitch<StringRef>(kind)
                       .Case("Int", "int32_t ")
                       .Case("Text", "const char *")
                       .Case("Texts", "const char *const *")
                       .Case("Arguments", "const ein_argument *");
  os << "  " << type << name << "; /* " << text << " */\n";
}

/// The structs of backend/Metadata.def, and the numbers in them.
static void emitMetadataTypes(raw_ostream &os) {
  os << "#ifndef EIN_METADATA\n#define EIN_METADATA\n"
        "enum { EIN_INPUT = 0, EIN_OUTPUT = 1, EIN_INOUT = 2 };\nenum {\n";
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  os << "  EIN_TYPE_" << StringRef(SPELLING).upper() << " = "                  \
     << static_cast<int>(ElementType::ENUM) << ",\n";
#include "abi/ElementTypes.def"
  os << "};\ntypedef struct {\n";
#define EIN_ARGUMENT_FIELD(KIND, NAME, TEXT) emitField(os, #KIND, #NAME, TEXT);
#include "backend/Metadata.def"
  os << "} ein_argument;\ntypedef struct {\n";
#define EIN_METADATA_FIELD(KIND, NAME, TEXT) emitField(os, #KIND, #NAME, TEXT);
#include "backend/Metadata.def"
  os << "} ein_metadata;\n#endif\n\n";
}

/// `MM_API` of `mm.ein`: what a user may define to declare the functions as
/// imported or exported.
static std::string getApiMacro(StringRef source) {
  std::string name;
  for (char c : sys::path::stem(source))
    name += isAlnum(c) ? toUpper(c) : '_';
  bool isName = !name.empty() && !isDigit(name[0]) && name[0] != '_';
  return (isName ? name : "EIN") + "_API";
}

/// The version that wrote the header, and what declarations begin with. A code
/// that nobody reads is a mistake, where the language can say so.
static void emitMacros(raw_ostream &os, StringRef apiMacro) {
  SmallVector<StringRef> numbers;
  getVersion().split(numbers, '.');
  os << "#ifndef EIN_VERSION_MAJOR\n";
  for (auto [part, number] :
       zip_equal(ArrayRef<StringRef>{"MAJOR", "MINOR", "PATCH"}, numbers))
    os << "#define EIN_VERSION_" << part << " " << number << "\n";
  os << "#endif\n\n"
        "#ifndef EIN_NODISCARD\n"
        "#if (defined(__cplusplus) && __cplusplus >= 201703L) || \\\n"
        "    (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)\n"
        "#define EIN_NODISCARD [[nodiscard]]\n"
        "#else\n#define EIN_NODISCARD\n#endif\n#endif\n\n"
        "/* To be defined before, where functions are imported or exported. "
        "*/\n"
     << "#ifndef " << apiMacro << "\n#define " << apiMacro << "\n#endif\n\n";
}

static void emitDeclarations(raw_ostream &os,
                             function_ref<bool(ElementType)> uses,
                             StringRef apiMacro,
                             function_ref<void(raw_ostream &)> emitFunctions) {
  os << "#include <stdint.h>\n"
        "#ifndef __cplusplus\n#include <stdbool.h>\n#endif\n\n";
  if (uses(ElementType::C64) || uses(ElementType::C128))
    emitComplexTypes(os);
  emitHalfTypes(os, uses);
  os << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
        "#ifndef EIN_CODES\n#define EIN_CODES\nenum {\n";
#define EIN_CODE(ENUM, CNAME, VALUE, TEXT)                                     \
  os << "  " #CNAME " = " << VALUE << ", /* " TEXT " */\n";
#include "abi/Codes.def"
  os << "};\n"
        "static inline const char *ein_strerror(int code) {\n"
        "  switch (code) {\n";
#define EIN_CODE(ENUM, CNAME, VALUE, TEXT)                                     \
  os << "  case " #CNAME ": return \"" TEXT "\";\n";
#include "abi/Codes.def"
  os << "  }\n  return \"no code of einc's\";\n}\n#endif\n\n";
  emitMacros(os, apiMacro);
  emitMetadataTypes(os);
  emitFunctions(os);
  os << "#ifdef __cplusplus\n}\n#endif\n";
}

/// Whether an argument or result has the type.
static bool uses(const Program &program, ElementType type) {
  for (const Def &def : program.defs)
    for (const std::vector<TensorId> *ids : {&def.params, &def.results})
      for (TensorId id : *ids)
        if (def[id].type == type)
          return true;
  return false;
}

static bool uses(ArrayRef<CompiledEntry> entries, ElementType type) {
  for (const CompiledEntry &entry : entries)
    for (const runtime::Argument &argument : entry.signature.arguments)
      if (getElementType(argument) == type)
        return true;
  return false;
}

void emitDeclarations(raw_ostream &os, const Program &program, StringRef source,
                      StringRef mpi) {
  std::string apiMacro = getApiMacro(source);
  auto usesType = [&](ElementType type) { return uses(program, type); };
  if (!mpi.empty())
    os << "#include <mpi.h>\n";
  emitDeclarations(os, usesType, apiMacro, [&](raw_ostream &stream) {
    StringSet<> seen;
    for (const Def &def : program.defs)
      if (mpi.empty())
        emitViewTypes(stream, getSignature(def), seen);
    for (const Def &def : program.defs)
      emitFunction(stream, def, apiMacro, mpi);
  });
}

/// The same from a signature, all of whose sizes are arguments.
static void emitFunction(raw_ostream &os, const CompiledEntry &entry,
                         StringRef apiMacro) {
  const runtime::Signature &signature = entry.signature;
  os << "/**\n * " << signature.name << "\n *\n";
  std::vector<std::string> parameters;
  for (const runtime::Argument &argument : signature.arguments) {
    std::string name = getParameterName(argument.name);
    bool isScalar = argument.isScalarInput();
    std::string type = isScalar ? getArgumentType(getElementType(argument))
                                : getCType(getElementType(argument)).str();
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
                         type + (isScalar ? " " : " *") + name);
  }
  for (const std::string &symbol : signature.symbols) {
    os << " * @param " << getParameterName(symbol) << " size\n";
    parameters.push_back("int64_t " + getParameterName(symbol));
  }
  for (const std::string &check : entry.checks)
    os << " * Checked: " << check << ".\n";
  os << " */\n"
     << getDeclarator(apiMacro) << "int " << signature.name << "("
     << (parameters.empty() ? "void" : join(parameters, ", ")) << ");\n";
  emitViewFunction(os, signature, getDeclarator(apiMacro));
  emitIntrospection(os, signature.name, apiMacro);
}

void emitCpus(raw_ostream &os, ArrayRef<TestedCpu> cpus, StringRef prefix) {
  if (cpus.empty())
    return;
  std::string names = join(getNames(cpus), ", ");
  os << prefix << "\n"
     << prefix
     << " There is code for these CPUs; the most capable that a "
        "machine is runs there:\n"
     << prefix << " " << names << ". The environment's EINC_CPU names one.\n";
}

static void emitPreamble(raw_ostream &os, StringRef source,
                         ArrayRef<TestedCpu> cpus) {
  os << "/* Made by einc from " << source
     << ". Do not edit.\n"
        " *\n"
        " * Arrays are contiguous and row-major, aligned as their elements "
        "are.\n"
        " * A function NAME_view takes them with sizes and strides, which "
        "count\n"
        " * elements and may be negative or zero; data points to the element "
        "whose\n"
        " * subscripts are all zero. There is an _mlir_ciface_NAME too, "
        "which "
        "takes\n"
        " * pointers to MLIR's memref descriptors, scalars, and all sizes.\n"
        " *\n"
        " * NAME_packed takes pointers to the parameters of NAME, in their "
        "order: to\n"
        " * an array's first element, to a scalar, to a size (int64_t). "
        "NAME_metadata\n"
        " * says what they are.\n"
        " *\n"
        " * Inputs may overlap each other; an output may overlap nothing.\n"
        " * Functions may be called from several threads at once. Each "
        "returns\n"
        " * EIN_OK or another of the codes below.\n";
  emitCpus(os, cpus, " *");
  os << " */\n"
        "#pragma once\n";
}

/// What begins the header of functions for many ranks.
static void emitRanksPreamble(raw_ostream &os, StringRef source,
                              const DistributionOptions &distribution) {
  std::string count = distribution.ranks.empty() ? std::string("any number of")
                      : StringRef(distribution.ranks).contains('x')
                          ? "a grid of " + distribution.ranks
                          : distribution.ranks;
  os << "/* Made by einc from " << source
     << ". Do not edit.\n"
        " *\n"
        " * For "
     << count << " ranks, with "
     << (distribution.mpi == "mpich" ? "MPICH" : "Open MPI")
     << ". All ranks of the communicator call a\n"
        " * function together, with the same scalars and sizes, each with its "
        "blocks\n"
        " * of the arrays. NAME_block says which block a rank has: where it "
        "starts and\n"
        " * its extents, by dim. A block is contiguous and row-major; one "
        "without\n"
        " * elements is not looked at. No array may overlap another.\n"
        " *\n"
        " * All ranks return the same code: EIN_OK or another of those below.\n"
        " *\n"
        " * To be compiled by mpicc."
     << distribution.mpi << ", and linked with -lein_mpi_" << distribution.mpi
     << " -lstdc++ -lm.\n"
        " */\n"
        "#pragma once\n";
}

std::string emitHeader(const Program &program, StringRef source,
                       ArrayRef<TestedCpu> cpus,
                       const DistributionOptions &distribution) {
  std::string text;
  raw_string_ostream os(text);
  if (distribution.makesFunctions) {
    emitRanksPreamble(os, source, distribution);
    emitDeclarations(os, program, source, distribution.mpi);
    return text;
  }
  emitPreamble(os, source, cpus);
  emitDeclarations(os, program, source);
  return text;
}

std::string emitHeader(ArrayRef<CompiledEntry> entries, StringRef source,
                       ArrayRef<TestedCpu> cpus) {
  std::string text;
  raw_string_ostream os(text);
  emitPreamble(os, source, cpus);
  std::string apiMacro = getApiMacro(source);
  auto usesType = [&](ElementType type) { return uses(entries, type); };
  emitDeclarations(os, usesType, apiMacro, [&](raw_ostream &stream) {
    StringSet<> seen;
    for (const CompiledEntry &entry : entries)
      emitViewTypes(stream, entry.signature, seen);
    for (const CompiledEntry &entry : entries)
      emitFunction(stream, entry, apiMacro);
  });
  return text;
}

} // namespace ein
