#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "system/control_graph.h"

namespace plumb::system {

/// A control graph with loops, branches, arrays, inputs, dead variables and several ends; the same for the same seed.
class RandomControlGraph {
 public:
  /// Of each array, which has indices of two bits.
  static constexpr std::uint64_t kElements = 3;

  explicit RandomControlGraph(std::uint64_t seed)
      : random_(seed), depth_(1 + static_cast<unsigned>(below(3))), is_local_(below(2) == 0) {}

  ControlGraph make() {
    for (const std::uint32_t width : {1U, 1U, 4U, 4U, 4U, 7U}) add_variable(Sort{width, 0});
    for (std::uint64_t i = below(is_local_ ? 8 : 2); i-- > 0;) add_variable(Sort{4, 0});
    for (std::uint64_t i = below(3); i-- > 0;) add_variable(Sort{4, 2});
    for (std::uint64_t i = 1 + below(3); i-- > 0;) graph_.properties.push_back(fmt::format("p{}", i));
    graph_.statements.resize(2 + below(18));
    for (std::size_t label = 0; label < graph_.statements.size(); ++label) fill(label);
    graph_.entry = static_cast<ControlGraph::Label>(below(4) == 0 ? below(graph_.statements.size()) : 0);
    own_ = {};
    if (below(2) == 0) graph_.wires.push_back({bits(4, 2), "wire"});
    return std::move(graph_);
  }

 private:
  TermStore& store() { return graph_.store(); }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  void add_variable(Sort sort) {
    const std::size_t i = graph_.variables.size();
    ControlGraph::Variable variable;
    variable.term = store().variable(sort, fmt::format("v{}", i));
    variable.is_hidden = below(is_local_ ? 8 : 2) != 1;
    if (sort.is_array()) variable.elements = kElements;
    if (below(3) != 0) {
      const Term value = store().constant(sort.width, below(1U << sort.width));
      variable.init = sort.is_array() ? store().constant_array(sort.index_width, value) : value;
    }
    graph_.variables.push_back(variable);
  }

  void fill(std::size_t label) {
    ControlGraph::Statement& statement = graph_.statements[label];
    const auto line = static_cast<std::uint32_t>(label + 1);
    statement.location = {"random", line, 1};
    statement.text = "statement";
    at_ = label;
    own_ = {};
    if (below(4) == 0) own_ = input();
    for (std::uint64_t i = below(8) == 0 ? 1 + below(2) : 0; i-- > 0;)
      statement.checks.push_back({bits(1, depth_), below(graph_.properties.size()), statement.location});
    std::vector<std::size_t> variables(graph_.variables.size());
    for (std::size_t v = 0; v < variables.size(); ++v) variables[v] = v;
    std::shuffle(variables.begin(), variables.end(), random_);
    variables.resize(below(is_local_ ? 2 : 4));
    if (is_local_ && variables.empty()) variables.push_back(near(4, 2));
    for (const std::size_t v : variables) {
      const Term variable = graph_.variables[v].term;
      const Sort sort = store().sort(variable);
      statement.assignments.push_back({variable, sort.is_array() ? array(sort) : bits(sort.width, depth_)});
    }
    if (below(8) == 0) return;
    for (std::uint64_t i = below(2) == 0 ? below(3) : 0; i-- > 0;)
      statement.targets.push_back(
          {below(10) == 0 ? store().boolean(below(2) == 0) : bits(1, depth_), somewhere(label)});
    statement.targets.push_back({store().boolean(true), somewhere(label)});
  }

  Term input() {
    const Sort sort{below(2) == 0 ? 1U : 4U, 0};
    const Term made = store().variable(sort, fmt::format("in{}", graph_.inputs.size()));
    graph_.inputs.push_back(made);
    return made;
  }

  ControlGraph::Label somewhere(std::size_t label) {
    const std::size_t size = graph_.statements.size();
    const std::size_t to = below(is_local_ ? 60 : 4) == 0 ? below(size) : label + 1 + below(3);
    return static_cast<ControlGraph::Label>(std::min(to, size - 1));
  }

  Term leaf(std::uint32_t width) {
    if (own_ && store().width(own_) == width && below(3) == 0) return own_;
    if (below(5) == 0) return store().constant(width, below(std::uint64_t{1} << width));
    return graph_.variables[near(width, below(2))].term;
  }

  /// The position of a variable; in local graphs, one that only statements nearby use.
  std::size_t near(std::uint32_t width, std::size_t ahead) {
    std::vector<std::size_t> fitting;
    for (std::size_t v = 0; v < graph_.variables.size(); ++v)
      if (store().sort(graph_.variables[v].term) == Sort{width, 0}) fitting.push_back(v);
    return fitting[(is_local_ ? at_ + ahead : below(fitting.size())) % fitting.size()];
  }

  Term bits(std::uint32_t width, unsigned depth) {
    if (depth == 0) return leaf(width);
    const std::uint32_t operand = width == 1 && below(3) != 0 ? 4 : width;
    const Term a = bits(operand, depth - 1);
    const Term b = bits(operand, depth - 1);
    if (operand != width) return below(2) == 0 ? store().ult(a, b) : store().eq(a, b);
    switch (below(width == 4 ? 7 : 5)) {
      case 0:
        return store().add(a, b);
      case 1:
        return store().bit_xor(a, b);
      case 2:
        return store().ite(bits(1, depth - 1), a, b);
      case 3:
        return store().bit_and(a, b);
      case 4:
        return a;
      default:
        return store().select(array(Sort{4, 2}), index(b));
    }
  }

  Term index(Term t) {
    const Term low = store().extract(t, 1, 0);
    const Term last = store().constant(2, kElements - 1);
    return store().ite(store().ult(last, low), last, low);
  }

  Term array(Sort sort) {
    Term made;
    for (const ControlGraph::Variable& variable : graph_.variables)
      if (store().sort(variable.term) == sort && (!made || below(2) == 0)) made = variable.term;
    if (!made) return store().constant_array(sort.index_width, leaf(sort.width));
    for (std::uint64_t i = below(3); i-- > 0;) made = store().store(made, index(leaf(4)), leaf(sort.width));
    return made;
  }

  ControlGraph graph_;
  std::mt19937_64 random_;
  unsigned depth_;      ///< of terms
  bool is_local_;       ///< variables are used near each other, and few jumps go far
  std::size_t at_ = 0;  ///< the statement at hand
  Term own_;            ///< the input of the statement at hand
};

}  // namespace plumb::system
