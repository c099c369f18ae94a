#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "term/term_store.h"

namespace plumb::solve {

struct WordSweepOptions {
  std::vector<term::Term> constraints;  ///< of width 1: terms need to be equal only where all of them hold
  unsigned patterns = 32;               ///< random values for the variables, to begin with
  std::chrono::duration<double> query_time{1.0};
  std::string backend = "native";  ///< of make_solver()
  std::uint64_t seed = 1;
};

struct WordSweep {
  std::vector<term::Term> roots;  ///< equal to those given wherever the constraints hold
  std::size_t merged = 0;         ///< terms that were replaced by an older one, a constant or a negation
  std::size_t different = 0;      ///< candidates that a model told apart
  std::size_t undecided = 0;      ///< queries that ended with their time; these stay apart
};

/// Merges equivalent terms below `roots` (Sweeper does the same for the nodes of a circuit): words that no pattern
/// tells apart are candidates; from the variables upwards each is compared with the oldest of its class, over what was
/// merged so far. A model of a difference is a new pattern. So two computations of the same function, in C and in
/// Verilog say, meet word by word and not only at their results, where a solver would have to find it all at once.
///
/// Needs terms of one store, which grows. Terms of arrays are rebuilt and not merged themselves. Costs a pass of
/// evaluation for each pattern and a query for each candidate; when the budget ends, what was merged by then counts.
/// Which queries end in time depends on the machine; a replacement never does more than that. If the constraints
/// contradict each other, any replacement is right.
WordSweep sweep_words(term::TermStore& store, std::span<const term::Term> roots, const WordSweepOptions& options,
                      const Budget& budget);

}  // namespace plumb::solve
