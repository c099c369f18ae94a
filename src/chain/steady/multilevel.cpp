// Multilevel aggregation for stationary vectors: Koury, McAllister and Stewart's iterative aggregation/disaggregation
// (1984) on many levels, as Horton and Leutenegger, "A Multi-Level Solution Algorithm for Steady-State Markov Chains"
// (1994), with groups found from the flows, as De Sterck, Manteuffel, McCormick, Nguyen and Ruge, "Multilevel adaptive
// aggregation for Markov chains" (2008). A group is a state of the coarser chain; the rates between groups are exact
// for the current distribution inside them, so the slow exchange between parts of a stiff chain is solved where it is
// fast. States join those from which most of their flow comes, which puts the fast transitions inside groups; on the
// finest level of a large chain, where that would make the next one dense, groups follow the values of the variables
// (value_classes.h). Rates of the coarser chains are refilled in each cycle, the groups stay. Cycles are W-shaped, the
// smallest chain is solved by elimination.

#include "chain/steady/multilevel.h"

#include <algorithm>

#include "chain/steady/elimination.h"
#include "chain/steady/relaxation.h"
#include "chain/time/parallel.h"

namespace plumb::chain {
namespace {

constexpr StateId kNone = ~StateId{0};
constexpr double kStrong = 0.5;          ///< of the greatest flow into a state
constexpr std::size_t kMostMembers = 2;  ///< of a group by flow: small ones take few cycles
constexpr double kReduction = 12;        ///< of the first of the smaller chains, by values
constexpr std::uint64_t kStatesForValues = 20'000;
constexpr std::uint64_t kCoarsest = 60;
constexpr std::size_t kMostLevels = 20;
constexpr int kSweepsBefore = 2;
constexpr int kSweepsAfter = 2;
constexpr int kFirstSweeps = 3;
constexpr int kCoarsestSweeps = 50;
constexpr double kLeastShrinking = 0.8;

/// Calls f(source) for those of the flows into j that count.
template <typename View, typename F>
void for_each_strong(const View& view, const std::vector<double>& x, std::uint64_t j, F f) {
  double greatest = 0;
  for (std::uint64_t t = view.begin(j); t < view.begin(j + 1); ++t)
    greatest = std::max(greatest, x[view.sources[t]] * view.rate(t));
  for (std::uint64_t t = view.begin(j); t < view.begin(j + 1); ++t)
    if (x[view.sources[t]] * view.rate(t) >= kStrong * greatest) f(view.sources[t]);
}

}  // namespace

Multilevel::Grouping Multilevel::regroup(const std::vector<double>& x, Grouping wanted) {
  levels_.clear();
  levels_.reserve(kMostLevels);  // references to finer chains stay valid
  Grouping used = Grouping::ByFlow;
  const std::vector<double>* current = &x;
  while (levels_.size() < kMostLevels && inflow(levels_.size()).size() > kCoarsest) {
    budget_.check();
    const Inflow& finer = inflow(levels_.size());
    Level level;
    StateId groups = 0;
    if (levels_.empty() && wanted == Grouping::ByValues && finer.size() >= kStatesForValues) {
      ValueGroups found = group_values(finer, x, values_, kReduction, budget_);
      level.group_of = std::move(found.group_of);
      groups = found.count;
      if (groups >= kCoarsest) used = Grouping::ByValues;
    }
    if (groups < kCoarsest) groups = group_by_flow(finer, *current, level);
    if (static_cast<double>(groups) > kLeastShrinking * static_cast<double>(finer.size()) || groups < 2) break;
    list_members(groups, level);
    lay_out(finer, level);
    fill(finer, *current, level);
    for (int i = 0; i < kFirstSweeps; ++i) gauss_seidel(level.inflow, level.x, scratch_, SweepOrder::Forward, threads_);
    levels_.push_back(std::move(level));
    current = &levels_.back().x;
  }
  return used;
}

StateId Multilevel::group_by_flow(const Inflow& finer, const std::vector<double>& x, Level& level) const {
  const std::uint64_t size = finer.size();
  std::vector<StateId>& group_of = level.group_of;
  group_of.assign(size, kNone);
  StateId count = 0;
  finer.visit([&](const auto& view) {
    std::vector<StateId> members;
    for (std::uint64_t j = 0; j < size; ++j) {
      if (group_of[j] != kNone) continue;
      members.assign(1, static_cast<StateId>(j));
      group_of[j] = count;
      for (std::size_t m = 0; m < members.size() && members.size() < kMostMembers; ++m)
        for_each_strong(view, x, members[m], [&](StateId i) {
          if (group_of[i] != kNone || members.size() == kMostMembers) return;
          group_of[i] = count;
          members.push_back(i);
        });
      if (members.size() == kMostMembers) {
        ++count;
        continue;
      }
      for (const StateId i : members) group_of[i] = kNone;
    }
    // What is left over joins the group from which most flow comes.
    for (std::uint64_t j = 0; j < size; ++j) {
      if (group_of[j] != kNone) continue;
      StateId best = kNone;
      double greatest = -1;
      for (std::uint64_t t = view.begin(j); t < view.begin(j + 1); ++t) {
        const StateId i = view.sources[t];
        const double flow = x[i] * view.rate(t);
        if (group_of[i] == kNone || flow <= greatest) continue;
        greatest = flow;
        best = group_of[i];
      }
      group_of[j] = best == kNone ? count++ : best;
    }
  });
  return count;
}

void Multilevel::list_members(StateId groups, Level& level) const {
  level.member_starts.assign(groups + std::size_t{1}, 0);
  for (const StateId g : level.group_of) ++level.member_starts[g + 1];
  for (StateId g = 0; g < groups; ++g) level.member_starts[g + 1] += level.member_starts[g];
  level.members.resize(level.group_of.size());
  std::vector<std::uint32_t> next(level.member_starts.begin(), level.member_starts.end() - 1);
  for (std::uint64_t j = 0; j < level.group_of.size(); ++j)
    level.members[next[level.group_of[j]]++] = static_cast<StateId>(j);
}

void Multilevel::lay_out(const Inflow& finer, Level& level) const {
  const std::uint64_t groups = level.member_starts.size() - 1;
  Inflow& coarse = level.inflow;
  std::vector<StateId> last_seen(groups, kNone);
  for (std::uint64_t g = 0; g < groups; ++g) {
    if ((g & 0xffff) == 0) budget_.check();
    const std::uint64_t before = coarse.sources.size();
    for (std::uint32_t m = level.member_starts[g]; m < level.member_starts[g + 1]; ++m) {
      const StateId j = level.members[m];
      for (std::uint64_t t = finer.begin(j); t < finer.begin(j + std::uint64_t{1}); ++t) {
        const StateId from = level.group_of[finer.sources[t]];
        if (from == g || last_seen[from] == g) continue;
        last_seen[from] = static_cast<StateId>(g);
        coarse.sources.push_back(from);
      }
    }
    coarse.add_count(static_cast<std::uint32_t>(coarse.sources.size() - before));
  }
  coarse.sources.shrink();
  coarse.rates.resize(coarse.sources.size());
  coarse.exit.resize(groups);
  level.x.resize(groups);
}

void Multilevel::fill(const Inflow& finer, const std::vector<double>& x, Level& level) const {
  Inflow& coarse = level.inflow;
  const std::uint64_t groups = coarse.size();
  const unsigned threads = thread_count(threads_, finer.size());
  parallel_parts(groups, threads, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t g = first; g < last; ++g) {
      double sum = 0;
      for (std::uint32_t m = level.member_starts[g]; m < level.member_starts[g + 1]; ++m) sum += x[level.members[m]];
      level.x[g] = sum;
    }
  });
  finer.visit([&](const auto& view) {
    parallel_parts(groups, threads, [&](std::uint64_t first, std::uint64_t last) {
      std::vector<double> flow(groups);
      for (std::uint64_t g = first; g < last; ++g) {
        for (std::uint32_t m = level.member_starts[g]; m < level.member_starts[g + 1]; ++m) {
          const StateId j = level.members[m];
          for (std::uint64_t t = view.begin(j); t < view.begin(j + 1); ++t) {
            const StateId i = view.sources[t];
            flow[level.group_of[i]] += x[i] * view.rate(t);
          }
        }
        for (std::uint64_t t = coarse.begin(g); t < coarse.begin(g + 1); ++t) {
          const StateId from = coarse.sources[t];
          coarse.rates[t] = flow[from] / level.x[from];
          flow[from] = 0;
        }
        flow[g] = 0;
      }
    });
  });
  std::ranges::fill(coarse.exit, 0.0);
  for (std::uint64_t t = 0; t < coarse.rates.size(); ++t) coarse.exit[coarse.sources[t]] += coarse.rates[t];
}

