#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "instrument/subject.h"
#include "program/goal.h"
#include "replay/builds.h"
#include "replay/checked_replayer.h"
#include "replay/counterexample.h"
#include "replay/find_defect.h"
#include "replay/found_error.h"
#include "replay/interpreter_replayer.h"
#include "replay/native_replayer.h"
#include "result/defect/defect.h"

namespace plumb::replay {

/// What became of something that an engine found.
struct Confirmation {
  bool is_confirmed = false;  ///< replays that share nothing with the engine show it on the same inputs
  std::string reason;         ///< why not: "the replay ended with exit code 0"
  /// Of an error of a search: all but the file and the command to see it again. If it is not confirmed: kind, message,
  /// place and function as far as the search knows them, and the test.
  result::Defect defect{};
  /// Further leaks of the same run, likewise confirmed, if it is not known which of them the search meant.
  std::vector<result::Defect> others{};
  std::optional<Counterexample> counterexample{};  ///< of a goal, if it is confirmed
};

/// Replays what engines found. Several errors of one test cost one replay of a kind. Not thread-safe.
class Confirmer {
 public:
  /// `builds` must outlive it; `limits` are for errors of a search.
  explicit Confirmer(Builds& builds, const RunLimits& limits = {});
  /// Of a program that can run nowhere but on a target: another run there counts, with its instrumentation and checks;
  /// Defect::shown_by says so. `target` must outlive it. It has no say about goals.
  explicit Confirmer(Replayer& target) : target_(&target) {}
  Confirmer(const Confirmer&) = delete;
  Confirmer& operator=(const Confirmer&) = delete;

  /// An error of the search. A budget that ends leaves it unconfirmed, with that as the reason.
  Confirmation confirm(const Subject& subject, const FoundError& error, const Budget& budget);

  /// Whether the test violates the goal, by the interpreter at its very instruction and by a native run: of an
  /// assertion or error call the plain build, of memory and arithmetic the checked one. A program that cannot be built
  /// natively, or kept from the user's files, is left to the interpreter alone, and Counterexample::confirmed_by says
  /// so. Where the two differ, nothing is confirmed and the reason says both. Needs builds of the program that the goal
  /// is of.
  Confirmation confirm(const program::Goal& goal, const result::TestCase& test, const Budget& budget);

 private:
  /// What is known of a test.
  struct Replays {
    Evidence evidence;
    std::optional<NativeRun> native;
    std::optional<Replay> interpreted;
    std::optional<Replay> checked;
    bool has_losses = false;
  };
  Replays& replays_of(const result::TestCase& test);
  const NativeRun& native(Replays& replays, const Budget& budget);
  Replay& interpreted(Replays& replays, const Budget& budget);
  const Replay& checked(Replays& replays, const Budget& budget);

  void confirm_defect(const Subject& subject, const FoundError& error, Confirmation& made, const Budget& budget);
  void confirm_failure(const FoundError& error, Confirmation& made, const Budget& budget);
  void explain(const FoundError& error, Confirmation& made, const Budget& budget);
  void confirm_on_target(const Subject& subject, const FoundError& error, Confirmation& made, const Budget& budget);

  void confirm_violation(const program::Goal& goal, const result::TestCase& test, Confirmation& made,
                         const Budget& budget);
  /// Why the native run does not show it; empty if it does. `instructions`: that the interpreter needed.
  std::string native_problem(const program::Goal& goal, const program::Fault& fault, std::uint64_t instructions,
                             Counterexample& counterexample, const Budget& budget);
  /// The same for a run with threads in an order; where a native run cannot show it, the interpreter is enough.
  void confirm_in_order(const program::Goal& goal, const ThreadMoments& moments, std::uint64_t instructions,
                        Counterexample& counterexample, const Budget& budget);
  void add_trace(const program::Goal& goal, Counterexample& counterexample, const Budget& budget);
  void add_lanes(const ThreadMoments& moments, Counterexample& counterexample, const Budget& budget);

  struct Here {
    Builds& builds;
    InterpreterReplayer interpreter;
    NativeReplayer native;
    CheckedReplayer checked;
  };
  std::optional<Here> here_;
  Replayer* target_ = nullptr;
  std::vector<std::unique_ptr<Replays>> known_;
};

}  // namespace plumb::replay
