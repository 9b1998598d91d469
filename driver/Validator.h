//===- Validator.h - Does a pass change what is computed? -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ein-opt --ein-validate`: the functions with a signature are executed before
// the first pass and after each one, on the same random data, and their results
// compared.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_VALIDATOR_H
#define EIN_DRIVER_VALIDATOR_H

#include "driver/PlainCode.h"
#include "runtime/Call.h"
#include "target/Target.h"
#include "llvm/Support/raw_ostream.h"

namespace ein {

class Validator {
public:
  /// `sizes` are those that the caller wants; others are chosen. What is found
  /// is printed to `os`.
  Validator(TargetInfo target, runtime::Bindings sizes, uint64_t seed,
            llvm::raw_ostream &os)
      : target(std::move(target)), sizes(std::move(sizes)), seed(seed), os(os) {
  }

  /// Watches the passes that are run.
  void attach(mlir::PassManager &passes);
  /// Executes the module that `pass` has left. After the first failure nothing
  /// is executed any more.
  void visit(mlir::ModuleOp module, llvm::StringRef pass);
  /// Says how much was executed. Whether no pass has changed a value, and all
  /// that was to be executed has been.
  bool finish();

  /// The pass that changed a value, or whose module cannot be executed; empty
  /// if none.
  const std::string &getCulprit() const { return culprit; }

private:
  struct Entry {
    std::string name;
    runtime::Invocation call;           // its inputs and sizes
    std::vector<runtime::Array> before; // per argument, what is written
  };

  bool start(mlir::ModuleOp module, LoadedCode &code, std::string &error);
  bool startEntry(const runtime::Signature &signature, LoadedCode &code,
                  std::string &error);
  bool compare(Entry &entry, LoadedCode &code, std::string &error);
  void fail(llvm::StringRef pass, const llvm::Twine &what);

  TargetInfo target;
  runtime::Bindings sizes;
  uint64_t seed;
  llvm::raw_ostream &os;
  std::vector<Entry> entries;
  unsigned numStates = 0;
  bool hasFailed = false, isLeft = false;
  std::string culprit;
};

} // namespace ein

#endif // EIN_DRIVER_VALIDATOR_H
