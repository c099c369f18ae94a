#include "solve/dump_solver.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/file.h"
#include "term/smtlib_printer.h"

namespace plumb::solve {

using term::Term;

DumpSolver::DumpSolver(std::unique_ptr<Solver> inner, std::filesystem::path directory)
    : Solver(inner->store()), inner_(std::move(inner)), directory_(std::move(directory)) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error)
    throw UserError(SourceLocation{directory_.string()}, fmt::format("cannot make the directory: {}", error.message()));
}

Result DumpSolver::decide(std::span<const Term> assumptions, const Budget& budget) {
  struct {
    Solver& inner;
    std::span<const Term> assertions;
    void push() { inner.push(); }
    void pop(std::size_t n) { inner.pop(n); }
    void add(std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) inner.assert_true(assertions[i]);
    }
  } target{*inner_, assertions()};
  mirror_.synchronise(target, permanent(), assertions().size());

  const std::filesystem::path path = directory_ / fmt::format("query-{:06}.smt2", ++count_);
  std::string text = term::to_smtlib_script(store(), assertions(), assumptions);
  write_file(path, text);
  const auto start = std::chrono::steady_clock::now();
  Result result = inner_->check(assumptions, budget);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  text += fmt::format("; {} in {:.3f} s by {}{}{}\n", to_string(result.answer), seconds.count(), name(),
                      result.reason.empty() ? "" : ": ", result.reason);
  write_file(path, text);
  model_ = inner_->model();
  failed_ = inner_->failed_assumptions();
  return result;
}

}  // namespace plumb::solve
