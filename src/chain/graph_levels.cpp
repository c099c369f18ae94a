// Levels of components. A state whose targets all have their level is a component of its own, one level above the
// highest of them. Where states are numbered along the transitions, which breadth-first exploration mostly does, one
// descending sweep finds nearly all such states at the speed of memory; sweeps go on as long as they find many. What is
// left, components of several states and what is above them, is searched by Tarjan's algorithm (1972) with an explicit
// stack. Its numbers live in the words that take up the levels when components are closed (after Pearce, "A
// space-efficient algorithm for finding strongly connected components", 2016), so there is one word a state beside the
// stacks.

#include "chain/graph_levels.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "chain/graph_search.h"

namespace plumb::chain {

class LevelSearch {
 public:
  LevelSearch(const Chain& chain, const StateSet& within, const StateSet* rows, const Budget& budget)
      : chain_(chain), rows_(rows), budget_(budget), word_(chain.states, kUnseen) {
    INVARIANT(chain.states < kOpen - 1, "states should fit 31 bits");
    for (std::uint64_t s = 0; s < chain.states; ++s)
      if (!within.contains(static_cast<StateId>(s))) word_[s] = 0;
    left_ = within.count();
  }

  ComponentLevels run() {
    trim();
    if (left_ > 0) search();
    collect();
    return std::move(result_);
  }

 private:
  // A word is a level, counted from one, of a closed state; 0 outside; kOpen and more while it is being searched.
  static constexpr std::uint32_t kOpen = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  static constexpr double kLeastPart = 0.125;

  struct Visit {
    StateId state;
    std::uint32_t number;
    std::uint32_t row;         ///< counted from the state's first
    std::uint32_t transition;  ///< the next one, counted from the row's first
  };

  bool has(std::uint64_t row) const { return rows_ == nullptr || rows_->contains(static_cast<StateId>(row)); }

  void trim() {
    for (SweepPlan plan; left_ > 0 && plan.pays(kLeastPart);) {
      const std::uint64_t before = left_;
      sweep_states(
          chain_, plan.is_descending(), budget_, [&](StateId s) { return word_[s] == kUnseen; },
          [&](StateId s, const StateRows& rows) { close_if_single(s, rows); });
      plan.note(before, left_);
    }
  }

  void close_if_single(StateId s, const StateRows& rows) {
    std::uint32_t highest = 0;
    const StateId* targets = chain_.rows.targets();
    for (std::uint32_t r = 0; r < rows.count; ++r) {
      if (!has(rows.first + r)) continue;
      for (std::uint64_t t = rows.begins[r]; t < rows.begins[r + 1]; ++t) {
        if (targets[t] == s) continue;
        const std::uint32_t word = word_[targets[t]];
        if (word >= kOpen) return;
        highest = std::max(highest, word);
      }
    }
    word_[s] = highest + 1;
    --left_;
  }

  void enter(StateId s) {
    ++counter_;
    word_[s] = kOpen + counter_;
    open_.push_back(s);
    stack_.push_back({s, counter_, 0, 0});
  }

  void search() {
    std::uint64_t steps = 0;
    for (std::uint64_t root = 0; root < chain_.states; ++root) {
      if (word_[root] != kUnseen) continue;
      enter(static_cast<StateId>(root));
      while (!stack_.empty()) {
        if ((++steps & 0xfffff) == 0) budget_.check();
        if (!advance()) leave();
      }
    }
    open_ = {};
    stack_ = {};
  }

  /// Goes on with the last state of the path until it leads to one that is new; false when it has no transition left.
  bool advance() {
    Visit& visit = stack_.back();
    const StateId s = visit.state;
    const std::uint64_t first = chain_.first_row(s);
    const std::uint32_t rows = chain_.row_count(s);
    std::uint64_t begin = chain_.rows.begin(first + visit.row);
    for (; visit.row < rows; ++visit.row, visit.transition = 0) {
      const std::uint32_t count = chain_.rows.count(first + visit.row);
      if (has(first + visit.row)) {
        while (visit.transition < count) {
          const StateId target = chain_.rows.target(begin + visit.transition++);
          const std::uint32_t word = word_[target];
          if (word == kUnseen) {
            enter(target);
            return true;
          }
          if (word >= kOpen) word_[s] = std::min(word_[s], word);
        }
      }
      begin += count;
    }
    return false;
  }

