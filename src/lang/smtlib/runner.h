#pragma once

#include <map>
#include <optional>

#include "lang/smtlib/reader.h"
#include "lang/smtlib/script.h"
#include "term/evaluator.h"

namespace plumb::smtlib {

/// The state of a run and its commands: those that build in runner.cpp, those that ask in runner_answers.cpp. Private
/// to the module.
class Script::Runner {
 public:
  Runner(term::TermStore& store, SolverFactory make_solver, ScriptOptions options, std::ostream& out);

  void run(std::string_view text, const std::string& file);
  const RunResult& result() const noexcept { return result_; }

 private:
  using Command = void (Runner::*)();
  struct Assertion {
    term::Term term;
    std::string_view text;
    std::string_view name;  ///< empty unless the assertion is tracked for unsat cores
  };
  struct Scope {
    std::size_t assertions;
    std::size_t named;
  };
  struct Literal {
    term::Term term;
    std::string_view text;
  };

  static const absl::flat_hash_map<std::string_view, Command>& commands();
  void one_command();
  /// The budget ended in the middle of reading.
  void stop(std::string_view reason);

  void set_logic();
  void set_info();
  void set_option();
  void declare_const();
  void declare_fun();
  void define_fun();
  void define_const();
  void define_sort();
  void assert_term();
  void push();
  void pop();
  void reset();
  void reset_assertions();
  void exit();
  void unsupported_query();
  void unsupported_command();
  /// Before the script is handed over at the current command: throws UserError at the first behind it that nobody
  /// knows.
  void refuse_unknown_commands();
  /// Answers `unsupported`, and every check up to the next reset with unknown.
  void ignore(std::string_view what);
  /// Reads on behind the current command, of which only the name is known to be read.
  void skip_command();
  /// The current command depends on names that an ignored one may have declared.
  bool may_lack_names() const;

  void check_sat();
  void check_sat_assuming();
  void get_model();
  void get_value();
  void get_assignment();
  void get_assertions();
  void get_unsat_core();
  void get_unsat_assumptions();
  void get_info();
  void get_option();
  void echo();

  void declare(const Token& name, const Type& type);
  void check(std::vector<Literal> assumptions);
  void add_scopes(std::size_t count);
  void make_solver();
  void forget_answer() noexcept { answer_.reset(); }
  /// Whether the last check answered `needed`; if it answered otherwise, says so and the run goes on; if there is none,
  /// throws.
  bool has_answer(solve::Answer needed, std::string_view what);
  bool flag(std::string_view option) const;
  std::string value_text(term::Evaluator& evaluator, const TypedTerm& value) const;
  void respond(std::string text);
  void succeed();

  term::TermStore& store_;
  SolverFactory make_solver_;
  ScriptOptions options_;
  std::ostream& out_;
  RunResult result_;

  std::optional<Reader> reader_;
  std::unique_ptr<solve::Solver> solver_;
  solve::SolverOptions solver_options_;
  Token command_;
  bool exited_ = false;
  std::string ignored_;  ///< why checks are unknown; empty if nothing was ignored that they may depend on

  std::map<std::string, std::string, std::less<>> settings_;
  std::vector<Assertion> assertions_;
  std::vector<NamedTerm> named_;
  std::vector<Scope> scopes_;

  std::optional<solve::Result> answer_;  ///< of the last check, if nothing was asserted or popped since
  std::vector<Literal> assumptions_;     ///< of the last check
};

}  // namespace plumb::smtlib
