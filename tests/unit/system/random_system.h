#pragma once

#include <random>
#include <string>
#include <vector>

#include "system/trace.h"
#include "term/evaluator.h"
#include "unit/term/random_terms.h"

namespace plumb::system {

/// A system with states, inputs and terms of all sorts; the same for the same seed.
class RandomSystem {
 public:
  struct Shape {
    std::uint32_t max_width = 80;
    std::uint32_t max_index_width = 3;
    std::size_t operators = 30;
    bool varying_constant_arrays = true;
  };

  explicit RandomSystem(std::uint64_t seed) : RandomSystem(seed, Shape{}) {}
  RandomSystem(std::uint64_t seed, const Shape& shape)
      : shape_(shape), random_(seed), pool_(system_.store(), seed + 1, shape.max_width) {}

  System make() {
    add_states();
    for (std::uint64_t i = below(3); i-- > 0;) add_input(sort());
    if (below(3) == 0) add_input(array_sort());
    pool_.add_constant(BitVector(1, 1));
    grow();
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const Sort s = store().sort(system_.states()[i].variable);
      if (below(6) != 0) system_.set_next(i, s.is_array() ? array(s) : bits(s.width));
    }
    for (std::uint64_t i = below(3); i-- > 0;) system_.add_wire(pool_.term(below(pool_.size())), name("wire", i));
    if (!arrays_.empty() && below(2) == 0) system_.add_wire(array(store().sort(arrays_.front())), "array.wire");
    for (std::uint64_t i = 1 + below(3); i-- > 0;) system_.add_bad(property(), name("bad", i));
    // A constraint that holds often enough for runs to go on.
    for (std::uint64_t i = below(3); i-- > 0;)
      system_.add_constraint(store().bit_or(bits(1), store().bit_or(property(), property())), name("constraint", i));
    return std::move(system_);
  }

 private:
  TermStore& store() { return system_.store(); }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::string name(const char* prefix, std::uint64_t i) {
    return below(4) == 0 ? std::string() : std::string(below(3) == 0 ? "top." : "") + prefix + std::to_string(i);
  }
  Sort sort() {
    static constexpr std::uint32_t kWidths[] = {1, 1, 2, 4, 7, 8, 16, 33, 64, 65, 80};
    return {std::min(kWidths[below(std::size(kWidths))], shape_.max_width), 0};
  }
  Sort array_sort() {
    const auto index = static_cast<std::uint32_t>(1 + below(shape_.max_index_width));
    return {sort().width, below(2) == 0 ? std::min(shape_.max_index_width, 2U) : index};
  }

