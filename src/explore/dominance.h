#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "explore/store.h"
#include "program/analysis/value_flow.h"
#include "program/goal.h"
#include "program/program.h"

namespace plumb::explore {

using program::FunctionId;
using program::GlobalId;
using program::Goal;
using program::Program;
using program::ValueId;

/// Data of which more is worse: counters and sums that are only added up, compared with bounds and asserted to stay
/// below them. A state then covers all states that are equal but for less of it (as in well-structured transition
/// systems, Finkel and Schnoebelen, 2001): whatever these can do wrong, it can.
///
/// What is such data is found in the text: variables that are loaded and stored as a whole, and values made of them by
/// addition and comparison, of which a branch depends on none but where its larger side is bound to violate a goal.
/// That sums do not wrap is seen on the way; if one does, or a goal is violated that others stand behind, the search
/// begins again without.
class Dominance {
 public:
  Dominance(const Program& program, std::span<const Goal> goals);

  /// There is such data.
  bool is_on() const noexcept { return is_on_; }
  /// From the next beginning on: states were left out that should not have been.
  void turn_off() noexcept { is_broken_ = is_on_; }
  bool is_broken() const noexcept { return is_broken_; }
  void mend() noexcept {
    is_on_ = is_on_ && !is_broken_;
    is_broken_ = false;
  }

  /// Which way a value goes as states grow.
  enum class Trend : std::uint8_t { None, Up, Down };
  Trend of(FunctionId f, ValueId v) const { return trends_[f].empty() ? Trend::None : trends_[f][v]; }
  bool has_any(FunctionId f) const { return !trends_[f].empty(); }
  bool has(FunctionId f, ValueId v) const { return of(f, v) != Trend::None; }
  bool has(GlobalId g) const { return g < grows_.size() && grows_[g]; }  ///< it goes up

 private:
  class Finder;

  std::vector<std::vector<Trend>> trends_;  ///< by function; empty where there are none
  std::vector<bool> grows_;                 ///< by global
  bool is_on_ = false;
  bool is_broken_ = false;
};

/// For each state without such data, the largest ones that are known.
class Fronts {
 public:
  using Id = std::uint32_t;

  /// `rest`: the state without the data. Whether a known one covers it; if not, it is one of the largest now, and those
  /// that it covers are handed to `covered`.
  template <typename Visit>
  bool add(const State& rest, std::span<const std::uint64_t> data, Id id, const Visit& covered) {
    std::vector<Entry>& known = fronts_[{rest.control, rest.data}];
    for (const Entry& entry : known)
      if (covers(entry.data, data)) return false;
    std::erase_if(known, [&](const Entry& entry) {
      if (!covers(data, entry.data)) return false;
      covered(entry.id);
      return true;
    });
    known.push_back({{data.begin(), data.end()}, id});
    return true;
  }
  void clear() { fronts_.clear(); }

 private:
  struct Entry {
    std::vector<std::uint64_t> data;
    Id id = 0;
  };
  static bool covers(std::span<const std::uint64_t> large, std::span<const std::uint64_t> small) {
    if (large.size() != small.size()) return false;
    for (std::size_t i = 0; i < large.size(); ++i)
      if (large[i] < small[i]) return false;
    return true;
  }

  absl::flat_hash_map<std::pair<TreeStore::Id, std::uint32_t>, std::vector<Entry>> fronts_;
};

}  // namespace plumb::explore
