// Long-run behaviour of a dtmc or ctmc (Baier, Haverkort, Hermanns and Katoen 2003, section 4.1): a run ends in a
// bottom component and has its average. What a transient state expects is one reachability question for all components
// together: a component with average a (scaled to [0, 1]) is a state that goes to a winning state with probability a
// and to a losing one otherwise.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "chain/analysis.h"
#include "chain/graph.h"
#include "chain/steady/stationary.h"

namespace plumb::chain {
namespace {

constexpr std::uint32_t kNotBottom = ~std::uint32_t{0};

class LongRun {
 public:
  /// `reward` by state.
  LongRun(const Chain& chain, std::vector<double> reward, const AnalysisOptions& options, const Budget& budget)
      : chain_(chain), reward_(std::move(reward)), options_(options), budget_(budget) {}

  Solution run() {
    INVARIANT(chain_.kind != Kind::Mdp, "the long run of an mdp should have been refused before");
    if (!solve_whole()) {
      require_rows(chain_, "the long run of a chain that has several components");
      find_components();
      // Half of the error for the averages, half for the way to them.
      AnalysisOptions half = options_;
      half.epsilon /= 2;
      for (std::size_t c = 0; c + 1 < starts_.size(); ++c) solve_component(c, half);
    }
    const bool is_one_number = averages_.size() == 1 || std::ranges::all_of(averages_, [&](const Average& a) {
                                 return a.low == averages_[0].low && a.high == averages_[0].high;
                               });
    Solution result = is_one_number ? one_number() : weighed();
    describe(result);
    return result;
  }

 private:
  /// True if the chain is irreducible, which the transposed graph tells that is needed anyway.
  bool solve_whole() {
    Part part;
    part.local_of = &local_of_;
    Inflow inflow(chain_, part, true, options_.threads, budget_);
    const StateId root = chain_.initial.empty() ? 0 : chain_.initial[0];
    const bool is_root_initial = chain_.store.size() == chain_.states && chain_.initial.size() == 1;
    if (!is_surely_irreducible(inflow, part.local(root), is_root_initial, budget_)) return false;
    averages_.push_back(average_of(chain_, part, std::move(inflow), reward_, options_, budget_));
    return true;
  }

  /// Members of bottom components.
  void find_components() {
    const Components components = strong_components(chain_, budget_);
    const std::vector<std::uint32_t> bottom = bottom_components(chain_, components);
    starts_.assign(bottom.size() + 1, 0);
    std::vector<std::uint32_t> number(components.count, kNotBottom);
    for (std::size_t c = 0; c < bottom.size(); ++c) number[bottom[c]] = static_cast<std::uint32_t>(c);
    bottom_of_.resize(chain_.states);
    for (std::uint64_t s = 0; s < chain_.states; ++s) {
      bottom_of_[s] = number[components.of_state[s]];
      if (bottom_of_[s] != kNotBottom) ++starts_[bottom_of_[s] + 1];
    }
    for (std::size_t c = 0; c < bottom.size(); ++c) starts_[c + 1] += starts_[c];
    members_.resize(starts_.back());
    local_of_.resize(chain_.states);
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    for (std::uint64_t s = 0; s < chain_.states; ++s) {
      const std::uint32_t c = bottom_of_[s];
      if (c == kNotBottom) continue;
      local_of_[s] = static_cast<StateId>(next[c] - starts_[c]);
      members_[next[c]++] = static_cast<StateId>(s);
    }
  }

  void solve_component(std::size_t c, const AnalysisOptions& options) {
    Part part;
    part.members.assign(members_.begin() + static_cast<std::ptrdiff_t>(starts_[c]),
                        members_.begin() + static_cast<std::ptrdiff_t>(starts_[c + 1]));
    part.local_of = &local_of_;
    averages_.push_back(average_of(chain_, part, reward_, options, budget_));
  }

  Solution one_number() const {
    Solution result;
    result.low.assign(chain_.states, averages_[0].low);
    if (averages_[0].high != averages_[0].low) result.high.assign(chain_.states, averages_[0].high);
    return result;
  }

