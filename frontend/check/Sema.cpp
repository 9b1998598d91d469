//===- Sema.cpp - A tree to a checked program: defs and signatures --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/OpenRank.h"
#include "frontend/check/Statement.h"
#include "frontend/prelude/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Names, types and dims
//===----------------------------------------------------------------------===//

std::string DefBuilder::makeUnique(StringRef name) {
  unsigned &number = numUnique[name];
  while (true) {
    std::string candidate = name.str();
    if (++number != 1)
      candidate += std::to_string(number);
    if (takenNames.insert(candidate).second)
      return candidate;
  }
}

TensorId DefScope::addTensor(Tensor tensor, TensorState state) {
  TensorId id(def.tensors.size());
  tensors.try_emplace(tensor.name, id);
  if (isCalled())
    tensor.name = builder.makeUnique(calledName + "_" + tensor.name);
  else
    builder.takenNames.insert(tensor.name);
  def.tensors.push_back(std::move(tensor));
  states.push_back(state);
  return id;
}

std::string DefScope::makeTemporaryName(const std::string &name) {
  unsigned &number = numTemporaries[name];
  while (true) {
    std::string candidate = ++number == 1 ? name : name + itostr(number);
    if (!getConstantNoun(candidate) && !tensors.contains(candidate) &&
        !symbols.contains(candidate) && !targets.contains(candidate))
      return candidate;
  }
}

std::optional<TensorId> DefScope::findTensor(StringRef name) const {
  auto found = tensors.find(name);
  if (found == tensors.end())
    return std::nullopt;
  return found->second;
}

Affine DefScope::addSymbol(const ast::Expr &name) {
  SymbolId id(def.symbols.size());
  auto [entry, isNew] = symbols.try_emplace(name.text, Affine(id));
  if (isNew) {
    Symbol symbol = {name.text, std::nullopt, name.range};
    auto binding = options.bindings.find(name.text);
    if (binding != options.bindings.end()) {
      if (binding->second >= 0) {
        symbol.bound = binding->second;
        entry->second = Affine(binding->second);
      } else
        diags.report(DiagId::NegativeBinding, {},
                     {name.text, std::to_string(binding->second)});
    }
    builder.takenNames.insert(name.text);
    def.symbols.push_back(std::move(symbol));
  }
  return entry->second;
}

FailureOr<Affine> DefScope::lowerSize(const ast::Expr &expr) {
  return lowerAffine(expr, "dim",
                     [&](const ast::Expr &name) -> FailureOr<Affine> {
                       auto found = symbols.find(name.text);
                       if (found != symbols.end())
                         return found->second;
                       return reportUnknownSize(name);
                     });
}

LogicalResult DefScope::reportUnknownSize(const ast::Expr &name) {
  DiagnosticBuilder builder =
      diags.report(DiagId::UnknownSize, name.range, {name.text});
  auto names = llvm::to_vector(symbols.keys());
  return builder.didYouMean(name.range, name.text, names);
}

void DefScope::addTargets(const ast::Statement &statement) {
  targets.try_emplace(statement.target.text, statement.target.range);
  ++numWrites[statement.target.text];
  for (const ast::Name &target : statement.moreTargets)
    targets.try_emplace(target.text, target.range);
}

std::optional<ElementType> DefScope::findElementType(StringRef name) const {
  auto generic = generics.find(name);
  return generic != generics.end() ? generic->second : parseElementType(name);
}

FailureOr<ElementType> DefScope::resolveElementType(const ast::Name &name) {
  if (std::optional<ElementType> type = findElementType(name.text))
    return *type;
  DiagnosticBuilder builder =
      diags.report(DiagId::UnknownElementType, name.range, {name.text});
  SmallVector<StringRef> spellings = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY) SPELLING,
#define EIN_ELEMENT_ALIAS(ALIAS, ENUM) ALIAS,
#include "abi/ElementTypes.def"
  };
  llvm::append_range(spellings, generics.keys());
  return builder.didYouMean(name.range, name.text, spellings);
}

