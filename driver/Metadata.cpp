//===- Metadata.cpp - What is said of compiled functions -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Metadata.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace ein {

StringRef getVersion() { return EINC_VERSION; }

std::string printFlags(const CompileOptions &options) {
  std::vector<std::string> flags = {"-O" + std::to_string(options.optLevel)};
  auto add = [&](bool isGiven, const Twine &flag) {
    if (isGiven)
      flags.push_back(flag.str());
  };
  if (options.llvmOptLevel)
    flags.push_back("--llvm-opt " + std::to_string(*options.llvmOptLevel));
  add(options.strictFP, "--strict-fp");
  add(options.splitsProducts, "--precision f32x3");
  add(options.parallel, "--parallel");
  add(options.distribution.makesFunctions,
      "--distribute" +
          (options.distribution.ranks.empty()
               ? ""
               : "=" + options.distribution.ranks) +
          " --mpi " + options.distribution.mpi);
  add(options.distribution.makesFunctions &&
          options.distribution.maxMemoryBytes != 0,
      "--max-memory " + Twine(options.distribution.maxMemoryBytes));
  add(options.distribution.makesFunctions &&
          !options.distribution.networkFile.empty(),
      "--network " + sys::path::filename(options.distribution.networkFile));
  add(!options.checks, "--no-checks");
  add(options.useBlas, "--library blas");
  add(options.check.broadcastsSizeOne, "--broadcast numpy");
  add(!options.transformFile.empty(),
      "--transform " + sys::path::filename(options.transformFile));
  add(!options.machineFile.empty(),
      "--machine " + sys::path::filename(options.machineFile));
  add(!options.tunedFile.empty(),
      "--tuned " + sys::path::filename(options.tunedFile));
  add(options.target.sveBits != 0 && options.cpus.empty(),
      "--sve-vector-bits " + Twine(options.target.sveBits));
  if (!options.pathFile.empty())
    flags.push_back("--path " + sys::path::filename(options.pathFile).str());
  else if (options.order.strategy != PathStrategy::Auto)
    flags.push_back(
        "--path " +
        getPathStrategies()[static_cast<size_t>(options.order.strategy)].str());
  add(options.order.seed != 1, "--seed " + Twine(options.order.seed));
  add(options.order.maxTempBytes != 0,
      "--max-temp " + Twine(options.order.maxTempBytes));
  std::vector<std::string> bindings;
  for (const auto &[name, value] : options.check.bindings)
    bindings.push_back(name + "=" + std::to_string(value));
  for (const auto &[name, value] : options.check.constants)
    bindings.push_back(name + "=" + value);
  add(!bindings.empty(), "--bind " + join(bindings, ","));
  return join(flags, " ");
}

static std::string hashText(StringRef text) {
  return toHex(SHA256::hash(arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

std::string getSourceName(const Sources &file) {
  return sys::path::filename(file.getName()).str();
}

std::string describeVersion(const FunctionMetadata &function) {
  return formatv("made by einc {0} {1} from {2} for {3}, {4}", function.einc,
                 function.flags, function.source, join(function.cpus, ", "),
                 function.triple);
}

static ArgumentMetadata describe(const runtime::Argument &argument,
                                 const runtime::Signature &signature) {
  ArgumentMetadata result;
  result.name = argument.name;
  result.role = static_cast<int32_t>(argument.role);
  result.type = static_cast<int32_t>(argument.type);
  result.rank = argument.dims.size();
  for (const runtime::Dim &dim : argument.dims)
    result.dims.push_back(runtime::print(dim, signature.symbols));
  return result;
}

std::vector<FunctionMetadata> describeFunctions(ArrayRef<CompiledEntry> entries,
                                                const Sources &file,
                                                const CompileOptions &options) {
  FunctionMetadata common;
  common.version = kMetadataVersion;
  common.einc = getVersion();
  common.triple = options.target.triple;
  common.cpu = options.target.cpu;
  common.cpus = {common.cpu};
  if (!options.cpus.empty())
    common.cpus = getNames(options.cpus);
  common.num_cpus = common.cpus.size();
  common.features = options.target.features;
  common.flags = printFlags(options);
  common.source = getSourceName(file);
  common.hash = hashText(file.getText());

  std::vector<FunctionMetadata> functions;
  for (const CompiledEntry &entry : entries) {
    FunctionMetadata &function = functions.emplace_back(common);
    const runtime::Signature &signature = entry.signature;
    function.name = signature.name;
    function.signature = runtime::print(signature);
    for (const runtime::Argument &argument : signature.arguments)
      function.arguments.push_back(describe(argument, signature));
    function.sizes = signature.symbols;
    function.checks = entry.checks;
    function.num_arguments = function.arguments.size();
    function.num_sizes = function.sizes.size();
    function.num_checks = function.checks.size();
  }
  return functions;
}

} // namespace ein
