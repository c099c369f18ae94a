#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "concolic/execute/executor.h"
#include "concolic/trace/trace_builder.h"
#include "instrument/prepared_module.h"

namespace plumb::concolic::testing {

using instrument::PreparedModule;

/// One run of an instrumented program, as the engine sees it.
struct TracedRun {
  RunEnd end = RunEnd::Exit;
  int code = 0;
  Trace trace;
  std::size_t first_false = 0;  ///< of its nodes: the number of nodes if each condition is what the run did
  std::vector<std::uint8_t> coverage;

  std::size_t count(PathNode::Kind kind) const;
  std::uint64_t lost(std::uint32_t reason) const;
};

/// A C program (or LLVM text) that was instrumented, with every value taken as possibly symbolic, and linked with the
/// runtime; and the same program without instrumentation, linked with the replay runtime.
class InstrumentedProgram {
 public:
  /// Prepared: C, as prepare_module() makes it, with regions and only what depends on input taken as symbolic.
  enum class Form { C, Llvm, Prepared };
  explicit InstrumentedProgram(const std::string& source, Form form = Form::C);

  TracedRun run(std::uint64_t random_seed, bool with_regions = false);
  TracedRun run(const std::vector<result::TestInput>& inputs);
  /// The exit code of the program without instrumentation on these inputs; 128 + signal.
  int plain_exit_code(const std::vector<result::TestInput>& inputs);
  std::string describe(const PathNode& node) const;
  const PreparedModule& prepared() const noexcept { return prepared_; }
  const std::filesystem::path& executable() const noexcept { return prepared_.subject.executable; }

 private:
  void prepare_by_hand(const std::filesystem::path& file, Form form);
  void prepare(const std::filesystem::path& file);
  TracedRun run(const RunRequest& request);

  TemporaryDirectory directory_;
  PreparedModule prepared_;
  std::filesystem::path plain_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<term::TermStore> store_;
  std::unique_ptr<TraceBuilder> builder_;
};

/// Runs the program on inputs of `seeds` random seeds, from 1, with its regions summarised or without. Each run must be
/// a complete trace whose conditions hold, and return what the program without instrumentation returns. Gives the runs.
std::vector<TracedRun> check_runs(InstrumentedProgram& program, std::uint64_t seeds, bool with_regions = false);

}  // namespace plumb::concolic::testing
