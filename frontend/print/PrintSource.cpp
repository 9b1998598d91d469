//===- PrintSource.cpp - A checked program in the language again ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is printed compiles to the same MLIR, so that everything which the
// checker infers is left for it to infer again. Four things need care:
//
//  * Sizes and indices count in order of first appearance. One that cancelled
//    out there (`A(i + k - k)`) is written with the factor 0 (`0*k + i`).
//  * A result or temporary that was not declared stays so: a shape on the left
//    side would be one more thing to check. If nothing read decides its type,
//    the literals say it, or `acc =`. Literals inside a cast always do.
//  * Labels of einsum strings may be called as sizes are, or have letters that
//    names have not. Such a statement is printed as an einsum, and so is one
//    that says what is multiplied first. If it cannot be one (a label shares
//    its dim or is stretched, or the output is a diagonal), its indices are
//    renamed, and the order is not said.
//  * Of statements without a def, an index may be called as a size is.
//    `getNameBesideSizes` is what checks call it as well.
//
// Sizes that have letters beyond ASCII (labels of `-e` programs) are renamed;
// there the MLIR differs in these names.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Builtins.h"
#include "frontend/check/Ranges.h"
#include "frontend/print/Printer.h"
#include "frontend/program/DefNames.h"
#include "frontend/source/Unicode.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"
#include <functional>
#include <numeric>
#include <set>

using namespace llvm;

