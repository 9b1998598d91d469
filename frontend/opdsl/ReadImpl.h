//===- ReadImpl.h - The state of reading one op -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_OPDSL_READIMPL_H
#define EIN_FRONTEND_OPDSL_READIMPL_H

#include "frontend/opdsl/AffineMap.h"
#include "frontend/opdsl/Functions.h"
#include "frontend/opdsl/Yaml.h"
#include "frontend/source/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

namespace ein::opdsl {

/// The entries of a mapping whose keys are known.
class Fields {
public:
  Fields(const YamlNode &node, std::string what, DiagnosticEngine &diags)
      : node(node), what(std::move(what)), diags(diags) {}

  llvm::LogicalResult read(llvm::ArrayRef<llvm::StringRef> keys);

  /// The value; null if there is none.
  const YamlNode *find(llvm::StringRef key) const;
  bool has(llvm::StringRef key) const { return find(key); }

  // These report what is missing or of another form.
  llvm::FailureOr<const YamlNode *> get(llvm::StringRef key,
                                        YamlNode::Kind kind) const;
  llvm::FailureOr<ast::Name> getName(llvm::StringRef key) const;
  llvm::LogicalResult reportMissing(llvm::StringRef key) const;

private:
  const YamlNode &node;
  std::string what;
  DiagnosticEngine &diags;
  std::vector<std::pair<llvm::StringRef, const YamlNode *>> entries;
};

/// "2 maps".
std::string count(size_t number, llvm::StringRef noun);
/// The place of a node for messages: its first line at most.
SourceRange getPlace(const YamlNode &node);
llvm::LogicalResult expectKind(const YamlNode &node, YamlNode::Kind kind,
                               llvm::StringRef what, DiagnosticEngine &diags);
/// The number of names, if `text` is none of them.
size_t getPosition(llvm::ArrayRef<ast::Name> names, llvm::StringRef text);
/// `text` is no `what`; says which of `words` may be meant.
llvm::LogicalResult reportUnknownWord(const ast::Name &name,
                                      llvm::StringRef what,
                                      llvm::ArrayRef<llvm::StringRef> words,
                                      DiagnosticEngine &diags);

/// An argument of the op.
struct Operand {
  enum class Kind : uint8_t {
    Input,
    Output,
    Temporary,
    Scalar,
    Capture, // a scalar without an indexing map
    Index,
    Function
  };

  bool isTensor() const { return kind <= Kind::Temporary; }
  bool isWritable() const {
    return kind == Kind::Output || kind == Kind::Temporary;
  }
  bool hasMap() const { return kind <= Kind::Scalar; }
  bool hasAccess() const { return kind <= Kind::Capture; }

  Kind kind = Kind::Input;
  FunctionKind functionKind = FunctionKind::Unary;
  ast::Name name;
  /// As in the YAML, unlike a Param's.
  std::string typeVar;
  ast::Name type;
  std::optional<AffineMap> shape;
  std::optional<AffineMap> attributeMap;
  std::vector<ast::ExprPtr> defaults;
  std::optional<ast::Name> defaultFunction;
  size_t access = 0; // number of its indexing map
  bool isWritten = false;
  bool isRead = false; // in the assignment that is being read
  /// Its value is read before it is written: what the caller puts there.
  bool isReadFirst = false;
};

/// A function applied, in any schema.
struct Application {
  FunctionKind kind = FunctionKind::Unary;
  /// In the language.
  std::string spelling;
  /// The function, or the attribute that says which.
  ast::Name name;
  bool isAttribute = false;
  std::optional<ast::Name> typeVar;
  const YamlNode *operands = nullptr;
};

class OpReader {
public:
  OpReader(const SourceFile &file, DiagnosticEngine &diags)
      : file(file), diags(diags) {}

  ast::Def read(const YamlNode &document);

private:
  template <typename T> using FailureOr = llvm::FailureOr<T>;
  using LogicalResult = llvm::LogicalResult;

  // Read.cpp: the parts of an op, and its maps.
  LogicalResult readMetadata(const YamlNode &node);
  LogicalResult readOp(const YamlNode &node);
  FailureOr<AffineMap> readMap(const YamlNode &node);
  LogicalResult readMaps(const YamlNode &node);
  LogicalResult checkMaps();
  LogicalResult readIterators(const YamlNode &node);
  void nameThings();
  void declareTypes();
  void declareOperands();
  void findExtents();
  ast::ExprPtr makeDim(const Operand &operand, size_t dim);
  ast::ExprPtr makeSymbol(size_t symbol, SourceRange range);
  ast::ExprPtr toLanguage(const AffineMap &map, const ast::Expr &expr);
  ast::ExprPtr toNumbers(const AffineMap &map, const ast::Expr &expr);
  std::vector<ast::ExprPtr> makeSubscripts(const Operand &operand);
  std::optional<ast::Type> makeType(const Operand &operand);

  // ReadOperands.cpp: its arguments.
  LogicalResult readOperand(const YamlNode &node);
  LogicalResult readCapture(const YamlNode &node);
  LogicalResult addOperand(Operand operand);
  LogicalResult readOperandKind(const Fields &fields, Operand &operand);
  LogicalResult readDefaults(const Fields &fields, Operand &operand);
  LogicalResult readType(const Fields &fields, Operand &operand);
  Operand *findOperand(llvm::StringRef name);

  // ReadExpr.cpp: assignments and their expressions.
  LogicalResult readAssignment(const YamlNode &node, bool isOnly);
  LogicalResult checkIterators(const Operand &target);
  void boundWindows(ast::Statement &statement);
  FailureOr<bool> readReduction(const YamlNode &value,
                                ast::Statement &statement);
  bool isReduced(llvm::StringRef dim) const;
  void noteIndex(size_t dim);
  bool isArgument(const YamlNode &node, const Operand &operand);
  FailureOr<ast::ExprPtr> readExpr(const YamlNode &node);
  FailureOr<Application> readApplication(const Fields &expr);
  FailureOr<ast::ExprPtr> readFunction(const Fields &expr);
  FailureOr<ast::ExprPtr> readArgument(const ast::Name &name);
  FailureOr<ast::ExprPtr> readConstant(const ast::Name &name);
  FailureOr<ast::ExprPtr> readIndex(const ast::Name &name);
  FailureOr<ast::Name> readCastType(const ast::Name &typeVar);
  void suggestType(const YamlNode &operand, llvm::StringRef type);

  const SourceFile &file;
  DiagnosticEngine &diags;
  ast::Def def;
  std::vector<Operand> operands;
  std::vector<AffineMap> maps;
  std::vector<bool> isReduction; // by dim
  std::vector<SourceRange> iteratorRanges;
  std::vector<std::string> indexNames; // by dim
  std::vector<std::string> sizeNames;  // by symbol
  /// The index attribute's element that a symbol stands for.
  std::map<size_t, std::pair<std::string, unsigned>> attributes;
  /// The symbol that is an index's extent, where a tensor has both alone.
  std::map<size_t, size_t> extents;
  /// What type variables are called in the def, and are unless bound.
  llvm::StringMap<std::string> typeNames;
  llvm::StringMap<std::string> typeDefaults;
  /// The target of the assignment that is being read.
  Operand *target = nullptr;
  /// An index in its value that it lacks.
  std::string reducedIndex;
};

} // namespace ein::opdsl

#endif // EIN_FRONTEND_OPDSL_READIMPL_H
