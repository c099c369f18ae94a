#pragma once

#include <cstdint>
#include <string_view>

#include "replay/builds.h"
#include "replay/replayer.h"
#include "result/test_case.h"

namespace plumb::replay {

/// The test asks for nothing that the interpreter does not have: it knows no variables and no failing calls.
bool is_interpretable(const result::TestCase& test);

/// Runs tests in the interpreter, which checks every access, as the traced runs were: with the test's inputs,
/// arguments, order of threads and standard input, and with its files (ProgramFiles). At most 400 million instructions
/// and 5 seconds a run. A run goes on after a defect as a traced one does, and shows everything wrong, of the kinds
/// that the options of the builds ask for. What could not be run at all has its problem too.
class InterpreterReplayer : public Replayer {
 public:
  /// `memory`: bytes beyond which malloc gives null. `builds` must outlive it.
  InterpreterReplayer(Builds& builds, std::uint64_t memory) : builds_(builds), memory_(memory) {}

  std::string_view name() const override { return "interpreter"; }
  Replay run(const Evidence& evidence, const Budget& budget) override;
  /// Runs the test once more for where its leaks were lost (Defect::lost_at), as far as that is found in time.
  void find_losses(const result::TestCase& test, Replay& replay, const Budget& budget);

 private:
  interpret::RunResult interpret(interpret::Interpreter& interpreter, interpret::InterpreterOptions& options,
                                 const Budget& budget) const;

  Builds& builds_;
  std::uint64_t memory_;
};

}  // namespace plumb::replay
