#include "solve/native/blast_solver.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "circuit/cnf.h"
#include "solve/native/order_lemmas.h"
#include "solve/native/sat_solver.h"
#include "solve/native/sweeper.h"

namespace plumb::solve {

using circuit::Lit;
using term::Op;
using term::Term;

namespace {

/// Below this many SAT variables an instance is never stale.
constexpr int kSmallInstance = 4000;
/// An instance is stale for a query that needs less than one in this many of its variables.
constexpr std::uint64_t kStaleFactor = 6;
/// Instances that are kept for queries of different sizes.
constexpr std::size_t kInstances = 4;
/// A single query that takes this many conflicts is swept, with so many for each pair of nodes; twice, the second time
/// with more effort.
struct Sweep {
  int patience;
  int max_conflicts;
};
constexpr std::array<Sweep, 2> kSweeps = {{{20'000, 500}, {60'000, 20'000}}};
/// The share of the time left, and the seconds, that sweeping may take each time.
constexpr double kSweepShare = 0.15;
constexpr double kSweepSeconds = 30;

}  // namespace

/// A SAT solver with the clauses of those nodes of the Aig that its queries needed so far, and values of nodes in its
/// model.
class BlastSolver::Instance {
 public:
  Instance(const circuit::Aig& aig, term::TermStore& store, const SolverOptions& options)
      : sat(options), cnf(aig, sat), order(store), aig_(aig) {}

  void forget_values() {
    if (++stamp_ == 0) {
      stamps_.assign(stamps_.size(), 0);
      stamp_ = 1;
    }
  }

  /// In the SAT solver's model, by simulation from the inputs: the variables of inner nodes are tied to them in one
  /// direction only.
  bool value(Lit lit) {
    stamps_.resize(aig_.size(), 0);
    values_.resize(aig_.size(), false);
    work_.push_back(lit.node());
    while (!work_.empty()) {
      const std::uint32_t n = work_.back();
      if (stamps_[n] == stamp_) {
        work_.pop_back();
        continue;
      }
      bool v = false;
      if (aig_.is_and(n)) {
        const Lit a = aig_.fanin0(n);
        const Lit b = aig_.fanin1(n);
        const bool ready_a = stamps_[a.node()] == stamp_;
        const bool ready_b = stamps_[b.node()] == stamp_;
        if (!ready_a) work_.push_back(a.node());
        if (!ready_b) work_.push_back(b.node());
        if (!ready_a || !ready_b) continue;
        v = (values_[a.node()] != a.complemented()) && (values_[b.node()] != b.complemented());
      } else if (const int variable = cnf.variable(n)) {
        v = sat.value(variable);
      }
      work_.pop_back();
      stamps_[n] = stamp_;
      values_[n] = v;
    }
    return values_[lit.node()] != lit.complemented();
  }

  SatSolver sat;
  circuit::CnfEncoder cnf;
  OrderLemmas order;
  std::size_t asserted = 0;  ///< permanent assertions that it has
  std::vector<Lit> facts;    ///< asserted: permanent assertions and lemmas
  std::size_t sweeps = 0;

 private:
  const circuit::Aig& aig_;
  std::vector<std::uint32_t> stamps_;
  std::vector<bool> values_;
  std::uint32_t stamp_ = 1;
  std::vector<std::uint32_t> work_;
};

BlastSolver::BlastSolver(term::TermStore& store, const SolverOptions& options)
    : Solver(store), options_(options), blaster_(store, aig_), expander_(store), lifter_(store), arrays_(store) {}

BlastSolver::~BlastSolver() = default;

std::uint32_t BlastSolver::cone_size(std::span<const Term> terms, const Budget& budget) {
  if (++stamp_ == 0) {
    visited_nodes_.assign(visited_nodes_.size(), 0);
    stamp_ = 1;
  }
  std::vector<std::uint32_t> work;
  std::uint32_t count = 0;
  for (const Term t : terms) work.push_back(literal(t, budget).node());
  visited_nodes_.resize(aig_.size(), 0);
  while (!work.empty()) {
    const std::uint32_t n = work.back();
    work.pop_back();
    if (visited_nodes_[n] == stamp_) continue;
    visited_nodes_[n] = stamp_;
    ++count;
    if (!aig_.is_and(n)) continue;
    work.push_back(aig_.fanin0(n).node());
    work.push_back(aig_.fanin1(n).node());
  }
  return count;
}

// A model assigns all variables of the instance, so a small query should not carry along all that large ones needed;
// and the large ones should find again what was encoded for them. So a query takes the largest instance that is not
// stale for it.
BlastSolver::Instance& BlastSolver::choose_instance(std::span<const Term> assumed, const Budget& budget) {
  const auto size = [](const auto& instance) { return static_cast<std::uint64_t>(instance->cnf.variable_count()); };
  if (instances_.size() == 1 && (permanent() != 0 || size(instances_.front()) <= kSmallInstance))
    return *instances_.front();
  std::uint64_t most = kSmallInstance;
  if (!instances_.empty()) most = std::max(most, kStaleFactor * cone_size(assumed, budget));
  auto best = instances_.end();
  for (auto it = instances_.begin(); it != instances_.end(); ++it)
    if (size(*it) <= most && (best == instances_.end() || size(*it) > size(*best))) best = it;
  if (best == instances_.end()) {
    if (instances_.size() == kInstances) instances_.pop_back();
    ++made_instances_;
    best = instances_.insert(instances_.begin(), std::make_unique<Instance>(aig_, store(), options_));
  }
  std::rotate(instances_.begin(), best, best + 1);
  return *instances_.front();
}

void BlastSolver::prepare_instance(std::span<const Term> assumed, const Budget& budget) {
  instance_ = &choose_instance(assumed, budget);
  for (; instance_->asserted < permanent(); ++instance_->asserted) {
    assert_fact(simplified(assertions()[instance_->asserted]), budget);
  }
}

void BlastSolver::assert_fact(Term simplified, const Budget& budget) {
  instance_->order.add(simplified);
  instance_->facts.push_back(blaster_.bit(simplified, budget));
  instance_->cnf.assert_true(instance_->facts.back(), budget);
}

void BlastSolver::assert_order(std::span<const Term> assumed, const Budget& budget) {
  for (const Term t : assumed) instance_->order.add(simplified(t));
  for (const Term lemma : instance_->order.take()) {
    instance_->facts.push_back(blaster_.bit(lemma, budget));
    instance_->cnf.assert_true(instance_->facts.back(), budget);
  }
}

Result BlastSolver::decide(std::span<const Term> assumptions, const Budget& budget) {
  std::vector<Term> assumed(assertions().begin() + static_cast<std::ptrdiff_t>(permanent()), assertions().end());
  const std::size_t scoped = assumed.size();
  assumed.insert(assumed.end(), assumptions.begin(), assumptions.end());
  prepare_instance(assumed, budget);

  std::vector<int> literals;
  literals.reserve(assumed.size());
  for (const Term t : assumed) literals.push_back(instance_->cnf.implying(literal(t, budget), budget));
  assert_order(assumed, budget);

  arrays_.clear();
  for (const Term t : assertions()) arrays_.add(simplified(t));
  for (const Term t : assumptions) arrays_.add(simplified(t));

  const Result result = search(literals, budget);
  if (result.answer == Answer::Sat) read_model(assumed);
  if (result.answer == Answer::Unsat)
    for (std::size_t i = scoped; i < assumed.size(); ++i)
      if (instance_->sat.failed(literals[i])) failed_.push_back(assumed[i]);
  return result;
}

Result BlastSolver::search(std::span<const int> assumed, const Budget& budget) {
  const auto candidate = [&](Term t) {
    if (store().is_constant(t)) return store().value(t);
    const auto bits = blaster_.bits(t, budget);
    BitVector value(static_cast<std::uint32_t>(bits.size()), 0);
    for (std::uint32_t i = 0; i < value.width(); ++i) value.set_bit(i, instance_->value(bits[i]));
    return value;
  };
  for (;;) {
    const Answer answer = solve(assumed, budget);
    if (answer == Answer::Unknown) budget.check();
    if (answer != Answer::Sat || arrays_.empty()) return {answer, answer == Answer::Unknown ? "no answer" : ""};
    const std::vector<Term> lemmas = arrays_.violated(candidate, model_);
    if (lemmas.empty()) return Result::sat();
    for (const Term lemma : lemmas) assert_lemma(lemma, budget);
    budget.check();
  }
}

Answer BlastSolver::solve(std::span<const int> assumed, const Budget& budget) {
  ++solves_;
  instance_->forget_values();
  while (options_.one_shot && assumed.empty() && instance_->sweeps < kSweeps.size()) {
    const Answer answer = instance_->sat.solve(assumed, budget, kSweeps[instance_->sweeps].patience);
    if (answer != Answer::Unknown || budget.exceeded()) return answer;
    sweep(kSweeps[instance_->sweeps++].max_conflicts, budget);
  }
  return instance_->sat.solve(assumed, budget);
}

void BlastSolver::sweep(int max_conflicts, const Budget& budget) {
  const auto left = budget.time_left();
  const double seconds = left ? std::min(kSweepSeconds, kSweepShare * left->count()) : kSweepSeconds;
  const Budget share = budget.with_timeout(std::chrono::duration<double>(seconds));
  Sweeper sweeper(aig_, max_conflicts, share);
  std::vector<Lit> simpler = sweeper.sweep(instance_->facts);
  if (sweeper.merged() == 0) return;
  merged_ += sweeper.merged();
  // A new instance: what the old one has learned is about nodes that are no longer there.
  auto renewed = std::make_unique<Instance>(aig_, store(), options_);
  renewed->facts = std::move(simpler);
  renewed->asserted = instance_->asserted;
  renewed->sweeps = instance_->sweeps;
  for (const Lit fact : renewed->facts) renewed->cnf.assert_true(fact, budget);
  instances_.front() = std::move(renewed);
  instance_ = instances_.front().get();
}

void BlastSolver::assert_lemma(Term lemma, const Budget& budget) {
  const Term fact = simplified(lemma);
  arrays_.add(fact);
  assert_fact(fact, budget);
}

void BlastSolver::read_model(std::span<const Term> assumed) {
  visited_terms_.clear();
  const auto read = [&](Term t) {
    if (!store().is_variable(t) || store().is_array(t) || !blaster_.is_blasted(t)) return;
    const auto bits = blaster_.bits(t, Budget());
    BitVector value(store().width(t), 0);
    for (std::uint32_t i = 0; i < value.width(); ++i) value.set_bit(i, instance_->value(bits[i]));
    model_.insert_or_assign(t, std::move(value));
  };
  term::post_order(store(), assertions().first(permanent()), visited_terms_, read);
  term::post_order(store(), assumed, visited_terms_, read);
}

std::vector<std::pair<std::string, double>> BlastSolver::statistics() const {
  return {{"aig-ands", aig_.and_count()},
          {"cnf-variables", instance_ != nullptr ? instance_->cnf.variable_count() : 0},
          {"cnf-clauses", instance_ != nullptr ? static_cast<double>(instance_->sat.clauses()) : 0},
          {"sat-calls", static_cast<double>(solves_)},
          {"sat-instances", static_cast<double>(made_instances_)},
          {"merged-nodes", static_cast<double>(merged_)},
          {"array-steps", static_cast<double>(expander_.steps())},
          {"array-lemmas", static_cast<double>(arrays_.count())},
          {"lifted-comparisons", static_cast<double>(lifter_.lifted())},
          {"order-lemmas", instance_ != nullptr ? static_cast<double>(instance_->order.count()) : 0}};
}

}  // namespace plumb::solve
