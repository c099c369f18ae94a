// The closure is computed from each node separately. What is reached without guards is a set of bits, and steps of the
// search are unions of such sets. Behind a guard there are labels (node, guards on the way): a label is dropped if the
// node is reached with fewer guards. There may be exponentially many, hence the limit.
#include "lang/bip/flatten/closure.h"

#include <algorithm>
#include <bit>

namespace plumb::bip::flat {

bool Bits::any() const {
  return std::ranges::any_of(words_, [](std::uint64_t word) { return word != 0; });
}

bool Bits::is_subset_of(const Bits& other) const {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if ((words_[i] & ~other.words_[i]) != 0) return false;
  return true;
}

void Bits::remove(const Bits& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
}

void Bits::add(const Bits& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
}

std::vector<std::uint32_t> Bits::members() const {
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < words_.size(); ++i)
    for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
      result.push_back(static_cast<std::uint32_t>(64 * i + static_cast<std::size_t>(std::countr_zero(word))));
  return result;
}

namespace {

GuardSet with(const GuardSet& guards, std::uint32_t guard) {
  GuardSet result = guards;
  const auto it = std::ranges::lower_bound(result, guard);
  if (it == result.end() || *it != guard) result.insert(it, guard);
  return result;
}

bool is_subset(const GuardSet& a, const GuardSet& b) { return std::ranges::includes(b, a); }

constexpr std::size_t kMaxCycles = 1000;
/// Between two nodes: sets of guards none of which includes another.
constexpr std::size_t kMaxWays = 256;

class Closure {
 public:
  Closure(const std::vector<Bits>& progress, const std::vector<PriorityRule>& rules,
          const std::function<bool(const GuardSet&)>& can_hold, std::size_t limit)
      : size_(progress.size()), rules_(rules), can_hold_(can_hold), limit_(limit), next_(progress), beyond_(size_) {
    for (const PriorityRule& rule : rules_) {
      if (rule.guard != kNone) {
        guarded_.push_back(&rule);
        continue;
      }
      for (const std::uint32_t low : rule.low.members()) next_[low].add(rule.high);
    }
  }

  PriorityClosure close() {
    for (std::uint32_t node = 0; node < size_; ++node) {
      search_unconditional(node);
      if (result_.unconditional_cycle || result_.is_too_large) return std::move(result_);
    }
    if (guarded_.empty()) return std::move(result_);
    for (std::uint32_t node = 0; node < size_; ++node) {
      search_conditional(node);
      if (result_.is_too_large) return std::move(result_);
    }
    std::ranges::stable_sort(result_.pairs, {}, &PriorityClosure::Pair::low);
    return std::move(result_);
  }

 private:
  /// Of the rule by which a node gives way to the next; line 0 if it does so without.
  Place place_of(std::uint32_t low, std::uint32_t high) const {
    for (const PriorityRule& rule : rules_)
      if (rule.guard == kNone && rule.low.test(low) && rule.high.test(high)) return rule.place;
    return {};
  }

  void add_pair(PriorityClosure::Pair pair) {
    weight_ += 1 + pair.guards.size();
    if (weight_ > limit_) {
      result_.is_too_large = true;
      return;
    }
    result_.pairs.push_back(std::move(pair));
  }

  void search_unconditional(std::uint32_t start) {
    struct Reached {
      std::uint32_t node = 0;
      std::size_t parent = 0;
      Place place;
    };
    Bits seen(size_);
    std::vector<Reached> reached = {{start, 0, {}}};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      Bits fresh = next_[reached[i].node];
      fresh.remove(seen);
      seen.add(fresh);
      for (const std::uint32_t node : fresh.members()) {
        const Place place = reached[i].place.line != 0 ? reached[i].place : place_of(reached[i].node, node);
        if (node != start) {
          reached.push_back({node, i, place});
          add_pair({start, node, {}, place});
          if (result_.is_too_large) return;
          continue;
        }
        PriorityClosure::Cycle cycle{{}, {}, place};
        for (std::size_t at = i; at != 0; at = reached[at].parent) cycle.nodes.push_back(reached[at].node);
        cycle.nodes.push_back(start);
        std::ranges::reverse(cycle.nodes);
        result_.unconditional_cycle = std::move(cycle);
        return;
      }
    }
    beyond_[start] = std::move(seen);
  }