void Multilevel::solve_coarsest(const Inflow& chain, std::vector<double>& x) {
  constexpr std::uint64_t kDirect = 600;
  if (chain.size() <= kDirect) {
    BandOrder order;
    order.bandwidth = chain.size() - 1;
    x = eliminate(chain, order, {}, budget_).stationary;
    for (double& v : x) v = std::max(v, 1e-290);
    return;
  }
  for (int i = 0; i < kCoarsestSweeps; ++i)
    gauss_seidel(chain, x, scratch_, i % 2 == 0 ? SweepOrder::Forward : SweepOrder::Backward, threads_);
}

void Multilevel::improve(std::size_t level, std::vector<double>& x) {
  const Inflow& chain = inflow(level);
  if (level == levels_.size()) return solve_coarsest(chain, x);
  Level& coarse = levels_[level];
  for (int i = 0; i < kSweepsBefore; ++i) gauss_seidel(chain, x, scratch_, SweepOrder::Forward, threads_);
  fill(chain, x, coarse);
  coarse.before = coarse.x;
  const int visits = level + 1 == levels_.size() ? 1 : 2;
  for (int i = 0; i < visits; ++i) improve(level + 1, coarse.x);
  for (std::uint64_t g = 0; g < coarse.x.size(); ++g) coarse.before[g] = coarse.x[g] / coarse.before[g];
  parallel_for(x.size(), threads_, [&](std::uint64_t j) { x[j] *= coarse.before[coarse.group_of[j]]; });
  for (int i = 0; i < kSweepsAfter; ++i) gauss_seidel(chain, x, scratch_, SweepOrder::Backward, threads_);
}

void Multilevel::cycle(std::vector<double>& x) {
  budget_.check();
  improve(0, x);
  normalise(x, threads_);
}

std::uint64_t Multilevel::bytes_transitions() const noexcept {
  std::uint64_t result = 0;
  for (const Level& level : levels_) result += level.inflow.bytes();
  return result;
}

std::uint64_t Multilevel::bytes_vectors() const noexcept {
  std::uint64_t result = scratch_.size() * sizeof(double);
  for (const Level& level : levels_)
    result += (level.group_of.size() + level.members.size() + level.member_starts.size()) * sizeof(StateId) +
              level.x.size() * 3 * sizeof(double);
  return result;
}

}  // namespace plumb::chain
