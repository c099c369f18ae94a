#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/subprocess.h"
#include "solve/solver.h"

namespace plumb::solve {

/// How to run an SMT-LIB 2 solver that reads from its standard input.
struct SolverCommand {
  std::string name;  ///< as the user wrote it, for messages
  std::vector<std::string> arguments;
  bool is_z3 = false;
  bool has_unsat_assumptions = false;  ///< it is known to answer get-unsat-assumptions

  /// A bare "cvc5" or "z3" gets the options it needs; every other command is taken as it is, split at spaces.
  static SolverCommand of(std::string_view command);
  /// Options and logic: what stands at the head of a script for this solver.
  std::string prologue(bool arrays, bool incremental) const;
};

/// A process failed to give an answer; the text names the command. Becomes Unknown.
struct ProcessFailure {
  std::string reason;
};

/// A dialogue with one solver process; knows nothing of terms, so it may run in any thread. What goes wrong in it (a
/// crash, an error line, an answer that is none) is a ProcessFailure, after which only the destructor is left to call.
class SmtlibProcess {
 public:
  /// Starts the process, with the budget's memory limit.
  SmtlibProcess(const SolverCommand& command, const Budget& budget);

  void send(std::string_view text, const Budget& budget);
  /// No more input will come: lets a solver that reads all of it first begin.
  void end_input() { process_->close_input(); }
  /// Reads the answer to a check command.
  Answer read_answer(const Budget& budget);
  /// Reads the answer to a get-value command.
  std::vector<term::Value> read_values(std::span<const term::Sort> sorts, const Budget& budget);
  /// Reads the answer to get-unsat-assumptions.
  std::vector<std::string> read_symbols(const Budget& budget);

 private:
  std::string read_expression(const Budget& budget);
  /// Why there is no (more) output.
  [[noreturn]] void fail_ended(const Budget& budget);
  [[noreturn]] void fail_answer(std::string_view answer) const;

  std::string name_;
  std::optional<Subprocess> process_;
};

/// What a script came to.
struct ScriptAnswer {
  Result result;
  std::vector<term::Value> values;  ///< after Sat
};

/// Runs a script in a process of its own. `script` ends with its check command; `value_command` asks for values of
/// these sorts (empty: none). Never throws ProcessFailure: that is an Unknown here. Uses no terms, so it may run in any
/// thread.
ScriptAnswer run_script(const SolverCommand& command, std::string_view script, std::string_view value_command,
                        std::span<const term::Sort> sorts, const Budget& budget);

}  // namespace plumb::solve
