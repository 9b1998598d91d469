//===- Schedule.cpp - Schedules as text -----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table, `kFacts`, has each fact's name, the kinds that it belongs to, and
// how it is read, written and copied. The kind is not written: `findKind` finds
// it by which facts are there. What concerns one fact is refused where it is
// read; what concerns several, in VerifySchedule.cpp.
//
//===----------------------------------------------------------------------===//

#include "ir/Schedule.h"
#include "ir/EinDialect.h"
#include "ir/ScheduleValues.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#define GET_ATTRDEF_CLASSES
#include "ir/EinAttrs.cpp.inc"

using namespace mlir;

namespace ein {

using S = Schedule;
using Kinds = unsigned;

SmallVector<int64_t> Schedule::getLoopOrder(unsigned numLoops) const {
  SmallVector<int64_t> result = interchange;
  for (int64_t dim = 0; dim < numLoops; ++dim)
    if (!llvm::is_contained(result, dim))
      result.push_back(dim);
  return result;
}

int64_t Schedule::getGroup(unsigned elementBits) const {
  // A group fills an element of the accumulator.
  constexpr unsigned kSumBits = 32;
  return hasTiles() ? kSumBits / elementBits : kPack;
}

StringRef getText(Schedule::Kind kind) {
  switch (kind) {
  case S::Loops:
    return "scalar loops";
  case S::Vectorize:
    return "loops over vectors";
  case S::PackedGemm:
    return "a product in register tiles";
  case S::Dot:
    return "a product of vectors along the sum";
  case S::LibraryCall:
    return "a call of a library";
  case S::Epilogue:
    return "an epilogue";
  case S::SplitSum:
    return "a sum that is split";
  case S::Gett:
    return "a product of copied operands";
  case S::Transpose:
    return "a transposition in registers";
  case S::Window:
    return "sums over windows";
  case S::Reduce:
    return "a reduction in vectors";
  case S::Rows:
    return "an op of a group of rows";
  }
  llvm_unreachable("unknown kind");
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

namespace {
/// A fact: its name, the kinds that it belongs to and those that need it, and
/// functions. What is equal to `S()` is not written, except where it is needed.
struct Fact {
  StringRef name;
  Kinds kinds, needing;
  bool isFlag;
  bool (*isSet)(const S &);
  void (*print)(const S &, raw_ostream &);
  ParseResult (*parse)(AsmParser &, S &);
  void (*copy)(const S &from, S &to);
  bool (*isSame)(const S &, const S &);
};
} // namespace

template <auto... Members> static bool areSame(const S &a, const S &b) {
  return ((a.*Members == b.*Members) && ...);
}

template <auto... Members> static bool isAnySet(const S &schedule) {
  static const S none;
  return !areSame<Members...>(schedule, none);
}

template <auto... Members> static void copyAll(const S &from, S &to) {
  ((to.*Members = from.*Members), ...);
}

/// A number, or 0 and 1 for whether something is so.
template <auto Member, int64_t Least, int64_t Most>
static constexpr Fact makeNumber(StringRef name, Kinds kinds,
                                 Kinds needing = 0) {
  return {name,
          kinds,
          needing,
          /*isFlag=*/false,
          isAnySet<Member>,
          [](const S &schedule, raw_ostream &os) { os << schedule.*Member; },
          [](AsmParser &parser, S &schedule) {
            return parseNumber(parser, Least, Most, schedule.*Member);
          },
          copyAll<Member>,
          areSame<Member>};
}

template <auto Member>
static constexpr Fact makeFlag(StringRef name, Kinds kinds, Kinds needing = 0) {
  return {name,
          kinds,
          needing,
          /*isFlag=*/true,
          isAnySet<Member>,
          [](const S &, raw_ostream &) {},
          [](AsmParser &, S &schedule) -> ParseResult {
            schedule.*Member = true;
            return success();
          },
          copyAll<Member>,
          areSame<Member>};
}

/// A dim, and how much of it; a size of `Default` is not written.
template <auto Dim, auto Size, int64_t Default, int64_t Most>
static constexpr Fact makeSizedDim(StringRef name, Kinds kinds,
                                   Kinds needing = 0) {
  return {name,
          kinds,
          needing,
          /*isFlag=*/false,
          isAnySet<Dim>,
          [](const S &schedule, raw_ostream &os) {
            os << 'd' << schedule.*Dim;
            if (schedule.*Size != Default)
              os << ": " << schedule.*Size;
          },
          [](AsmParser &parser, S &schedule) {
            return parseSizedDim(parser, 1, Most, schedule.*Dim,
                                 schedule.*Size);
          },
          copyAll<Dim, Size>,
          areSame<Dim, Size>};
}

template <auto Dim>
static constexpr Fact makeDim(StringRef name, Kinds kinds, Kinds needing = 0) {
  return {
      name,
      kinds,
      needing,
      /*isFlag=*/false,
      isAnySet<Dim>,
      [](const S &schedule, raw_ostream &os) { os << 'd' << schedule.*Dim; },
      [](AsmParser &parser, S &schedule) {
        return parseDim(parser, schedule.*Dim);
      },
      copyAll<Dim>,
      areSame<Dim>};
}

/// `[4, 8]`.
template <auto First, auto Second>
static constexpr Fact makePair(StringRef name, Kinds kinds) {
  return {name,
          kinds,
          /*needing=*/0,
          /*isFlag=*/false,
          isAnySet<Second>,
          [](const S &schedule, raw_ostream &os) {
            os << '[' << schedule.*First << ", " << schedule.*Second << ']';
          },
          [](AsmParser &parser, S &schedule) -> ParseResult {
            return failure(parser.parseLSquare() ||
                           parseNumber(parser, 1, kAny, schedule.*First) ||
                           parser.parseComma() ||
                           parseNumber(parser, 1, kAny, schedule.*Second) ||
                           parser.parseRSquare());
          },
          copyAll<First, Second>,
          areSame<First, Second>};
}

static void printFacts(const S &schedule, raw_ostream &os);
static FailureOr<S> parseFacts(AsmParser &parser);

/// `[if d0 * d2 at_most 4096 then <loops = …>]`.
static ParseResult parseAlternatives(AsmParser &parser, S &schedule) {
  auto parseOne = [&]() -> ParseResult {
    S::Alternative alternative;
    if (parser.parseKeyword("if") || parseGuard(parser, alternative.guard) ||
        parser.parseKeyword("then"))
      return failure();
    FailureOr<S> facts = parseFacts(parser);
    if (failed(facts))
      return failure();
    alternative.schedule = std::move(*facts);
    schedule.alternatives.push_back(std::move(alternative));
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne);
}

static void printAlternatives(const S &schedule, raw_ostream &os) {
  os << '[';
  llvm::interleaveComma(schedule.alternatives, os,
                        [&](const S::Alternative &alternative) {
                          os << "if ";
                          printGuard(alternative.guard, os);
                          os << " then ";
                          printFacts(alternative.schedule, os);
                        });
  os << ']';
}

static constexpr Kinds in(S::Kind kind) { return 1u << kind; }
template <typename... Ts>
static constexpr Kinds in(S::Kind first, S::Kind second, Ts... others) {
  return in(first) | in(second, others...);
}
static constexpr Kinds kAll = ~0u;

/// More steps of a loop than this are never made one.
static constexpr int64_t kMaxUnroll = 1023;
/// No machine has wider registers, in bits.
static constexpr int64_t kMaxBits = 1 << 13;
/// No register has more elements.
static constexpr int64_t kMaxLanes = 1024;
/// No instruction takes more of k.
static constexpr int64_t kMaxPack = 64;
/// Parts of a dim are counted in 32 bits.
static constexpr int64_t kMaxParts = (int64_t(1) << 31) - 1;

static const Fact
    kFacts
        [] =
            {
                {"call", in(S::LibraryCall), in(S::LibraryCall), true,
                 [](const S &schedule) {
                   return schedule.kind == S::LibraryCall;
                 },
                 [](const S &, raw_ostream &) {},
                 [](AsmParser &, S &) -> ParseResult { return success(); },
                 [](const S &, S &) {}, areSame<&S::kind>},
                {"in_epilogue", in(S::Epilogue), in(S::Epilogue), true,
                 [](const S &schedule) { return schedule.kind == S::Epilogue; },
                 [](const S &, raw_ostream &) {},
                 [](AsmParser &, S &) -> ParseResult { return success(); },
                 [](const S &, S &) {}, areSame<&S::kind>},
                makeNumber<&S::group, 0, kAny>("group", in(S::Rows),
                                               in(S::Rows)),
                makeDim<&S::k>("split", in(S::SplitSum), in(S::SplitSum)),
                makeNumber<&S::parts, 1, kMaxParts>("parts", in(S::SplitSum),
                                                    in(S::SplitSum)),
                makeNumber<&S::grain, 1, kMaxParts>("grain", in(S::SplitSum),
                                                    in(S::SplitSum)),
                {"copies", in(S::Gett, S::Rows), in(S::Gett), false,
                 [](const S &schedule) {
                   return !schedule.order[0].empty() ||
                          !schedule.order[1].empty();
                 },
                 printCopies, parseCopies, copyAll<&S::order, &S::whole>,
                 areSame<&S::order, &S::whole>},
                {"joined", in(S::Gett), 0, false, isAnySet<&S::groups>,
                 printJoined, parseJoined, copyAll<&S::groups>,
                 areSame<&S::groups>},
                makeNumber<&S::lanes, 1, kMaxLanes>("squares",
                                                    in(S::Gett, S::Transpose),
                                                    in(S::Gett, S::Transpose)),
                {"loops",
                 in(S::Vectorize, S::PackedGemm, S::Dot, S::Gett, S::Transpose,
                    S::Window, S::Reduce, S::Rows),
                 in(S::Vectorize, S::PackedGemm, S::Dot, S::Gett, S::Window,
                    S::Reduce, S::Rows),
                 false,
                 [](const S &schedule) { return !schedule.tile.empty(); },
                 printLoops, parseLoops, copyAll<&S::tile, &S::interchange>,
                 areSame<&S::tile, &S::interchange>},
                makeNumber<&S::grain, 1, kMaxParts>("block", in(S::Rows)),
                makeNumber<&S::columns, 1, kMaxParts>("masked_columns",
                                                      in(S::Rows)),
                makeNumber<&S::lhs, 0, 1>(
                    "lhs",
                    in(S::PackedGemm, S::Dot, S::LibraryCall)),
                makeSizedDim<&S::m, &S::mr, 0, kAny>(
                    "rows", in(S::PackedGemm, S::Dot, S::LibraryCall),
                    in(S::PackedGemm)),
                makeSizedDim<&S::n, &S::nr, 0, kAny>(
                    "columns",
                    in(S::PackedGemm, S::Dot, S::LibraryCall),
                    in(S::PackedGemm)),
                makeSizedDim<&S::k, &S::unroll, 1,
                             kMaxUnroll>("sums", in(S::PackedGemm, S::Dot, S::LibraryCall, S::Gett),
                                         in(S::PackedGemm, S::Dot)),
                makeSizedDim<&S::vectorDim, &S::lanes, 0, kMaxLanes>(
                    "vector",
                    in(S::Vectorize, S::PackedGemm, S::Dot, S::Window, S::Reduce),
                    in(S::Vectorize, S::PackedGemm, S::Dot, S::Window, S::Reduce)),
                makeNumber<&S::widening, 2, 64>("widening", in(
                                                                S::Reduce,
                                                                S::Window,
                                                                S::Dot)),
                makeNumber<&S::unroll,
                           1, 63>("accumulators", in(S::Reduce), in(S::Reduce)),
                makeNumber<&S::unrolledSums, 0, kAny>(
                    "unrolled_sums", in(S::Window), in(S::Window)),
                makeNumber<
                    &S::unroll, 2, kMaxUnroll>("unroll",
                                               in(S::Vectorize, S::Window)),
                makeFlag<&S::masked>("masked",
                                     in(S::Vectorize, S::Window, S::Reduce)),
                makeFlag<&S::aligned>("aligned", in(S::Reduce)),
                makeFlag<&S::ieeeMinMax>("ieee_min_max",
                                         in(S::Window, S::Reduce)),
                {"operands", in(S::PackedGemm), in(S::PackedGemm), false,
                 isAnySet<&S::pack>, printOperands, parseOperands,
                 copyAll<&S::pack>, areSame<&S::pack>},
                makePair<&S::colRemainderMr, &S::colRemainderNr>(
                    "column_remainder", in(S::PackedGemm)),
                makeNumber<&S::rowRemainder, 1, kAny>("row_remainder",
                                                      in(S::PackedGemm)),
                makeFlag<&S::rowsFirst>("rows_first", in(S::PackedGemm)),
                makeFlag<&S::clampRows>("clamp_rows", in(S::PackedGemm)),
                makeNumber<&S::symmetric, 1, kAny>("symmetric",
                                                   in(S::PackedGemm)),
                makeNumber<&S::kPack, 2, kMaxPack>("k_pack",
                                                   in(S::PackedGemm, S::Gett)),
                {"instruction", in(S::PackedGemm, S::Reduce, S::Window, S::Dot),
                 0, false, isAnySet<&S::dot>,
                 [](const S &schedule, raw_ostream &os) {
                   os << '"' << schedule.dot << '"';
                 },
                 [](AsmParser &parser, S &schedule) -> ParseResult {
                   SMLoc place = parser.getCurrentLocation();
                   if (parser.parseString(&schedule.dot))
                     return failure();
                   if (!StringRef(schedule.dot).starts_with("llvm."))
                     return parser.emitError(place,
                                             "expected an intrinsic of LLVM");
                   return success();
                 },
                 copyAll<&S::dot>, areSame<&S::dot>},
                makeNumber<&S::dotBits, 1, kMaxBits>(
                    "instruction_bits",
                    in(S::PackedGemm, S::Reduce, S::Window, S::Dot)),
                makeFlag<&S::dotScalable>(
                    "instruction_scalable",
                    in(S::PackedGemm, S::Reduce, S::Window, S::Dot)),
                makeNumber<&S::dotRows, 2, S::kMaxRows>(
                    "instruction_rows", in(S::PackedGemm)),
                makeFlag<&S::dotSwapped>(
                    "instruction_swapped",
                    in(S::PackedGemm, S::Reduce, S::Window, S::Dot)),
                makeFlag<&S::dotOffset>(
                    "instruction_offset",
                    in(S::PackedGemm, S::Reduce, S::Window)),
                makeNumber<&S::prefetch, 1,
                           63>("prefetch", in(S::PackedGemm, S::Dot, S::Vectorize, S::Reduce)),
                makeNumber<&S::prefetchDistance, 1, kAny>("prefetch_distance",
                                                          in(S::PackedGemm)),
                makeNumber<&S::streamBytes, 1, kAny>(
                    "stream_bytes", in(S::Vectorize, S::Transpose)),
                makeDim<&S::parallelDim>("parallel", kAll),
                makeNumber<&S::minPoints, 0, kAny>("min_points", kAll),
                makeNumber<&S::parallelLoops, 1, 2>("parallel_loops", kAll),
                {"alternatives", kAll, 0, false, isAnySet<&S::alternatives>,
                 printAlternatives, parseAlternatives,
                 [](const S &from, S &to) {
                   to.alternatives = from.alternatives;
                   for (S::Alternative &each : to.alternatives)
                     each.schedule = each.schedule.getNormalised();
                 },
                 areSame<&S::alternatives>},
};

static bool isFor(Kinds kinds, S::Kind kind) { return kinds & in(kind); }

Schedule Schedule::getNormalised() const {
  Schedule result;
  result.kind = kind;
  for (const Fact &fact : kFacts)
    if (isFor(fact.kinds, kind))
      fact.copy(*this, result);
  if (kind == PackedGemm && vectorDim < 0)
    result.vectorDim = n;
  if (kind == Vectorize)
    result.lanes = 0;
  if (dot.empty()) {
    result.dotBits = Schedule().dotBits;
    result.dotRows = Schedule().dotRows;
    result.dotScalable = result.dotSwapped = result.dotOffset = false;
  }
  if (kind == Dot) {
    result.vectorDim = k;
    result.mr = m < 0 ? 1 : mr;
    result.nr = n < 0 ? 1 : nr;
  }
  // What text leaves out is nothing.
  result.interchange = result.tile.empty()
                           ? SmallVector<int64_t>()
                           : result.getLoopOrder(result.tile.size());
  for (auto [dims, isWhole] : llvm::zip_equal(result.order, result.whole))
    isWhole &= !dims.empty();
  if (colRemainderNr == 0)
    result.colRemainderMr = 0;
  return result;
}

/// Of what no thread shares it does not matter how much there is.
static void dropUnsharedFacts(S &schedule) {
  if (schedule.parallelDim < 0) {
    schedule.minPoints = S().minPoints;
    schedule.parallelLoops = S().parallelLoops;
  }
  for (S::Alternative &alternative : schedule.alternatives)
    dropUnsharedFacts(alternative.schedule);
}

Attribute Schedule::toAttr(MLIRContext *context) const {
  Schedule schedule = getNormalised();
  dropUnsharedFacts(schedule);
  return ScheduleAttr::get(context, std::move(schedule));
}

/// Whether all dims that the schedule names are loops of the op.
static LogicalResult checkLoops(Operation *op, const S &schedule,
                                unsigned numLoops) {
  if (!schedule.tile.empty() && schedule.tile.size() != numLoops)
    return op->emitOpError("has ")
           << numLoops << " loops, and its schedule " << schedule.tile.size();
  SmallVector<int64_t> dims = {schedule.parallelDim, schedule.m, schedule.n,
                               schedule.k};
  for (const S::Alternative &alternative : schedule.alternatives) {
    if (failed(checkLoops(op, alternative.schedule, numLoops)))
      return failure();
    for (const SizeBound &bound : alternative.guard)
      llvm::append_range(dims, bound.dims);
  }
  for (int64_t dim : dims)
    if (dim >= static_cast<int64_t>(numLoops))
      return op->emitOpError("has no d") << dim << ", which its schedule names";
  return success();
}

FailureOr<Schedule> Schedule::fromOp(Operation *op, unsigned numLoops) {
  auto attribute = op->getAttrOfType<ScheduleAttr>(EinDialect::kScheduleAttr);
  if (!attribute)
    return op->emitOpError("has no `") << EinDialect::kScheduleAttr << "`";
  const Schedule &schedule = attribute.getValue();
  if (failed(checkLoops(op, schedule, numLoops)))
    return failure();
  return schedule;
}

bool Schedule::operator==(const Schedule &other) const {
  return kind == other.kind && llvm::all_of(kFacts, [&](const Fact &fact) {
           return fact.isSame(*this, other);
         });
}

llvm::hash_code hash_value(const Schedule &schedule) {
  return llvm::hash_combine(
      schedule.kind, llvm::hash_combine_range(schedule.tile),
      llvm::hash_combine_range(schedule.interchange), schedule.m, schedule.n,
      schedule.k, schedule.mr, schedule.nr, schedule.lanes, schedule.vectorDim,
      schedule.unroll, schedule.group, schedule.parallelDim);
}

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

/// The kind that facts, by their names, amount to.
static S::Kind findKind(const S &schedule, ArrayRef<StringRef> names) {
  auto has = [&](StringRef name) { return llvm::is_contained(names, name); };
  if (has("call"))
    return S::LibraryCall;
  if (has("in_epilogue"))
    return S::Epilogue;
  if (has("group"))
    return S::Rows;
  if (has("split"))
    return S::SplitSum;
  if (has("copies"))
    return S::Gett;
  if (has("squares"))
    return S::Transpose;
  if (has("sums"))
    return schedule.vectorDim == schedule.k ? S::Dot : S::PackedGemm;
  if (has("accumulators"))
    return S::Reduce;
  if (has("unrolled_sums"))
    return S::Window;
  return has("vector") || has("loops") ? S::Vectorize : S::Loops;
}

/// `<loops = …>`; what concerns several facts is not checked.
static FailureOr<S> parseFacts(AsmParser &parser) {
  Schedule schedule;
  SmallVector<StringRef> names;
  SMLoc begin = parser.getCurrentLocation();
  auto parseFact = [&]() -> ParseResult {
    SMLoc place = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    const Fact *fact = llvm::find_if(
        kFacts, [&](const Fact &each) { return each.name == name; });
    if (fact == std::end(kFacts))
      return parser.emitError(place)
             << "a schedule has no fact `" << name << "`";
    if (llvm::is_contained(names, fact->name))
      return parser.emitError(place) << "`" << name << "` is there twice";
    names.push_back(fact->name);
    if (!fact->isFlag && parser.parseEqual())
      return failure();
    return fact->parse(parser, schedule);
  };
  if (parser.parseLess())
    return failure();
  if (failed(parser.parseOptionalGreater()) &&
      (parser.parseCommaSeparatedList(parseFact) || parser.parseGreater()))
    return failure();
  schedule.kind = findKind(schedule, names);
  for (const Fact &fact : kFacts) {
    bool isThere = llvm::is_contained(names, fact.name);
    if (isThere && !isFor(fact.kinds, schedule.kind))
      return parser.emitError(begin)
             << "`" << fact.name << "` does not belong to "
             << getText(schedule.kind);
    if (!isThere && isFor(fact.needing, schedule.kind))
      return parser.emitError(begin)
             << "`" << fact.name << "` is missing, which "
             << getText(schedule.kind) << " needs";
  }
  return schedule.getNormalised();
}

static void printFacts(const S &schedule, raw_ostream &os) {
  bool isFirst = true;
  os << '<';
  for (const Fact &fact : kFacts) {
    if (!isFor(fact.kinds, schedule.kind) ||
        (!isFor(fact.needing, schedule.kind) && !fact.isSet(schedule)))
      continue;
    os << (isFirst ? "" : ", ") << fact.name;
    isFirst = false;
    if (!fact.isFlag) {
      os << " = ";
      fact.print(schedule, os);
    }
  }
  os << '>';
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc begin = parser.getCurrentLocation();
  FailureOr<S> schedule = parseFacts(parser);
  if (failed(schedule))
    return {};
  return parser.getChecked<ScheduleAttr>(begin, parser.getContext(),
                                         std::move(*schedule));
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printFacts(getValue(), printer.getStream());
}

void EinDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/EinAttrs.cpp.inc"
      >();
}

} // namespace ein
