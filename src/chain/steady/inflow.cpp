#include "chain/steady/inflow.h"

#include <algorithm>

#include "base/error.h"
#include "chain/steady/order.h"

namespace plumb::chain {

Inflow::Inflow(const Chain& chain, Part& part, bool is_ordered, unsigned threads, const Budget& budget)
    : distinct_(chain.rows.weights().distinct().data()) {
  count(chain, part, is_ordered && chain.store.size() == chain.states, threads, budget);
  sources.resize(total_);
  const std::size_t weights = chain.rows.weights().distinct().size();
  if (weights <= 0x100)
    place<std::uint8_t>(chain, part, threads, budget);
  else if (weights <= 0x10000)
    place<std::uint16_t>(chain, part, threads, budget);
  else
    place<std::uint32_t>(chain, part, threads, budget);
}

void Inflow::count(const Chain& chain, Part& part, bool is_ordered, unsigned threads, const Budget& budget) {
  // By the places that states have now.
  std::vector<std::uint32_t> counts(part.size(chain));
  exit.resize(counts.size());
  Activity activity(chain);
  part.for_each_row(chain, threads, budget,
                    [&](StateId s, std::uint32_t size, const StateId* targets, const auto* index) {
                      double& rate = exit[part.local(s)];
                      for (std::uint32_t t = 0; t < size; ++t) {
                        if (targets[t] == s) continue;
                        rate += distinct_[index[t]];
                        ++counts[part.local(targets[t])];
                      }
                      if (is_ordered) activity.add_row(s, size, targets, index);
                    });
  offsets_.reserve(counts.size() + 1);
  if (!is_ordered) {
    for (const std::uint32_t c : counts) add_count(c);
    return;
  }
  const std::vector<StateId> old_place = part.members.empty() ? std::vector<StateId>() : *part.local_of;
  sort_by_values(chain, activity.variables(), part);
  std::vector<double> exits(counts.size());
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    const StateId s = part.members[i];
    const StateId old = old_place.empty() ? s : old_place[s];
    exits[i] = exit[old];
    add_count(counts[old]);
  }
  exit = std::move(exits);
}

template <typename Index>
void Inflow::place(const Chain& chain, const Part& part, unsigned threads, const Budget& budget) {
  GrowingArray<Index> index;
  index.resize(total_);
  // The next free place of a state is kept in its offset; afterwards that is where the next state begins.
  const std::uint64_t* bases = bases_.data();
  std::uint32_t* next = offsets_.data();
  part.for_each_row(chain, threads, budget,
                    [&](StateId s, std::uint32_t size, const StateId* targets, const auto* weights) {
                      const StateId local = part.local(s);
                      for (std::uint32_t t = 0; t < size; ++t) {
                        if (targets[t] == s) continue;
                        const StateId j = part.local(targets[t]);
                        const std::uint64_t place = bases[j >> kBlockBits] + next[j]++;
                        sources[place] = local;
                        index[place] = static_cast<Index>(weights[t]);
                      }
                    });
  for (std::uint64_t j = size(); j-- > 0;) {
    const bool is_first = (j & ((std::uint64_t{1} << kBlockBits) - 1)) == 0;
    offsets_[j] = is_first ? 0 : offsets_[j - 1];
  }
  index_ = std::move(index);
}

void Inflow::add_count(std::uint32_t count) {
  if (offsets_.empty()) {
    bases_.push_back(0);
    offsets_.push_back(0);
  }
  total_ += count;
  const std::uint64_t next = offsets_.size();
  if ((next & ((std::uint64_t{1} << kBlockBits) - 1)) == 0) bases_.push_back(total_);
  INVARIANT(total_ - bases_.back() <= 0xffffffff, "65,536 states should have less than 2^32 transitions");
  offsets_.push_back(static_cast<std::uint32_t>(total_ - bases_.back()));
}

std::uint64_t Inflow::bytes() const noexcept {
  return sources.bytes() + offsets_.size() * sizeof(std::uint32_t) + bases_.size() * sizeof(std::uint64_t) +
         rates.size() * sizeof(double) + std::visit([](const auto& index) { return index.bytes(); }, index_);
}

namespace {

bool is_reached_from_everywhere(const Inflow& inflow, StateId root, const Budget& budget) {
  StateSet seen(inflow.size());
  seen.insert(root);
  std::vector<StateId> work{root};
  std::uint64_t count = 1;
  while (!work.empty()) {
    const StateId j = work.back();
    work.pop_back();
    if ((j & 0xfff) == 0) budget.check();
    for (std::uint64_t t = inflow.begin(j); t < inflow.begin(j + std::uint64_t{1}); ++t) {
      const StateId i = inflow.sources[t];
      if (seen.contains(i)) continue;
      seen.insert(i);
      work.push_back(i);
      ++count;
    }
  }
  return count == inflow.size();
}

/// A state is reached if one of its sources is. Sweeps to and fro follow long ways; there is a limit to them.
bool leads_everywhere(const Inflow& inflow, StateId root, const Budget& budget) {
  constexpr int kMostSweeps = 40;
  const std::uint64_t size = inflow.size();
  StateSet reached(size);
  reached.insert(root);
  std::uint64_t left = size - 1;
  for (int sweep = 0; left > 0 && sweep < kMostSweeps; ++sweep) {
    for (std::uint64_t k = 0; k < size; ++k) {
      if ((k & 0xfffff) == 0) budget.check();
      const auto j = static_cast<StateId>(sweep % 2 == 0 ? k : size - 1 - k);
      if (reached.contains(j)) continue;
      const auto* first = inflow.sources.data() + inflow.begin(j);
      const auto* last = inflow.sources.data() + inflow.begin(j + std::uint64_t{1});
      if (std::none_of(first, last, [&](StateId i) { return reached.contains(i); })) continue;
      reached.insert(j);
      --left;
    }
  }
  return left == 0;
}

}  // namespace

bool is_surely_irreducible(const Inflow& inflow, StateId root, bool is_root_initial, const Budget& budget) {
  return is_reached_from_everywhere(inflow, root, budget) &&
         (is_root_initial || leads_everywhere(inflow, root, budget));
}

}  // namespace plumb::chain
