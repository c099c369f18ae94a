#include "check/ltl_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "interpret/observe.h"

namespace plumb::check {
namespace {

using interpret::RunResult;
using Word = std::vector<LtlFormula::Valuation>;

/// Rounds of a cycle that are made: two that come after one of it should show the same.
constexpr std::size_t kRounds = 3;
/// Of a replay; a cycle without visible operations is one that goes on until then.
constexpr std::uint64_t kMostInstructions = 20'000'000;

void add(Word& word, const LtlFormula::Valuation& valuation) {
  if (word.empty() || word.back() != valuation) word.push_back(valuation);
}

/// What was seen of a replay.
class Seen {
 public:
  Seen(const LtlProgram& program, std::size_t stem_steps, std::size_t cycle_steps)
      : program_(program), stem_steps_(stem_steps), cycle_steps_(cycle_steps) {}

  /// False if there is nothing more to see.
  bool look(const interpret::Sight& sight) {
    const std::size_t all = stem_steps_ + kRounds * cycle_steps_;
    // The step that was begun last; what is seen before its first operation is counted with the one before.
    const std::size_t done = all - sight.steps_left;
    const bool is_over = sight.steps_left == 0 && cycle_steps_ > 0;
    if (is_over && !sight.is_end) return false;
    const bool is_first = words_[0].empty();
    const std::size_t part =
        is_first || done < stem_steps_ || cycle_steps_ == 0 ? 0 : 1 + (done - stem_steps_) / cycle_steps_;
    add(words_[std::min(part, kRounds)], valuation(sight));
    return true;
  }
  const Word& stem() const { return words_[0]; }
  const Word& round(std::size_t i) const { return words_[1 + i]; }

 private:
  LtlFormula::Valuation valuation(const interpret::Sight& sight) const {
    LtlFormula::Valuation made;
    for (const explore::Proposition& each : program_.propositions) {
      const auto stands = [&](program::CodePoint at) {
        return std::ranges::find(each.places, at) != each.places.end();
      };
      made.push_back(each.condition == program::kNone ? std::ranges::any_of(sight.standing, stands)
                                                      : sight.holds(each.condition));
    }
    return made;
  }

  const LtlProgram& program_;
  std::size_t stem_steps_;
  std::size_t cycle_steps_;
  std::vector<Word> words_ = std::vector<Word>(1 + kRounds);
};

/// Of a deadlock the fault is what is wanted.
std::string end_text(const RunResult& run) {
  if (run.end == RunResult::End::Exit) return fmt::format("the program ends, with exit code {}", run.exit_code);
  if (run.faults.empty()) return "the program ends";
  return run.faults.back().kind == program::FaultKind::Deadlock
             ? run.faults.back().message
             : fmt::format("the program ends: {}", run.faults.back().message);
}

struct Replayed {
  std::optional<LtlCounterexample> counterexample;
  std::string problem;
};

class Replay {
 public:
  Replay(const LtlProgram& program, const LtlFormula& formula, const explore::Lasso& lasso, const Budget& budget)
      : program_(program), formula_(formula), lasso_(lasso), budget_(budget) {}

  Replayed run() {
    const result::Schedule& once = lasso_.test.schedule;
    const std::size_t cycle_steps = once.size() - lasso_.cycle;
    result::Schedule schedule = once;
    const auto cycle_begin = static_cast<std::ptrdiff_t>(lasso_.cycle);
    for (std::size_t round = 1; round < kRounds; ++round)
      schedule.insert(schedule.end(), once.begin() + cycle_begin, once.end());
    const std::size_t stem_inputs = cycle_steps == 0 ? lasso_.test.inputs.size() : inputs_of_stem(schedule);
    Seen seen(program_, lasso_.cycle, cycle_steps);
    const RunResult run = make(schedule, stem_inputs, [&](const interpret::Sight& sight) { return seen.look(sight); });
    LtlCounterexample found{lasso_.test, lasso_.cycle, {}, seen.stem(), {}};
    const bool is_stopped = run.end == RunResult::End::OutOfBudget;
    const bool has_operations = std::any_of(once.begin() + cycle_begin, once.end(),
                                            [](const result::ScheduleStep& step) { return step.operations > 0; });
    if (seen.stem().empty()) return {{}, "nothing of it can be seen"};
    if (cycle_steps == 0) {
      if (run.end != RunResult::End::Exit && run.end != RunResult::End::Fault) return {{}, problem(run)};
      found.end = end_text(run) + "; its last state stays";
      found.cycle_word = {seen.stem().back()};
    } else if (is_stopped && !has_operations && run.steps_left <= kRounds * cycle_steps + 1) {
      found.end = "the cycle is a loop without visible operations, which goes on for ever";
      found.cycle_word = {seen.stem().back()};
    } else {
      if (!is_stopped) return {{}, problem(run)};
      found.end = "the cycle is repeated for ever";
      for (const LtlFormula::Valuation& each : seen.round(0)) add(found.stem_word, each);
      found.cycle_word = seen.round(1);
      if (seen.round(1).empty() || seen.round(1) != seen.round(2)) return {{}, "its cycle does not repeat itself"};
    }
    if (formula_.holds(found.stem_word, found.cycle_word))
      return {{}, "the formula holds of the run that the interpreter makes"};
    return {std::move(found), {}};
  }

