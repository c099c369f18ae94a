#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "term/evaluator.h"
#include "term/term_store.h"
#include "term/value.h"

namespace plumb::solve {

enum class Answer : std::uint8_t { Sat, Unsat, Unknown };
std::string_view to_string(Answer answer);  ///< "sat", "unsat", "unknown"

struct Result {
  Answer answer = Answer::Unknown;
  std::string reason;  ///< of Unknown: "out of time", "z3: …"

  static Result sat() { return {Answer::Sat, {}}; }
  static Result unsat() { return {Answer::Unsat, {}}; }
  static Result unknown(std::string why) { return {Answer::Unknown, std::move(why)}; }
};

/// A satisfiability solver for bit-vector and array terms of one store, with a stack of assertions.
/// Every Sat is checked here, in every build: the assertions and assumptions are evaluated in the model, and a model in
/// which one is false is an InternalError, never an answer. A backend implements decide() and what it needs of the
/// hooks. Not thread-safe.
class Solver {
 public:
  explicit Solver(term::TermStore& store) : store_(store), evaluator_(store, model_) {}
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  virtual std::string_view name() const = 0;
  term::TermStore& store() const noexcept { return store_; }

  /// Needs width 1.
  void assert_true(term::Term t);
  void push();
  /// Needs n <= scopes().
  void pop(std::size_t n = 1);
  std::size_t scopes() const noexcept { return scopes_.size(); }
  std::span<const term::Term> assertions() const noexcept { return assertions_; }

  /// Is there a model of all assertions and `assumptions`? A budget that ends is Unknown; the solver stays usable.
  Result check(std::span<const term::Term> assumptions, const Budget& budget);
  Result check(const Budget& budget) { return check({}, budget); }

  /// After Sat, until the next call of a non-const member: values of (at least) all variables that matter; the others
  /// count as zero.
  const term::Assignment& model() const noexcept { return model_; }
  /// After Unsat: assumptions that cannot hold together with the assertions, in their order; a subset, not always
  /// minimal.
  const std::vector<term::Term>& failed_assumptions() const noexcept { return failed_; }

  /// Numbers for --stats, name and value, in a fixed order.
  virtual std::vector<std::pair<std::string, double>> statistics() const { return {}; }

 protected:
  /// Decides assertions() together with `assumptions`; fills model_ on Sat and failed_ on Unsat (both come empty).
  /// May throw OutOfBudget, which becomes Unknown.
  virtual Result decide(std::span<const term::Term> assumptions, const Budget& budget) = 0;
  /// The first `kept` assertions remain.
  virtual void popped(std::size_t kept) { static_cast<void>(kept); }
  /// The number of assertions made outside all scopes: these stay for good.
  std::size_t permanent() const noexcept { return scopes_.empty() ? assertions_.size() : scopes_.front(); }

  term::Assignment model_;
  std::vector<term::Term> failed_;

 private:
  void verify_model(std::span<const term::Term> assumptions);

  term::TermStore& store_;
  std::vector<term::Term> assertions_;
  std::vector<std::size_t> scopes_;  ///< assertions_.size() at each push
  term::Evaluator evaluator_;        ///< of model_; kept, because a new one costs as much as the store is large
};

struct SolverOptions {
  /// The first check will be the only one: allows what cannot be taken back (unconstrained inputs, no scopes kept
  /// apart).
  bool one_shot = false;
  /// The budget will limit memory: z3 runs as a process where there is one, since its library does not stop in time.
  bool memory_limited = false;
  /// Of the search; the same seed gives the same models.
  std::uint64_t seed = 1;
};

/// `backend`: "native", "z3", "portfolio", or the command of an SMT-LIB 2 solver on PATH ("cvc5", "bitwuzla
/// --produce-models"). Throws UserError if there is no such backend or command.
std::unique_ptr<Solver> make_solver(term::TermStore& store, const std::string& backend,
                                    const SolverOptions& options = {});

}  // namespace plumb::solve
