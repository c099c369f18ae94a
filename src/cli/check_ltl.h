#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/budget.h"
#include "check/check.h"
#include "cli/check_report.h"

namespace plumb::cli {

/// Checks the formula that the specification is of the program that `settings` loads. Gaps, assumptions and figures go
/// to the report, and the property, too.
void check_formula(const check::Specification& specification, const check::Settings& settings, const Budget& budget,
                   CheckReport& report);

/// For people: the steps and what holds along the run. Empty if nothing violates it.
std::string to_text(const CheckedFormula& formula, bool is_full);
nlohmann::ordered_json counterexample_json(const CheckedFormula& formula);

}  // namespace plumb::cli
