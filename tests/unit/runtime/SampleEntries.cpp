//===- SampleEntries.cpp - What einc would put beside its code ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Signature.h"

using ein::runtime::CpuTable;
using ein::runtime::EntryRecord;

/// Y(i) = alpha.
static int32_t fill(void **arguments, const int64_t *sizes) {
  for (int64_t i = 0; i < sizes[0]; ++i)
    static_cast<float *>(arguments[1])[i] =
        *static_cast<const float *>(arguments[0]);
  return 0;
}

// NOLINTBEGIN(readability-identifier-naming): as Main.cpp has them.
extern "C" const char __ein_version[];
const char __ein_version[] = "made by hand";

static const char *const cpuNames[] = {nullptr};
extern "C" const CpuTable __ein_cpus;
const CpuTable __ein_cpus = {cpuNames, nullptr};

extern "C" const EntryRecord __ein_entries[];
const EntryRecord __ein_entries[] = {
    {"fill<N>(alpha: f32) -> (Y: f32(N))", fill}, {nullptr, nullptr}};
// NOLINTEND(readability-identifier-naming)
