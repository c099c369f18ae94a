#pragma once

#include <vector>

#include "base/budget.h"
#include "chain/analysis.h"
#include "chain/time/enclosure.h"

namespace plumb::chain {

/// Goes `time` back in a ctmc whose states outside `active` (none: all are inside) are absorbing: v'(s) is the expected
/// value of v at the state where a run that starts in s is after `time`.
void advance_time(const Chain& chain, const StateSet* active, double time, Enclosure& vector,
                  const AnalysisOptions& options, const Budget& budget);

/// As advance_time() for a vector that is one in `target`, zero elsewhere, with `allowed` states active: stops early
/// when the values are close to those without a time bound.
void advance_until(const Chain& chain, const StateSet& allowed, const StateSet& target, const StateSet& active,
                   double time, Enclosure& vector, const AnalysisOptions& options, const Budget& budget);

/// What is earned up to `time` at rates `vector` by state: replaces it.
void accumulate_time(const Chain& chain, double time, Enclosure& vector, const AnalysisOptions& options,
                     const Budget& budget);

}  // namespace plumb::chain
