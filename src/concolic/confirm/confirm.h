#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "concolic/search/explore.h"
#include "concolic/subject.h"
#include "program/fault.h"
#include "program/lower/load.h"

namespace plumb::concolic {

/// What became of an error that the search found.
struct Confirmation {
  bool is_confirmed = false;  ///< the program without instrumentation fails on the same inputs
  std::string reason;         ///< why not: "the replay ended with exit code 0"
  std::string native;         ///< how the replay failed: "SIGSEGV", "assertion"
  /// Kind and message: the interpreter's if it fails as well, else of the error that was found.
  program::Fault fault;
  /// Points of Confirmer::program(), innermost first. Empty if the interpreter did not fail or could not run the
  /// program; then `place` and `function` are those of the error's site, as far as it is known.
  std::vector<program::CodePoint> stack;
  SourceLocation place;
  std::string function;
  std::string note;  ///< why there is no stack; else empty
};

/// The inputs as a target takes them (runtime/concolic/protocol.h).
std::vector<std::uint8_t> given_inputs(std::span<const result::TestInput> inputs);

/// Replays errors: natively, without instrumentation, for the truth, and in the interpreter for what and where. Both
/// versions of the program are built when they are first needed. Not thread-safe.
class Confirmer {
 public:
  /// `directory` is for files of its own and must exist. `subject` must outlive it.
  Confirmer(const Subject& subject, program::LoadOptions options, RunLimits limits, std::filesystem::path directory);
  ~Confirmer();
  Confirmer(const Confirmer&) = delete;
  Confirmer& operator=(const Confirmer&) = delete;

  /// A budget that ends leaves the error unconfirmed, with that as the reason.
  Confirmation confirm(const FoundError& error, const Budget& budget);
  /// What stacks refer to. Needs a confirmation that has one.
  const program::Program& program() const;

 private:
  struct NativeEnd;
  NativeEnd replay(const FoundError& error, const Budget& budget);
  void explain(const FoundError& error, Confirmation& confirmation, const Budget& budget);

  const Subject& subject_;
  program::LoadOptions options_;
  RunLimits limits_;
  std::filesystem::path directory_;
  std::filesystem::path executable_;  ///< of the replay; empty before the first
  std::optional<program::Program> program_;
  std::string load_problem_;
};

}  // namespace plumb::concolic
