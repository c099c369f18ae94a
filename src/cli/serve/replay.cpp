#include "cli/serve/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "remote/board_confirmer.h"
#include "replay/native_run.h"
#include "result/defect/defect_set.h"

namespace plumb::cli {
namespace {

using replay::FoundError;
using replay::RunEnd;

/// As the replays on this machine say it.
std::string end_text(const concolic::TargetRun& run) {
  replay::NativeRun same;
  same.end = run.end == RunEnd::Exit ? ProcessResult::End::Exited : ProcessResult::End::Signalled;
  (run.end == RunEnd::Error ? same.told_error : same.code) = run.code;
  const bool is_known = run.end == RunEnd::Exit || run.end == RunEnd::Signal || run.end == RunEnd::Error;
  return is_known ? describe(same) : std::string(name(run.end));
}

bool is_failure(RunEnd end) { return end == RunEnd::Error || end == RunEnd::Signal || end == RunEnd::Defect; }

bool is_at_its_end(RunEnd end) { return end == RunEnd::Exit || end == RunEnd::AssumeFailed || is_failure(end); }

/// What a run told, each as the search would have found it.
std::vector<FoundError> errors_of(const concolic::TargetRun& run, const result::TestCase& test) {
  std::vector<FoundError> errors;
  for (const replay::SeenDefect& seen : run.trace.defects) {
    FoundError error;
    error.end = RunEnd::Defect;
    error.code = static_cast<int>(seen.kind);
    error.site = seen.site;
    error.last_edge = std::min(seen.hash, program::kNone - 1);
    error.is_after_another = !errors.empty();
    error.test = test;
    errors.push_back(std::move(error));
  }
  if (run.end == RunEnd::Error || run.end == RunEnd::Signal) {
    FoundError error;
    error.end = run.end;
    error.code = run.code;
    error.site = run.error_site;
    error.is_after_another = !errors.empty();
    error.test = test;
    errors.push_back(std::move(error));
  }
  return errors;
}

/// Runs tests, and repeats what they show.
class BoardReplay {
 public:
  BoardReplay(const instrument::Subject& subject, BoardLink& link)
      : budget_(link.budget()), target_(link.server().make_repeating_target()), confirmer_(subject, link.server()) {}

  void run(const result::StoredTest& test, CheckedOutcome& outcome) {
    const concolic::TargetRun run =
        target_->run({.inputs = test.test.inputs, .random_seed = 0, .modes = {}, .max_nodes = 0}, budget_);
    budget_.check();
    const std::vector<FoundError> errors = errors_of(run, test.test);
    target_->reset();
    std::size_t shown = 0;
    for (const FoundError& error : errors) {
      replay::Confirmation confirmation = confirmer_.confirm(error, budget_);
      if (!confirmation.is_confirmed) {
        outcome.notes.push_back(fmt::format("test {}: {} at {} was told once and not again: {}", test.number,
                                            confirmation.defect.kind, confirmation.defect.place.to_string(),
                                            confirmation.reason));
        continue;
      }
      ++shown;
      confirmation.defect.file = fmt::format("test {}", test.number);
      found_.add(std::move(confirmation.defect));
      for (result::Defect& other : confirmation.others) {
        other.file = fmt::format("test {}", test.number);
        found_.add(std::move(other));
      }
    }
    const std::string problem = is_at_its_end(run.end) ? "" : fmt::format("cut off: {}", replay::name(run.end));
    outcome.tests.push_back({test.number, end_text(run), problem, shown, is_failure(run.end)});
  }

  std::vector<result::Defect> take() { return found_.take(); }

 private:
  const Budget& budget_;
  std::unique_ptr<concolic::Target> target_;
  remote::BoardConfirmer confirmer_;
  result::DefectSet found_;
};

}  // namespace

CheckedOutcome replay_on_board(const instrument::BoardProgram& program, BoardLink& link,
                               std::span<const result::StoredTest> tests, DefectFiles& files, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  CheckedOutcome outcome;
  outcome.files = program.load.files;
  BoardReplay replay(program.subject, link);
  for (const result::StoredTest& test : tests) {
    context.winding_up.check();
    if (link.budget().exceeded()) break;
    try {
      replay.run(test, outcome);
    } catch (const OutOfBudget&) {
      break;
    }
    link.set_status(fmt::format("{} of {} tests", outcome.tests.size(), tests.size()));
  }
  link.finish();
  context.winding_up.check();
  outcome.not_run = tests.size() - outcome.tests.size();
  outcome.defects = replay.take();
  for (result::Defect& defect : outcome.defects) files.suppress(defect);
  for (std::string& note : files.notes()) outcome.notes.push_back(std::move(note));
  for (std::string& note : assumptions_of(link.report())) outcome.notes.push_back(std::move(note));
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace plumb::cli
