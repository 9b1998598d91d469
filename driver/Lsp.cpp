//===- Lsp.cpp - einc lsp -------------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The server knows the front end; what it says of costs and orders comes from
// here. No pass runs: a hover takes no longer than the front end and the search
// of one order.
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "driver/Path.h"
#include "lsp/Input.h"
#include "lsp/Loop.h"
#include "passes/select/DescribePrice.h"
#include "llvm/Support/raw_ostream.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace llvm;

namespace ein {

/// The order of a product, and how many operations it takes.
static std::string describeStatement(const Def &def, const Statement &statement,
                                     const ContractionOrderOptions &options) {
  // Beyond, the search is one that a compilation may take, and a hover not.
  constexpr unsigned maxFactors = 10;
  std::optional<unsigned> factors = countPathFactors(def, statement);
  if (factors && *factors > maxFactors)
    return "the order of its " + std::to_string(*factors) +
           " factors is found when it is compiled, see `einc explain`";
  std::string text;
  raw_string_ostream os(text);
  std::vector<int64_t> sizes = assumeSizes(def);
  printCount(os, countFlops(def, statement, sizes, options));
  os << " operations";
  bool isFirst = true;
  for (auto [symbol, size] : zip_equal(def.symbols, sizes)) {
    if (!symbol.isDynamic())
      continue;
    os << (isFirst ? " with " : ", ") << symbol.name << "=" << size;
    isFirst = false;
  }
  if (!isFirst)
    os << " assumed";
  if (std::optional<std::string> path =
          printPath(def, statement, options, PathQualities()))
    os << "\n\n```text\n" << StringRef(*path).rtrim() << "\n```";
  return text;
}

/// An answer of LLVM's JSON is megabytes for a moment. To give them back to the
/// system after each one is four fifths of the time that an outline takes.
static void keepMemory() {
#ifdef __GLIBC__
  constexpr int bytes = 256 << 20;
  mallopt(M_TRIM_THRESHOLD, bytes);
  mallopt(M_MMAP_THRESHOLD, bytes);
#endif
}

ExitStatus runLsp(const Options &options) {
  keepMemory();
  lsp::ServerOptions serverOptions;
  serverOptions.includeDirs = options.compile.check.includeDirs;
  serverOptions.warnings = options.compile.check.warnings;
  serverOptions.version = EINC_VERSION;
  serverOptions.describe = [&](const Def &def, const Statement &statement) {
    return describeStatement(def, statement, options.compile.order);
  };
  lsp::Server server(std::move(serverOptions));
  auto style = options.isLspTest ? llvm::lsp::JSONStreamStyle::Delimited
                                 : llvm::lsp::JSONStreamStyle::Standard;
  lsp::Input input(stdin, style);
  llvm::lsp::JSONTransport transport(stdin, outs(), style,
                                     /*PrettyOutput=*/options.isLspTest);
  return lsp::runServer(input, transport, server) ? kDone : kWrongInput;
}

} // namespace ein