 private:
  static std::string problem(const RunResult& run) {
    return run.reason.empty() ? "the run ends before its cycle does" : run.reason;
  }

  /// How many inputs are asked for before the cycle begins.
  std::size_t inputs_of_stem(const result::Schedule& schedule) {
    std::size_t inputs = 0;
    const std::size_t after_stem = schedule.size() - lasso_.cycle;
    make(schedule, lasso_.test.inputs.size(), [&](const interpret::Sight& sight) {
      if (sight.steps_left <= after_stem) return false;
      inputs = sight.inputs;
      return true;
    });
    return inputs;
  }

  RunResult make(const result::Schedule& schedule, std::size_t stem_inputs,
                 const std::function<bool(const interpret::Sight&)>& see) {
    const std::vector<result::TestInput>& inputs = lasso_.test.inputs;
    std::size_t next = 0;
    interpret::InterpreterOptions options;
    options.arguments = {"program"};
    options.undefined = interpret::UndefinedPolicy::Nondet;
    options.check_leaks = false;
    options.schedule = &schedule;
    options.max_instructions = kMostInstructions;
    options.inputs = [&](std::string_view, std::size_t) -> std::optional<std::vector<std::uint8_t>> {
      if (next == inputs.size() && stem_inputs < inputs.size()) next = stem_inputs;
      if (next == inputs.size()) return std::nullopt;
      return inputs[next++].bytes;
    };
    return interpret::observe(program_.program, options, budget_, see);
  }

  const LtlProgram& program_;
  const LtlFormula& formula_;
  const explore::Lasso& lasso_;
  const Budget& budget_;
};

}  // namespace

LtlAnswer check_ltl(const LtlProgram& program, const LtlFormula& formula, bool is_fair, const explore::Options& options,
                    bool accepts_gaps, const Budget& budget) {
  ltl::Formulas formulas;
  explore::LtlTask task;
  task.negation = formulas.negation(formula.build(formulas));
  task.propositions = program.propositions;
  task.is_fair = is_fair;
  explore::LtlOutcome found = explore::explore_ltl(program.program, formulas, task, options, budget);
  LtlAnswer answer;
  answer.reason = found.reason;
  answer.gaps = found.gaps;
  answer.assumptions = found.assumptions;
  answer.explored = found.statistics;
  if (!found.lasso) {
    const result::Absence absence = result::claim_absence(found.verdict, found.reason, found.gaps, accepts_gaps);
    answer.verdict = absence.verdict;
    answer.reason = absence.reason;
    return answer;
  }
  try {
    Replayed replayed = Replay(program, formula, *found.lasso, budget).run();
    answer.counterexample = std::move(replayed.counterexample);
    answer.reason = replayed.problem;
  } catch (const OutOfBudget& end) {
    answer.reason = to_string(end.stop);
  } catch (const UserError& error) {
    answer.reason = error.message();
  }
  if (answer.counterexample)
    answer.verdict = result::Verdict::Violated;
  else
    answer.reason = fmt::format("it has a counterexample that was not confirmed: {}", answer.reason);
  return answer;
}

std::string to_json(const LtlCounterexample& counterexample) {
  nlohmann::ordered_json object = nlohmann::ordered_json::parse(result::to_json(counterexample.test));
  object["cycle"] = counterexample.cycle;
  return object.dump(2) + "\n";
}

}  // namespace plumb::check
