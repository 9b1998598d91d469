//===- TunedFile.cpp - Schedules that were measured -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/TunedFile.h"
#include "ir/EinDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

LLVM_YAML_IS_SEQUENCE_VECTOR(ein::TunedEntry)

template <> struct llvm::yaml::MappingTraits<ein::TunedEntry> {
  static void mapping(IO &io, ein::TunedEntry &entry) {
    io.mapRequired("op", entry.op);
    io.mapRequired("cpu", entry.cpu);
    io.mapRequired("schedule", entry.schedule);
    io.mapOptional("seconds", entry.seconds, 0.0);
    io.mapOptional("untuned_seconds", entry.untunedSeconds, 0.0);
  }
};

namespace ein {

Expected<std::vector<TunedEntry>> readTuned(StringRef text, StringRef name) {
  std::string problem;
  auto handle = [](const SMDiagnostic &diagnostic, void *context) {
    auto &problem = *static_cast<std::string *>(context);
    if (problem.empty())
      problem = formatv("{0}:{1}:{2}: {3}", diagnostic.getFilename(),
                        diagnostic.getLineNo(), diagnostic.getColumnNo() + 1,
                        diagnostic.getMessage());
  };
  std::vector<TunedEntry> entries;
  yaml::Input input(MemoryBufferRef(text, name), nullptr, handle, &problem);
  input >> entries;
  auto fail = [](const Twine &message) {
    return createStringError(inconvertibleErrorCode(), message);
  };
  if (input.error() || !problem.empty())
    return fail(problem.empty() ? (name + ": " + input.error().message()).str()
                                : problem);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<EinDialect>();
  mlir::ScopedDiagnosticHandler silence(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  DenseSet<std::pair<StringRef, StringRef>> seen;
  for (const TunedEntry &entry : entries) {
    if (!seen.insert({entry.op, entry.cpu}).second)
      return fail(name + ": `" + entry.op + "` has two entries for `" +
                  entry.cpu + "`");
    if (!isa_and_nonnull<ScheduleAttr>(
            mlir::parseAttribute(entry.schedule, &context)))
      return fail(name + ": the schedule of `" + entry.op +
                  "` is no attribute such as `#ein.schedule<>`");
  }
  return entries;
}

std::string printTuned(ArrayRef<TunedEntry> entries, StringRef heading) {
  std::string text;
  raw_string_ostream os(text);
  SmallVector<StringRef> lines;
  heading.split(lines, '\n');
  for (StringRef line : lines)
    os << "# " << line << "\n";
  std::vector<TunedEntry> list(entries.begin(), entries.end());
  yaml::Output output(os, nullptr, /*WrapColumn=*/0);
  output << list;
  return text;
}

} // namespace ein
