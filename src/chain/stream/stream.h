#pragma once

#include "chain/analysis.h"

/// Unbounded questions over chains whose rows are not kept: the functions of the same name in analysis.h, by passes
/// over a RowStream. What cannot be had in passes (strategies, fractions, collapsing end components) throws UserError.
namespace plumb::chain::stream {

Solution until(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
               const AnalysisOptions& options, const Budget& budget);
Solution reach_reward(const Chain& chain, std::size_t rewards, const StateSet& target, Direction direction,
                      const AnalysisOptions& options, const Budget& budget);
Solution total_reward(const Chain& chain, std::size_t rewards, Direction direction, const AnalysisOptions& options,
                      const Budget& budget);

}  // namespace plumb::chain::stream