  Solution weighed() {
    double least = averages_[0].low;
    double greatest = averages_[0].high;
    for (const Average& a : averages_) {
      least = std::min(least, a.low);
      greatest = std::max(greatest, a.high);
    }
    const double scale = greatest - least;
    const Chain game = quotient(least, scale);
    StateSet win(game.states);
    win.insert(static_cast<StateId>(game.states - 2));
    AnalysisOptions options = options_;
    options.method = AnalysisOptions::Method::Automatic;
    options.epsilon = options_.epsilon / 4 / std::max(1.0, scale);
    Solution won = until(game, StateSet(game.states, true), win, Direction::Max, options, budget_);
    double width = 0;
    for (const Average& a : averages_) width = std::max(width, a.high - a.low);
    // Scaling and shifting round a few times; relative to what they shift, that is this much.
    const double rounding = 8e-16 * (std::abs(least) + std::abs(greatest));
    Solution result;
    result.is_guaranteed = won.is_guaranteed;
    result.residual = won.residual;
    result.iterations = won.iterations;
    result.low.resize(chain_.states);
    result.high.resize(chain_.states);
    for (std::uint64_t s = 0; s < chain_.states; ++s) {
      const std::uint32_t c = bottom_of_[s];
      if (c != kNotBottom) {
        result.low[s] = averages_[c].low;
        result.high[s] = averages_[c].high;
        continue;
      }
      const StateId node = node_of_[s];
      const double high = won.high.empty() ? won.low[node] : won.high[node];
      const bool is_exact = scale == 1 && least == 0 && width == 0;
      const double margin = is_exact ? 0 : width / 2 + rounding;
      result.low[s] = std::max(least, least + scale * won.low[node] - margin);
      result.high[s] = std::min(greatest, least + scale * high + margin);
    }
    return result;
  }

  /// The transient states, then a state a bottom component, then the winning and the losing state.
  Chain quotient(double least, double scale) {
    Chain game;
    game.kind = chain_.kind;
    node_of_.resize(chain_.states);
    StateId transient = 0;
    for (std::uint64_t s = 0; s < chain_.states; ++s)
      if (bottom_of_[s] == kNotBottom) node_of_[s] = transient++;
    const auto win = static_cast<StateId>(transient + averages_.size());
    const StateId lose = win + 1;
    std::vector<Rows::Entry> entries;
    for (std::uint64_t s = 0; s < chain_.states; ++s) {
      if ((s & 0xfffff) == 0) budget_.check();
      if (bottom_of_[s] != kNotBottom) {
        node_of_[s] = transient + bottom_of_[s];
        continue;
      }
      entries.clear();
      chain_.rows.for_each(s, [&](StateId target, double weight) {
        const std::uint32_t c = bottom_of_[target];
        entries.push_back({c == kNotBottom ? node_of_[target] : transient + c, weight});
      });
      game.rows.add_row(entries);
    }
    for (const Average& a : averages_) {
      const double share = std::clamp(((a.low + a.high) / 2 - least) / scale, 0.0, 1.0);
      entries.clear();
      if (share > 0) entries.push_back({win, share});
      if (share < 1) entries.push_back({lose, 1 - share});
      game.rows.add_row(entries);
    }
    for (const StateId s : {win, lose}) {
      entries.assign(1, {s, 1});
      game.rows.add_row(entries);
    }
    game.rows.finish();
    game.states = lose + std::uint64_t{1};
    game.initial = {0};
    game.deadlocks = StateSet(game.states);
    return game;
  }

  void describe(Solution& result) const {
    for (const Average& a : averages_) {
      result.is_guaranteed &= a.is_guaranteed;
      result.residual = std::max(result.residual, a.residual);
      result.iterations += a.iterations;
      result.bytes = std::max(result.bytes, a.bytes);
    }
    if (!result.is_guaranteed && !result.high.empty()) {
      for (std::size_t s = 0; s < result.low.size(); ++s) result.low[s] = (result.low[s] + result.high[s]) / 2;
      result.high = {};
    }
    const auto largest = std::ranges::max_element(averages_, {}, &Average::iterations);
    result.method = averages_.size() == 1
                        ? largest->method
                        : fmt::format("{} bottom components, the costliest by {}", averages_.size(), largest->method);
  }

  const Chain& chain_;
  std::vector<double> reward_;
  const AnalysisOptions& options_;
  const Budget& budget_;
  std::vector<std::uint32_t> bottom_of_;
  std::vector<std::uint64_t> starts_;
  std::vector<StateId> members_;
  std::vector<StateId> local_of_;
  std::vector<StateId> node_of_;
  std::vector<Average> averages_;
};

}  // namespace

Solution steady_state(const Chain& chain, const StateSet& states, const AnalysisOptions& options,
                      const Budget& budget) {
  std::vector<double> reward(chain.states);
  states.for_each([&](StateId s) { reward[s] = 1; });
  return LongRun(chain, std::move(reward), options, budget).run();
}

Solution steady_reward(const Chain& chain, std::size_t rewards, const AnalysisOptions& options, const Budget& budget) {
  const Chain::Rewards& structure = chain.rewards[rewards];
  std::vector<double> reward(chain.states);
  for (std::uint64_t s = 0; s < structure.states.size(); ++s) reward[s] = structure.states[s];
  for (std::uint64_t s = 0; s < structure.rows.size(); ++s) reward[s] += structure.rows[s];
  return LongRun(chain, std::move(reward), options, budget).run();
}

}  // namespace plumb::chain
