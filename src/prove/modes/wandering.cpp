#include "prove/modes/wandering.h"

#include <algorithm>

namespace plumb::prove {
namespace {

constexpr unsigned kFirst = 24;          ///< first states, with other initial values
constexpr unsigned kWalk = 24;           ///< steps from a start
constexpr std::size_t kRecent = 40;      ///< starts that every second walk is one of
constexpr std::size_t kMaxIdle = 1000;   ///< walks one after the other that show nothing new
constexpr unsigned kValueBits = 6;       ///< of values that are looked at
constexpr std::size_t kMaxSmall = 1000;  ///< registers of a state that are looked at
constexpr std::size_t kMaxPairs = std::size_t{1} << 24;

}  // namespace

term::Value Wandering::any(term::Sort sort) {
  if (sort.is_array()) return term::zero_value(sort);
  std::vector<std::uint64_t> words((sort.width + 63) / 64);
  for (std::uint64_t& word : words) word = random_() % 4 == 0 ? random_() % 4 : random_();
  return BitVector::from_words(sort.width, words);
}

bool Wandering::choose_inputs() {
  for (std::size_t i = 0; i < system_.inputs().size(); ++i)
    simulator_.set_input(i, any(system_.store().sort(system_.inputs()[i])));
  simulator_.evaluate();
  is_bad_ = !simulator_.violated_constraint() && simulator_.is_bad(0);
  return !simulator_.violated_constraint() && !is_bad_;
}

std::optional<Wandering::Full> Wandering::first() {
  std::vector<std::optional<term::Value>> initial;
  for (const system::State& state : system_.states())
    initial.push_back(state.init ? std::nullopt : std::optional(any(system_.store().sort(state.variable))));
  simulator_.reset(initial);
  if (!choose_inputs()) return std::nullopt;
  Full state;
  for (const system::State& s : system_.states()) state.push_back(simulator_.value(s.variable));
  return state;
}

std::optional<Wandering::Full> Wandering::next(const Full& state) {
  for (std::size_t i = 0; i < state.size(); ++i) simulator_.set_state(i, state[i]);
  if (!choose_inputs()) return std::nullopt;
  Full next;
  for (const system::State& s : system_.states())
    next.push_back(s.next ? simulator_.value(s.next) : any(system_.store().sort(s.variable)));
  return next;
}

ModeTable::State Wandering::words(const Full& state) {
  ModeTable::State words;
  for (const term::Value& value : state) {
    const auto* bits = std::get_if<BitVector>(&value);
    words.push_back(bits != nullptr && bits->width() <= 64 ? bits->to_uint64() : 0);
  }
  return words;
}

std::vector<ModeTable::State> Wandering::walk(Full state, unsigned steps) {
  std::vector<ModeTable::State> result;
  for (unsigned step = 0; step < steps; ++step) {
    auto behind = next(state);
    if (!behind) break;
    state = std::move(*behind);
    result.push_back(words(state));
  }
  return result;
}

bool Wandering::note(const Full& state) {
  ModeTable::State here = words(state);
  if (!seen_.insert(here).second) return false;
  std::vector<std::uint64_t> small;  // register and value
  for (std::size_t i = 0; i < here.size() && small.size() < kMaxSmall && pairs_.size() < kMaxPairs; ++i)
    if (here[i] >> kValueBits == 0) small.push_back(i << kValueBits | here[i]);
  words_.push_back(std::move(here));
  bool is_new = false;
  for (std::size_t i = 0; i < small.size(); ++i)
    for (std::size_t j = i; j < small.size(); ++j) is_new = pairs_.insert(small[i] << 32 | small[j]).second || is_new;
  return is_new;
}

bool Wandering::run(std::size_t max_states, const Budget& budget) {
  for (unsigned i = 0; i < kFirst; ++i) {
    budget.check();
    const auto state = first();
    if (is_bad_) return false;
    if (state && (note(*state) || starts_.empty())) starts_.push_back(*state);
  }
  for (std::size_t idle = 0; !starts_.empty() && words_.size() < max_states && idle < kMaxIdle; ++idle) {
    const std::size_t among = idle % 2 == 0 ? std::min(kRecent, starts_.size()) : starts_.size();
    Full state = starts_[starts_.size() - 1 - random_() % among];
    for (unsigned step = 0; step < kWalk; ++step) {
      budget.check();
      auto behind = next(state);
      if (is_bad_) return false;
      if (!behind) break;
      state = std::move(*behind);
      if (!note(state)) continue;
      starts_.push_back(state);
      idle = 0;
    }
  }
  return !starts_.empty();
}

}  // namespace plumb::prove
