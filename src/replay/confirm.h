#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/load.h"
#include "instrument/subject.h"
#include "replay/checked_runs.h"
#include "replay/defect_replay.h"
#include "replay/found_error.h"
#include "replay/interpreted_run.h"
#include "replay/native_run.h"
#include "result/defect/defect.h"

namespace plumb::replay {

/// What became of an error that the search found.
struct Confirmation {
  bool is_confirmed = false;  ///< a replay without the search's instrumentation shows it on the same inputs
  std::string reason;         ///< why not: "the replay ended with exit code 0"
  /// All but the file and the command to see it again. If it is not confirmed: kind, message, place and function as far
  /// as the search knows them, and the test.
  result::Defect defect;
  /// Further leaks of the same run, likewise confirmed, if it is not known which of them the search meant.
  std::vector<result::Defect> others;
};

/// The inputs as a target takes them (runtime/concolic/protocol.h).
std::vector<std::uint8_t> given_inputs(std::span<const result::TestInput> inputs);

/// Replays errors. What a replay needs is built when it is first needed; several errors of one test cost one replay.
/// Not thread-safe.
class Confirmer {
 public:
  /// `directory` is for files of its own and must exist. `subject` must outlive it.
  Confirmer(const Subject& subject, frontend::LoadOptions options, RunLimits limits, std::filesystem::path directory);
  ~Confirmer();
  Confirmer(const Confirmer&) = delete;
  Confirmer& operator=(const Confirmer&) = delete;

  /// A budget that ends leaves the error unconfirmed, with that as the reason.
  Confirmation confirm(const FoundError& error, const Budget& budget);

 private:
  /// What is known of a test.
  struct Replays {
    result::TestCase test;
    std::optional<NativeRun> native;
    std::optional<DefectReplay> interpreted;
    std::optional<DefectReplay> checked;
    bool has_losses = false;
  };
  Replays& replays_of(const result::TestCase& test);
  const NativeRun& native(Replays& replays, const Budget& budget);
  DefectReplay& interpreted(Replays& replays, const Budget& budget);
  const DefectReplay& checked(Replays& replays, const Budget& budget);

  void confirm_defect(const FoundError& error, Confirmation& confirmation, const Budget& budget);
  bool take_from(const DefectReplay& replay, const SoughtDefect& sought, Confirmation& confirmation) const;
  void confirm_error(const FoundError& error, Confirmation& confirmation, const Budget& budget);
  void explain(const FoundError& error, Confirmation& confirmation, const Budget& budget);

  const Subject& subject_;
  frontend::LoadOptions options_;
  RunLimits limits_;
  std::filesystem::path directory_;
  std::filesystem::path executable_;  ///< of the native replay; empty before the first
  InterpretedRuns interpreted_runs_;
  CheckedRuns checked_runs_;
  std::vector<std::unique_ptr<Replays>> known_;
};

}  // namespace plumb::replay
