//===- Read.h - OpDSL YAML to a tree ----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of OpDSL has a document per op, in the schema of LLVM 15 to 22 or in
// one of those before it, which the RFC's was the first of. They differ in keys
// and words alone, so one reader takes all of them, even in one document. Each
// document becomes a def, so that all that comes after the parser is shared:
//
//  * Type variables are generics, index attributes are attributes of integers,
//    function attributes of functions.
//  * The accumulator is the output's type, as all operands are cast to it.
//  * A reduction combines the output with something: it becomes `op=!`. The op
//    is a function of its inputs, and what it combines starts from the
//    identity.
//  * The maps of shapes are taken for what they say, with one exception: OpDSL
//    writes the dim behind `d1 * s2 + d3 * s4` with an extent for each index,
//    which is more than is ever read. Such a dim is as large as it has to be.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_OPDSL_READ_H
#define EIN_FRONTEND_OPDSL_READ_H

#include "frontend/ast/AST.h"

namespace ein::opdsl {

ast::Module parseModule(const SourceFile &file, DiagnosticEngine &diags);

} // namespace ein::opdsl

#endif // EIN_FRONTEND_OPDSL_READ_H
