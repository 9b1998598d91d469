//===- Networks.h - Networks to find orders of ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Families of networks that others measure their searches by: lattices, random
// regular graphs, circuits of quantum gates, and models of inference, of which
// a variable is a label that many factors have. Each is made from numbers
// alone, the same everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_UNIT_PASSES_NETWORKS_H
#define EIN_TESTS_UNIT_PASSES_NETWORKS_H

#include "order/ContractionOrder.h"
#include "order/OrderProblem.h"
#include <algorithm>
#include <numeric>
#include <vector>

namespace ein::test {

/// A network while it is made.
struct Network {
  std::vector<std::vector<unsigned>> tensors;
  std::vector<double> sizes;
  std::vector<unsigned> output;

  unsigned addLabel(double size) {
    sizes.push_back(size);
    return sizes.size() - 1;
  }
  void addEdge(unsigned lhs, unsigned rhs, double size) {
    unsigned label = addLabel(size);
    tensors[lhs].push_back(label);
    tensors[rhs].push_back(label);
  }

  ContractionNetwork get() const {
    ContractionNetwork network;
    network.labelSizes.assign(sizes.begin(), sizes.end());
    auto makeBits = [&](const std::vector<unsigned> &labels) {
      llvm::SmallBitVector bits(sizes.size());
      for (unsigned label : labels)
        bits.set(label);
      return bits;
    };
    for (const std::vector<unsigned> &labels : tensors)
      network.operands.push_back(makeBits(labels));
    network.output = makeBits(output);
    return network;
  }
};

/// A lattice of as many dims as there are extents.
inline Network makeGrid(const std::vector<unsigned> &extents, double bond) {
  Network network;
  unsigned count = 1;
  for (unsigned extent : extents)
    count *= extent;
  network.tensors.resize(count);
  unsigned stride = 1;
  for (unsigned extent : extents) {
    for (unsigned i = 0; i != count; ++i)
      if (i / stride % extent + 1 != extent)
        network.addEdge(i, i + stride, bond);
    stride *= extent;
  }
  return network;
}

/// A graph of which every vertex has `degree` edges, without double ones.
inline Network makeRegular(unsigned count, unsigned degree, double bond,
                           uint64_t seed) {
  OrderRandom random(seed);
  while (true) {
    std::vector<unsigned> ends(count * degree);
    for (unsigned i = 0; i != ends.size(); ++i)
      ends[i] = i / degree;
    for (unsigned i = ends.size(); i-- > 1;)
      std::swap(ends[i], ends[random.below(i + 1)]);
    std::vector<std::pair<unsigned, unsigned>> edges;
    // Loops and double edges are changed with edges drawn by chance.
    for (unsigned i = 0; i != ends.size(); i += 2)
      edges.push_back(std::minmax(ends[i], ends[i + 1]));
    auto isBad = [&](size_t i) {
      return edges[i].first == edges[i].second ||
             std::count(edges.begin(), edges.end(), edges[i]) > 1;
    };
    for (unsigned tries = 0; tries != 20; ++tries)
      for (size_t i = 0; i != edges.size(); ++i)
        if (isBad(i)) {
          size_t j = random.below(edges.size());
          auto [a, b] = edges[i];
          auto [c, d] = edges[j];
          edges[i] = std::minmax(a, c);
          edges[j] = std::minmax(b, d);
        }
    bool good = true;
    for (size_t i = 0; i != edges.size(); ++i)
      good &= !isBad(i);
    if (!good)
      continue;
    Network network;
    network.tensors.resize(count);
    for (auto [lhs, rhs] : edges)
      network.addEdge(lhs, rhs, bond);
    return network;
  }
}

/// Gates on qubits. The start is a product of vectors, and so is the end
/// unless it is kept open.
class Circuit {
public:
  explicit Circuit(unsigned numQubits) {
    for (unsigned i = 0; i != numQubits; ++i) {
      wires.push_back(network.addLabel(2));
      network.tensors.push_back({wires[i]});
    }
  }
  void apply(unsigned qubit) {
    unsigned after = network.addLabel(2);
    network.tensors.push_back({wires[qubit], after});
    wires[qubit] = after;
  }
  void apply(unsigned a, unsigned b) {
    unsigned afterA = network.addLabel(2), afterB = network.addLabel(2);
    network.tensors.push_back({wires[a], wires[b], afterA, afterB});
    wires[a] = afterA;
    wires[b] = afterB;
  }
  Network close() {
    for (unsigned wire : wires)
      network.tensors.push_back({wire});
    return network;
  }
  Network open() {
    network.output = wires;
    return network;
  }

private:
  Network network;
  std::vector<unsigned> wires;
};

/// The quantum Fourier transform: Hadamard gates and controlled phases, and
/// swaps in the end.
inline Network makeFourier(unsigned numQubits) {
  Circuit circuit(numQubits);
  for (unsigned i = 0; i != numQubits; ++i) {
    circuit.apply(i);
    for (unsigned j = i + 1; j != numQubits; ++j)
      circuit.apply(j, i);
  }
  for (unsigned i = 0; i < numQubits / 2; ++i)
    circuit.apply(i, numQubits - 1 - i);
  return circuit.close();
}

/// Layers of gates on neighbours in a line, each gate after one on its own.
inline Network makeBrickwork(unsigned numQubits, unsigned depth) {
  Circuit circuit(numQubits);
  for (unsigned layer = 0; layer != depth; ++layer) {
    for (unsigned i = 0; i != numQubits; ++i)
      circuit.apply(i);
    for (unsigned i = layer % 2; i + 1 < numQubits; i += 2)
      circuit.apply(i, i + 1);
  }
  return circuit.close();
}

/// The same on a lattice, whose bonds take turns, as in Google's experiment.
inline Network makeLatticeCircuit(unsigned rows, unsigned columns,
                                  unsigned depth) {
  Circuit circuit(rows * columns);
  for (unsigned layer = 0; layer != depth; ++layer) {
    for (unsigned i = 0; i != rows * columns; ++i)
      circuit.apply(i);
    bool down = layer / 2 % 2;
    for (unsigned row = 0; row != rows; ++row)
      for (unsigned column = 0; column != columns; ++column) {
        unsigned here = row * columns + column;
        if (down && row % 2 == layer % 2 && row + 1 != rows)
          circuit.apply(here, here + columns);
        if (!down && column % 2 == layer % 2 && column + 1 != columns)
          circuit.apply(here, here + 1);
      }
  }
  return circuit.close();
}

/// Layers of gates on pairs drawn by chance.
inline Network makeRandomCircuit(unsigned numQubits, unsigned depth,
                                 uint64_t seed) {
  OrderRandom random(seed);
  Circuit circuit(numQubits);
  std::vector<unsigned> order(numQubits);
  std::iota(order.begin(), order.end(), 0);
  for (unsigned layer = 0; layer != depth; ++layer) {
    for (unsigned i = numQubits; i-- > 1;)
      std::swap(order[i], order[random.below(i + 1)]);
    for (unsigned i = 0; i + 1 < numQubits; i += 2) {
      circuit.apply(order[i]);
      circuit.apply(order[i], order[i + 1]);
    }
  }
  return circuit.close();
}

/// A Markov field on a lattice: a label is a variable, which has a factor of
/// its own and one with each neighbour.
inline Network makeField(unsigned rows, unsigned columns, double states) {
  Network network;
  for (unsigned i = 0; i != rows * columns; ++i)
    network.tensors.push_back({network.addLabel(states)});
  for (unsigned i = 0; i != rows * columns; ++i) {
    if (i % columns + 1 != columns)
      network.tensors.push_back({i, i + 1});
    if (i / columns + 1 != rows)
      network.tensors.push_back({i, i + columns});
  }
  return network;
}

/// A Bayesian network: variables of two to four states, each with up to
/// `parents` among those not long before it.
inline Network makeBayes(unsigned count, unsigned parents, unsigned reach,
                         uint64_t seed) {
  OrderRandom random(seed);
  Network network;
  for (unsigned i = 0; i != count; ++i) {
    std::vector<unsigned> labels = {network.addLabel(2 + random.below(3))};
    unsigned number = random.below(parents + 1);
    for (unsigned j = 0; j != number && i != 0; ++j) {
      unsigned parent = i - 1 - random.below(std::min(reach, i));
      if (std::find(labels.begin(), labels.end(), parent) == labels.end())
        labels.push_back(parent);
    }
    network.tensors.push_back(labels);
  }
  return network;
}

/// Clauses of a formula, to be counted: each has three of the variables, some
/// of which are in many more clauses than others.
inline Network makeFormula(unsigned numVariables, unsigned numClauses,
                           uint64_t seed) {
  OrderRandom random(seed);
  Network network;
  for (unsigned i = 0; i != numVariables; ++i)
    network.addLabel(2);
  for (unsigned i = 0; i != numClauses; ++i) {
    // A place, and what lies round it; now and then a variable of all.
    std::vector<unsigned> labels;
    unsigned place = random.below(numVariables);
    while (labels.size() != 3) {
      double far = random.uniform();
      unsigned step = far * far * far * far * numVariables / 2;
      unsigned label = (place + step) % numVariables;
      if (random.below(12) == 0)
        label = random.below(4);
      if (std::find(labels.begin(), labels.end(), label) == labels.end())
        labels.push_back(label);
    }
    network.tensors.push_back(labels);
  }
  return network;
}

/// Queens of a board, as a graph to be coloured: squares are variables, and two
/// that threaten each other have a factor.
inline Network makeQueens(unsigned side, double colours) {
  Network network;
  for (unsigned i = 0; i != side * side; ++i)
    network.addLabel(colours);
  for (unsigned i = 0; i != side * side; ++i)
    for (unsigned j = i + 1; j != side * side; ++j) {
      int rows = j / side - i / side;
      int columns = int(j % side) - int(i % side);
      if (rows == 0 || columns == 0 || rows == columns || rows == -columns)
        network.tensors.push_back({i, j});
    }
  return network;
}

struct NamedNetwork {
  const char *name;
  Network network;
};

} // namespace ein::test

#endif // EIN_TESTS_UNIT_PASSES_NETWORKS_H
