#pragma once

#include <memory>

#include "solve/external/smtlib_process.h"
#include "solve/solver.h"

namespace plumb::solve {

enum class ProcessMode {
  OneProcessPerCheck,  ///< the whole query each time; all assumptions count as failed
  Interactive,         ///< one process over many checks, its scopes in step with ours
};

/// Any SMT-LIB 2 solver, as a process. What goes wrong with it (a missing program, a crash, an error line, an answer
/// that is none) is Unknown with a reason that names the command, and the next check starts a new process.
class ProcessSolver final : public Solver {
 public:
  ProcessSolver(term::TermStore& store, SolverCommand command, ProcessMode mode);
  ~ProcessSolver() override;

  std::string_view name() const override { return command_.name; }
  std::vector<std::pair<std::string, double>> statistics() const override;

 protected:
  Result decide(std::span<const term::Term> assumptions, const Budget& budget) override;
  void popped(std::size_t kept) override;

 private:
  class Session;
  Result decide_in_new_process(std::span<const term::Term> assumptions, const Budget& budget);
  Result decide_in_session(std::span<const term::Term> assumptions, const Budget& budget);

  SolverCommand command_;
  ProcessMode mode_;
  std::unique_ptr<Session> session_;  ///< Interactive: none until the first check and after a failure
  std::size_t checks_ = 0;
  std::size_t processes_ = 0;
};

/// A query as text that any thread can give to run_script().
struct PrintedQuery {
  std::string body;  ///< declarations, definitions, assertions, the check command
  std::string value_command;
  std::vector<term::Term> variables;  ///< that value_command asks for
  std::vector<term::Sort> sorts;      ///< of these
  bool has_arrays = false;
};
PrintedQuery print_query(const term::TermStore& store, std::span<const term::Term> assertions,
                         std::span<const term::Term> assumptions);

}  // namespace plumb::solve
