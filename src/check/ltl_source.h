#pragma once

#include <filesystem>
#include <vector>

#include "base/budget.h"
#include "check/ltl_formula.h"
#include "explore/ltl_search.h"
#include "frontend/load.h"
#include "program/program.h"

namespace plumb::check {

/// A program and what a formula speaks of in it.
struct LtlProgram {
  program::Program program;
  std::vector<explore::Proposition> propositions;  ///< by LtlFormula::atoms()
};

/// Compiles the program with a function for each condition at the end of its first file, which therefore has to be C: a
/// condition means what it means there. Files go to `directory`, which exists. Throws UserError with the column of what
/// is no condition, or a place that there is not.
LtlProgram load_with_formula(const frontend::LoadOptions& load, const LtlFormula& formula,
                             const std::filesystem::path& directory, const Budget& budget);

}  // namespace plumb::check
