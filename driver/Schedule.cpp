//===- Schedule.cpp - What runs, by statements and nests ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes speak of ops, and a program has statements: one statement may be
// several ops, and one nest several statements. What shares a statement or a
// nest is one section here, and a nest is drawn with the statements in it.
//
//===----------------------------------------------------------------------===//

#include "driver/Schedule.h"
#include "driver/Explanation.h"
#include "driver/html/SourceLines.h"
#include "passes/select/DescribePrice.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <map>

using namespace llvm;

namespace ein {

StringRef ScheduleEntry::get(StringRef key) const {
  for (const auto &[name, value] : finding->facts)
    if (name == key)
      return value;
  return "";
}

double ScheduleEntry::getNumber(StringRef key) const {
  double number = 0;
  return get(key).getAsDouble(number) ? 0 : number;
}

double ScheduleGroup::getCycles() const {
  double cycles = 0;
  for (const ScheduleEntry &entry : entries)
    if (entry.isCounted)
      cycles += entry.getNumber("cycles");
  return cycles;
}

double ScheduleGroup::getOperations() const {
  double operations = 0;
  for (const ScheduleEntry &entry : entries)
    if (entry.isCounted)
      operations += entry.getNumber("operations");
  return operations;
}

const ScheduleEntry *ScheduleGroup::getLongest() const {
  const ScheduleEntry *longest = nullptr;
  for (const ScheduleEntry &entry : entries)
    if (entry.is("Op") && !entry.get("cycles").empty() && entry.isCounted &&
        (!longest || entry.getNumber("cycles") > longest->getNumber("cycles")))
      longest = &entry;
  return longest;
}

bool ScheduleGroup::isFused() const { return entries.size() > 1; }

bool ScheduleGroup::hasLoops() const {
  return !all_of(entries,
                 [](const ScheduleEntry &entry) { return entry.is("Op"); });
}

/// The statement that computes the result of an op, if it is one of the def's.
static std::optional<unsigned> findStatement(const DefExplanation *def,
                                             const ScheduleEntry &op) {
  StringRef result = op.get("result");
  for (unsigned number : op.statements) {
    const Statement &statement = *def->statements[number].statement;
    if (def->def->tensors[statement.target.value].name == result)
      return number;
  }
  return std::nullopt;
}

bool ScheduleSection::isDrawn(unsigned statement,
                              const DefExplanation &def) const {
  return any_of(groups, [&](const ScheduleGroup &group) {
    return group.hasLoops() &&
           any_of(group.entries, [&](const ScheduleEntry &entry) {
             return entry.is("Op") && findStatement(&def, entry) == statement;
           });
  });
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/// The statements that a finding is about.
static SmallVector<unsigned> findStatements(const DefExplanation &def,
                                            const Finding &finding) {
  SmallVector<unsigned> found;
  for (auto [number, explained] : enumerate(def.statements)) {
    SourceRange own = explained.statement->range;
    if (any_of(finding.ranges, [&](SourceRange range) {
          return own.begin <= range.begin && range.begin < own.end;
        }))
      found.push_back(number);
  }
  return found;
}

/// Of a branch with two ways, the second is not counted; but of versions the
/// last one is the only one that is.
static void leaveOtherWaysOut(ScheduleGroup &group) {
  std::optional<unsigned> outside; // the depth of such a branch
  SmallVector<unsigned> firstWays; // depths
  for (ScheduleEntry &entry : group.entries) {
    if (outside && entry.depth <= *outside)
      outside.reset();
    while (!firstWays.empty() && firstWays.back() > entry.depth)
      firstWays.pop_back();
    if (entry.is("Branch") && entry.get("again") != "true") {
      if (!entry.get("guard").empty()) {
        if (entry.get("branch") == "then" && !outside)
          outside = entry.depth;
      } else if (entry.get("branch") == "then")
        firstWays.push_back(entry.depth);
      else if (is_contained(firstWays, entry.depth) && !outside)
        outside = entry.depth;
    }
    entry.isCounted = !outside;
  }
}

std::vector<ScheduleSection> makeSections(const DefExplanation *def,
                                          ArrayRef<Finding> findings) {
  std::map<std::pair<std::string, unsigned>, ScheduleGroup> groups;
  std::vector<const Finding *> temporaries;
  for (const Finding &finding : findings) {
    ScheduleEntry entry = {&finding, {}, 0};
    if (finding.category == "memory" && finding.name == "Temporary")
      temporaries.push_back(&finding);
    if (finding.category != "schedule" ||
        (def && entry.get("function") != def->name))
      continue;
    if (def)
      entry.statements = findStatements(*def, finding);
    entry.depth = unsigned(entry.getNumber("depth"));
    groups[{entry.get("function").str(), unsigned(entry.getNumber("group"))}]
        .entries.push_back(std::move(entry));
  }
  for (auto &[key, group] : groups)
    leaveOtherWaysOut(group);
  // Statements are 0, 1, …; what has none is one section.
  size_t numStatements = def ? def->statements.size() : 1;
  EquivalenceClasses<unsigned> joined;
  for (unsigned i = 0; i < numStatements; ++i)
    joined.insert(i);
  auto getFirst = [&](const ScheduleGroup &group) -> std::optional<unsigned> {
    if (!def)
      return 0;
    for (const ScheduleEntry &entry : group.entries)
      if (!entry.statements.empty())
        return entry.statements.front();
    return std::nullopt;
  };
  for (const auto &[key, group] : groups)
    if (std::optional<unsigned> first = getFirst(group))
      for (const ScheduleEntry &entry : group.entries)
        for (unsigned statement : entry.statements)
          joined.unionSets(*first, statement);
  std::vector<ScheduleSection> sections;
  std::map<unsigned, size_t> places; // of leaders
  for (unsigned i = 0; i < numStatements; ++i) {
    unsigned leader = joined.getLeaderValue(i);
    if (places.insert({leader, sections.size()}).second)
      sections.emplace_back();
    if (def)
      sections[places[leader]].statements.push_back(i);
  }
  auto getSection = [&](unsigned statement) -> ScheduleSection & {
    return sections[places[joined.getLeaderValue(statement)]];
  };
  for (auto &[key, group] : groups)
    if (std::optional<unsigned> first = getFirst(group))
      getSection(*first).groups.push_back(std::move(group));
  for (const Finding *finding : temporaries) {
    SmallVector<unsigned> statements =
        def ? findStatements(*def, *finding) : SmallVector<unsigned>{0};
    if (!statements.empty())
      getSection(statements.front()).temporaries.push_back(finding);
  }
  return sections;
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

/// Of the page, and of a statement's text at least.
static constexpr size_t kLineLength = 100, kLeastText = 44;

namespace {

class SectionPrinter {
public:
  SectionPrinter(raw_ostream &os, const DefExplanation *def, unsigned indent)
      : os(os), def(def), indent(indent) {}

  void print(const ScheduleSection &section);

private:
  /// The statement that computes the result of an op; null if it is none.
  const StatementExplanation *findStatement(const ScheduleEntry &op) const;
  raw_ostream &line(unsigned depth = 0) {
    return os.indent(indent + 2 * depth);
  }
  void printFused(const ScheduleGroup &group);
  void printAlone(const ScheduleGroup &group);
  void printPiece(const ScheduleGroup &group);
  void printTotals(const ScheduleGroup &group);
  void printAlternatives(const ScheduleGroup &group);
  void printTemporaries(const ScheduleSection &section);
  std::string describe(const ScheduleEntry &op) const;

  raw_ostream &os;
  const DefExplanation *def;
  unsigned indent;
};

/// A loop that is opened; of a block, if one round it has the same index.
std::string describeLoop(const ScheduleEntry &loop, bool isOfBlock) {
  std::string text = "for " + loop.get("index").str();
  if (isOfBlock)
    text += " of the block";
  else if (loop.get("exact") == "true")
    text += " in 0.." + loop.get("extent").str();
  else if (!loop.get("extent").empty())
    text += ", at most " + loop.get("extent").str() + ",";
  if (loop.get("step") != "1")
    text += " by " + loop.get("step").str();
  if (loop.get("threads") == "true")
    text += ", in threads";
  if (loop.get("again") == "true")
    text += ", for what is left over: the same again";
  return text;
}

/// A branch, of which nobody knows before the code runs whether it is taken.
std::string describeBranch(const ScheduleEntry &branch) {
  if (branch.get("again") == "true")
    return "if that was not right: the same again";
  if (StringRef guard = branch.get("guard"); !guard.empty())
    return branch.get("branch") == "then"
               ? ("if " + guard + " (not counted)").str()
               : "else";
  return branch.get("branch") == "then" ? "either, as sizes are"
                                        : "or (not counted)";
}

} // namespace

const StatementExplanation *
SectionPrinter::findStatement(const ScheduleEntry &op) const {
  std::optional<unsigned> number = ein::findStatement(def, op);
  return number ? &def->statements[*number] : nullptr;
}

/// `4: Z(m, n) +=! …`, of several `5 to 7: Y(m, n) = …`; what is no tensor of
/// the source by what passes call it.
std::string SectionPrinter::describe(const ScheduleEntry &op) const {
  std::string lines;
  if (def && !op.statements.empty()) {
    unsigned first = def->statements[op.statements.front()].line,
             last = def->statements[op.statements.back()].line;
    lines = std::to_string(first) +
            (last != first ? " to " + std::to_string(last) : "") + ": ";
  }
  if (const StatementExplanation *statement = findStatement(op))
    return lines + statement->text;
  StringRef result = op.get("result");
  if (op.get("op") == "linalg.transpose")
    return lines + "copy " + result.str() + " in another order";
  return lines + (result.empty() ? op.get("op") : result).str();
}

/// Cut after so many characters.
static std::string shorten(std::string text, size_t most) {
  if (text.size() <= most)
    return text;
  // Not within a character of several bytes.
  while (most > 0 && (text[most] & 0xC0) == 0x80)
    --most;
  return text.substr(0, most) + "…";
}

/// What it takes, in all and of which level of memory.
void SectionPrinter::printTotals(const ScheduleGroup &group) {
  // Terms of ops that run one after the other add up.
  constexpr size_t kListed = 3;
  SmallVector<std::pair<std::string, double>> terms, levels;
  auto addTo = [](auto &list, StringRef name, double number) {
    for (auto &[known, sum] : list)
      if (known == name) {
        sum += number;
        return;
      }
    list.emplace_back(name.str(), number);
  };
  bool isAssumed = false;
  for (const ScheduleEntry &entry : group.entries) {
    if (!entry.isCounted)
      continue;
    isAssumed |= entry.get("assumed") == "true";
    for (const auto &[key, value] : entry.finding->facts) {
      StringRef name = key;
      if (name.consume_front("cycles_"))
        addTo(terms, name, entry.getNumber(key));
      else if (name.consume_front("bytes_"))
        addTo(levels, name, entry.getNumber(key));
    }
  }
  if (terms.empty())
    return;
  stable_sort(terms, [](auto &a, auto &b) { return a.second > b.second; });
  line() << "takes";
  bool isFirst = true;
  for (const auto &[name, cycles] : ArrayRef(terms).take_front(kListed)) {
    if (cycles < 1)
      continue;
    os << (isFirst ? " " : ", ");
    printCount(os, cycles);
    os << (isFirst ? " cycles for " : " for ") << name;
    isFirst = false;
  }
  os << "\n";
  line() << "moves";
  isFirst = true;
  for (const auto &[name, bytes] : levels) {
    if (bytes < 1)
      continue;
    os << (isFirst ? " " : ", ");
    printCount(os, bytes);
    os << (isFirst ? " bytes from and to " : " from and to ") << name;
    isFirst = false;
  }
  os << (isFirst ? " nothing: all of it is in L1" : "");
  double copied = 0;
  for (const ScheduleEntry &entry : group.entries)
    if (entry.isCounted)
      copied += entry.getNumber("copied_bytes");
  if (copied > 0) {
    os << "; copies ";
    printCount(os, copied);
    os << " bytes";
  }
  if (isAssumed)
    os << "; unknown sizes count as " << kAssumedSize;
  os << "\n";
}

static void printBound(raw_ostream &os, const ScheduleEntry &op) {
  os << "bound by " << op.get("bound");
}

void SectionPrinter::printAlternatives(const ScheduleGroup &group) {
  // A nest of several ops is long enough.
  const unsigned mostListed = group.isFused() ? 2 : 3;
  unsigned numListed = 0;
  const ScheduleEntry *op = group.getLongest();
  if (!op)
    return;
  std::string text, term;
  double ratio = 0;
  bool isFirst = true;
  for (const auto &[key, value] : op->finding->facts) {
    if (key == "other")
      text = value;
    else if (key == "other_ratio")
      (void)StringRef(value).getAsDouble(ratio);
    else if (key == "other_term")
      term = value;
    if (key != "other_term_cycles" || numListed == mostListed)
      continue;
    ++numListed;
    if (isFirst)
      line() << "next best"
             << (group.isFused() && findStatement(*op)
                     ? " of line " + std::to_string(findStatement(*op)->line)
                     : "")
             << ", in times the cycles:\n";
    isFirst = false;
    StringRef schedule = text;
    line(1) << format("%.2f", ratio)
            << (ratio < 1      ? ", but a rule leaves it out"
                : term.empty() ? ", the model sees no difference"
                               : ", more for " + term)
            << ": " << schedule.substr(schedule.find(": ") + 2) << "\n";
  }
}

/// One op, with the loops that become of it.
void SectionPrinter::printAlone(const ScheduleGroup &group) {
  const ScheduleEntry &op = group.entries.front();
  StringRef result = op.get("result");
  line() << op.get("class") << (result.empty() ? "" : " to ") << result;
  if (op.get("cycles").empty()) {
    os << ", not priced: a library's\n";
  } else {
    os << ": ";
    printCount(os, group.getCycles());
    os << " cycles, ";
    printBound(os, op);
    if (group.getCycles() > 0)
      os << format("; %.3g operations a cycle",
                   group.getOperations() / group.getCycles());
    os << "\n";
  }
  StringRef nest = op.get("nest");
  size_t depth = 0;
  while (!nest.empty()) {
    auto [first, rest] = nest.split('\n');
    line(1) << first << "\n";
    depth = (first.size() - first.ltrim(' ').size()) / 2;
    nest = rest;
  }
  for (const ScheduleEntry &inTiles : drop_begin(group.entries))
    line(1 + depth) << describe(inTiles) << "  # " << inTiles.get("brief")
                    << "\n";
  printTotals(group);
  printAlternatives(group);
}

/// One more op of a kind that was drawn.
void SectionPrinter::printPiece(const ScheduleGroup &group) {
  const ScheduleEntry &op = group.entries.front();
  line() << "a piece more: " << op.get("brief");
  if (!op.get("cycles").empty()) {
    os << ", ";
    printCount(os, group.getCycles());
    os << " cycles, ";
    printBound(os, op);
  }
  os << "\n";
}

/// Loops with ops in them, each of which is a line.
void SectionPrinter::printFused(const ScheduleGroup &group) {
  const ScheduleEntry *longest = group.getLongest();
  double cycles = group.getCycles();
  line() << "one nest";
  if (longest) {
    os << ": ";
    printCount(os, cycles);
    os << " cycles, ";
    printBound(os, *longest);
    if (cycles > 0)
      os << format("; %.3g operations a cycle", group.getOperations() / cycles);
  } else {
    os << ", not priced: its points are in order";
  }
  os << "\n";
  // What passes add to a program is shown if it takes any time.
  constexpr double kLeastShare = 0.005;
  unsigned numHidden = 0;
  SmallVector<StringRef> open; // indices of loops, by depth
  ArrayRef<ScheduleEntry> entries = group.entries;
  while (!entries.empty()) {
    const ScheduleEntry &entry = entries.front();
    entries = entries.drop_front();
    open.resize(std::min<size_t>(open.size(), entry.depth));
    if (entry.is("Loop")) {
      StringRef index = entry.get("index");
      line(1 + entry.depth)
          << describeLoop(entry, is_contained(open, index)) << "\n";
      open.resize(entry.depth);
      open.push_back(index);
      continue;
    }
    if (entry.is("Branch")) {
      line(1 + entry.depth) << describeBranch(entry) << "\n";
      continue;
    }
    if (entry.is("Points")) {
      line(1 + entry.depth) << "one point after the other\n";
      continue;
    }
    // What one statement does in several ops, one after the other.
    double taken = entry.getNumber("cycles");
    while (!entries.empty() && entries.front().is("Op") &&
           entries.front().depth == entry.depth &&
           entries.front().statements == entry.statements &&
           entries.front().get("result") == entry.get("result")) {
      taken += entries.front().getNumber("cycles");
      entries = entries.drop_front();
    }
    if (def && !findStatement(entry) && taken < kLeastShare * cycles) {
      ++numHidden;
      continue;
    }
    std::string note = "  # " + entry.get("brief").str();
    if (cycles > 0 && !entry.get("cycles").empty())
      raw_string_ostream(note)
          << format("; %.0f %%, ", 100 * taken / cycles) << entry.get("bound");
    size_t room = kLineLength -
                  std::min<size_t>(kLineLength - kLeastText,
                                   indent + 2 * entry.depth + 2 + note.size());
    line(1 + entry.depth) << shorten(describe(entry), room) << note << "\n";
  }
  if (numHidden > 0)
    line(1) << "and " << numHidden << (numHidden == 1 ? " op" : " ops")
            << " beside, of less than half a per cent each\n";
  printTotals(group);
  printAlternatives(group);
}

void SectionPrinter::printTemporaries(const ScheduleSection &section) {
  if (section.temporaries.empty())
    return;
  // Those that are alike are one.
  SmallVector<std::pair<std::string, unsigned>> counts;
  for (const Finding *temporary : section.temporaries) {
    ScheduleEntry entry = {temporary, {}, 0};
    StringRef name = entry.get("name");
    std::string text =
        ((name.empty() ? "unnamed" : name) + " " + entry.get("formula")).str();
    auto *known =
        find_if(counts, [&](auto &each) { return each.first == text; });
    if (known != counts.end())
      ++known->second;
    else
      counts.emplace_back(text, 1);
  }
  std::string text = "temporaries, in bytes:";
  bool isFirst = true;
  for (auto &[what, count] : counts) {
    std::string next =
        (isFirst ? " " : ", ") + what +
        (count > 1 ? " (" + std::to_string(count) + " times)" : "");
    isFirst = false;
    if (indent + text.size() + next.size() > kLineLength) {
      line() << text << ",\n";
      text = "  " + next.substr(2);
    } else {
      text += next;
    }
  }
  line() << text << "\n";
}

void SectionPrinter::print(const ScheduleSection &section) {
  std::map<std::string, const ScheduleGroup *> drawn;
  for (const ScheduleGroup &group : section.groups) {
    std::string key = group.entries.front().get("result").str() + "\n" +
                      group.entries.front().get("class").str();
    if (group.hasLoops())
      printFused(group);
    else if (drawn.insert({key, &group}).second)
      printAlone(group);
    else
      printPiece(group);
  }
  printTemporaries(section);
}

void printSection(raw_ostream &os, const ScheduleSection &section,
                  const DefExplanation *def, unsigned indent) {
  SectionPrinter(os, def, indent).print(section);
}

//===----------------------------------------------------------------------===//
// As data
//===----------------------------------------------------------------------===//

/// Facts are texts; those that are numbers become numbers.
static void printFact(json::OStream &json, StringRef key, StringRef value) {
  double number = 0;
  if (value == "true" || value == "false")
    json.attribute(key, value == "true");
  else if (!value.empty() && (isDigit(value.front()) || value[0] == '-') &&
           !value.getAsDouble(number))
    json.attribute(key, number);
  else
    json.attribute(key, json::fixUTF8(value));
}

static void printEntry(json::OStream &json, const ScheduleEntry &entry,
                       const Sources &sources) {
  json.object([&] {
    json.attribute("kind", entry.finding->name.empty()
                               ? ""
                               : StringRef(entry.finding->name).lower());
    json.attribute("depth", entry.depth);
    json.attribute("counted", entry.isCounted);
    json.attributeArray("statements", [&] {
      for (unsigned statement : entry.statements)
        json.value(statement);
    });
    json.attributeArray("at", [&] {
      for (SourceRange range : entry.finding->ranges)
        json.value(getPageLine(sources, range.begin));
    });
    auto printAll = [&](StringRef member, StringRef prefix) {
      json.attributeObject(member, [&] {
        for (const auto &[key, value] : entry.finding->facts)
          if (StringRef name = key; name.consume_front(prefix))
            printFact(json, name, value);
      });
    };
    SmallVector<std::pair<StringRef, StringRef>> others, alternatives;
    for (const auto &[key, value] : entry.finding->facts) {
      StringRef name = key;
      if (name == "function" || name == "group" || name == "depth" ||
          name.starts_with("cycles_") || name.starts_with("bytes_"))
        continue;
      if (name.starts_with("alternative"))
        alternatives.emplace_back(name, value);
      else if (name == "other" || name.starts_with("other_"))
        others.emplace_back(name, value);
      else if ((name == "extent" || name == "guard") && value.empty())
        continue; // dynamic, or a branch on something else
      else
        printFact(json, name, value);
    }
    if (!alternatives.empty())
      json.attributeArray("alternatives", [&] {
        for (size_t i = 0; i + 1 < alternatives.size(); i += 2)
          json.object([&] {
            json.attribute("if", json::fixUTF8(alternatives[i].second));
            json.attribute("brief", json::fixUTF8(alternatives[i + 1].second));
          });
      });
    if (!entry.is("Op") || entry.get("cycles").empty())
      return;
    printAll("terms", "cycles_");
    printAll("bytes", "bytes_");
    json.attributeArray("others", [&] {
      for (size_t i = 0; i < others.size();) {
        json.object([&] {
          json.attribute("strategy", json::fixUTF8(others[i].second));
          while (++i < others.size() && others[i].first != "other")
            printFact(json, others[i].first.drop_front(strlen("other_")),
                      others[i].second);
        });
      }
    });
  });
}

void printSections(json::OStream &json, ArrayRef<ScheduleSection> sections,
                   const DefExplanation *def, const Sources &sources) {
  json.array([&] {
    for (const ScheduleSection &section : sections)
      for (const ScheduleGroup &group : section.groups)
        json.object([&] {
          SmallVector<unsigned> statements;
          for (const ScheduleEntry &entry : group.entries)
            for (unsigned statement : entry.statements)
              if (!is_contained(statements, statement))
                statements.push_back(statement);
          sort(statements);
          json.attributeArray("statements", [&] {
            for (unsigned statement : statements)
              json.value(statement);
          });
          const ScheduleEntry *longest = group.getLongest();
          json.attribute("operations", group.getOperations());
          if (longest) {
            json.attribute("cycles", group.getCycles());
            json.attribute("bound", longest->get("bound"));
          }
          json.attributeArray("nest", [&] {
            for (const ScheduleEntry &entry : group.entries)
              printEntry(json, entry, sources);
          });
        });
  });
}

} // namespace ein