/// Over sizes that there are. A call finds out those of the callee later.
bool DefScope::isSize(const Affine &expr) const {
  return expr.getIndexTerms().empty() &&
         llvm::all_of(expr.getSymbolTerms(), [&](const auto &term) {
           return static_cast<size_t>(term.id.value) < def.symbols.size();
         });
}

/// Linear arithmetic: + and -, unary -, and * by something constant; also / and
/// % by something constant, of sizes.
FailureOr<Affine> DefScope::lowerAffine(
    const ast::Expr &expr, StringRef what,
    function_ref<FailureOr<Affine>(const ast::Expr &)> resolve) {
  auto checkOverflow = [&](const Affine &value) -> FailureOr<Affine> {
    if (value.hasOverflowed())
      return diags.report(DiagId::ArithmeticOverflow, expr.range);
    return value;
  };
  switch (expr.kind) {
  case ast::Expr::Kind::Number: {
    int64_t value;
    // It may say that it is of type index.
    StringRef digits = expr.text;
    digits.consume_back(getSpelling(ElementType::Index));
    if (!llvm::all_of(digits, isDigit))
      return diags.report(DiagId::NotAnInteger, expr.range, {what.str()});
    if (digits.getAsInteger(10, value))
      return diags.report(DiagId::IntegerTooLarge, expr.range, {expr.text});
    return Affine(value);
  }
  case ast::Expr::Kind::Name:
    if (isEllipsis(expr))
      return diags.report(DiagId::OpenRank, expr.range);
    if (auto constant = constants.find(expr.text);
        constant != constants.end() && !expr.isLabel)
      return getAffineConstant(constant->second, expr);
    return resolve(expr);
  case ast::Expr::Kind::Element:
    return resolveElement(expr);
  case ast::Expr::Kind::Call:
    if (expr.text == "dim" && !findTensor("dim"))
      return resolveDim(expr);
    [[fallthrough]];
  case ast::Expr::Kind::Cast:
    return diags.report(DiagId::NotSupported, expr.range,
                        {"a " + what.str() + " with a call in it is"});
  case ast::Expr::Kind::Conditional:
  case ast::Expr::Kind::Reduce:
    return diags.report(DiagId::NotLinear, expr.nameRange, {what.str()});
  case ast::Expr::Kind::String:
    return diags.report(DiagId::StringNotAllowed, expr.range);
  case ast::Expr::Kind::List:
    return diags.report(DiagId::NotSupported, expr.range, {"lists are"});
  case ast::Expr::Kind::Unary: {
    if (expr.op != TokenKind::Minus)
      return diags.report(DiagId::NotLinear, expr.nameRange, {what.str()});
    FailureOr<Affine> operand = lowerAffine(*expr.operands[0], what, resolve);
    if (failed(operand))
      return failure();
    return checkOverflow(*operand * -1);
  }
  case ast::Expr::Kind::Binary:
    break;
  }

  FailureOr<Affine> lhs = lowerAffine(*expr.operands[0], what, resolve);
  FailureOr<Affine> rhs = lowerAffine(*expr.operands[1], what, resolve);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (expr.op == TokenKind::Plus)
    return checkOverflow(*lhs + *rhs);
  if (expr.op == TokenKind::Minus)
    return checkOverflow(*lhs - *rhs);
  if (expr.op == TokenKind::Star && rhs->isConstant())
    return checkOverflow(*lhs * rhs->getConstant());
  if (expr.op == TokenKind::Star && lhs->isConstant())
    return checkOverflow(*rhs * lhs->getConstant());
  bool isRemainder = expr.op == TokenKind::Percent;
  if ((expr.op == TokenKind::Slash || isRemainder) && rhs->isConstant() &&
      rhs->getConstant() > 0 && isSize(*lhs)) {
    Affine quotient = checks.divide(*lhs, rhs->getConstant(), expr.range);
    checks.addExtent(quotient,
                     "`" + describe(def, *lhs, /*quote=*/false) +
                         "`, which is divided",
                     expr.range);
    return checkOverflow(isRemainder ? *lhs - quotient * rhs->getConstant()
                                     : quotient);
  }
  DiagnosticBuilder builder =
      diags.report(DiagId::NotLinear, expr.nameRange, {what.str()});
  // A misspelt attribute is taken for a size or an index.
  SmallVector<StringRef> known;
  llvm::append_range(known, constants.keys());
  for (const ast::ExprPtr &operand : expr.operands)
    if (operand->kind == ast::Expr::Kind::Name && operand->text.size() > 2 &&
        !llvm::is_contained(known, operand->text))
      builder.didYouMean(operand->range, operand->text, known);
  return builder;
}

