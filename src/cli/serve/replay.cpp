#include "cli/serve/replay.h"

#include <fmt/format.h>

#include <chrono>

#include "remote/board_replayer.h"
#include "replay/confirmer.h"
#include "result/defect/defect_set.h"

namespace plumb::cli {
namespace {

/// Runs tests, and repeats what they show.
class BoardReplay {
 public:
  BoardReplay(const instrument::Subject& subject, BoardLink& link)
      : subject_(subject), budget_(link.budget()), replayer_(subject, link.server()), confirmer_(replayer_) {}

  void run(const result::StoredTest& test, CheckedOutcome& outcome) {
    const replay::Replay replay = replayer_.run({test.test}, budget_);
    budget_.check();
    std::size_t shown = 0;
    for (const replay::FoundError& error : errors_of(replay, test.test)) {
      replay::Confirmation confirmation = confirmer_.confirm(subject_, error, budget_);
      if (!confirmation.is_confirmed) {
        outcome.notes.push_back(fmt::format("test {}: {} at {} was told once and not again: {}", test.number,
                                            confirmation.defect.kind, confirmation.defect.place.to_string(),
                                            confirmation.reason));
        continue;
      }
      ++shown;
      confirmation.defect.file = fmt::format("test {}", test.number);
      found_.add(std::move(confirmation.defect));
    }
    outcome.tests.push_back({test.number, replay.end, replay.problem, shown, is_failure(replay.ending)});
  }

  std::vector<result::Defect> take() { return found_.take(); }

 private:
  const instrument::Subject& subject_;
  const Budget& budget_;
  remote::BoardReplayer replayer_;
  replay::Confirmer confirmer_;
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