  void add_states() {
    const std::uint64_t count = 1 + below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Sort s = below(4) == 0 ? array_sort() : sort();
      const std::size_t position = system_.states().size();
      const Term init = below(4) == 0 ? Term{} : initial_value(s);
      const Term variable = system_.add_state(s, name("state", i));
      if (init) system_.set_init(position, init);
      note(variable);
    }
  }

  /// A term over the states so far.
  Term initial_value(Sort s) {
    if (pool_.size() != 0 && below(3) == 0) {
      for (int i = 0; i < 3; ++i) pool_.add_random(below(pool_.size()));
      return s.is_array() ? array(s) : bits(s.width);
    }
    const Term element = constant(s.width);
    return s.is_array() ? store().constant_array(s.index_width, element) : element;
  }
  Term constant(std::uint32_t width) { return store().constant(BitVector(width, random_() >> below(64))); }

  void add_input(Sort s) { note(system_.add_input(s, name("input", system_.inputs().size()))); }
  void note(Term variable) {
    if (store().is_array(variable))
      arrays_.push_back(variable);
    else
      pool_.add_variable(variable);
  }

  void grow() {
    for (std::size_t i = 0; i < shape_.operators; ++i) {
      if (!arrays_.empty() && below(5) == 0) {
        const Term a = arrays_[below(arrays_.size())];
        pool_.add_variable(store().select(array(store().sort(a)), bits(store().sort(a).index_width)));
      } else if (!arrays_.empty() && below(12) == 0) {
        const Sort s = store().sort(arrays_[below(arrays_.size())]);
        pool_.add_variable(store().eq(array(s), array(s)));
      } else {
        pool_.add_random(below(pool_.size()));
      }
    }
  }

  /// A term of the pool with that width, made to fit if there is none.
  Term bits(std::uint32_t width) {
    if (pool_.size() == 0) return constant(width);
    for (int attempt = 0; attempt < 5; ++attempt) {
      const Term t = pool_.term(below(pool_.size()));
      if (store().width(t) == width) return t;
    }
    const Term t = pool_.term(below(pool_.size()));
    if (store().width(t) < width) return store().sign_extend(t, width);
    return store().extract(t, width - 1, 0);
  }

  /// A bit that depends on much: states and the newest terms.
  Term property() {
    Term result = store().boolean(false);
    for (int i = 0; i < 3; ++i) {
      const Term t = pool_.term(pool_.size() - 1 - below(std::min<std::size_t>(pool_.size(), 10)));
      result = store().bit_xor(result, store().bit(t, static_cast<std::uint32_t>(below(store().width(t)))));
    }
    const Term state = system_.states()[below(system_.states().size())].variable;
    const Sort s = store().sort(state);
    const Term read = s.is_array() ? store().select(state, bits(s.index_width)) : state;
    return store().bit_xor(result, store().bit(read, static_cast<std::uint32_t>(below(s.width))));
  }

  Term array(Sort s) {
    Term result;
    for (const Term a : arrays_)
      if (store().sort(a) == s && (!result || below(2) == 0)) result = a;
    if (!result || below(8) == 0)
      result = store().constant_array(
          s.index_width, shape_.varying_constant_arrays && below(2) == 0 ? bits(s.width) : constant(s.width));
    for (std::uint64_t i = below(3); i-- > 0;) {
      const Term written = store().store(result, bits(s.index_width), bits(s.width));
      result = below(3) == 0 ? store().ite(bits(1), written, result) : written;
    }
    return result;
  }

  Shape shape_;
  System system_;
  std::mt19937_64 random_;
  term::RandomTerms pool_;
  std::vector<Term> arrays_;
};

/// The values of states, wires, bads and constraints in each step of a trace, by term::Evaluator alone: what the
/// simulator and every translation is measured by. Only sorts and values, so that runs of different systems compare.
inline std::vector<std::vector<Value>> reference_run(const System& system, const Trace& trace, bool with_wires = true) {
  std::vector<std::vector<Value>> run;
  term::Assignment now;
  const auto chosen = [&](const std::vector<std::optional<Value>>& choices, std::size_t i, Term variable) {
    return i < choices.size() && choices[i] ? *choices[i] : term::zero_value(system.store().sort(variable));
  };
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    term::Assignment next;
    for (std::size_t i = 0; i < system.states().size(); ++i) {
      const State& state = system.states()[i];
      if (k == 0)
        next[state.variable] = state.init ? term::Evaluator(system.store(), next).value(state.init)
                                          : chosen(trace.initial, i, state.variable);
      else
        next[state.variable] = state.next ? term::Evaluator(system.store(), now).value(state.next)
                                          : chosen(trace.steps[k].states, i, state.variable);
    }
    for (std::size_t i = 0; i < system.inputs().size(); ++i)
      next[system.inputs()[i]] = chosen(trace.steps[k].inputs, i, system.inputs()[i]);
    now = std::move(next);
    term::Evaluator evaluator(system.store(), now);
    std::vector<Value>& values = run.emplace_back();
    for (const State& state : system.states()) values.push_back(evaluator.value(state.variable));
    if (with_wires)
      for (const NamedTerm& wire : system.wires()) values.push_back(evaluator.value(wire.term));
    for (const NamedTerm& bad : system.bads()) values.push_back(evaluator.value(bad.term));
    for (const NamedTerm& constraint : system.constraints()) values.push_back(evaluator.value(constraint.term));
  }
  return run;
}

/// A trace of any choices, whether constraints hold or not.
inline Trace random_trace(const System& system, std::uint64_t seed, std::size_t steps) {
  System without;  // the same variables, and nothing that could get stuck
  for (const State& state : system.states()) without.add_state(system.store().sort(state.variable), {});
  for (const Term input : system.inputs()) without.add_input(system.store().sort(input), {});
  return random_run(without, seed, steps).trace;
}

}  // namespace plumb::system
