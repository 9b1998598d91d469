//===- PrintRanges.cpp - Inferred ranges, and why -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Printer.h"
#include "frontend/Ranges.h"

using namespace llvm;

namespace ein {
namespace {

class RangesPrinter {
public:
  RangesPrinter(raw_ostream &os, const Def &def) : os(os), def(def) {}

  void printDef();

private:
  void print(const Statement &statement);
  void printIndex(const Statement &statement, const Index &index);
  void printBounds(const Statement &statement, ExprId id);
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
  for (const Index &index : statement.indices)
    printIndex(statement, index);
  printBounds(statement, statement.value);
}

void RangesPrinter::printIndex(const Statement &statement, const Index &index) {
  const RangeOrigin &origin = index.origin;
  os << "    0 <= " << index.name << " < " << str(index.extent)
     << (index.isReduction ? ", reduced" : "") << ": `"
     << str(statement, origin.subscript) << "` "
     << (origin.subscript.getSingleIndex() ? "is" : "stays in") << " dim "
     << origin.dim << " of `" << def[origin.tensor].name << "`\n";
}

/// The extreme values of every subscript that is not an index alone.
void RangesPrinter::printBounds(const Statement &statement, ExprId id) {
  const Expr &expr = def[id];
  size_t numDims = expr.kind == ExprKind::Access ? expr.subscripts.size() : 0;
  for (size_t i = 0; i != numDims; ++i) {
    const Affine &subscript = expr.subscripts[i];
    if (subscript.getSingleIndex())
      continue;
    auto getExtent = [&](IndexId index) {
      return statement.indices[index.value].extent;
    };
    const Tensor &tensor = def[expr.tensor];
    Affine least = getExtreme(subscript, /*isMax=*/false, getExtent);
    Affine most = getExtreme(subscript, /*isMax=*/true, getExtent);
    os << "    ";
    if (least != most)
      os << str(least) << " <= ";
    os << '`' << str(statement, subscript) << '`';
    if (least != most)
      os << " <= " << str(most);
    os << " in dim " << i << " of `" << tensor.name << "`, of size "
       << str(tensor.dims[i]) << '\n';
  }
  for (ExprId operand : expr.getOperands())
    printBounds(statement, operand);
}

void RangesPrinter::print(const SizeCheck &check) {
  os << "    " << str(check.expr)
     << (check.kind == SizeCheck::Equal ? " == 0" : " >= 0");
  for (const Affine &extent : check.unlessEmpty)
    os << (&extent == check.unlessEmpty.data() ? ", unless 0 in " : ", ")
       << str(extent);
  os << "; " << check.what << '\n';
}

} // namespace

void printRanges(raw_ostream &os, const Program &program) {
  for (const Def &def : program.defs)
    RangesPrinter(os, def).printDef();
}

} // namespace ein