LogicalResult DefScope::checkByteSize(const Tensor &tensor) {
  int64_t size = getBitWidth(tensor.type) / 8;
  bool overflowed = false;
  for (const Affine &dim : tensor.dims) {
    if (dim == Affine(0))
      return success();
    if (dim.isConstant())
      overflowed |=
          static_cast<bool>(MulOverflow(size, dim.getConstant(), size));
  }
  if (overflowed)
    return diags.report(DiagId::TensorTooLarge, tensor.range, {tensor.name});
  return success();
}

LogicalResult DefScope::checkDims(const Tensor &tensor,
                                  ArrayRef<ast::ExprPtr> sources) {
  LogicalResult result = success();
  for (size_t i = 0, e = tensor.dims.size(); i != e; ++i) {
    const Affine &dim = tensor.dims[i];
    if (isNegative(dim))
      result =
          diags.report(DiagId::NegativeDim, sources[i]->range,
                       {std::to_string(i), tensor.name, describe(def, dim)});
    else
      checks.addExtent(dim,
                       "dim " + std::to_string(i) + " of `" + tensor.name + "`",
                       sources[i]->range);
  }
  if (failed(result))
    return failure();
  return checkByteSize(tensor);
}

//===----------------------------------------------------------------------===//
// Defs
//===----------------------------------------------------------------------===//

namespace {

class DefChecker {
public:
  DefChecker(const ast::Def &source, const CheckOptions &options,
             Callees &callees, DiagnosticEngine &diags)
      : source(source), builder(options, callees, diags), scope(builder),
        diags(diags) {
    scope.isImplicit = source.isImplicit;
  }

  Def check();

private:
  void declare(const ast::Param &param, bool isResult);
  void checkNames();
  void checkResults();
  std::optional<TensorId> findUnread() const;
  void warnOfUnread() const;