namespace ein {
namespace {

bool isIdentifier(StringRef name) {
  return !name.empty() && !isDigit(name[0]) &&
         llvm::all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

class SourcePrinter {
public:
  SourcePrinter(raw_ostream &os, const Program &program, const Def &def);

  void printDef();

private:
  void print(const Tensor &tensor, bool isLast);
  void printType(const Tensor &tensor, bool isLast);
  void print(const Statement &statement);
  void printComprehension(const Statement &statement);
  void printEinsum(const Statement &statement);
  void printReshape(const Statement &statement, const Expr &reshape);
  bool isCallable(const NamedOp &op, const Statement &last);
  void printCall(const NamedOp &op, const Statement &last);
  void printTarget(const Statement &statement);
  bool hasLabels(const Statement &statement);
  bool needsEinsum(const Statement &statement);
  void renameLabels();
  void printClauses(const Statement &statement);
  void printNode(ExprId id);
  void printAccess(TensorId tensor, ArrayRef<Affine> subscripts);
  void printPosition(const Affine &value);
  void printLeaf(const Expr &expr);
  void collectTypes(ExprId id, SmallVectorImpl<ElementType> &types,
                    bool &hasLiteral) const;
  void collectCast(ExprId id, bool isInCast);
  bool decideAccumulator(const Statement &statement);

  std::string str(const Affine &expr) const {
    return expr.str(
        [&](IndexId id) { return StringRef(indexNames[id.value]); },
        [&](SymbolId id) { return StringRef(sizeNames[id.value]); });
  }
  std::string printProduct(ArrayRef<Affine> factors) const;
  std::string printDim(const Affine &dim, bool isLast);
  std::string introduceIndices(const Affine &subscript);

  raw_ostream &os;
  const Program &program;
  const Def &def;
  DefNames names;
  std::vector<std::string> sizeNames;
  size_t nextSize = 0; // sizes below it have been printed
  std::set<int32_t> written, firstWritten;

  // Of the statement being printed.
  std::vector<std::string> indexNames;
  size_t nextIndex = 0;
  ElementType computeType = ElementType::F32;
  bool hasSuffixes = false;
  std::set<const Expr *> inCasts; // literals
};

SourcePrinter::SourcePrinter(raw_ostream &os, const Program &program,
                             const Def &def)
    : os(os), program(program), def(def), names(def) {
  for (const Symbol &symbol : def.symbols) {
    std::string name = symbol.name;
    if (symbol.scalar.isValid()) {
      sizeNames.push_back(symbol.name);
      continue;
    }
    if (symbol.quotient) {
      const Affine &numerator = symbol.quotient->numerator;
      std::string text =
          strQuotient(str(numerator), numerator, symbol.quotient->divisor);
      bool isName =
          symbol.quotient->divisor == 1 && numerator.getSingleSymbol();
      sizeNames.push_back(isName ? text : "(" + text + ")");
      continue;
    }
    if (!symbol.minimum.empty()) {
      std::string text;
      for (const Affine &value : symbol.minimum)
        text += (text.empty() ? "min(" : ", ") + str(value);
      sizeNames.push_back(text + ")");
      continue;
    }
    if (!symbol.product.empty()) {
      sizeNames.push_back(printProduct(symbol.product));
      continue;
    }
    if (!isIdentifier(name))
      name = "size" + std::to_string(sizeNames.size());
    while (!isIdentifier(symbol.name) && names.isTaken(name))
      name += "_";
    sizeNames.push_back(name);
  }
}

/// Mentions, with the factor 0, the names that have to appear before the terms
/// of an expression or among them, but are not in them.
std::string mention(ArrayRef<std::string> names,
                    ArrayRef<std::string> present) {
  if (llvm::all_of(names, [&](const std::string &name) {
        return llvm::is_contained(present, name);
      }))
    return "";
  std::string text;
  for (const std::string &name : names)
    text += "0*" + name + " + ";
  return text;
}

std::string SourcePrinter::printProduct(ArrayRef<Affine> factors) const {
  std::string text;
  for (const Affine &factor : factors) {
    std::string part = str(factor);
    bool isSum = StringRef(part).contains(' ');
    text += (text.empty() ? "" : "*") + (isSum ? "(" + part + ")" : part);
  }
  return text;
}

/// After the last dim, all sizes have appeared. A product is a size where it is
/// written, and not before, so that sizes after it are mentioned after it.
std::string SourcePrinter::printDim(const Affine &dim, bool isLast) {
  size_t end = isLast ? def.symbols.size() : 0, product = def.symbols.size();
  std::vector<std::string> names, present, after;
  std::function<void(const Affine &)> add = [&](const Affine &value) {
    for (const Affine::SymbolTerm &term : value.getSymbolTerms()) {
      present.push_back(sizeNames[term.id.value]);
      end = std::max<size_t>(end, term.id.value + 1);
      if (!def[term.id].product.empty())
        product = std::min<size_t>(product, term.id.value);
      for (const Affine &factor : def[term.id].product)
        add(factor);
      if (const auto &quotient = def[term.id].quotient)
        add(quotient->numerator);
      for (const Affine &least : def[term.id].minimum)
        add(least);
    }
  };
  add(dim);
  for (; nextSize < end; ++nextSize)
    if (def.symbols[nextSize].isDynamic() &&
        def.symbols[nextSize].product.empty())
      (nextSize < product ? names : after).push_back(sizeNames[nextSize]);
  std::string text = mention(names, present) + str(dim);
  for (const std::string &name : after)
    if (!llvm::is_contained(present, name))
      text += " + 0*" + name;
  return text;
}

std::string SourcePrinter::introduceIndices(const Affine &subscript) {
  size_t end = 0;
  std::vector<std::string> names, present;
  for (const Affine::IndexTerm &term : subscript.getIndexTerms()) {
    present.push_back(indexNames[term.id.value]);
    end = std::max<size_t>(end, term.id.value + 1);
  }
  for (; nextIndex < end; ++nextIndex)
    names.push_back(indexNames[nextIndex]);
  return mention(names, present);
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

void SourcePrinter::printDef() {
  // Sizes that were never printed have to be before the last dim is.
  const Tensor *last = nullptr;
  for (ArrayRef<TensorId> ids : {ArrayRef(def.params), ArrayRef(def.results)})
    for (TensorId id : ids)
      if (!def[id].isInferred && !def[id].dims.empty())
        last = &def[id];

  os << (def.isPublic ? "def " : "private def ") << def.name << '(';
  auto printAll = [&](ArrayRef<TensorId> ids) {
    llvm::interleaveComma(
        ids, os, [&](TensorId id) { print(def[id], &def[id] == last); });
  };
  printAll(def.params);
  os << ") -> (";
  printAll(def.results);
  os << ") {\n";
  for (size_t i = 0, e = def.statements.size(); i != e; ++i) {
    const Statement &statement = def.statements[i];
    if (statement.namedOp) {
      size_t last = i + statement.namedOp->numStatements - 1;
      if (isCallable(*statement.namedOp, def.statements[last])) {
        printCall(*statement.namedOp, def.statements[last]);
        i = last;
        continue;
      }
    }
    print(statement);
  }
  os << "}\n";
}

void SourcePrinter::print(const Tensor &tensor, bool isLast) {
  // Without a type it is continued by a statement, which makes it inout.
  if (tensor.role == TensorRole::InOut && !tensor.isInferred)
    os << "inout ";
  os << tensor.name;
  if (!tensor.isInferred)
    printType(tensor, isLast);
}

void SourcePrinter::printType(const Tensor &tensor, bool isLast) {
  os << ": " << getSpelling(tensor.type);
  if (tensor.dims.empty())
    return;
  os << '(';
  llvm::interleaveComma(tensor.dims, os, [&](const Affine &dim) {
    os << printDim(dim, isLast && &dim == &tensor.dims.back());
  });
  os << ')';
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The types that decide what the statement computes in: those of accesses and
/// casts, and of literals that are printed with theirs.
void SourcePrinter::collectTypes(ExprId id, SmallVectorImpl<ElementType> &types,
                                 bool &hasLiteral) const {
  const Expr &expr = def[id];
  switch (expr.kind) {
  case ExprKind::Literal:
    if (expr.type != computeType)
      types.push_back(expr.type);
    hasLiteral |= expr.type == computeType;
    return;
  case ExprKind::Access:
  case ExprKind::Gather:
  case ExprKind::Position:
  case ExprKind::Reshape:
  case ExprKind::Cast:
    types.push_back(expr.type);
    return;
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Select:
    if (def.convertsType(expr)) {
      types.push_back(expr.type);
      return;
    }
    collectTypes(expr.lhs, types, hasLiteral);
    if (expr.rhs.isValid())
      collectTypes(expr.rhs, types, hasLiteral);
    return;
  }
}

/// The literals that a cast or its like is round: the operand's type is decided
/// by itself.
void SourcePrinter::collectCast(ExprId id, bool isInCast) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Literal && isInCast)
    inCasts.insert(&expr);
  isInCast |= def.convertsType(expr) || expr.kind == ExprKind::Gather;
  for (ExprId operand : expr.getOperands())
    collectCast(operand, isInCast || operand == expr.condition);
}

/// Whether the statement has to say what it accumulates in; sets hasSuffixes
/// if literals can.
bool SourcePrinter::decideAccumulator(const Statement &statement) {
  const Tensor &target = def[statement.target];
  bool isFirst = firstWritten.insert(statement.target.value).second;
  hasSuffixes = false;
  if (!target.isInferred || !isFirst)
    return computeType != getAccumulator(target.type);
  SmallVector<ElementType> types;
  bool hasLiteral = false;
  collectTypes(statement.value, types, hasLiteral);
  std::optional<ElementType> joined;
  if (!types.empty())
    joined = joinTypes(types);
  if (joined && getAccumulator(*joined) == computeType)
    return false;
  hasSuffixes = hasLiteral && getAccumulator(computeType) == computeType;
  return !hasSuffixes;
}

/// Whether the indices cannot be named in a comprehension as they are called.
bool SourcePrinter::hasLabels(const Statement &statement) {
  return llvm::any_of(statement.indices, [&](const Index &index) {
    return index.isLabel &&
           (!isIdentifier(index.name) || names.isDynamicSize(index.name) ||
            names.isScalar(index.name));
  });
}

/// Whether it can be an einsum, and has to be.
bool SourcePrinter::needsEinsum(const Statement &statement) {
  if (statement.groups.empty() && !hasLabels(statement))
    return false;
  std::optional<std::vector<ProductFactor>> factors =
      def.getProductFactors(statement);
  auto isIndex = [](const Affine &subscript) {
    return subscript.getSingleIndex().has_value();
  };
  return factors && llvm::all_of(*factors, [&](ProductFactor factor) {
           return llvm::all_of(def[factor.access].subscripts, isIndex);
         });
}

void SourcePrinter::printTarget(const Statement &statement) {
  const Tensor &target = def[statement.target];
  bool isDeclaration = target.role == TensorRole::Temporary &&
                       written.insert(statement.target.value).second;
  os << "  " << (isDeclaration ? "let " : "") << target.name;
  if (isDeclaration && !target.isInferred)
    printType(target, /*isLast=*/false);
}

void SourcePrinter::print(const Statement &statement) {
  indexNames.clear();
  for (size_t i = 0, e = statement.indices.size(); i != e; ++i)
    indexNames.push_back(names.getNameBesideSizes(statement, IndexId(i)));
  bool isEinsum = needsEinsum(statement);
  if (!isEinsum && hasLabels(statement))
    renameLabels();
  nextIndex = statement.targetIndices.size();
  computeType = statement.computeType;
  inCasts.clear();
  collectCast(statement.value, /*isInCast=*/false);
  if (statement.condition.isValid())
    collectCast(statement.condition, /*isInCast=*/true);
  if (statement.isInOrder())
    collectCast(statement.written, /*isInCast=*/true);
  bool saysAccumulator = decideAccumulator(statement);

  printTarget(statement);
  if (const Expr *reshape = def.getReshape(statement))
    printReshape(statement, *reshape);
  else if (isEinsum)
    printEinsum(statement);
  else
    printComprehension(statement);
  if (saysAccumulator)
    os << " acc = " << getSpelling(computeType);
  printClauses(statement);
  os << '\n';
}

/// Whether a call of the op would be read as one, and as this one.
bool SourcePrinter::isCallable(const NamedOp &op, const Statement &last) {
  if (names.isTaken(op.name) || !last.slice.empty() || last.isDiagonal() ||
      last.isInOrder())
    return false;
  bool isDefined = llvm::any_of(
      program.defs, [&](const Def &other) { return other.name == op.name; });
  // What has a type of its own cannot be said of a number.
  bool isExact = llvm::all_of(op.inputs, [&](const NamedOp::Input &input) {
    return input.tensor.isValid() ||
           llvm::all_of(op.generics, [&](const NamedOp::Generic &generic) {
             return generic.type == def[last.target].type;
           });
  });
  // A function of numbers is none of tensors.
  bool hasDims = llvm::any_of(op.inputs, [&](const NamedOp::Input &input) {
    return input.tensor.isValid() && !def[input.tensor].dims.empty();
  });
  return !isDefined && isExact && (hasDims || !isFunction(op.name));
}

void SourcePrinter::printCall(const NamedOp &op, const Statement &last) {
  printTarget(last);
  firstWritten.insert(last.target.value);
  os << " = " << op.name << '(';
  StringRef separator;
  auto startArgument = [&]() -> raw_ostream & {
    return os << std::exchange(separator, ", ");
  };
  if (const NamedOp::Attribute *maps = op.findAttribute("maps"))
    startArgument() << '"' << maps->function << '"';
  for (const NamedOp::Input &input : op.inputs)
    startArgument() << (input.tensor.isValid() ? def[input.tensor].name
                                               : input.literal);
  for (const NamedOp::Attribute &attribute : op.attributes) {
    bool isDefault = attribute.name == "maps" || attribute.function == "cast" ||
                     (attribute.function.empty() && attribute.values.empty());
    if (isDefault)
      continue;
    startArgument() << attribute.name << '=' << attribute.function;
    if (attribute.values.size() == 1)
      os << attribute.values[0];
    if (attribute.values.size() < 2)
      continue;
    os << '[';
    llvm::interleaveComma(attribute.values, os);
    os << ']';
  }
  // The accumulator's, where the target's type would say another.
  for (const NamedOp::Generic &generic : op.generics)
    if (generic.name == "U" && getAccumulator(generic.type) != generic.type)
      startArgument() << "U=" << getSpelling(generic.type);
  os << ")\n";
}

void SourcePrinter::renameLabels() {
  std::string prefix = "x";
  for (size_t i = 0; i != indexNames.size(); ++i)
    while (names.isTaken(prefix + std::to_string(i)))
      prefix += "_";
  for (size_t i = 0; i != indexNames.size(); ++i)
    indexNames[i] = prefix + std::to_string(i);
}

void SourcePrinter::printComprehension(const Statement &statement) {
  if (statement.isInOrder()) {
    os << '(';
    llvm::interleaveComma(def[statement.written].places, os, [&](ExprId place) {
      const Expr &expr = def[place];
      if (expr.kind != ExprKind::Position)
        return printNode(place);
      const Affine &subscript = expr.subscripts.front();
      os << introduceIndices(subscript) << str(subscript);
    });
    os << ')';
  }
  if (!statement.targetIndices.empty()) {
    os << '(';
    llvm::interleaveComma(
        llvm::seq<size_t>(0, statement.targetIndices.size()), os,
        [&](size_t dim) { os << str(statement.getTargetSubscript(dim)); });
    os << ')';
  }
  os << ' ' << getSpelling(statement.update)
     << (statement.fromIdentity ? "! " : " ");
  printNode(statement.value);
}

/// Indices whose range is given run from 0 now.
void SourcePrinter::printClauses(const Statement &statement) {
  StringRef separator = " where ";
  auto startClause = [&]() -> raw_ostream & {
    return os << std::exchange(separator, ", ");
  };
  for (const ExistsClause &exists : statement.exists) {
    startClause() << "exists ";
    printAccess(exists.tensor, exists.subscripts);
  }
  for (IndexId id : statement.nonEmpty)
    startClause() << "exists " << indexNames[id.value];
  if (statement.condition.isValid()) {
    startClause();
    printNode(statement.condition);
  }
  for (auto [name, index] : llvm::zip(indexNames, statement.indices))
    if (index.isGiven)
      startClause() << name << " in 0:" << str(index.extent);
}

void SourcePrinter::printNode(ExprId id) {
  printExpr(os, def, id, [&](const Expr &leaf) { printLeaf(leaf); });
}

/// An index, a size, or what is linear in sizes: numbers of type index.
void SourcePrinter::printPosition(const Affine &value) {
  if (value.isConstant())
    os << value.getConstant() << getSpelling(ElementType::Index);
  else if (value.getSingleIndex() || value.getSingleSymbol())
    os << introduceIndices(value) << str(value);
  else
    os << '(' << str(value) << ')';
}

void SourcePrinter::printLeaf(const Expr &expr) {
  if (expr.kind == ExprKind::Literal) {
    if (!expr.spelling.empty())
      os << expr.spelling;
    else if (isFloat(getPartType(expr.type)))
      os << printLiteral(expr.literal, getPartType(expr.type));
    else
      printInteger(os, expr);
    if (hasSuffixes || expr.type != computeType || inCasts.count(&expr))
      os << getSpelling(expr.type);
    return;
  }
  if (expr.kind == ExprKind::Position) {
    printPosition(expr.subscripts[0]);
    return;
  }
  printAccess(expr.tensor, expr.subscripts);
}

void SourcePrinter::printAccess(TensorId tensor, ArrayRef<Affine> subscripts) {
  os << def[tensor].name;
  if (subscripts.empty())
    return;
  os << '(';
  llvm::interleaveComma(subscripts, os, [&](const Affine &subscript) {
    os << introduceIndices(subscript) << str(subscript);
  });
  os << ')';
}

/// With letters for labels if all have one, else with words.
void SourcePrinter::printEinsum(const Statement &statement) {
  bool hasWords = llvm::any_of(statement.indices, [](const Index &index) {
    return decodeCharacter(index.name).length != index.name.size();
  });
  auto printLabels = [&](ArrayRef<IndexId> indices) {
    llvm::interleave(
        indices, os,
        [&](IndexId id) { os << statement.indices[id.value].name; },
        hasWords ? " " : "");
  };
  std::vector<ProductFactor> factors = *def.getProductFactors(statement);
  std::function<void(unsigned)> printMember = [&](unsigned member) {
    if (member < factors.size()) {
      SmallVector<IndexId> labels;
      for (const Affine &subscript : def[factors[member].access].subscripts)
        labels.push_back(*subscript.getSingleIndex());
      return printLabels(labels);
    }
    os << '(';
    llvm::interleave(statement.groups[member - factors.size()], os, printMember,
                     ",");
    os << ')';
  };
  os << " = einsum(\"";
  llvm::interleave(getOutermostMembers(statement.groups, factors.size()), os,
                   printMember, ",");
  os << "->";
  printLabels(statement.targetIndices);
  os << '"';
  for (ProductFactor factor : factors)
    os << ", " << def[def[factor.access].tensor].name;
  os << (hasWords ? ", labels=words)" : ")");
}

/// As an einsum of one operand; what the labels are called does not matter.
void SourcePrinter::printReshape(const Statement &statement,
                                 const Expr &reshape) {
  size_t numLabels =
      std::accumulate(reshape.spans.begin(), reshape.spans.end(), size_t(0));
  bool hasWords = numLabels > 26;
  auto getLabel = [&](size_t number) {
    return hasWords ? "x" + std::to_string(number)
                    : std::string(1, static_cast<char>('a' + number));
  };
  std::string fine, coarse;
  size_t next = 0;
  for (unsigned span : reshape.spans) {
    coarse += (coarse.empty() ? "" : " ");
    coarse += span == 1 ? "" : "(";
    for (unsigned i = 0; i != span; ++i, ++next) {
      fine += (fine.empty() ? "" : " ") + getLabel(next);
      coarse += (i == 0 ? "" : " ") + getLabel(next);
    }
    coarse += span == 1 ? "" : ")";
  }
  bool splits = statement.indices.size() == numLabels;
  os << " = einsum(\"" << (splits ? coarse : fine) << " -> "
     << (splits ? fine : coarse) << "\", " << def[reshape.tensor].name
     << (hasWords ? ", labels=words)" : ")");
}

} // namespace

void printSource(raw_ostream &os, const Program &program) {
  for (const Def &def : program.defs) {
    if (&def != &program.defs.front())
      os << '\n';
    SourcePrinter(os, program, def).printDef();
  }
}

} // namespace ein
