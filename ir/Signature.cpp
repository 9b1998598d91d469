//===- Signature.cpp - What a function's arguments mean -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Signature.h"
#include "frontend/program/Program.h"
#include "ir/EinDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace ein {

SmallVector<unsigned> getSymbolPositions(const Def &def) {
  SmallVector<unsigned> positions;
  unsigned next = 0;
  for (const Symbol &symbol : def.symbols)
    positions.push_back(symbol.isDynamic() ? next++ : 0);
  for (auto [position, symbol] : llvm::zip_equal(positions, def.symbols))
    if (!symbol.minimum.empty())
      position = next++;
  for (auto [position, symbol] : llvm::zip_equal(positions, def.symbols))
    if (symbol.scalar.isValid())
      position = next++;
  return positions;
}

AffineExpr toAffineExpr(const Def &def, const Affine &affine,
                        ArrayRef<unsigned> symbolPositions,
                        MLIRContext *context) {
  AffineExpr expr = getAffineConstantExpr(affine.getConstant(), context);
  for (const Affine::SymbolTerm &term : affine.getSymbolTerms()) {
    const std::optional<Symbol::Quotient> &quotient = def[term.id].quotient;
    AffineExpr value =
        quotient
            ? toAffineExpr(def, quotient->numerator, symbolPositions, context)
                  .floorDiv(quotient->divisor)
            : getAffineSymbolExpr(symbolPositions[term.id.value], context);
    expr = expr + value * term.coefficient;
  }
  return expr;
}

Signature makeSignature(const Def &def, MLIRContext *context) {
  Signature signature;
  signature.hasStatus = def.hasDataChecks();
  for (const Symbol &symbol : def.symbols)
    if (symbol.isDynamic())
      signature.symbols.push_back(symbol.name);
  for (const Symbol &symbol : def.symbols)
    if (symbol.scalar.isValid())
      signature.scalars.push_back(llvm::find(def.params, symbol.scalar) -
                                  def.params.begin());

  SmallVector<unsigned> positions = getSymbolPositions(def);
  auto makeMap = [&](ArrayRef<Affine> affines, size_t numValues) -> AffineMap {
    SmallVector<AffineExpr> exprs;
    for (const Affine &affine : affines)
      exprs.push_back(toAffineExpr(def, affine, positions, context));
    return AffineMap::get(0, numValues, exprs, context);
  };

  for (const Symbol &symbol : def.symbols)
    if (!symbol.minimum.empty())
      signature.minima.push_back(
          makeMap(symbol.minimum, signature.getNumSizes()));

  for (const std::vector<TensorId> *ids : {&def.params, &def.results})
    for (TensorId id : *ids) {
      const Tensor &tensor = def[id];
      signature.arguments.push_back(
          {tensor.name, tensor.role, tensor.type,
           makeMap(tensor.dims, signature.getNumSizes())});
    }
  size_t numChecked = signature.getNumChecked();
  for (const SizeCheck &check : def.checks)
    signature.checks.push_back({check.kind, makeMap(check.expr, numChecked),
                                makeMap(check.unlessEmpty, numChecked),
                                makeMap(check.factors, numChecked)});
  return signature;
}

//===----------------------------------------------------------------------===//
// As an attribute
//===----------------------------------------------------------------------===//

static StringRef getName(TensorRole role) {
  switch (role) {
  case TensorRole::Input:
    return "input";
  case TensorRole::Output:
    return "output";
  case TensorRole::InOut:
    return "inout";
  case TensorRole::Temporary:
    break;
  }
  llvm_unreachable("temporaries are not arguments");
}

static StringRef getName(SizeCheck::Kind kind) {
  switch (kind) {
  case SizeCheck::Equal:
    return "equal";
  case SizeCheck::NonNegativeExtent:
    return "extent";
  case SizeCheck::InBounds:
    return "in_bounds";
  case SizeCheck::Product:
    return "product";
  }
  llvm_unreachable("unknown check");
}

