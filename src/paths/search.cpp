#include "paths/search.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.h"
#include "term/evaluator.h"

namespace plumb::paths {

using term::Op;

namespace {

/// Levels between the choice that was wrong and the last one that it contradicts. Where there are more of them, they
/// are kept: they have nothing to do with it, and the search would make them again.
constexpr std::uint32_t kFar = 20;
/// Contradictions that a search meets from one end before the other one is tried, at first.
constexpr std::uint64_t kPatience = 100;

}  // namespace

Search::Search(TermStore& terms, const Options& options, Statistics& statistics)
    : terms_(terms),
      options_(options),
      statistics_(statistics),
      domains_(terms),
      explanation_(domains_, nogoods_),
      agenda_(domains_),
      conditions_(domains_),
      orders_(domains_),
      end_(terms, domains_, options, statistics),
      habits_(domains_),
      is_from_start_(options.strategy == Strategy::Cpbpv) {}

void Search::prepare(std::span<const Term> properties, const Budget& budget) {
  last_.clear();
  backtrack(0);
  for (const Term each : properties) domains_.add(each, budget);
  orders_.update();
}

Answer Search::solve(std::span<const Term> properties, const Budget& budget) {
  // A question that no time was left for goes on where it was.
  const bool goes_on = is_interrupted_ && std::ranges::equal(last_, properties);
  if (!goes_on) {
    const bool is_known = std::ranges::all_of(properties, [&](Term t) { return domains_.cell_of(t) != kNoCell; });
    if (!is_known) prepare(properties, budget);
    // What both questions assume stays.
    const auto common = std::ranges::mismatch(last_, properties).in1 - last_.begin();
    backtrack(static_cast<std::uint32_t>(common));
    if (options_.strategy != Strategy::Dpvs) conditions_.start(properties);
    patience_ = kPatience;
    met_ = 0;
    last_.assign(properties.begin(), properties.end());
  }
  is_interrupted_ = true;
  const Answer answer = search(properties, budget);
  is_interrupted_ = false;
  return answer;
}

Answer Search::search(std::span<const Term> properties, const Budget& budget) {
  std::vector<Literal> literals;
  for (const Term each : properties) literals.push_back(Literal::of(domains_.cell_of(each), true));
  explanation_.set_assumptions(static_cast<std::uint32_t>(literals.size()));
  while (!is_contradictory_) {
    budget.check();
    if (auto contradiction = propagate()) {
      is_contradictory_ = !learn(*std::move(contradiction));
      if (options_.strategy == Strategy::Both && ++met_ >= patience_)
        change_ends(static_cast<std::uint32_t>(literals.size()));
      continue;
    }
    if (domains_.level() == 0) settle();
    if (domains_.level() < literals.size()) {
      if (const auto answer = assume(literals)) return *answer;
      continue;
    }
    if (const auto next = choice()) {
      ++statistics_.choices;
      domains_.push_level();
      habits_.remember(next->cell, next->value == 1);
      domains_.decide(*next);
      continue;
    }
    if (std::exchange(has_looked_, false)) continue;
    if (const auto answer = end_path(properties, budget)) return *answer;
  }
  return Answer::Unsat;
}

void Search::backtrack(std::uint32_t level) {
  domains_.backtrack(level);
  agenda_.backtrack();
  conditions_.backtrack();
  orders_.backtrack(static_cast<Domains::Mark>(domains_.trail().size()));
  seen_changes_ = std::min(seen_changes_, domains_.trail().size());
  while (!left_.empty() && left_.back().level > level) left_.pop_back();
}

/// What follows from no choice holds for good.
void Search::settle() {
  domains_.settle();
  orders_.settle();
  seen_changes_ = 0;
}

std::optional<Contradiction> Search::propagate() {
  for (;;) {
    if (!domains_.propagate()) {
      ++statistics_.intervals.refuted;
      return explanation_.of_conflict(domains_.conflict());
    }
    if (seen_changes_ == domains_.trail().size()) return std::nullopt;
    const auto mark = static_cast<Domains::Mark>(seen_changes_++);
    if (options_.stores.orders)
      if (auto contradiction = orders_.on_change(mark)) {
        ++statistics_.orders.refuted;
        return contradiction;
      }
    const Domains::Change change = domains_.trail()[mark];
    if (!nogoods_.on_change(change.cell, change.before, domains_)) {
      ++statistics_.learnt;
      return explanation_.of_conflict(domains_.conflict());
    }
  }
}

bool Search::learn(Contradiction contradiction) {
  for (;;) {
    const auto learnt = explanation_.of(contradiction);
    if (!learnt) return false;
    const bool is_fact = learnt->literals.size() < 2;
    const std::uint32_t before_last = learnt->levels.front() - 1;
    backtrack(!is_fact && before_last - learnt->level() > kFar ? before_last : learnt->level());
    const Literal& last = learnt->literals.front();
    if (domains_.is_boolean(last.cell)) habits_.remember(last.cell, last.value == 0);
    if (domains_.imply(!last, nogoods_.add(learnt->literals))) return true;
    contradiction = explanation_.of_conflict(domains_.conflict());
  }
}

std::optional<Answer> Search::assume(std::span<const Literal> properties) {
  const Literal next = properties[domains_.level()];
  if (domains_.is_false(next)) return Answer::Unsat;
  domains_.push_level();
  if (domains_.is_true(next)) {
    domains_.activate(next.cell);
  } else {
    domains_.decide(next);
  }
  return std::nullopt;
}

void Search::change_ends(std::uint32_t assumptions) {
  backtrack(std::min(domains_.level(), assumptions));
  is_from_start_ = !is_from_start_;
  met_ = 0;
  patience_ += patience_ / 2;
}

std::optional<Literal> Search::choice() {
  if (is_from_start_)
    if (const auto next = choice_from_start()) return next;
  return choice_from_property();
}

std::optional<Literal> Search::choice_from_start() {
  const Cell next = conditions_.next();
  if (next == kNoCell) return std::nullopt;
  return Literal::of(next, habits_.of(next).value_or(true));
}

std::optional<Literal> Search::choice_from_property() {
  agenda_.update();
  for (Cell c = agenda_.top(); c != kNoCell; c = agenda_.top()) {
    if (domains_.is_leaf(c)) {
      const Term t = domains_.term(c);
      const bool is_free = terms_.is_variable(t) || domains_.domain(c) == Range::all(domains_.width(c));
      if (!is_free && !terms_.is_constant(t)) left_.push_back({c, domains_.level()});
    } else if (!domains_.is_justified(c)) {
      if (const auto next = choice_below(c)) return next;
      if (looks_again(c)) return std::nullopt;
      left_.push_back({c, domains_.level()});
    }
    agenda_.pop();
  }
  return std::nullopt;
}

std::optional<Literal> Search::choice_below(Cell c) {
  visited_.resize(domains_.size(), 0);
  ++visit_;
  below_.clear();
  std::vector<Cell> open{c};
  while (!open.empty()) {
    const Cell next = open.back();
    open.pop_back();
    if (visited_[next] == visit_) continue;
    visited_[next] = visit_;
    below_.push_back(next);
    if (next != c && domains_.is_known(next)) continue;
    if (next != c && domains_.is_boolean(next)) {
      // A disjunction needs one side: the conjunction of the opposites has a false operand.
      const bool is_side = domains_.op(c) == Op::And && domains_.is_boolean(c);
      return Literal::of(next, !is_side && habits_.of(next).value_or(false));
    }
    const std::span<const Cell> operands = domains_.operands(next);
    if (domains_.op(next) == Op::Ite && !operands.empty()) {
      if (!domains_.is_known(operands[0])) return definition(next);
      open.push_back(operands[domains_.domain(operands[0]).is_true() ? 1 : 2]);
    } else {
      open.insert(open.end(), operands.begin(), operands.end());
    }
  }
  return std::nullopt;
}

bool Search::looks_again(Cell c) {
  // Once only: bounds may creep.
  const std::uint64_t now = statistics_.choices + statistics_.contradictions() + 1;
  if (std::exchange(looked_again_[c], now) == now) return false;
  std::ranges::sort(below_, std::greater());  // operands are looked at first
  for (const Cell each : below_) domains_.look_again(each);
  has_looked_ = true;
  return true;
}

Literal Search::definition(Cell join) {
  const std::span<const Cell> operands = domains_.operands(join);
  const Range& domain = domains_.domain(join);
  const auto fits = [&](Cell branch) {
    const auto both = common(domains_.width(join), domain, domains_.domain(branch));
    return both && *both == domains_.domain(branch);
  };
  const bool first_fits = fits(operands[1]);
  if (first_fits != fits(operands[2])) return Literal::of(operands[0], first_fits);
  return Literal::of(operands[0], habits_.of(operands[0]).value_or(domains_.is_known(operands[1])));
}

std::optional<Answer> Search::end_path(std::span<const Term> properties, const Budget& budget) {
  ++statistics_.ends;
  if (auto contradiction = orders_.at_end()) {
    ++statistics_.orders.refuted;
    is_contradictory_ = !learn(*std::move(contradiction));
    return std::nullopt;
  }
  std::vector<Cell> left;
  for (const Left& each : left_) left.push_back(each.cell);
  const Answer answer = end_.solve(left, budget);
  if (answer == Answer::Unsat) {
    is_contradictory_ = !learn(explanation_.of_changes(end_.core()));
    return std::nullopt;
  }
  if (answer == Answer::Unknown) return answer;
  model_ = end_.model();
  term::Evaluator evaluator(terms_, model_);
  for (const Term each : properties) INVARIANT(evaluator.is_true(each), "the end of a path should be a model");
  return answer;
}

}  // namespace plumb::paths