  void leave() {
    const Visit visit = stack_.back();
    stack_.pop_back();
    const std::uint32_t word = word_[visit.state];
    if (word == kOpen + visit.number)
      close(visit.state);
    else
      word_[stack_.back().state] = std::min(word_[stack_.back().state], word);
  }

  void close(StateId root) {
    std::size_t first = open_.size();
    while (open_[--first] != root) {
    }
    const std::span<const StateId> members = std::span(open_).subspan(first);
    std::uint32_t highest = 0;
    for (const StateId s : members) highest = std::max(highest, highest_below(s));
    if (members.size() == 1) {
      word_[root] = highest + 1;
    } else {
      result_.groups_.push_back({result_.members_.size(), static_cast<std::uint32_t>(members.size()), highest});
      result_.levels_ = std::max(result_.levels_, highest + 1);
      result_.members_.insert(result_.members_.end(), members.begin(), members.end());
      std::sort(result_.members_.end() - static_cast<std::ptrdiff_t>(members.size()), result_.members_.end());
      for (const StateId s : members) word_[s] = highest + 1;
    }
    open_.resize(first);
  }

  /// Of the closed targets; the other members are still open.
  std::uint32_t highest_below(StateId s) const {
    std::uint32_t highest = 0;
    const std::uint64_t first = chain_.first_row(s);
    std::uint64_t begin = chain_.rows.begin(first);
    for (std::uint64_t row = first; row < first + chain_.row_count(s); ++row) {
      const std::uint64_t end = begin + chain_.rows.count(row);
      for (; has(row) && begin < end; ++begin)
        if (const std::uint32_t word = word_[chain_.rows.target(begin)]; word < kOpen)
          highest = std::max(highest, word);
      begin = end;
    }
    return highest;
  }

  void collect() {
    for (const StateId s : result_.members_) word_[s] = 0;
    std::uint64_t singles = 0;
    std::uint32_t highest = result_.levels_;
    for (const std::uint32_t word : word_) {
      singles += word != 0;
      highest = std::max(highest, word);
    }
    result_.levels_ = highest;
    result_.single_starts_.assign(std::size_t{highest} + 1, 0);
    for (const std::uint32_t word : word_) ++result_.single_starts_[word];
    // The states outside are in front of level zero; each start is moved on by the states that are filled in.
    std::uint32_t total = 0;
    result_.single_starts_[0] = 0;
    for (std::size_t level = 1; level < result_.single_starts_.size(); ++level)
      total += std::exchange(result_.single_starts_[level], total);
    result_.singles_.resize(singles);
    for (std::uint64_t s = 0; s < word_.size(); ++s)
      if (word_[s] != 0) result_.singles_[result_.single_starts_[word_[s]]++] = static_cast<StateId>(s);
    // Now the entry of a word is the end of its level, which is the start of the next one.
    word_ = {};
    std::ranges::stable_sort(result_.groups_, {}, &ComponentLevels::Group::level);
  }

  const Chain& chain_;
  const StateSet* rows_;
  const Budget& budget_;
  std::vector<std::uint32_t> word_;
  std::uint64_t left_ = 0;
  std::uint32_t counter_ = 0;
  std::vector<StateId> open_;
  std::vector<Visit> stack_;
  ComponentLevels result_;
};

ComponentLevels component_levels(const Chain& chain, const StateSet& within, const StateSet* rows,
                                 const Budget& budget) {
  return LevelSearch(chain, within, rows, budget).run();
}

}  // namespace plumb::chain