DictionaryAttr Signature::toAttr(MLIRContext *context) const {
  Builder b(context);
  SmallVector<Attribute> argumentAttrs, checkAttrs;
  SmallVector<StringRef> symbolNames(symbols.begin(), symbols.end());
  for (const Argument &argument : arguments)
    argumentAttrs.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("name", b.getStringAttr(argument.name)),
         b.getNamedAttr("role", b.getStringAttr(getName(argument.role))),
         b.getNamedAttr("type", b.getStringAttr(getSpelling(argument.type))),
         b.getNamedAttr("dims", AffineMapAttr::get(argument.dims))}));
  for (const Check &check : checks) {
    bool isProduct = check.kind == SizeCheck::Product;
    checkAttrs.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("kind", b.getStringAttr(getName(check.kind))),
         b.getNamedAttr("expr", AffineMapAttr::get(check.expr)),
         isProduct
             ? b.getNamedAttr("factors", AffineMapAttr::get(check.factors))
             : b.getNamedAttr("unless_empty",
                              AffineMapAttr::get(check.unlessEmpty))}));
  }
  SmallVector<NamedAttribute> entries = {
      b.getNamedAttr("arguments", b.getArrayAttr(argumentAttrs)),
      b.getNamedAttr("symbols", b.getStrArrayAttr(symbolNames)),
      b.getNamedAttr("checks", b.getArrayAttr(checkAttrs))};
  if (hasStatus)
    entries.push_back(b.getNamedAttr("status", b.getUnitAttr()));
  if (!minima.empty())
    entries.push_back(
        b.getNamedAttr("minima", b.getAffineMapArrayAttr(minima)));
  if (!scalars.empty())
    entries.push_back(b.getNamedAttr(
        "scalars",
        b.getDenseI64ArrayAttr(llvm::to_vector_of<int64_t>(scalars))));
  return b.getDictionaryAttr(entries);
}

/// Sums, and products, quotients and remainders by constants.
static bool isSize(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  if (binary.getKind() == AffineExprKind::Add)
    return isSize(binary.getLHS()) && isSize(binary.getRHS());
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  bool isDivision = binary.getKind() == AffineExprKind::FloorDiv ||
                    binary.getKind() == AffineExprKind::Mod;
  return isSize(binary.getLHS()) && constant &&
         (binary.getKind() == AffineExprKind::Mul ||
          (isDivision && constant.getValue() > 0));
}

/// The map if sizes are like that, and it has no dims and one symbol per size.
static AffineMap getMap(Attribute of, size_t numSymbols) {
  auto attr = dyn_cast_if_present<AffineMapAttr>(of);
  if (!attr || attr.getValue().getNumDims() != 0 ||
      attr.getValue().getNumSymbols() != numSymbols ||
      !llvm::all_of(attr.getValue().getResults(), isSize))
    return AffineMap();
  return attr.getValue();
}

static AffineMap getMap(DictionaryAttr dict, StringRef key, size_t numSymbols) {
  return getMap(dict.get(key), numSymbols);
}

static LogicalResult parseMinima(DictionaryAttr dict, Signature &signature) {
  Attribute attr = dict.get("minima");
  auto maps = dyn_cast_if_present<ArrayAttr>(attr);
  if (!maps)
    return success(!attr);
  for (Attribute map : maps) {
    AffineMap minimum = getMap(map, signature.getNumSizes());
    if (!minimum || minimum.getNumResults() < 2)
      return failure();
    signature.minima.push_back(minimum);
  }
  return success();
}

static std::optional<Argument> parseArgument(Attribute attr,
                                             size_t numSymbols) {
  auto dict = dyn_cast<DictionaryAttr>(attr);
  if (!dict)
    return std::nullopt;
  auto name = dict.getAs<StringAttr>("name");
  auto role = dict.getAs<StringAttr>("role");
  auto type = dict.getAs<StringAttr>("type");
  AffineMap dims = getMap(dict, "dims", numSymbols);
  if (!name || !role || !type || !dims)
    return std::nullopt;
  auto parsedRole = llvm::StringSwitch<std::optional<TensorRole>>(role)
                        .Case("input", TensorRole::Input)
                        .Case("output", TensorRole::Output)
                        .Case("inout", TensorRole::InOut)
                        .Default(std::nullopt);
  std::optional<ElementType> parsedType = parseElementType(type);
  if (!parsedRole || !parsedType)
    return std::nullopt;
  return Argument{name.str(), *parsedRole, *parsedType, dims};
}

static std::optional<Check> parseCheck(Attribute attr, size_t numSymbols) {
  auto dict = dyn_cast<DictionaryAttr>(attr);
  auto kind = dict ? dict.getAs<StringAttr>("kind") : StringAttr();
  if (!kind)
    return std::nullopt;
  auto parsedKind = llvm::StringSwitch<std::optional<SizeCheck::Kind>>(kind)
                        .Case("equal", SizeCheck::Equal)
                        .Case("extent", SizeCheck::NonNegativeExtent)
                        .Case("in_bounds", SizeCheck::InBounds)
                        .Case("product", SizeCheck::Product)
                        .Default(std::nullopt);
  if (!parsedKind)
    return std::nullopt;
  bool isProduct = *parsedKind == SizeCheck::Product;
  AffineMap expr = getMap(dict, "expr", numSymbols);
  AffineMap others =
      getMap(dict, isProduct ? "factors" : "unless_empty", numSymbols);
  if (!expr || expr.getNumResults() != 1 || !others ||
      (isProduct && others.getNumResults() == 0))
    return std::nullopt;
  AffineMap none = AffineMap::get(0, numSymbols, attr.getContext());
  return Check{*parsedKind, expr, isProduct ? none : others,
               isProduct ? others : none};
}

