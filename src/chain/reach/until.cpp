#include "base/error.h"
#include "chain/analysis.h"
#include "chain/graph.h"
#include "chain/reach/strategy.h"
#include "chain/reach/unbounded.h"
#include "chain/stream/stream.h"

namespace plumb::chain {

namespace {

/// The choices of states that are certain: they have to be taken, where others would do, to get to the target or to
/// keep off it.
std::vector<std::uint32_t> certain_strategy(const Chain& chain, const CertainStates& certain, const StateSet& target,
                                            Direction direction, const Budget& budget) {
  std::vector<std::uint32_t> strategy(chain.states);
  if (direction == Direction::Max)
    attract(
        chain, target, certain.one, [&](std::uint64_t row) { return stays_inside(chain, row, certain.one); }, strategy,
        budget);
  else
    stay(chain, certain.zero, strategy);
  return strategy;
}

}  // namespace

Solution until(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
               const AnalysisOptions& options, const Budget& budget) {
  if (!chain.rows.is_kept()) return stream::until(chain, allowed, target, direction, options, budget);
  INVARIANT(allowed.size() == chain.states && target.size() == chain.states,
            "sets of states should be over the states of the chain");
  CertainStates certain = until_is_certain(chain, allowed, target, direction, budget);
  UnboundedQuestion question;
  Passage& passage = question.passage;
  passage.chain = &chain;
  passage.direction = chain.kind == Kind::Mdp ? direction : Direction::Max;
  passage.low.assign(chain.states, 0);
  certain.one.for_each([&](StateId s) { passage.low[s] = 1; });
  passage.open = certain.zero;
  passage.open |= certain.one;
  passage.open = passage.open.complement();
  if (chain.kind == Kind::Mdp) {
    if (options.want_strategy) question.strategy = certain_strategy(chain, certain, target, direction, budget);
    if (direction == Direction::Max && !passage.open.empty()) collapse_open(question, nullptr, budget);
  }
  certain = {};
  return solve_unbounded(std::move(question), options, budget);
}

}  // namespace plumb::chain
