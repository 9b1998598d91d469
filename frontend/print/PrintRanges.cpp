//===- PrintRanges.cpp - Inferred ranges, and why -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Ranges.h"
#include "frontend/print/Printer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {
namespace {

class RangesPrinter {
public:
  RangesPrinter(raw_ostream &os, const Def &def) : os(os), def(def) {}

  void printDef();
  /// Without an indent, or a line break.
  void printIndex(const Statement &statement, const Index &index);

private:
  void print(const Statement &statement);
  void printBound(const Statement &statement, TensorId id, size_t dim,
                  const Affine &subscript);
  void printBounds(const Statement &statement, ExprId id);
  void printOrigin(const Statement &statement, const RangeOrigin &origin);
  void print(const SizeCheck &check);
  std::string str(const Statement &statement, const Affine &expr) const {
    return expr.str(
        [&](IndexId id) { return StringRef(statement.indices[id.value].name); },
        [&](SymbolId id) { return StringRef(def[id].name); });
  }
  std::string str(const Affine &expr) const {
    return expr.str([](IndexId) { return StringRef("?"); },
                    [&](SymbolId id) { return StringRef(def[id].name); });
  }

  raw_ostream &os;
  const Def &def;
};

void RangesPrinter::printDef() {
  os << "def " << def.name << '\n';
  for (const Statement &statement : def.statements)
    print(statement);
  if (def.checks.empty())
    return;
  os << "  checked when it runs:\n";
  for (const SizeCheck &check : def.checks)
    print(check);
}

void RangesPrinter::print(const Statement &statement) {
  os << "  ";
  printStatement(os, def, statement);
  os << '\n';
  for (const Index &index : statement.indices) {
    os << "    ";
    printIndex(statement, index);
    os << '\n';
  }
  for (size_t i = 0; i != statement.slice.size(); ++i)
    printBound(statement, statement.target, i, statement.getTargetSubscript(i));
  if (statement.isInOrder())
    for (auto [i, id] : llvm::enumerate(def[statement.written].places))
      if (const Expr &place = def[id]; place.kind == ExprKind::Position)
        printBound(statement, statement.target, i, place.subscripts.front());
  printBounds(statement, statement.value);
  if (statement.condition.isValid())
    printBounds(statement, statement.condition);
  for (const ExistsClause &exists : statement.exists)
    for (auto [i, subscript] : llvm::enumerate(exists.subscripts))
      printBound(statement, exists.tensor, i, subscript);
}

void RangesPrinter::printIndex(const Statement &statement, const Index &index) {
  const RangeOrigin &origin = index.origin;
  os << "0 <= " << index.name << " < " << str(index.extent)
     << (index.isReduction ? ", reduced" : "") << ": ";
  if (index.isGiven && !origin.tensor.isValid()) {
    os << "given";
    return;
  }
  if (index.isGiven)
    os << "from `" << str(origin.start) << "` on, ";
  printOrigin(statement, origin);
  for (const RangeOrigin &other : index.otherOrigins) {
    os << ", ";
    printOrigin(statement, other);
  }
}

void RangesPrinter::printOrigin(const Statement &statement,
                                const RangeOrigin &origin) {
  bool isAlone = origin.subscript.getSingleIndex() && origin.divisor == 1;
  os << "`"
     << strQuotient(str(statement, origin.subscript), origin.subscript,
                    origin.divisor)
     << "` " << (isAlone ? "is" : "stays in") << " dim " << origin.dim
     << " of `" << def[origin.tensor].name << "`";
}

/// The extreme values of a subscript that is not an index alone.
void RangesPrinter::printBound(const Statement &statement, TensorId id,
                               size_t dim, const Affine &subscript) {
  std::optional<IndexId> lone = subscript.getSingleIndex();
  if (lone && !statement.indices[lone->value].isGiven)
    return;
  auto getExtent = [&](IndexId index) {
    return statement.indices[index.value].extent;
  };
  const Tensor &tensor = def[id];
  Affine least = getExtreme(subscript, /*isMax=*/false, getExtent);
  Affine most = getExtreme(subscript, /*isMax=*/true, getExtent);
  os << "    ";
  if (least != most)
    os << str(least) << " <= ";
  os << '`' << str(statement, subscript) << '`';
  if (least != most)
    os << " <= " << str(most);
  os << " in dim " << dim << " of `" << tensor.name << "`, of size "
     << str(tensor.dims[dim]) << '\n';
}

void RangesPrinter::printBounds(const Statement &statement, ExprId id) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Access)
    for (auto [dim, subscript] : llvm::enumerate(expr.subscripts))
      printBound(statement, expr.tensor, dim, subscript);
  for (ExprId operand : expr.getOperands())
    printBounds(statement, operand);
}

void RangesPrinter::print(const SizeCheck &check) {
  os << "    " << str(check.expr);
  if (check.kind == SizeCheck::Product)
    os << " == " << describeProduct(def, check.factors);
  else
    os << (check.kind == SizeCheck::Equal ? " == 0" : " >= 0");
  for (const Affine &extent : check.unlessEmpty)
    os << (&extent == check.unlessEmpty.data() ? ", unless 0 in " : ", ")
       << str(extent);
  os << "; " << check.what << '\n';
}

} // namespace

void printIndex(raw_ostream &os, const Def &def, const Statement &statement,
                const Index &index) {
  RangesPrinter(os, def).printIndex(statement, index);
}

void printRanges(raw_ostream &os, const Program &program) {
  for (const Def &def : program.defs)
    RangesPrinter(os, def).printDef();
}

} // namespace ein
