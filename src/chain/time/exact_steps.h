#pragma once

#include <cstdint>
#include <vector>

#include "chain/time/steps.h"

namespace plumb::chain {

/// Whether a question about so many steps is answered in fractions: if that was asked for, the chain is exact and not a
/// ctmc, and the steps are few enough for what their denominators grow to.
bool wants_exact_steps(const Chain& chain, const AnalysisOptions& options, double steps);

/// As advance_steps(), in fractions.
void advance_exactly(const Chain& chain, const StepRule& rule, double steps, std::vector<Fraction>& values,
                     const Budget& budget);

/// The probability that the next state is in `target`, of an exact chain of any kind.
std::vector<Fraction> next_exactly(const Chain& chain, const StateSet& target, Direction direction,
                                   const Budget& budget);

/// One in the set and zero elsewhere.
std::vector<Fraction> exact_indicator(const StateSet& set);
/// By state; zero where the column is empty.
std::vector<Fraction> exact_values(const Chain& chain, const ValueColumn& column);
/// With the doubles around them.
Solution exact_solution(const std::vector<Fraction>& values, std::string method);

}  // namespace plumb::chain
