#include "two_level_terms.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <string>

#include "operators.h"
#include "term/evaluator.h"

namespace plumb::term {
namespace {

constexpr std::uint32_t kExhaustiveWidth = 4;

/// An operator with the widths of its operands and its result; `inner` is the operand that is not a leaf.
struct Application {
  Op op;
  std::vector<std::uint32_t> operands;
  std::uint32_t width;
  std::uint32_t parameter = 0;
  unsigned inner = 0;
};

/// The ways to apply an operator with operand `inner` of width `w`; other operands have that width where they must,
/// `leaf` otherwise.
void add_applications(std::vector<Application>& result, Op op, unsigned inner, std::uint32_t w, std::uint32_t leaf) {
  switch (op) {
    case Op::Concat:
      result.push_back({op, inner == 0 ? std::vector{w, leaf} : std::vector{leaf, w}, w + leaf, 0, inner});
      break;
    case Op::Extract:
      for (std::uint32_t low = 0; low < w; ++low)
        for (std::uint32_t n = 1; low + n <= w; ++n) result.push_back({op, {w}, n, low, inner});
      break;
    case Op::ZeroExtend:
    case Op::SignExtend:
      for (const std::uint32_t more : {0U, 1U, 3U}) result.push_back({op, {w}, w + more, 0, inner});
      break;
    case Op::Repeat:
      for (const std::uint32_t times : {1U, 2U, 3U}) result.push_back({op, {w}, w * times, 0, inner});
      break;
    case Op::Ite:
      if (inner == 0 && w == 1) result.push_back({op, {1, leaf, leaf}, leaf, 0, inner});
      if (inner != 0) result.push_back({op, {1, w, w}, w, 0, inner});
      break;
    default:
      result.push_back({op, std::vector<std::uint32_t>(arity(op), w), is_predicate(op) ? 1 : w, 0, inner});
  }
}

std::vector<Application> inner_applications(Op op, std::uint32_t width) {
  std::vector<Application> result;
  add_applications(result, op, op == Op::Ite ? 1 : 0, width, width);
  return result;
}

std::vector<Application> outer_applications(Op op, std::uint32_t inner_width, std::uint32_t leaf_width) {
  std::vector<Application> result;
  for (unsigned i = 0; i < arity(op); ++i) add_applications(result, op, i, inner_width, leaf_width);
  return result;
}

std::vector<BitVector> some_values(std::uint32_t width) {
  std::vector<BitVector> result;
  if (width <= kExhaustiveWidth) {
    for (std::uint64_t v = 0; v < (std::uint64_t{1} << width); ++v) result.emplace_back(width, v);
  } else {
    for (const std::uint64_t v : {0, 1, 2, 3, 5, 8, 21}) result.emplace_back(width, v);
    for (const std::uint64_t v : {0, 1, 2, 5}) result.push_back(~BitVector(width, v));
    result.push_back(BitVector::min_signed(width));
    result.push_back(BitVector::max_signed(width));
  }
  return result;
}

constexpr std::size_t kConstant = SIZE_MAX;

struct Leaf {
  Term term;
  std::size_t variable = kConstant;
  BitVector value;  ///< of a constant
};

/// One assignment with the evaluator that keeps its results.
struct Scenario {
  Scenario(const TermStore& store, std::size_t variables) : values(variables), evaluator(store, assignment) {}

  std::vector<BitVector> values;  ///< by variable
  Assignment assignment;
  Evaluator evaluator;
};

class Leaves {
 public:
  explicit Leaves(LeafChoice choice) : choice_(choice) {}

  TermStore& store() { return store_; }
  const std::vector<Leaf>& of_width(std::uint32_t w) {
    const auto [it, is_new] = leaves_.try_emplace(w);
    if (!is_new) return it->second;
    const unsigned variables = w == choice_.width ? choice_.variables : w == 1 ? 2 : 1;
    for (unsigned i = 0; i < variables; ++i) {
      it->second.push_back({store_.variable(w, {}), variables_.size(), {}});
      variables_.push_back(it->second.back().term);
    }
    for (const BitVector& v : some_values(w)) it->second.push_back({store_.constant(v), kConstant, v});
    return it->second;
  }
  /// All assignments to the variables of a set.
  std::deque<Scenario>& scenarios(std::uint32_t set) {
    const auto [it, is_new] = scenarios_.try_emplace(set);
    if (is_new) enumerate(set, it->second);
    return it->second;
  }

 private:
  void enumerate(std::uint32_t set, std::deque<Scenario>& result) {
    std::vector<std::vector<BitVector>> domains(variables_.size());
    std::size_t count = 1;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      if ((set >> v & 1U) == 0) continue;
      domains[v] = some_values(store_.width(variables_[v]));
      count *= domains[v].size();
    }
    for (std::size_t i = 0; i < count; ++i) {
      Scenario& scenario = result.emplace_back(store_, variables_.size());
      std::size_t rest = i;
      for (std::size_t v = 0; v < variables_.size(); ++v) {
        if (domains[v].empty()) continue;
        scenario.values[v] = domains[v][rest % domains[v].size()];
        scenario.assignment.emplace(variables_[v], scenario.values[v]);
        rest /= domains[v].size();
      }
    }
  }

