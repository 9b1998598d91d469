//===- Problem.cpp - A contraction to be timed ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Problem.h"
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

namespace ein::bench {

int64_t getBytes(Element element) { return element == Element::F32 ? 4 : 8; }

const char *getName(Element element) {
  switch (element) {
  case Element::F32:
    return "f32";
  case Element::F64:
    return "f64";
  case Element::C64:
    return "c64";
  }
  return "";
}

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
  double elements = 0;
  for (const View &input : inputs)
    elements += getPoints(input.labels, extents);
  return elements * getBytes(element);
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

/// What is wrong with a line, or null.
const char *readCase(const std::string &line, Problem &problem) {
  std::istringstream in(line);
  std::string sizes, element, binding, layout, rest;
  in >> problem.group >> problem.name >> problem.einsum >> sizes >> element >>
      binding >> layout;
  if (!in || in >> rest)
    return "not seven words";
  if (element != "f32" && element != "f64" && element != "c64")
    return "the element type is not f32, f64 or c64";
  problem.element = element == "f32"   ? Element::F32
                    : element == "f64" ? Element::F64
                                       : Element::C64;
  if (binding != "static" && binding != "dynamic")
    return "neither static nor dynamic";
  problem.isStatic = binding == "static";
  if (layout != "contiguous" && layout != "strided")
    return "neither contiguous nor strided";
  problem.isStrided = layout == "strided";
  if (!readSizes(sizes, problem.extents))
    return "a size is not LETTER=NUMBER";
  size_t arrow = problem.einsum.find("->");
  if (arrow == std::string::npos)
    return "an einsum without ->";
  if (problem.getLabels().size() != problem.extents.size())
    return "indices and sizes are not the same";
  for (char label : problem.getLabels())
    if (!problem.extents.count(label))
      return "an index without a size";
  std::istringstream words(problem.einsum.substr(0, arrow));
  for (std::string word; std::getline(words, word, ',');)
    problem.inputs.push_back(layOut(word, problem));
  problem.output = layOut(problem.einsum.substr(arrow + 2), problem);
  return nullptr;
}

} // namespace

bool readCases(const std::string &path, std::vector<Problem> &cases,
               std::vector<std::string> &groups, Bars &bars) {
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
    std::istringstream in(line);
    std::string word, group;
    double bar;
    if (in >> word && word == "class" && in >> group >> bar) {
      groups.push_back(group);
      bars[group] = bar;
      continue;
    }
    Problem problem;
    const char *error = readCase(line, problem);
    if (!error && !bars.count(problem.group))
      error = "the class is not declared: `class NAME BAR`";
    if (!error && !names.insert(problem.name).second)
      error = "two cases of one name";
    if (error) {
      std::fprintf(stderr, "%s:%d: error: %s\n", path.c_str(), number, error);
      return false;
    }
    cases.push_back(std::move(problem));
  }
  return true;
}

} // namespace ein::bench
