#include <set>

#include "concolic/search/strategy.h"

namespace plumb::concolic {

namespace {

class Generational : public SearchStrategy {
 public:
  void add(std::span<const CandidateId> ids, const CandidateTable& table) override {
    for (const CandidateId id : ids) {
      const Candidate& candidate = table.at(id);
      queue_.insert({~candidate.origin->new_edges, candidate.origin->number, VisitRank(candidate.visit), id});
    }
  }

  std::optional<CandidateId> pick(const CandidateTable& table) override {
    while (!queue_.empty()) {
      const CandidateId id = queue_.begin()->id;
      if (table.contains(id)) return id;
      queue_.erase(queue_.begin());
    }
    return std::nullopt;
  }

  void compact(const CandidateTable& table) override {
    std::erase_if(queue_, [&](const Entry& entry) { return !table.contains(entry.id); });
  }

 private:
  struct Entry {
    std::uint32_t covered_nothing = 0;  ///< falls with the number of edges that the run covered first
    std::uint64_t run = 0;
    VisitRank rank;
    CandidateId id = 0;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::set<Entry> queue_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_generational() { return std::make_unique<Generational>(); }

}  // namespace plumb::concolic
