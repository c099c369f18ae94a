#pragma once

#include <random>

#include "chain/model.h"

namespace plumb::chain {

/// Models of two to four components of one or two variables, with shared actions and a random composition.
class ModelGenerator {
 public:
  explicit ModelGenerator(std::uint32_t seed) : random_(seed) {}

  Model model(Kind kind) {
    Model m;
    m.kind = kind;
    m.actions = {"", "a", "b", "c", "d"};
    const std::uint32_t components = 2 + pick(3);
    for (std::uint32_t c = 0; c < components; ++c) {
      m.components.push_back({"m" + std::to_string(c), {}});
      for (std::uint32_t i = 0, n = 1 + pick(2); i < n; ++i) {
        Variable variable;
        variable.name = "v" + std::to_string(m.variables.size());
        variable.low = static_cast<int>(pick(3)) - 1;
        variable.high = variable.low + 1 + pick(3);
        variable.initial = variable.low;
        variable.component = c;
        m.variables.push_back(variable);
      }
    }
    for (std::uint32_t c = 0; c < components; ++c)
      for (std::uint32_t i = 0, n = 2 + pick(3); i < n; ++i) m.components[c].commands.push_back(command(m, c));
    add_composition(m);
    for (std::size_t r = 0; r < 2; ++r) {
      RewardStructure structure{"r" + std::to_string(r), {}};
      structure.items.push_back({condition(m), weight(m), std::nullopt, {}});
      structure.items.push_back({condition(m), weight(m), pick(4), {}});
      structure.items.push_back({condition(m), weight(m), 0, {}});
      m.rewards.push_back(structure);
    }
    return m;
  }

 private:
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  Expression any_variable(Model& m) {
    return m.expressions.variable(pick(static_cast<std::uint32_t>(m.variables.size())), Type::Int);
  }
  Expression constant(Model& m) { return m.expressions.integer(static_cast<int>(pick(5)) - 1); }

  Expression condition(Model& m) {
    ExpressionPool& pool = m.expressions;
    switch (pick(6)) {
      case 0:
        return pool.boolean(true);
      case 1:
        return pool.make(Op::LessEqual, any_variable(m), constant(m));
      case 2:
        return pool.make(Op::Less, constant(m), any_variable(m));
      case 3:
        return pool.make(Op::Not, pool.make(Op::Equal, any_variable(m), constant(m)));
      case 4:
        return pool.make(Op::And, pool.make(Op::LessEqual, any_variable(m), constant(m)),
                         pool.make(Op::LessEqual, constant(m), any_variable(m)));
      default:
        return pool.make(Op::Less, any_variable(m), pool.make(Op::Add, any_variable(m), constant(m)));
    }
  }
  Expression weight(Model& m) {
    ExpressionPool& pool = m.expressions;
    const Expression base = pool.real(0.5 * (1 + pick(4)));
    if (pick(3) != 0) return base;
    return pool.make(Op::Multiply, base, pool.to_double(pool.make(Op::Max, any_variable(m), pool.integer(0))));
  }
  Expression new_value(Model& m, std::uint32_t variable) {
    ExpressionPool& pool = m.expressions;
    const Variable& v = m.variables[variable];
    const auto span = static_cast<std::uint32_t>(v.high - v.low + 1);
    if (pick(2) == 0) return pool.integer(v.low + pick(span));
    const Expression moved = pool.make(Op::Add, any_variable(m), pool.integer(static_cast<int>(pick(3)) - 1));
    return pool.make(Op::Min, pool.make(Op::Max, moved, pool.integer(v.low)), pool.integer(v.high));
  }
  Command command(Model& m, std::uint32_t component) {
    Command result;
    result.action = pick(4);
    result.guard = condition(m);
    const std::uint32_t alternatives = 1 + pick(3);
    for (std::uint32_t i = 0; i < alternatives; ++i) {
      Alternative alternative;
      constexpr double kParts[3][3] = {{1, 0, 0}, {0.25, 0.75, 0}, {0.5, 0.25, 0.25}};
      alternative.weight = m.kind == Kind::Ctmc ? weight(m) : m.expressions.real(kParts[alternatives - 1][i]);
      for (std::uint32_t v = 0; v < m.variables.size(); ++v)
        if (m.variables[v].component == component && pick(2) == 0)
          alternative.assignments.push_back({v, new_value(m, v), {}});
      result.alternatives.push_back(std::move(alternative));
    }
    return result;
  }

  void add_composition(Model& m) {
    using Shape = Composition::Kind;
    std::vector<std::uint32_t> open;
    const auto add = [&](Shape kind, std::vector<std::uint32_t> operands) {
      Composition node;
      node.kind = kind;
      node.operands = std::move(operands);
      if (kind == Shape::On || kind == Shape::Hide) node.actions = {1 + pick(3), 4};
      if (kind == Shape::Rename) {
        node.actions = {1, 2};
        node.renamed = {1 + pick(4), 1 + pick(4)};
      }
      m.composition.push_back(node);
      return static_cast<std::uint32_t>(m.composition.size() - 1);
    };
    for (std::uint32_t c = 0; c < m.components.size(); ++c) {
      const std::uint32_t node = add(Shape::Leaf, {});
      m.composition[node].component = c;
      open.push_back(pick(3) == 0 ? add(pick(2) == 0 ? Shape::Hide : Shape::Rename, {node}) : node);
    }
    while (open.size() > 1) {
      const std::uint32_t b = open.back();
      open.pop_back();
      const std::uint32_t a = open.back();
      open.pop_back();
      constexpr Shape kShapes[] = {Shape::Full, Shape::Full, Shape::Interleaved, Shape::On};
      open.push_back(add(kShapes[pick(4)], {a, b}));
    }
  }

  std::mt19937 random_;
};

}  // namespace plumb::chain
