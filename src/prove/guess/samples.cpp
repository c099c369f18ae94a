#include "prove/guess/samples.h"

#include <algorithm>

#include "system/trace.h"

namespace plumb::prove {
namespace {

/// Kept a place; of more, an even choice.
constexpr std::size_t kMaxStates = 1500;
constexpr unsigned kTries = 20;
constexpr std::uint64_t kTastes = 6;
/// What the start of a run costs, in steps.
constexpr std::size_t kStart = 3;
constexpr std::uint64_t kElements = 12;

std::size_t hash_of(const Samples::State& state) {
  std::size_t hash = 0;
  const auto add = [&](const BitVector& bits) { hash = hash * 0x9e3779b97f4a7c15U + bits.hash(); };
  for (const term::Value& value : state) {
    if (const auto* bits = std::get_if<BitVector>(&value)) {
      add(*bits);
      continue;
    }
    const auto& array = std::get<term::ArrayValue>(value);
    add(array.otherwise);
    for (const auto& [index, element] : array.elements) {
      add(index);
      add(element);
    }
  }
  return hash;
}

}  // namespace

Samples::Samples(const System& system, const ControlMap& map, const Vocabulary& vocabulary, std::uint64_t seed)
    : system_(system),
      map_(map),
      vocabulary_(vocabulary),
      simulator_(system),
      random_(seed),
      states_(map.places().size()),
      seen_(map.places().size(), 0),
      hashes_(map.places().size()) {}

BitVector Samples::bits(std::uint32_t width, bool is_input) {
  const std::uint64_t kind = random_() % 4 == 0 ? random_() % kTastes : taste_;
  const std::vector<std::uint64_t>& constants = vocabulary_.constants_of(width);
  if (const auto asked = vocabulary_.asked.find(width); is_input && kind >= 3 && asked != vocabulary_.asked.end())
    return BitVector(width, asked->second[random_() % asked->second.size()]);
  switch (kind) {
    case 0:
      return BitVector(width, random_() % 4);
    case 1:
      return BitVector(width, random_() % 12);
    case 2:
      return BitVector(width, random_() % 64);
    case 3:
    case 4:
      if (!constants.empty()) return BitVector(width, constants[random_() % constants.size()]);
      [[fallthrough]];
    default:
      std::vector<std::uint64_t> words((width + 63) / 64);
      for (std::uint64_t& word : words) word = random_();
      return BitVector::from_words(width, words);
  }
}

term::Value Samples::value(term::Sort sort, bool is_input) {
  if (!sort.is_array()) return bits(sort.width, is_input);
  term::ArrayValue array{sort.index_width, bits(sort.width, is_input), {}};
  const std::uint64_t count = sort.index_width < 4 ? std::uint64_t{1} << sort.index_width : kElements;
  for (std::uint64_t i = 0; i < count; ++i)
    array.elements.insert_or_assign(BitVector(sort.index_width, i), bits(sort.width, is_input));
  return array;
}

std::vector<std::optional<term::Value>> Samples::chosen_states(bool at_start) {
  std::vector<std::optional<term::Value>> result;
  for (const system::State& state : system_.states()) {
    result.emplace_back();
    if (!(at_start ? state.init : state.next)) result.back() = value(system_.store().sort(state.variable), false);
  }
  return result;
}

/// Makes the choices of a step so that the constraints hold, and evaluates it.
bool Samples::choose(std::size_t step) {
  for (unsigned attempt = 0; attempt < kTries; ++attempt) {
    Trace::Step& choices = trace_.steps.emplace_back();
    if (step == 0) {
      trace_.initial = chosen_states(true);
      simulator_.reset(trace_.initial);
    } else {
      choices.states = chosen_states(false);
    }
    for (const Term input : system_.inputs()) choices.inputs.emplace_back(value(system_.store().sort(input), true));
    simulator_.choose(trace_, step);
    simulator_.evaluate();
    if (!simulator_.violated_constraint()) return true;
    trace_.steps.pop_back();
  }
  return false;
}

void Samples::record() {
  if (simulator_.is_bad(0) && !counterexample_) counterexample_ = trace_;
  std::optional<std::size_t> place = 0;
  if (map_.state()) place = map_.place_of(simulator_.bits(system_.states()[*map_.state()].variable));
  if (!place) return;
  std::vector<State>& kept = states_[*place];
  ++seen_[*place];
  std::size_t slot = kept.size();
  if (slot >= kMaxStates) {
    slot = static_cast<std::size_t>(random_() % seen_[*place]);
    if (slot >= kMaxStates) return;
  }
  State state;
  for (const system::State& of : system_.states()) state.push_back(simulator_.value(of.variable));
  if (!hashes_[*place].insert(hash_of(state)).second) return;
  if (slot < kept.size()) {
    kept[slot] = std::move(state);
  } else {
    kept.push_back(std::move(state));
  }
}

void Samples::go_on(std::size_t steps) {
  for (std::size_t i = 0; i < steps && !counterexample_; ++i) {
    if (!trace_.steps.empty()) simulator_.step();
    if (!choose(trace_.steps.size())) return;
    record();
    if (is_at_rest()) return;
  }
}

/// A program that has ended.
bool Samples::is_at_rest() const {
  if (!map_.state()) return false;
  const auto place = map_.place_of(simulator_.bits(system_.states()[*map_.state()].variable));
  return place && map_.places()[*place].is_at_rest;
}

void Samples::run(std::size_t steps, std::size_t length, const Budget& budget) {
  std::size_t made = 0;
  for (std::uint64_t i = 0; made < steps && !counterexample_; ++i) {
    budget.check();
    taste_ = i % kTastes;
    trace_ = {};
    go_on(length);
    made += trace_.steps.size() + kStart;
  }
}

void Samples::follow(const Trace& trace, std::size_t count, std::size_t steps, const Budget& budget) {
  for (std::size_t i = 0; i < count && !counterexample_; ++i) {
    budget.check();
    taste_ = i % kTastes;
    trace_ = {};
    trace_.initial = trace.initial;
    for (std::size_t k = 0; k < trace.steps.size(); ++k) {
      trace_.steps.push_back(trace.steps[k]);
      simulator_.play(trace_, k);
      if (simulator_.violated_constraint()) return;
      record();
    }
    go_on(steps);
  }
}

}  // namespace plumb::prove
