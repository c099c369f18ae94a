#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "system/system.h"
#include "term/evaluator.h"

namespace plumb::prove {

/// All reachable states of a small system, one by one, by term::Evaluator alone: what provers are measured by.
class ExplicitStates {
 public:
  using Values = std::vector<term::Value>;

  explicit ExplicitStates(const system::System& system) : system_(system) {
    for (const system::State& state : system.states()) variables_.push_back(state.variable);
    first_bad_.resize(system.bads().size());
    for (const Values& state : initial_states()) visit(state);
    while (!frontier_.empty()) {
      const std::vector<Values> layer = std::move(frontier_);
      frontier_.clear();
      for (const Values& state : layer) expand(state);
      ++depth_;
    }
  }

  /// The bits that have to be enumerated.
  static std::size_t bits(const system::System& system) {
    std::size_t count = 0;
    const auto add = [&](term::Term t) {
      const term::Sort sort = system.store().sort(t);
      count += std::size_t{sort.width} << sort.index_width;
    };
    for (const system::State& state : system.states()) add(state.variable);
    for (const term::Term input : system.inputs()) add(input);
    return count;
  }

  /// The first step in which a bad is true while the constraints hold.
  std::optional<std::size_t> first_step(std::size_t bad) const { return first_bad_[bad]; }
  /// No run keeps the constraints in its first step.
  bool is_vacuous() const { return !has_first_step_; }

 private:
  static term::Value value_of(term::Sort sort, std::uint64_t& code) {
    const auto next = [&] {
      const BitVector bits(sort.width, code & ((std::uint64_t{1} << sort.width) - 1));
      code >>= sort.width;
      return bits;
    };
    if (!sort.is_array()) return next();
    term::ArrayValue array{sort.index_width, BitVector(sort.width, 0), {}};
    for (std::uint64_t i = 0; i < (std::uint64_t{1} << sort.index_width); ++i)
      array.elements[BitVector(sort.index_width, i)] = next();
    return array;
  }

  /// Calls use() with each assignment of the variables, made in assignment_.
  template <typename Use>
  void each_choice(const std::vector<term::Term>& variables, Use&& use) {
    std::size_t count = 0;
    for (const term::Term variable : variables) {
      const term::Sort sort = system_.store().sort(variable);
      count += std::size_t{sort.width} << sort.index_width;
    }
    for (std::uint64_t choice = 0; choice < (std::uint64_t{1} << count); ++choice) {
      std::uint64_t code = choice;
      for (const term::Term variable : variables)
        assignment_[variable] = value_of(system_.store().sort(variable), code);
      use();
    }
  }

  std::vector<Values> initial_states() {
    std::vector<term::Term> chosen;
    for (const system::State& state : system_.states())
      if (!state.init) chosen.push_back(state.variable);
    std::vector<Values> result;
    each_choice(chosen, [&] {
      for (const system::State& state : system_.states())
        if (state.init) assignment_[state.variable] = term::Evaluator(system_.store(), assignment_).value(state.init);
      result.push_back(current());
    });
    return result;
  }

  Values current() const {
    Values values;
    for (const term::Term variable : variables_) values.push_back(assignment_.at(variable));
    return values;
  }

  void visit(const Values& state) {
    std::string key;
    for (const term::Value& value : state) {
      if (const auto* bits = std::get_if<BitVector>(&value)) {
        key += bits->to_binary() + ",";
      } else {
        const auto& array = std::get<term::ArrayValue>(value);
        for (std::uint64_t i = 0; i < (std::uint64_t{1} << array.index_width); ++i)
          key += array.at(BitVector(array.index_width, i)).to_binary() + ".";
      }
    }
    if (seen_.emplace(key, true).second) frontier_.push_back(state);
  }

  void expand(const Values& state) {
    std::vector<term::Term> inputs(system_.inputs().begin(), system_.inputs().end());
    each_choice(inputs, [&] {
      for (std::size_t i = 0; i < variables_.size(); ++i) assignment_[variables_[i]] = state[i];
      term::Evaluator evaluator(system_.store(), assignment_);
      for (const system::NamedTerm& constraint : system_.constraints())
        if (!evaluator.is_true(constraint.term)) return;
      if (depth_ == 0) has_first_step_ = true;
      for (std::size_t i = 0; i < first_bad_.size(); ++i)
        if (!first_bad_[i] && evaluator.is_true(system_.bads()[i].term)) first_bad_[i] = depth_;
      Values next;
      std::vector<term::Term> free;
      for (const system::State& s : system_.states()) {
        next.push_back(s.next ? evaluator.value(s.next) : term::zero_value(system_.store().sort(s.variable)));
        if (!s.next) free.push_back(s.variable);
      }
      each_choice(free, [&] {
        for (std::size_t i = 0; i < variables_.size(); ++i)
          if (!system_.states()[i].next) next[i] = assignment_[variables_[i]];
        visit(next);
      });
    });
  }

  const system::System& system_;
  std::vector<term::Term> variables_;
  term::Assignment assignment_;
  std::map<std::string, bool> seen_;
  std::vector<Values> frontier_;
  std::size_t depth_ = 0;
  bool has_first_step_ = false;
  std::vector<std::optional<std::size_t>> first_bad_;
};

}  // namespace plumb::prove
