//===- Prelude.cpp - The definitions of linalg's named ops ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They are written in `.ein`, in `prelude/`, and CMake makes a table of these
// files.
//
//===----------------------------------------------------------------------===//

#include "frontend/prelude/Library.h"

namespace ein {

llvm::ArrayRef<PreludeFile> getPreludeFiles() {
  static constexpr PreludeFile files[] = {
#include "Prelude.inc"
  };
  return files;
}

} // namespace ein
