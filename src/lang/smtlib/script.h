#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "solve/solver.h"
#include "term/term_store.h"

namespace plumb::smtlib {

using SolverFactory = std::function<std::unique_ptr<solve::Solver>(term::TermStore&, const solve::SolverOptions&)>;

struct ScriptOptions {
  Budget budget;        ///< of the whole run: what one check leaves is there for the next
  std::string version;  ///< answered to (get-info :version)
  /// A command that is not followed here, but may be by another solver, throws Unsupported while no check was answered.
  bool hands_over = false;
};

/// What one command answered.
struct Response {
  std::string command;  ///< "check-sat", "get-model", …
  std::uint32_t line = 0;
  std::string text;    ///< as printed, without the newline
  std::string reason;  ///< of an unknown
  double seconds = 0;  ///< of a check
};

struct RunResult {
  std::vector<Response> responses;
  std::size_t sat = 0;
  std::size_t unsat = 0;
  std::size_t unknown = 0;
  std::string stopped;  ///< why the run ended before the end of the text ("out of time"); empty if it did not
  std::vector<std::pair<std::string, double>> statistics;

  /// Counts and keeps the answer of a check.
  void add_check(Response response);
};

/// Reads an SMT-LIB 2.6 script (QF_BV, QF_ABV, QF_AUFBV without functions) and runs each command when it is read.
/// Answers go to the stream, flushed after each check. Not thread-safe.
class Script {
 public:
  /// All must outlive the script. The factory is called at the start and again by (reset) and (reset-assertions).
  Script(term::TermStore& store, SolverFactory make_solver, ScriptOptions options, std::ostream& out);
  ~Script();
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  /// Needs to be called once. Throws UserError at the first error and Unsupported at the first term, sort or logic that
  /// is outside; what was answered before is printed and kept in result(). A command that is outside is answered with
  /// `unsupported`; if later answers may depend on it, all checks up to the next (reset) are unknown. A budget that
  /// ends is an unknown of each check that is left, or, in the middle of reading, RunResult::stopped and one unknown
  /// for the checks that were not reached. `file` is for messages; `text` must outlive the script.
  const RunResult& run(std::string_view text, const std::string& file);
  const RunResult& result() const noexcept;

 private:
  class Runner;
  std::unique_ptr<Runner> runner_;
};

/// True if the text makes at most one check and opens no scope, so that SolverOptions::one_shot may be set. A quick
/// look for the words, wherever they stand: it may say false for a script that is, never true for one that is not.
bool is_one_shot(std::string_view text);

}  // namespace plumb::smtlib
