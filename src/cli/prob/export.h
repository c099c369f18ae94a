#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"
#include "cli/prob/options.h"
#include "cli/prob/report.h"

namespace plumb::cli::prob {

/// Writes what --export asks for, in PRISM's formats for explicit models and in its order of states, line by line and
/// each file whole or not at all. With several reward structures, files of rewards are numbered from 1. Gives what
/// was written. Throws UserError (disk full, …) and OutOfBudget.
std::vector<result::WrittenFile> export_chain(const Options& options, const chain::Model& model,
                                              const chain::Chain& chain, const Budget& budget);

/// Writes the strategy of an answer on an mdp: a line `(values)=action` a state. Where several properties or
/// combinations have one, their names are put in front of the suffix. Takes the strategy out of the result; a result
/// without one gets a note. Throws UserError.
void write_strategy(const Options& options, const ExperimentReport& report, Reply& answer, const chain::Model& model,
                    const chain::Chain& chain, const Budget& budget);

}  // namespace plumb::cli::prob
