//===- Exit.cpp - A process that exits while a thread compiles ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `exit` destroys static objects while other threads run on, and a compilation
// uses hundreds of LLVM's: options, registries, the names of types. Waiting for
// it could take as long as it likes. So they are never destroyed: what the
// library and LLVM in it would register for the exit is dropped, by the
// linker's
// --wrap. The memory goes with the process, and the library is never unloaded
// before (-z nodelete). Nothing else happens there: the library prints nothing,
// and files are complete when they have their names.
//
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" int __wrap___cxa_atexit(void (*)(void *), void *, void *);
int __wrap___cxa_atexit(void (*)(void *), void *, void *) { return 0; }
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
