#include "paths/path_end.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "solve/native/blast_solver.h"
#include "term/evaluator.h"

namespace plumb::paths {

PathEnd::PathEnd(TermStore& terms, const Domains& domains, const Options& options, Statistics& statistics)
    : terms_(terms), domains_(domains), statistics_(statistics) {
  solve::SolverOptions of_solver;
  of_solver.seed = options.seed;
  solver_ = std::make_unique<solve::BlastSolver>(terms, of_solver);
  if (options.stores.linear) linear_.emplace(terms);
}

Term PathEnd::within(Term t, const Range& range) {
  const std::uint32_t width = terms_.width(t);
  const Range all = Range::all(width);
  if (range.is_single()) return terms_.eq(t, terms_.constant(width, range.low));
  Term result = terms_.boolean(true);
  const auto constant = [&](std::uint64_t value) { return terms_.constant(width, value & all.high); };
  if (range.low > all.low) result = terms_.bit_and(result, terms_.ule(constant(range.low), t));
  if (range.high < all.high) result = terms_.bit_and(result, terms_.ule(t, constant(range.high)));
  const auto signed_constant = [&](std::int64_t value) { return constant(static_cast<std::uint64_t>(value)); };
  if (range.least > all.least) result = terms_.bit_and(result, terms_.sle(signed_constant(range.least), t));
  if (range.greatest < all.greatest) result = terms_.bit_and(result, terms_.sle(t, signed_constant(range.greatest)));
  return result;
}

Term PathEnd::along_path(Cell asked, std::vector<Domains::Mark>& from) {
  made_.clear();
  std::vector<Cell> open{asked};
  while (!open.empty()) {
    const Cell c = open.back();
    if (made_.contains(c)) {
      open.pop_back();
      continue;
    }
    if (c != asked && domains_.is_known(c)) {
      from.push_back(domains_.latest(c));
      made_[c] = terms_.constant(domains_.width(c), domains_.domain(c).low);
      continue;
    }
    if (domains_.is_leaf(c)) {
      made_[c] = domains_.term(c);
      continue;
    }
    std::array<Term, 3> parts{};
    std::span<const Cell> operands = domains_.operands(c);
    const bool is_join = domains_.op(c) == term::Op::Ite;
    if (is_join) {
      INVARIANT(domains_.is_known(operands[0]), "at the end of a path nothing should be left to choose");
      operands = operands.subspan(domains_.domain(operands[0]).is_true() ? 1 : 2, 1);
    }
    bool is_ready = true;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto made = made_.find(operands[i]);
      is_ready = is_ready && made != made_.end();
      if (made == made_.end()) open.push_back(operands[i]);
      if (made != made_.end()) parts[i] = made->second;
    }
    if (!is_ready) continue;
    if (is_join) from.push_back(domains_.latest(domains_.operands(c)[0]));
    const Term t = domains_.term(c);
    made_[c] = is_join ? parts[0]
                       : terms_.make(domains_.op(c), std::span(parts).first(operands.size()), terms_.width(t),
                                     terms_.parameter(t));
  }
  return made_.at(asked);
}

PathEnd::Constraint PathEnd::constraint_of(Cell c) {
  Constraint constraint;
  constraint.from.push_back(domains_.latest(c));
  constraint.term = within(along_path(c, constraint.from), domains_.domain(c));
  return constraint;
}

/// Variables of the constraints have their domains, too.
void PathEnd::constrain_variables(std::vector<Constraint>& constraints) {
  std::vector<Term> roots;
  for (const Constraint& each : constraints) roots.push_back(each.term);
  for (const Term variable : term::support(terms_, roots)) {
    const Cell c = terms_.is_array(variable) ? kNoCell : domains_.cell_of(variable);
    if (c == kNoCell) continue;
    const Term domain = within(variable, domains_.domain(c));
    if (!terms_.is_true(domain)) constraints.push_back({domain, {domains_.latest(c)}});
  }
}

Answer PathEnd::solve(std::span<const Cell> left, const Budget& budget) {
  model_.clear();
  core_.clear();
  std::vector<Constraint> constraints;
  for (const Cell c : left) {
    constraints.push_back(constraint_of(c));
    if (!terms_.is_false(constraints.back().term)) continue;
    core_ = constraints.back().from;
    ++statistics_.intervals.refuted;
    return Answer::Unsat;
  }
  if (constraints.empty()) {
    ++statistics_.intervals.solved;
    return Answer::Sat;
  }
  constrain_variables(constraints);
  std::vector<Term> assumed;
  for (const Constraint& each : constraints) assumed.push_back(each.term);
  std::vector<Term> failed;
  const Answer answer = decide(assumed, failed, budget);
  const absl::flat_hash_set<Term> is_failed(failed.begin(), failed.end());
  for (const Constraint& each : constraints)
    if (is_failed.contains(each.term)) core_.insert(core_.end(), each.from.begin(), each.from.end());
  return answer;
}

Answer PathEnd::decide(std::span<const Term> assumed, std::vector<Term>& failed, const Budget& budget) {
  if (linear_)
    if (const auto answer = decide_linear(assumed, failed)) return *answer;
  const Answer answer = solver_->check(assumed, budget).answer;
  if (answer == Answer::Sat) {
    ++statistics_.bits.solved;
    model_ = solver_->model();
  } else if (answer == Answer::Unsat) {
    ++statistics_.bits.refuted;
    failed = solver_->failed_assumptions();
  }
  return answer;
}

std::optional<Answer> PathEnd::decide_linear(std::span<const Term> assumed, std::vector<Term>& failed) {
  auto [core, point] = linear_->examine(assumed);
  if (!core.empty()) {
    ++statistics_.linear.refuted;
    failed = std::move(core);
    return Answer::Unsat;
  }
  if (point.empty()) return std::nullopt;
  term::Evaluator evaluator(terms_, point);
  if (!std::ranges::all_of(assumed, [&](Term t) { return evaluator.is_true(t); })) return std::nullopt;
  ++statistics_.linear.solved;
  model_ = std::move(point);
  return Answer::Sat;
}

term::Assignment PathEnd::model() const {
  term::Assignment model = model_;
  for (Cell c = 0; c < domains_.size(); ++c) {
    const Term t = domains_.term(c);
    if (!terms_.is_variable(t) || model.contains(t)) continue;
    const std::uint64_t value = member(terms_.width(t), domains_.domain(c)).value();
    if (value != 0) model[t] = BitVector(terms_.width(t), value);
  }
  return model;
}

}  // namespace plumb::paths
