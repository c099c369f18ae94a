#include "cli/check_ltl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "check/ltl_check.h"
#include "cli/check_trace.h"
#include "cli/command.h"
#include "result/test_text.h"

namespace plumb::cli {
namespace {

using check::LtlCounterexample;
using check::LtlFormula;

/// Valuations of a word that are shown without --full-trace.
constexpr std::size_t kShownValuations = 8;

/// "{request == 1, served}": what holds.
std::string valuation_text(const std::vector<std::string>& atoms, const LtlFormula::Valuation& valuation) {
  std::vector<std::string> holding;
  for (std::size_t a = 0; a < atoms.size(); ++a)
    if (valuation[a]) holding.push_back(atoms[a]);
  return fmt::format("{{{}}}", fmt::join(holding, ", "));
}

std::string word_text(const std::vector<std::string>& atoms, const std::vector<LtlFormula::Valuation>& word,
                      bool is_full) {
  const std::size_t first = is_full || word.size() <= kShownValuations ? 0 : word.size() - kShownValuations;
  std::vector<std::string> texts;
  for (std::size_t i = first; i < word.size(); ++i) texts.push_back(valuation_text(atoms, word[i]));
  return fmt::format("{}{}", first == 0 ? "" : "… ", fmt::join(texts, " → "));
}

nlohmann::ordered_json word_json(const std::vector<std::string>& atoms,
                                 const std::vector<LtlFormula::Valuation>& word) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const LtlFormula::Valuation& valuation : word) {
    nlohmann::ordered_json holding = nlohmann::ordered_json::array();
    for (std::size_t a = 0; a < atoms.size(); ++a)
      if (valuation[a]) holding.push_back(utf8(atoms[a]));
    list.push_back(std::move(holding));
  }
  return list;
}

}  // namespace

void check_formula(const check::Specification& specification, const check::Settings& settings, const Budget& budget,
                   CheckReport& report) {
  const auto is_explorer = [](const std::string& engine) { return engine == "auto" || engine == "explore"; };
  if (!settings.engines.empty() && std::ranges::none_of(settings.engines, is_explorer))
    throw UserError("--ltl is for the engine explore", "leave out --engine, or add explore to it");
  const LtlFormula formula(specification.text);
  const check::LtlProgram program = check::load_with_formula(settings.load, formula, settings.directory, budget);
  explore::Options options = settings.exploration;
  options.seed = settings.seed;
  check::LtlAnswer answer =
      check::check_ltl(program, formula, specification.is_fair, options, settings.accepts_gaps, budget);
  CheckedProperty property{specification};
  property.without_goals = answer.verdict;
  property.reason = answer.reason;
  if (answer.verdict == result::Verdict::Holds)
    property.reason = fmt::format("proved by explore{}", answer.reason.empty() ? "" : ", " + answer.reason);
  if (answer.counterexample)
    property.reason = fmt::format("by a run that goes on for ever, found by explore, confirmed by interpreter");
  property.formula.emplace();
  for (const LtlFormula::Atom& atom : formula.atoms()) property.formula->atoms.push_back(atom.text);
  property.formula->counterexample = std::move(answer.counterexample);
  result::add_gaps(report.gaps, answer.gaps);
  report.assumptions = answer.assumptions;
  report.explored = answer.explored;
  report.properties.push_back(std::move(property));
}

std::string to_text(const CheckedFormula& formula, bool is_full) {
  if (!formula.counterexample) return {};
  const LtlCounterexample& run = *formula.counterexample;
  const result::Schedule& steps = run.test.schedule;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(run.cycle);
  const std::string inputs = result::to_text(run.test);
  std::string text = inputs.empty() ? "\n  it needs no inputs\n" : fmt::format("\n  inputs:\n{}", inputs);
  text += "  stem\n";
  text += schedule_text({steps.begin(), middle}, is_full);
  text += fmt::format("  what holds: {}\n", word_text(formula.atoms, run.stem_word, is_full));
  text += fmt::format("  then {}\n", run.end);
  text += schedule_text({middle, steps.end()}, is_full);
  return text + fmt::format("  what holds: {}\n", word_text(formula.atoms, run.cycle_word, is_full));
}

nlohmann::ordered_json counterexample_json(const CheckedFormula& formula) {
  const LtlCounterexample& run = *formula.counterexample;
  nlohmann::ordered_json object = nlohmann::ordered_json::parse(check::to_json(run));
  object.erase("plumb");
  object["end"] = utf8(run.end);
  object["word"] = {{"stem", word_json(formula.atoms, run.stem_word)},
                    {"cycle", word_json(formula.atoms, run.cycle_word)}};
  object["confirmed_by"] = "interpreter";
  return object;
}

}  // namespace plumb::cli
