// Algorithm 3 keeps the branch history of the last run and walks it back from its end to the first node that is not
// done; a solution truncates the history there and the next run appends to it. The nodes of the history that are not
// done, with their destinations that are not covered, are a stack: a run pushes what lies behind its flip, the walk
// pops. A destination that was refuted is not asked for again, which the algorithm does each time it comes back to the
// node and which changes no run.
#include <algorithm>
#include <deque>
#include <vector>

#include "concolic/search/strategy.h"

namespace plumb::concolic {

namespace {

class DepthFirst : public SearchStrategy {
 public:
  void add(std::span<const CandidateId> ids, const CandidateTable& table) override {
    std::vector<CandidateId> order;
    for (const CandidateId id : ids) {
      if (table.at(id).kind == Alternative::Kind::InnerEdge && !table.at(id).is_escape)
        inner_.push_back(id);
      else
        order.push_back(id);
    }
    // The last one is popped first: the deepest node, and of its alternatives the first.
    std::stable_sort(order.begin(), order.end(), [&](CandidateId a, CandidateId b) {
      const std::uint32_t x = table.at(a).node, y = table.at(b).node;
      return x != y ? x < y : a > b;
    });
    stack_.insert(stack_.end(), order.begin(), order.end());
  }

  std::optional<CandidateId> pick(const CandidateTable& table) override {
    while (!stack_.empty()) {
      if (table.contains(stack_.back())) return stack_.back();
      stack_.pop_back();
    }
    while (!inner_.empty()) {
      if (table.contains(inner_.front())) return inner_.front();
      inner_.pop_front();
    }
    return std::nullopt;
  }

  void compact(const CandidateTable& table) override {
    const auto is_gone = [&](CandidateId id) { return !table.contains(id); };
    std::erase_if(stack_, is_gone);
    std::erase_if(inner_, is_gone);
  }

 private:
  std::vector<CandidateId> stack_;
  std::deque<CandidateId> inner_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_depth_first() { return std::make_unique<DepthFirst>(); }

}  // namespace plumb::concolic
