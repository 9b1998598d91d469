//===- Page.h - What is drawn instead of printed ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page is one HTML file that needs nothing else: a document of JSON, which is
// made here, and a template beside this file (page.html, page.css, *.js), which
// draws it and is the same for all. CMake puts the template into einc.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_HTML_PAGE_H
#define EIN_DRIVER_HTML_PAGE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ein {

/// As much of a file, or of a stage, is in a page; the rest is counted.
inline constexpr unsigned kMostPageLines = 5000;
inline constexpr size_t kMostPageBytes = size_t(1) << 20;

/// The page of a document of JSON.
std::string makePage(llvm::StringRef title, llvm::StringRef json);

} // namespace ein

#endif // EIN_DRIVER_HTML_PAGE_H