FailureOr<Signature> Signature::fromOp(Operation *function) {
  auto malformed = [&]() {
    return function->emitError("has a malformed `")
           << EinDialect::kSignatureAttr << "`";
  };
  auto dict =
      function->getAttrOfType<DictionaryAttr>(EinDialect::kSignatureAttr);
  if (!dict)
    return function->emitError("has no `") << EinDialect::kSignatureAttr << "`";
  auto argumentAttrs = dict.getAs<ArrayAttr>("arguments");
  auto symbolAttrs = dict.getAs<ArrayAttr>("symbols");
  auto checkAttrs = dict.getAs<ArrayAttr>("checks");
  if (!argumentAttrs || !symbolAttrs || !checkAttrs)
    return malformed();

  Signature signature;
  signature.hasStatus = dict.contains("status");
  for (Attribute attr : symbolAttrs) {
    auto name = dyn_cast<StringAttr>(attr);
    if (!name)
      return malformed();
    signature.symbols.push_back(name.str());
  }
  if (failed(parseMinima(dict, signature)))
    return malformed();
  for (Attribute attr : argumentAttrs) {
    std::optional<Argument> argument =
        parseArgument(attr, signature.getNumSizes());
    if (!argument)
      return malformed();
    signature.arguments.push_back(*argument);
  }
  if (dict.contains("scalars")) {
    auto scalars = dict.getAs<DenseI64ArrayAttr>("scalars");
    if (!scalars)
      return malformed();
    for (int64_t position : scalars.asArrayRef()) {
      if (position < 0 ||
          position >= static_cast<int64_t>(signature.arguments.size()) ||
          !signature.arguments[position].isScalar() ||
          !isInteger(signature.arguments[position].type))
        return malformed();
      signature.scalars.push_back(position);
    }
  }
  for (Attribute attr : checkAttrs) {
    std::optional<Check> check = parseCheck(attr, signature.getNumChecked());
    if (!check)
      return malformed();
    signature.checks.push_back(*check);
  }
  return signature;
}

/// Whether values of this type are what the argument says.
static bool isType(Type type, const Argument &argument) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (argument.isScalar() != !shaped ||
      (shaped && shaped.getRank() != argument.dims.getNumResults()))
    return false;
  for (unsigned dim = 0; shaped && dim < shaped.getRank(); ++dim) {
    auto extent = dyn_cast<AffineConstantExpr>(argument.dims.getResult(dim));
    if (!shaped.isDynamicDim(dim) &&
        !(extent && extent.getValue() == shaped.getDimSize(dim)))
      return false;
  }
  Type element = getElementTypeOrSelf(type);
  auto complex = dyn_cast<ComplexType>(element);
  if (isComplex(argument.type) != bool(complex))
    return false;
  Type part = complex ? complex.getElementType() : element;
  return part.getIntOrFloatBitWidth() ==
         getBitWidth(getPartType(argument.type));
}

