#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "check/ltl_formula.h"
#include "check/ltl_source.h"
#include "explore/explore.h"
#include "result/gap.h"
#include "result/test_case.h"
#include "result/verdict.h"

namespace plumb::check {

/// A run that violates a formula, as the interpreter shows it.
struct LtlCounterexample {
  result::TestCase test;
  /// The step of the schedule from which on the run repeats its steps and the inputs that they ask for; behind the last
  /// one if it ends, or nothing can go on.
  std::size_t cycle = 0;
  std::string end;                               ///< what becomes of it, in words: "the cycle is repeated for ever"
  std::vector<LtlFormula::Valuation> stem_word;  ///< of the atoms, without repetitions
  std::vector<LtlFormula::Valuation> cycle_word;
};

struct LtlAnswer {
  result::Verdict verdict = result::Verdict::Unknown;
  std::string reason{};
  std::vector<result::Gap> gaps{};
  std::optional<LtlCounterexample> counterexample{};
  std::vector<std::string> assumptions{};
  explore::Statistics explored{};
};

/// Whether all runs of the program fulfil the formula; if `is_fair`, all in which each thread that can always go on
/// does so again and again. A run that violates it is made by the interpreter before it is reported, its cycle twice,
/// and the formula is judged once more on what was seen.
LtlAnswer check_ltl(const LtlProgram& program, const LtlFormula& formula, bool is_fair, const explore::Options& options,
                    bool accepts_gaps, const Budget& budget);

/// {"plumb": "1.0", "inputs": […], "schedule": […], "cycle": 12}: a test that `plumb run --schedule` makes up to the
/// end of one round.
std::string to_json(const LtlCounterexample& counterexample);

}  // namespace plumb::check