  struct Label {
    std::uint32_t node = 0;
    GuardSet guards;
    std::size_t parent = kNoLabel;
    Place place;
    bool is_dominated = false;
  };
  static constexpr std::size_t kNoLabel = ~std::size_t{0};

  void search_conditional(std::uint32_t start) {
    labels_.clear();
    labels_weight_ = 0;
    by_node_.assign(size_, {});
    follow_guards(start, start, {}, kNoLabel);
    for (const std::uint32_t node : beyond_[start].members()) follow_guards(start, node, {}, kNoLabel);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (result_.is_too_large) return;
      if (labels_[i].is_dominated) continue;
      const Label label = labels_[i];
      for (const std::uint32_t node : beyond_[label.node].members()) reach(start, node, label.guards, i, label.place);
      follow_guards(start, label.node, label.guards, i);
    }
    for (const Label& label : labels_)
      if (!label.is_dominated) add_pair({start, label.node, label.guards, label.place});
  }

  void follow_guards(std::uint32_t start, std::uint32_t node, const GuardSet& guards, std::size_t parent) {
    for (const PriorityRule* rule : guarded_) {
      if (!rule->low.test(node)) continue;
      const GuardSet more = with(guards, rule->guard);
      for (const std::uint32_t high : rule->high.members()) reach(start, high, more, parent, rule->place);
    }
  }

  void reach(std::uint32_t start, std::uint32_t node, const GuardSet& guards, std::size_t parent, Place place) {
    if (node != start && beyond_[start].test(node)) return;
    if (node == start) {
      if (can_hold_(guards)) add_cycle(start, guards, parent, place);
      return;
    }
    for (const std::size_t other : by_node_[node])
      if (is_subset(labels_[other].guards, guards)) return;
    if (!can_hold_(guards)) return;
    std::erase_if(by_node_[node], [&](std::size_t other) {
      labels_[other].is_dominated = is_subset(guards, labels_[other].guards);
      return labels_[other].is_dominated;
    });
    if (by_node_[node].size() >= kMaxWays || labels_weight_ > limit_) {
      result_.is_too_large = true;
      return;
    }
    by_node_[node].push_back(labels_.size());
    labels_weight_ += 1 + guards.size();
    labels_.push_back({node, guards, parent, place, false});
  }

  void add_cycle(std::uint32_t start, const GuardSet& guards, std::size_t parent, Place place) {
    auto& cycles = result_.conditional_cycles;
    if (std::ranges::any_of(cycles, [&](const auto& known) { return is_subset(known.guards, guards); })) return;
    std::erase_if(cycles, [&](const auto& known) { return is_subset(guards, known.guards); });
    if (cycles.size() >= kMaxCycles) result_.is_too_large = true;
    PriorityClosure::Cycle cycle{{}, guards, place};
    for (std::size_t at = parent; at != kNoLabel; at = labels_[at].parent) cycle.nodes.push_back(labels_[at].node);
    cycle.nodes.push_back(start);
    std::ranges::reverse(cycle.nodes);
    cycles.push_back(std::move(cycle));
  }

  std::size_t size_;
  const std::vector<PriorityRule>& rules_;
  const std::function<bool(const GuardSet&)>& can_hold_;
  std::size_t limit_;
  std::vector<Bits> next_;    ///< by node: to which it gives way by one rule without guard
  std::vector<Bits> beyond_;  ///< and by several
  std::vector<const PriorityRule*> guarded_;
  PriorityClosure result_;
  std::size_t weight_ = 0;  ///< of pairs, with their guards
  std::vector<Label> labels_;
  std::size_t labels_weight_ = 0;
  std::vector<std::vector<std::size_t>> by_node_;  ///< the labels that are not dominated
};

}  // namespace

PriorityClosure close_priorities(const std::vector<Bits>& progress, const std::vector<PriorityRule>& rules,
                                 const std::function<bool(const GuardSet&)>& can_hold, std::size_t limit) {
  return Closure(progress, rules, can_hold, limit).close();
}

}  // namespace plumb::bip::flat
