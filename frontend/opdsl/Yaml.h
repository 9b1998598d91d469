//===- Yaml.h - YAML documents as trees -------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's YAML parser reads lazily, prints by itself and recurses as deep as
// the file nests. Here a whole file becomes trees first, each node with its
// place, and what is wrong with the file as YAML is one of our diagnostics.
// What the trees mean is not looked at; tags are dropped, as they mean nothing
// in OpDSL.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_OPDSL_YAML_H
#define EIN_FRONTEND_OPDSL_YAML_H

#include "frontend/ast/AST.h"

namespace ein::opdsl {

struct YamlNode {
  enum class Kind : uint8_t { Null, Scalar, Sequence, Mapping };

  Kind kind = Kind::Null;
  SourceRange range;
  /// Of a scalar, without quotes and with lines folded; of the entry of a
  /// mapping, see `items`.
  std::string text;
  /// Where `text` stands, without the quotes.
  SourceRange textRange;
  /// A scalar that goes over lines as it is: `|` or `>`.
  bool isBlock = false;
  /// Of a sequence its elements; of a mapping keys and values in turn.
  std::vector<YamlNode> items;

  ast::Name getName() const { return {text, textRange}; }
};

/// "a mapping", for messages.
llvm::StringRef getDescription(YamlNode::Kind kind);

/// The documents of `file` that are not empty. What is not YAML is reported,
/// and nothing returned.
llvm::FailureOr<std::vector<YamlNode>> parseYaml(const SourceFile &file,
                                                 DiagnosticEngine &diags);

} // namespace ein::opdsl

#endif // EIN_FRONTEND_OPDSL_YAML_H
