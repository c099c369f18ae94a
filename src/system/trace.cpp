#include "system/trace.h"

#include <algorithm>
#include <random>

#include "system/simulator.h"

namespace plumb::system {

namespace {

/// Random values of sorts, with a taste for the edges, where comparisons and overflows change.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed) {}

  Value of(Sort sort) {
    if (!sort.is_array()) return bits(sort.width);
    term::ArrayValue array{sort.index_width, bits(sort.width), {}};
    const std::size_t count = sort.index_width < 6 ? std::size_t{1} << sort.index_width : kElements;
    for (std::size_t i = 0; i < count; ++i)
      array.elements.insert_or_assign(count < kElements ? BitVector(sort.index_width, i) : bits(sort.index_width),
                                      bits(sort.width));
    return array;
  }

 private:
  static constexpr std::size_t kElements = 64;

  BitVector bits(std::uint32_t width) {
    const std::uint64_t kind = random_() % 8;
    if (kind == 0) return BitVector(width, random_() % 3);
    if (kind == 1) return ~BitVector(width, random_() % 3);
    std::vector<std::uint64_t> words((width + 63) / 64);
    for (std::uint64_t& word : words) word = random_();
    return BitVector::from_words(width, words);
  }

  std::mt19937_64 random_;
};

std::vector<std::optional<Value>> random_inputs(const System& system, RandomValues& values) {
  std::vector<std::optional<Value>> result;
  for (const Term input : system.inputs()) result.emplace_back(values.of(system.store().sort(input)));
  return result;
}

/// For the states that `is_chosen` in a step.
template <typename IsChosen>
std::vector<std::optional<Value>> random_states(const System& system, RandomValues& values, IsChosen is_chosen) {
  std::vector<std::optional<Value>> result;
  for (const State& state : system.states()) {
    result.emplace_back();
    if (is_chosen(state)) result.back() = values.of(system.store().sort(state.variable));
  }
  return result;
}

/// Makes step `k` of the run with choices that satisfy the constraints, or says that none was found.
bool extend(const System& system, RandomValues& values, unsigned tries, Trace& trace, Simulator& simulator) {
  const std::size_t k = trace.steps.size();
  for (unsigned attempt = 0; attempt < tries; ++attempt) {
    trace.steps.emplace_back();
    if (k == 0) {
      trace.initial = random_states(system, values, [](const State& s) { return !s.init; });
      simulator.reset(trace.initial);
    } else {
      trace.steps.back().states = random_states(system, values, [](const State& s) { return !s.next; });
    }
    trace.steps.back().inputs = random_inputs(system, values);
    simulator.choose(trace, k);
    simulator.evaluate();
    if (!simulator.violated_constraint()) return true;
    trace.steps.pop_back();
  }
  return false;
}

/// Notes the bads that are true now and were not before.
void note_reached(const System& system, const Simulator& simulator, std::size_t step, Replay& replay) {
  for (std::size_t i = 0; i < system.bads().size(); ++i)
    if (simulator.is_bad(i) && !replay.reaches(i)) replay.reached.push_back({i, step});
}

}  // namespace

bool Replay::reaches(std::size_t bad) const {
  return std::any_of(reached.begin(), reached.end(), [&](const Reached& r) { return r.bad == bad; });
}

Replay replay(const System& system, const Trace& trace) {
  Replay result;
  Simulator simulator(system);
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    simulator.play(trace, k);
    if (const auto constraint = simulator.violated_constraint()) {
      result.violation = Replay::Violation{*constraint, k};
      break;
    }
    note_reached(system, simulator, k, result);
  }
  return result;
}

RandomRun random_run(const System& system, std::uint64_t seed, std::size_t steps, unsigned tries) {
  RandomRun run;
  RandomValues values(seed);
  Simulator simulator(system);
  for (std::size_t k = 0; k < steps; ++k) {
    if (k > 0) simulator.step();
    if (!extend(system, values, tries, run.trace, simulator)) {
      run.is_stuck = true;
      break;
    }
    note_reached(system, simulator, k, run.replay);
  }
  return run;
}

}  // namespace plumb::system