  const ast::Def &source;
  DefBuilder builder;
  DefScope scope;
  DiagnosticEngine &diags;
};

/// What it returns counts only if no error was reported.
Def DefChecker::check() {
  scope.def.name = source.name.text;
  scope.def.range = source.name.range;
  for (const ast::Generic &generic : source.generics)
    scope.declareGeneric(generic);
  for (const ast::Attribute &attribute : source.attributes)
    scope.declareAttribute(attribute);
  // Dims may name scalars that come later.
  std::vector<const ast::Param *> params;
  for (const ast::Param &param : source.params)
    if (!scope.declareBoundScalar(param))
      params.push_back(&param);
  for (const ast::Param *param : params)
    declare(*param, /*isResult=*/false);
  for (const ast::Param &result : source.results)
    declare(result, /*isResult=*/true);
  checkNames();
  // Beyond this point, only products and quotients of sizes become symbols.

  for (const std::string &name : source.skippedNames)
    scope.skippedNames.insert(name);
  for (const ast::Statement &statement : source.statements)
    scope.addTargets(statement);
  for (const auto &target : scope.targets)
    builder.takenNames.insert(target.getKey());
  for (const ast::Statement &statement : source.statements)
    if (!diags.isFull())
      StatementChecker(scope, statement).check();
  checkResults();
  if (!diags.hasErrors() && !source.isPartial)
    warnOfUnread();
  return std::move(scope.def);
}

void DefChecker::declare(const ast::Param &param, bool isResult) {
  Tensor tensor = {param.name.text,
                   ElementType::F32,
                   TensorRole::Input,
                   {},
                   param.name.range,
                   /*isInferred=*/!param.type.has_value()};
  TensorState state;
  state.isWritten = !isResult || param.isInOut;
  state.hasShape = state.hasType = param.type.has_value();
  if (isResult)
    tensor.role = param.isInOut ? TensorRole::InOut : TensorRole::Output;

  if (std::optional<TensorId> other = scope.findTensor(param.name.text)) {
    diags.report(DiagId::DuplicateTensor, param.name.range, {param.name.text})
        .note(DiagId::FirstHere, scope.def[*other].range);
    return;
  }
  if (param.type) {
    FailureOr<ElementType> type = scope.resolveElementType(param.type->element);
    state.isBroken |= failed(type);
    tensor.type = succeeded(type) ? *type : ElementType::F32;
    tensor.generic = scope.findGeneric(param.type->element.text);
    state.typeEnd = getTypeEnd(*param.type);
    for (const ast::ExprPtr &source : param.type->dims) {
      FailureOr<Affine> dim = scope.lowerAffine(
          *source, "dim", [&](const ast::Expr &name) -> FailureOr<Affine> {
            return scope.addSymbol(name);
          });
      state.isBroken |= failed(dim);
      if (succeeded(dim))
        tensor.dims.push_back(*dim);
    }
    if (!state.isBroken)
      state.isBroken |= failed(scope.checkDims(tensor, param.type->dims));
  }
  TensorId id = scope.addTensor(std::move(tensor), state);
  (isResult ? scope.def.results : scope.def.params).push_back(id);
}

/// A size and a tensor of one name could not both be arguments of the code.
void DefChecker::checkNames() {
  auto report = [&](const std::string &name, SourceRange range) {
    if (scope.generics.count(name) || scope.constants.count(name) ||
        scope.functions.count(name))
      diags.report(DiagId::DuplicateName, range, {name});
  };
  for (const Symbol &symbol : scope.def.symbols)
    report(symbol.name, symbol.range);
  for (const Tensor &tensor : scope.def.tensors)
    report(tensor.name, tensor.range);
  for (const Symbol &symbol : scope.def.symbols)
    if (std::optional<TensorId> tensor = scope.findTensor(symbol.name))
      diags.report(DiagId::SizeAndTensor, symbol.range, {symbol.name})
          .note(DiagId::DeclaredHere, scope.def[*tensor].range, {symbol.name});
}

void DefChecker::checkResults() {
  bool isFirst = true;
  for (TensorId id : scope.def.results) {
    const Tensor &result = scope.def[id];
    if (scope.targets.count(result.name) || scope[id].isBroken ||
        scope.skippedNames.contains(result.name))
      continue;
    DiagnosticBuilder builder =
        diags.report(DiagId::ResultNotWritten, result.range, {result.name});
    // A misspelt result is one, so that the next is another's.
    std::optional<TensorId> other = isFirst ? findUnread() : std::nullopt;
    isFirst = false;
    if (other)
      builder.note(DiagId::NeverRead, scope.def[*other].range,
                   {scope.def[*other].name, result.name},
                   {{scope.def[*other].range, result.name}});
  }
}

/// The only temporary that is written once and never read, as a misspelt result
/// is.
std::optional<TensorId> DefChecker::findUnread() const {
  std::vector<bool> isUsed(scope.def.tensors.size());
  for (const Expr &expr : scope.def.exprs)
    if (expr.tensor.isValid())
      isUsed[expr.tensor.value] = true;
  std::vector<unsigned> numWrites(scope.def.tensors.size());
  for (const Statement &statement : scope.def.statements)
    ++numWrites[statement.target.value];
  std::optional<TensorId> found;
  for (size_t i = 0, e = scope.def.tensors.size(); i != e; ++i) {
    TensorId id(i);
    if (scope.def[id].role != TensorRole::Temporary || isUsed[i] ||
        numWrites[i] != 1 || !scope.def[id].isInferred)
      continue;
    if (found)
      return std::nullopt;
    found = id;
  }
  return found;
}

/// Parameters and temporaries that no statement reads. A tensor may be there
/// for its sizes, if no other has them.
void DefChecker::warnOfUnread() const {
  std::vector<bool> isUsed(scope.def.tensors.size());
  for (const Expr &expr : scope.def.exprs)
    if (expr.tensor.isValid())
      isUsed[expr.tensor.value] = true;
  for (const Statement &statement : scope.def.statements)
    for (const ExistsClause &clause : statement.exists)
      isUsed[clause.tensor.value] = true;
  for (const Symbol &symbol : scope.def.symbols)
    if (symbol.scalar.isValid())
      isUsed[symbol.scalar.value] = true;
  auto hasSize = [](const Tensor &tensor, const Affine &size) {
    return llvm::is_contained(tensor.dims, size);
  };
  for (TensorId id : scope.def.params) {
    const Tensor &tensor = scope.def[id];
    auto isElsewhere = [&](const Affine &size) {
      return size.isConstant() ||
             llvm::any_of(scope.def.params, [&](TensorId other) {
               return !(other == id) && hasSize(scope.def[other], size);
             });
    };
    if (!isUsed[id.value] && llvm::all_of(tensor.dims, isElsewhere))
      diags.report(DiagId::ParameterUnread, tensor.range, {tensor.name});
  }
  StringSet<> written;
  for (const ast::Statement &statement : source.statements) {
    std::optional<TensorId> id = scope.findTensor(statement.target.text);
    if (id && scope.def[*id].role == TensorRole::Temporary &&
        !isUsed[id->value] && statement.moreTargets.empty() &&
        written.insert(statement.target.text).second)
      diags.report(DiagId::TemporaryUnread, statement.target.range,
                   {statement.target.text});
  }
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// What `--bind` may give a value to, besides sizes.
std::vector<StringRef> getBindableNames(const ast::Module &module) {
  std::vector<StringRef> names;
  for (const ast::Def &def : module.defs) {
    for (const ast::Generic &generic : def.generics)
      names.push_back(generic.name.text);
    for (const ast::Attribute &attribute : def.attributes)
      names.push_back(attribute.name.text);
    if (!def.anyRank.empty())
      names.push_back("rank");
    for (const ast::Param &param : def.params)
      if (param.type && param.type->dims.empty())
        names.push_back(param.name.text);
  }
  return names;
}

/// Every binding must be something of some def.
void checkBindings(const CheckOptions &options, const Program &program,
                   std::vector<StringRef> names, DiagnosticEngine &diags) {
  std::vector<StringRef> sizes;
  for (const Def &def : program.defs)
    for (const Symbol &symbol : def.symbols)
      sizes.push_back(symbol.name);
  auto report = [&](DiagId id, StringRef name) {
    diags.report(id, {}, {name.str()})
        .didYouMean({}, name, names, /*listsThem=*/true);
  };
  auto isKnown = [&](StringRef name) {
    return llvm::is_contained(names, name) ||
           llvm::is_contained(names, name.split('.').first);
  };
  for (const auto &[name, value] : options.constants) {
    if (llvm::is_contained(sizes, name))
      diags.report(DiagId::SizeNotInteger, {}, {name, value});
    else if (!isKnown(name))
      report(DiagId::UnknownBinding, name);
  }
  llvm::append_range(names, sizes);
  for (const auto &[name, value] : options.bindings)
    if (!isKnown(name))
      report(DiagId::UnknownBinding, name);
}

/// The defs of a program. Each is checked once, those that are called before
/// those that call them.
class ProgramChecker : public Callees {
public:
  ProgramChecker(ast::Module &module, const CheckOptions &options,
                 Sources &sources, DiagnosticEngine &diags)
      : module(module), options(options), diags(diags),
        library(sources, options.includeDirs, diags) {}

  FailureOr<Program> check();

  bool has(StringRef name) override;
  Callee *find(StringRef name) override;
  LogicalResult prepare(Callee &callee) override;
  std::vector<StringRef> getNames() override;

private:
  void collectDefs();

  ast::Module &module;
  const CheckOptions &options;
  DiagnosticEngine &diags;
  Library library;
  StringMap<Callee> callees;
  unsigned numActive = 0;
  /// What has become of the module's defs that have no mistakes.
  std::map<const ast::Def *, Def> checked;
};

} // namespace

void ProgramChecker::collectDefs() {
  StringMap<SourceRange> firstDefs;
  for (const ast::Def &def : module.defs) {
    if (def.name.text.empty())
      continue; // complained of
    auto [first, isNew] = firstDefs.try_emplace(def.name.text, def.name.range);
    if (!isNew)
      diags.report(DiagId::DuplicateDef, def.name.range, {def.name.text})
          .note(DiagId::FirstHere, first->second);
    if (const Library::Entry *other = library.find(def.name.text);
        other && isNew)
      diags.report(DiagId::DuplicateDef, def.name.range, {def.name.text})
          .note(DiagId::FirstHere, other->name.range);
    if (isNew && !def.isImplicit)
      callees[def.name.text].source = &def;
  }
}

bool ProgramChecker::has(StringRef name) {
  if (callees.contains(name) || library.find(name))
    return true;
  library.addPrelude();
  return library.find(name);
}

Callee *ProgramChecker::find(StringRef name) {
  if (!has(name))
    return nullptr;
  auto [callee, isNew] = callees.try_emplace(name);
  if (isNew) {
    callee->second.source = &library.parse(name);
    callee->second.isPrelude = library.find(name)->isPrelude;
    // It is checked in each call, as what it takes may depend on its sizes.
    callee->second.isChecked = true;
    callee->second.isBroken = callee->second.source->hasErrors;
  }
  return &callee->second;
}

std::vector<StringRef> ProgramChecker::getNames() {
  library.addPrelude();
  std::vector<StringRef> names = library.getNames();
  for (const auto &callee : callees)
    names.push_back(callee.getKey());
  return names;
}

LogicalResult ProgramChecker::prepare(Callee &callee) {
  if (callee.isChecked)
    return success();
  // Each is checked on the stack of the one that calls it.
  if (numActive > maxCallDepth)
    return failure();
  ++numActive;
  callee.isChecked = callee.isActive = true;
  size_t numErrors = diags.getNumErrors();
  if (!callee.source->hasErrors || callee.source->isPartial)
    checked.emplace(callee.source,
                    DefChecker(*callee.source, options, *this, diags).check());
  callee.isBroken =
      callee.source->hasErrors || diags.getNumErrors() != numErrors;
  callee.isActive = false;
  --numActive;
  return success();
}

FailureOr<Program> ProgramChecker::check() {
  library.import(module.imports);
  bool isWhole = !diags.hasErrors();
  collectDefs();
  for (ast::Def &def : module.defs) {
    isWhole &= !def.hasErrors;
    if (def.isImplicit && !def.hasErrors)
      inferSignature(def, options, *this, diags);
    expandRank(def, options, diags);
    isWhole &= !def.hasErrors;
    auto callee = callees.find(def.name.text);
    if (callee != callees.end() && callee->second.source == &def)
      (void)prepare(callee->second); // none is active here
    else if (!def.hasErrors || def.isPartial)
      checked.emplace(&def, DefChecker(def, options, *this, diags).check());
  }
  Program program;
  for (const ast::Def &def : module.defs)
    if (auto found = checked.find(&def); found != checked.end())
      program.defs.push_back(std::move(found->second));
  if (isWhole)
    checkBindings(options, program, getBindableNames(module), diags);
  if (!isWhole || diags.hasErrors())
    return failure();
  return program;
}

FailureOr<Program> check(ast::Module module, const CheckOptions &options,
                         Sources &sources, DiagnosticEngine &diags) {
  return ProgramChecker(module, options, sources, diags).check();
}

FailureOr<Program> parseProgram(Sources &file, const CheckOptions &options,
                                DiagnosticEngine &diags, SourceForm form) {
  return check(parseSource(file.getMain(), form, diags), options, file, diags);
}

} // namespace ein
