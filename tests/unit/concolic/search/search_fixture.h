#pragma once

#include <memory>

#include "concolic/search/target.h"
#include "term/evaluator.h"
#include "term/traverse.h"
#include "unit/concolic/search/synthetic_program.h"

namespace plumb::concolic {

/// Answers with the smallest model of all variables of the store, the first variable being the lowest digit: the same
/// query always has the same model, whatever was asked before. Values up to 15.
class EnumeratingSolver : public solve::Solver {
 public:
  EnumeratingSolver(term::TermStore& store, std::uint8_t mask) : Solver(store), mask_(mask) {}
  std::string_view name() const override { return "enumerating"; }

 protected:
  solve::Result decide(std::span<const term::Term> assumptions, const Budget&) override {
    std::vector<term::Term> all;
    for (std::uint32_t id = 1; id < store().size(); ++id)
      if (store().is_variable(term::Term{id})) all.push_back(term::Term{id});
    const auto used = term::support(store(), assumptions);
    for (const term::Term v : all) model_[v] = BitVector(8, 0);
    std::vector<std::uint8_t> values(used.size());
    term::Evaluator evaluator(store(), model_);
    while (true) {
      for (std::size_t i = 0; i < used.size(); ++i) model_[used[i]] = BitVector(8, values[i]);
      evaluator.clear();
      bool holds = true;
      for (const term::Term t : assumptions) holds = holds && evaluator.is_true(t);
      if (holds) return solve::Result::sat();
      std::size_t i = 0;
      while (i < values.size() && values[i] == mask_) values[i++] = 0;
      if (i == values.size()) break;
      ++values[i];
    }
    model_.clear();
    failed_.assign(assumptions.begin(), assumptions.end());
    return solve::Result::unsat();
  }

 private:
  std::uint8_t mask_;
};

/// Asks another solver, but for the queries that `is_hard` picks.
class StubbornSolver : public solve::Solver {
 public:
  using IsHard = std::function<bool(term::TermStore&, std::span<const term::Term>)>;
  StubbornSolver(std::unique_ptr<Solver> inner, IsHard is_hard)
      : Solver(inner->store()), inner_(std::move(inner)), is_hard_(std::move(is_hard)) {}
  std::string_view name() const override { return "stubborn"; }

 protected:
  solve::Result decide(std::span<const term::Term> assumptions, const Budget& budget) override {
    if (is_hard_(store(), assumptions)) return solve::Result::unknown("hard");
    const solve::Result result = inner_->check(assumptions, budget);
    model_ = inner_->model();
    failed_ = inner_->failed_assumptions();
    return result;
  }

 private:
  std::unique_ptr<Solver> inner_;
  IsHard is_hard_;
};

inline SearchParts parts_for(const SyntheticProgram& program, SyntheticLog& log) {
  SearchParts parts;
  parts.make_target = [&] { return make_synthetic_target(program, log); };
  parts.make_solver = [](term::TermStore& store) { return solve::make_solver(store, "native"); };
  return parts;
}

/// Until all paths were gone.
inline SearchOptions to_the_end() {
  SearchOptions options;
  options.until = Until::Time;
  return options;
}

inline SearchReport search(const SyntheticProgram& program, const SearchOptions& options, const SearchParts& parts) {
  return search(program.subject, options, {}, Budget(), parts);
}

inline SearchReport search(const SyntheticProgram& program, const SearchOptions& options) {
  SyntheticLog log;
  log.keeps_paths = options.jobs == 1;
  return search(program, options, parts_for(program, log));
}

inline std::set<SiteId> error_sites(const SearchReport& report) {
  std::set<SiteId> sites;
  for (const FoundError& error : report.errors) sites.insert(error.site);
  return sites;
}

/// while (1) { c = input(); steps of a word, one a letter, in a region; if (s == steps) error(); }
inline SyntheticProgram lexer(std::uint8_t steps) {
  using Kind = Statement::Kind;
  SyntheticProgram program;
  program.max_reads = 100'000;
  program.mask = 0xff;
  Statement region{.kind = Kind::Region, .variable = 1, .constant = steps};
  for (std::uint8_t i = 0; i < steps; ++i) {
    Statement step{.kind = Kind::If, .variable = 1, .constant = i};
    step.first.push_back({.kind = Kind::Set, .variable = 1, .constant = static_cast<std::uint8_t>(i + 1)});
    Statement letter{.kind = Kind::If, .variable = 0, .constant = static_cast<std::uint8_t>(40 + 3 * i)};
    letter.first.push_back(step);
    region.first.push_back(letter);
  }
  region.second.push_back({.kind = Kind::Error});
  Statement loop{.kind = Kind::While, .variable = 2, .constant = 0, .trips = ~std::uint32_t{0}};
  loop.first = {{.kind = Kind::Read, .variable = 0}, region};
  program.body = {loop};
  program.finish();
  return program;
}

}  // namespace plumb::concolic