  LeafChoice choice_;
  TermStore store_;
  std::map<std::uint32_t, std::vector<Leaf>> leaves_;
  std::vector<Term> variables_;
  std::map<std::uint32_t, std::deque<Scenario>> scenarios_;
};

using Operands = std::array<const Leaf*, 3>;

/// One inner under one outer application, over all choices of leaves.
class Pair {
 public:
  Pair(const Application& outer, const Application& inner, LeafChoice choice)
      : outer_(outer), inner_(inner), choice_(choice), leaves_(choice) {
    for (const std::uint32_t w : inner.operands) leaves_.of_width(w);
    for (const std::uint32_t w : outer.operands) leaves_.of_width(w);
  }

  /// False at the first term that is wrong.
  bool check(std::size_t& counter) {
    Operands inner{};
    Operands outer{};
    std::size_t choices = 1;
    for (const std::uint32_t w : inner_.operands) choices *= leaves_.of_width(w).size();
    for (unsigned i = 0; i < outer_.operands.size(); ++i)
      if (i != outer_.inner) choices *= leaves_.of_width(outer_.operands[i]).size();
    for (std::size_t choice = 0; choice < choices; ++choice) {
      if (++counter % choice_.stride != 0) continue;
      std::size_t rest = choice;
      const auto take = [&](std::uint32_t w) {
        const std::vector<Leaf>& all = leaves_.of_width(w);
        const Leaf* leaf = &all[rest % all.size()];
        rest /= all.size();
        return leaf;
      };
      for (unsigned i = 0; i < inner_.operands.size(); ++i) inner[i] = take(inner_.operands[i]);
      for (unsigned i = 0; i < outer_.operands.size(); ++i)
        outer[i] = i == outer_.inner ? nullptr : take(outer_.operands[i]);
      if (!check(inner, outer)) return false;
    }
    return true;
  }

 private:
  bool check(const Operands& inner, const Operands& outer) {
    const Term inner_term = make(inner_, inner, {});
    const Term t = make(outer_, outer, inner_term);
    std::uint32_t used = 0;
    for (const Leaf* leaf : {inner[0], inner[1], inner[2], outer[0], outer[1], outer[2]})
      if (leaf != nullptr && leaf->variable != kConstant) used |= 1U << leaf->variable;
    if (leaves_.store().width(t) != outer_.width) return fail(inner, outer, "the width is wrong");
    for (Scenario& scenario : leaves_.scenarios(used)) {
      const BitVector middle = evaluate(inner_, inner, scenario, nullptr);
      if (scenario.evaluator.bits(t) != evaluate(outer_, outer, scenario, &middle))
        return fail(inner, outer, "the value is wrong");
    }
    return true;
  }

  Term make(const Application& a, const Operands& operands, Term inner) {
    std::array<Term, 3> terms{};
    for (unsigned i = 0; i < a.operands.size(); ++i) terms[i] = operands[i] != nullptr ? operands[i]->term : inner;
    return leaves_.store().make(a.op, std::span(terms).first(a.operands.size()), a.width, a.parameter);
  }

  static BitVector evaluate(const Application& a, const Operands& operands, const Scenario& scenario,
                            const BitVector* inner) {
    std::array<const BitVector*, 3> values{};
    for (unsigned i = 0; i < a.operands.size(); ++i) {
      const Leaf* leaf = operands[i];
      values[i] = leaf == nullptr               ? inner
                  : leaf->variable == kConstant ? &leaf->value
                                                : &scenario.values[leaf->variable];
    }
    return term::evaluate(a.op, std::span(values).first(a.operands.size()), a.width, a.parameter);
  }

  static std::string text(const Application& a, const Operands& operands, const std::string& inner) {
    std::string result(name(a.op));
    result.append("[").append(std::to_string(a.parameter)).append(":").append(std::to_string(a.width)).append("](");
    for (unsigned i = 0; i < a.operands.size(); ++i) {
      const Leaf* leaf = operands[i];
      if (i > 0) result += ", ";
      if (leaf == nullptr)
        result += inner;
      else if (leaf->variable != kConstant)
        result.append("v").append(std::to_string(leaf->variable));
      else
        result += leaf->value.to_binary();
    }
    return result + ")";
  }

  bool fail(const Operands& inner, const Operands& outer, const char* what) const {
    ADD_FAILURE() << what << ": " << text(outer_, outer, text(inner_, inner, {}));
    return false;
  }

  Application outer_;
  Application inner_;
  LeafChoice choice_;
  Leaves leaves_;
};

}  // namespace

void expect_function_preserved(std::span<const Op> outer, LeafChoice choice) {
  std::size_t counter = 0;
  for (const Op inner_op : bit_vector_operators())
    for (const Application& i : inner_applications(inner_op, choice.width))
      for (const Op outer_op : outer)
        for (const Application& o : outer_applications(outer_op, i.width, choice.width))
          Pair(o, i, choice).check(counter);
  EXPECT_GT(counter, 1000U);
}

}  // namespace plumb::term
