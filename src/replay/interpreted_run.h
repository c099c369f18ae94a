#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/budget.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"
#include "replay/defect_replay.h"
#include "result/test_case.h"

namespace plumb::replay {

/// The test asks for nothing that the interpreter does not have: it knows no variables and no failing calls.
bool is_interpretable(const result::TestCase& test);

/// Runs tests in the interpreter, which checks every access, as the traced runs were: with the test's inputs, arguments
/// and standard input, in a fresh directory with its files alone. The program can write there and nowhere else. At most
/// 400 million instructions and 5 seconds a run. A run goes on after a defect as a traced one does. Loads the program
/// when it is first asked. Not thread-safe.
class InterpretedRuns {
 public:
  /// `memory`: bytes beyond which malloc gives null. `directory` must exist; what is made in it is removed again.
  InterpretedRuns(frontend::LoadOptions options, std::uint64_t memory, std::filesystem::path directory);
  ~InterpretedRuns();
  InterpretedRuns(const InterpretedRuns&) = delete;
  InterpretedRuns& operator=(const InterpretedRuns&) = delete;

  /// Everything wrong that the run does, of the kinds that the options ask for. What could not be run at all has its
  /// problem too. Throws OutOfBudget.
  DefectReplay replay(const result::TestCase& test, const Budget& budget);
  /// Runs the test once more for where its leaks were lost (Defect::lost_at), as far as that is found in time.
  void find_losses(const result::TestCase& test, DefectReplay& replay, const Budget& budget);

 private:
  struct Loaded;
  /// Null if it cannot be; load_problem_ says why.
  Loaded* load(std::unique_ptr<Loaded>& slot, bool keep_variables, const Budget& budget);
  interpret::RunResult run(Loaded& loaded, const result::TestCase& test, interpret::InterpreterOptions options,
                           const Budget& budget);

  frontend::LoadOptions options_;
  std::uint64_t memory_;
  std::filesystem::path directory_;
  std::unique_ptr<Loaded> program_;
  std::unique_ptr<Loaded> with_variables_;  ///< for losses: a variable that is overwritten is where one happens
  std::string load_problem_;
};

}  // namespace plumb::replay