LogicalResult checkSignature(FunctionOpInterface function) {
  FailureOr<Signature> signature = Signature::fromOp(function);
  if (failed(signature))
    return failure();
  ArrayRef<Type> types = function.getArgumentTypes();
  size_t numArguments = signature->arguments.size();
  // The status is between the arguments and the sizes.
  unsigned hasStatus = signature->hasStatus;
  bool isGood =
      types.size() == numArguments + hasStatus + signature->symbols.size();
  unsigned numDestinations = 0;
  for (size_t i = 0; isGood && i < types.size(); ++i) {
    if (hasStatus && i == numArguments) {
      isGood = isa<ShapedType>(types[i]);
      numDestinations += isa<TensorType>(types[i]);
      continue;
    }
    if (i >= numArguments) {
      isGood = types[i].isIndex();
      continue;
    }
    Type element = getElementTypeOrSelf(types[i]);
    isGood = (element.isIntOrFloat() || element.isIndex() ||
              isa<ComplexType>(element)) &&
             (element.isIndex() || isType(types[i], signature->arguments[i]));
    numDestinations +=
        signature->arguments[i].isWritten() && isa<TensorType>(types[i]);
  }
  if (!isGood || function.getNumResults() != numDestinations)
    return function->emitError("does not have the type that its `")
           << EinDialect::kSignatureAttr << "` implies";
  return success();
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

static void add(runtime::Dim &sum, const runtime::Dim &dim, int64_t factor) {
  sum.constant += dim.constant * factor;
  for (auto [symbol, coefficient] : dim.terms) {
    auto found = llvm::find_if(
        sum.terms, [id = symbol](auto &term) { return term.first == id; });
    if (found == sum.terms.end())
      sum.terms.push_back({symbol, coefficient * factor});
    else if ((found->second += coefficient * factor) == 0)
      sum.terms.erase(found);
  }
  for (runtime::Quotient quotient : dim.quotients) {
    quotient.coefficient *= factor;
    sum.quotients.push_back(std::move(quotient));
  }
  for (runtime::Minimum minimum : dim.minima) {
    minimum.coefficient *= factor;
    sum.minima.push_back(std::move(minimum));
  }
}

static runtime::Dim toDim(const Signature &signature, AffineExpr expr);

/// Of a map's results. The terms are over sizes, and over scalars behind them.
static std::vector<runtime::Dim> toDims(const Signature &signature,
                                        AffineMap map) {
  std::vector<runtime::Dim> dims;
  for (AffineExpr expr : map.getResults()) {
    dims.push_back(toDim(signature, expr));
    llvm::sort(dims.back().terms);
  }
  return dims;
}

static runtime::Dim toDim(const Signature &signature, AffineExpr expr) {
  runtime::Dim dim;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    dim.constant = constant.getValue();
    return dim;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    size_t position = symbol.getPosition(), first = signature.symbols.size(),
           numMinima = signature.minima.size();
    if (position < first)
      dim.terms.push_back({position, 1});
    else if (position < first + numMinima)
      dim.minima.push_back(
          {toDims(signature, signature.minima[position - first]), 1});
    else
      dim.terms.push_back({position - numMinima, 1});
    return dim;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  dim = toDim(signature, binary.getLHS());
  runtime::Dim rhs = toDim(signature, binary.getRHS()), result;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    add(dim, rhs, 1);
    return dim;
  case AffineExprKind::Mul:
    add(result, dim, rhs.constant);
    return result;
  case AffineExprKind::FloorDiv:
    result.quotients.push_back({std::move(dim), rhs.constant, 1});
    return result;
  default: // x mod c is x - c * floor(x / c)
    result = dim;
    result.quotients.push_back({std::move(dim), rhs.constant, -rhs.constant});
    return result;
  }
}

std::vector<std::string> Signature::getSizeNames() const {
  std::vector<std::string> names = symbols;
  for (unsigned i = 0, e = minima.size(); i < e; ++i)
    names.push_back(runtime::print(
        toDim(*this,
              getAffineSymbolExpr(symbols.size() + i, minima[i].getContext())),
        symbols));
  return names;
}

SmallVector<unsigned>
Signature::getDestinations(FunctionOpInterface function) const {
  SmallVector<unsigned> positions;
  auto add = [&](unsigned position) {
    if (position < function.getNumArguments() &&
        isa<TensorType>(function.getArgument(position).getType()))
      positions.push_back(position);
  };
  for (auto [position, argument] : llvm::enumerate(arguments))
    if (argument.isWritten())
      add(position);
  if (hasStatus)
    add(arguments.size());
  return positions;
}

runtime::Signature Signature::toRuntime(StringRef name) const {
  runtime::Signature result;
  result.name = name.str();
  result.symbols = symbols;
  for (const Argument &argument : arguments) {
    runtime::Argument converted;
    converted.name = argument.name;
    converted.role = argument.role == TensorRole::Input ? runtime::Role::Input
                     : argument.role == TensorRole::Output
                         ? runtime::Role::Output
                         : runtime::Role::InOut;
    // Both enumerations come from ElementTypes.def.
    converted.type = static_cast<runtime::DType>(argument.type);
    converted.dims = toDims(*this, argument.dims);
    result.arguments.push_back(converted);
  }
  for (const Check &check : checks)
    if (check.kind == SizeCheck::Product)
      result.products.push_back(
          {toDims(*this, check.expr).front(), toDims(*this, check.factors)});
  return result;
}

std::vector<std::string> Signature::describeChecks() const {
  std::vector<std::string> texts, names = symbols;
  for (unsigned position : scalars)
    names.push_back(arguments[position].name);
  for (const Check &check : checks) {
    std::string text = runtime::print(toDims(*this, check.expr).front(), names);
    if (check.kind == SizeCheck::Product)
      text += " == " + runtime::print(toDims(*this, check.factors), names);
    else
      text += check.kind == SizeCheck::Equal ? " == 0" : " >= 0";
    std::vector<runtime::Dim> extents = toDims(*this, check.unlessEmpty);
    for (const runtime::Dim &extent : extents)
      text +=
          (&extent == extents.data() ? ", unless one of these is 0: " : ", ") +
          runtime::print(extent, names);
    texts.push_back(text);
  }
  return texts;
}

} // namespace ein
