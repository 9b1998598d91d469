//===- Problem.cpp - A contraction or program to be timed -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Problem.h"
#include "bench/cases/Program.h"
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

namespace ein::bench {

int64_t View::getStride(char label) const {
  size_t at = labels.find(label);
  return at == std::string::npos ? 0 : strides[at];
}

int64_t getPoints(const std::string &labels, const Extents &extents) {
  int64_t points = 1;
  for (char label : labels)
    points *= extents.at(label);
  return points;
}

View getContiguous(const std::string &labels, const Extents &extents) {
  View view{labels, std::vector<int64_t>(labels.size())};
  int64_t stride = 1;
  for (size_t i = labels.size(); i-- > 0;) {
    view.strides[i] = stride;
    stride *= extents.at(labels[i]);
  }
  return view;
}

int64_t getSpan(const View &view, const Extents &extents) {
  int64_t last = 0;
  for (char label : view.labels)
    last += (extents.at(label) - 1) * view.getStride(label);
  return last + 1;
}

std::string Problem::getLabels() const {
  std::string labels;
  for (char c : einsum)
    if (c >= 'a' && c <= 'z' && labels.find(c) == std::string::npos)
      labels += c;
  return labels;
}

double Problem::getInputBytes() const {
  double bytes = 0;
  for (size_t i = 0; i < inputs.size(); ++i)
    bytes += double(getPoints(inputs[i].labels, extents)) *
             getBytes(getInputElement(i));
  return bytes;
}

Element Problem::getNarrowest() const {
  Element narrowest = element;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (getBytes(getInputElement(i)) < getBytes(narrowest))
      narrowest = getInputElement(i);
  return narrowest;
}

bool Problem::has(Element wanted) const {
  bool found = element == wanted;
  for (size_t i = 0; i < inputs.size(); ++i)
    found |= getInputElement(i) == wanted;
  return found;
}

double Problem::getOutputBytes() const {
  return double(getPoints(output.labels, extents)) * getBytes(element);
}

namespace {

/// A strided view's rows are this much longer than what is used of them: a
/// cache line and a bit, so that no pitch is a power of two.
constexpr int64_t rowGap = 24;

View layOut(const std::string &labels, const Problem &problem) {
  if (!problem.isStrided || labels.size() < 2)
    return getContiguous(labels, problem.extents);
  Extents wider = problem.extents;
  wider[labels.back()] += rowGap;
  return getContiguous(labels, wider);
}

bool readSizes(const std::string &text, Extents &extents) {
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    if (part.size() < 3 || part[1] != '=')
      return false;
    extents[part[0]] = std::atoll(part.c_str() + 2);
    if (extents[part[0]] < 1)
      return false;
  }
  return true;
}

bool readBinding(const std::string &word, Problem &problem) {
  problem.isStatic = word == "static";
  return problem.isStatic || word == "dynamic";
}

/// What is wrong with a line, or empty.
std::string readEinsum(const std::vector<std::string> &words,
                       Problem &problem) {
  if (words.size() != 7)
    return "not seven words";
  problem.einsum = words[2];
  const std::string &sizes = words[3], &element = words[4], &layout = words[6];
  std::optional<Element> parsed = parseElement(element);
  // What libraries of matrix products have.
  if (!parsed || (getBytes(*parsed) < 4 || isInteger(*parsed)))
    return "the element type is not f32, f64, c64 or c128";
  problem.element = *parsed;
  if (!readBinding(words[5], problem))
    return "neither static nor dynamic";
  if (layout != "contiguous" && layout != "strided")
    return "neither contiguous nor strided";
  problem.isStrided = layout == "strided";
  if (!readSizes(sizes, problem.extents))
    return "a size is not LETTER=NUMBER";
  size_t arrow = problem.einsum.find("->");
  if (problem.getLabels().size() != problem.extents.size())
    return "indices and sizes are not the same";
  for (char label : problem.getLabels())
    if (!problem.extents.count(label))
      return "an index without a size";
  std::istringstream inputs(problem.einsum.substr(0, arrow));
  for (std::string word; std::getline(inputs, word, ',');)
    problem.inputs.push_back(layOut(word, problem));
  problem.output = layOut(problem.einsum.substr(arrow + 2), problem);
  return "";
}

std::string readProgramCase(const std::vector<std::string> &words,
                            const std::string &programs, Problem &problem) {
  if (words.size() != 5)
    return "neither an einsum nor five words";
  if (!readBinding(words[4], problem))
    return "neither static nor dynamic";
  Program program;
  program.name = words[2];
  program.path = programs + "/" + words[2] + ".ein";
  std::string error = readProgram(program, words[3], problem.element);
  if (!error.empty())
    return program.path + ": " + error;
  for (size_t i = 0; i < program.arrays.size(); ++i) {
    char label = 'a' + i;
    problem.extents[label] = 1;
    for (int64_t dim : program.arrays[i].dims)
      problem.extents[label] *= dim;
    View view{std::string(1, label), {1}};
    if (i + 1 < program.arrays.size())
      problem.inputs.push_back(view);
    else
      problem.output = view;
  }
  problem.program = std::move(program);
  return "";
}

/// `class NAME RATIO`, then `bytes`, `memory`, `composed` or
/// `PEER=RATIO`.
std::string readClass(const std::vector<std::string> &words, Bar &bar) {
  if (words.size() < 3)
    return "a class without a bar";
  bar.ratio = std::atof(words[2].c_str());
  for (size_t i = 3; i < words.size(); ++i) {
    size_t equals = words[i].find('=');
    if (words[i] == "bytes")
      bar.inBytes = true;
    else if (words[i] == "memory")
      bar.isMemory = true;
    else if (words[i] == "composed")
      bar.isComposed = true;
    else if (equals != std::string::npos)
      bar.ratios[words[i].substr(0, equals)] =
          std::atof(words[i].c_str() + equals + 1);
    else
      return "neither `bytes`, `memory`, `composed` nor PEER=BAR";
  }
  return "";
}

} // namespace

bool readCases(const std::string &path, const std::string &programs,
               std::vector<Problem> &cases, std::vector<std::string> &groups,
               Bars &bars) {
  std::ifstream in(path);
  if (!in) {
    std::fprintf(stderr, "bench: error: cannot read %s\n", path.c_str());
    return false;
  }
  int number = 0;
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream text(line);
    std::vector<std::string> words;
    for (std::string word; text >> word;)
      words.push_back(word);
    std::string error;
    if (words[0] == "class" && words.size() > 1) {
      groups.push_back(words[1]);
      error = readClass(words, bars[words[1]]);
    } else if (words.size() < 3) {
      error = "too few words";
    } else {
      Problem problem;
      problem.group = words[0], problem.name = words[1];
      bool isEinsum = words[2].find("->") != std::string::npos;
      error = isEinsum ? readEinsum(words, problem)
                       : readProgramCase(words, programs, problem);
      if (error.empty() && !bars.count(problem.group))
        error = "the class is not declared: `class NAME BAR`";
      if (error.empty() && !names.insert(problem.name).second)
        error = "two cases of one name";
      if (error.empty())
        problem.isComposed = problem.program || bars[problem.group].isComposed;
      cases.push_back(std::move(problem));
    }
    if (!error.empty()) {
      std::fprintf(stderr, "%s:%d: error: %s\n", path.c_str(), number,
                   error.c_str());
      return false;
    }
  }
  return true;
}

} // namespace ein::bench
