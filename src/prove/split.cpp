// Which states to tell apart. A program's loops are bounded by parameters; with such a parameter fixed the program
// counter and the counters of loops are constants in each step of the unrolling, conditions fold, and array accesses
// have constant indices. With a parameter fixed that is only compared with data nothing folds. So the choice is made
// by trying: the first steps are unrolled with a candidate fixed, and the terms that this makes are counted. Values
// near the greatest are tried, where loops run long. The candidate that saves most for a bit of it is taken, then
// others beside it as long as they save as well.

#include "prove/split.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "prove/runs.h"
#include "prove/unrolling.h"
#include "system/copy.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

constexpr std::size_t kTrialSteps = 24;
constexpr std::uint32_t kTrialTerms = 60'000;
/// What a bit that is told apart must save: twice the cases for a little less than half of the terms in eight.
constexpr double kMinSaving = 0.06;

/// The terms that the first steps make.
struct Trial {
  std::size_t steps = 0;
  std::uint32_t terms = 0;
};

Trial unroll(System& system, std::size_t steps, const Budget& budget) {
  const std::uint32_t before = system.store().size();
  Runs runs(system);
  Trial trial;
  for (std::size_t step = 0; step < steps; ++step) {
    budget.check();
    runs.extend(budget);
    trial = {step + 1, system.store().size() - before};
    if (trial.terms > kTrialTerms) break;
  }
  return trial;
}

/// The states whose initial value another state still depends on behind the second step, or the bad in it.
std::vector<std::size_t> influential(const System& original) {
  System system = system::copy(original);
  Unrolling run(system, Unrolling::Start::Initial);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    const system::State& state = system.states()[i];
    if (!state.init && !system.store().is_array(state.variable)) result.push_back(i);
  }
  term::TermSet used;
  std::vector<Term> roots = {run.at(system.bads()[0].term, 0), run.at(system.bads()[0].term, 1)};
  for (std::size_t i = 0; i < system.states().size(); ++i)
    if (run.state(i, 2) != run.state(i, 0)) roots.push_back(run.state(i, 2));
  for (const Term variable : term::support(system.store(), roots)) used[variable] = {};
  std::erase_if(result, [&](std::size_t i) { return !used.contains(run.state(i, 0)); });
  return result;
}

class Chooser {
 public:
  Chooser(const System& system, std::uint32_t max_bits, const Budget& budget)
      : system_(system), max_bits_(max_bits), budget_(budget) {}

  std::vector<std::size_t> choose(std::vector<std::size_t> candidates) {
    System whole = system::copy(system_);
    const Trial base = unroll(whole, kTrialSteps, budget_);
    steps_ = base.steps;
    double terms = base.terms;
    while (!candidates.empty()) {
      std::size_t best = candidates.size();
      double best_saving = kMinSaving;
      double best_terms = 0;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::uint32_t width = system_.store().width(system_.states()[candidates[i]].variable);
        if (bits_ + width > max_bits_) continue;
        const double left = terms_with(candidates[i]);
        const double saving = std::log2((terms + 1) / (left + 1)) / width;
        if (saving <= best_saving) continue;
        best = i;
        best_saving = saving;
        best_terms = left;
      }
      if (best == candidates.size()) break;
      chosen_.push_back(candidates[best]);
      bits_ += system_.store().width(system_.states()[candidates[best]].variable);
      terms = best_terms;
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(best));
    }
    std::ranges::sort(chosen_);
    return chosen_;
  }

 private:
  /// With a candidate fixed beside those that were chosen: the most of two values.
  double terms_with(std::size_t candidate) {
    std::vector<std::size_t> states = chosen_;
    states.push_back(candidate);
    const Split split(system_, states);
    const std::uint64_t last = split.case_count() - 1;
    std::uint32_t most = 0;
    for (const std::uint64_t number : {last, last - last / 4}) {
      System fixed = split.system_of(system_, number);
      most = std::max(most, unroll(fixed, steps_, budget_).terms);
    }
    return most;
  }

  const System& system_;
  std::uint32_t max_bits_;
  const Budget& budget_;
  std::size_t steps_ = 0;
  std::vector<std::size_t> chosen_;
  std::uint32_t bits_ = 0;
};

}  // namespace

Split::Split(const System& system, std::vector<std::size_t> states) : states_(std::move(states)) {
  for (const std::size_t position : states_) {
    const system::State& state = system.states()[position];
    INVARIANT(!state.init && !system.store().is_array(state.variable), "a state to split should be free and no array");
    widths_.push_back(system.store().width(state.variable));
    bits_ += widths_.back();
  }
  INVARIANT(bits_ < 64, "the cases of a split should be countable");
}

BitVector Split::value(std::size_t i, std::uint64_t number) const {
  for (std::size_t j = 0; j < i; ++j) number >>= widths_[j];
  return BitVector(widths_[i], widths_[i] < 64 ? number & ((std::uint64_t{1} << widths_[i]) - 1) : number);
}

System Split::system_of(const System& system, std::uint64_t number) const {
  const term::TermStore& from = system.store();
  System result;
  system::TermCopier copier(from, result.store());
  std::vector<Term> fixed(system.states().size());
  for (std::size_t i = 0; i < states_.size(); ++i) fixed[states_[i]] = result.store().constant(value(i, number));
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    const auto& [variable, init, next] = system.states()[i];
    const Term made = result.add_state(from.sort(variable), from.name(variable));
    copier.declare(variable, fixed[i] && next == variable ? fixed[i] : made);
  }
  for (const Term input : system.inputs()) copier.declare(input, result.add_input(from.sort(input), from.name(input)));
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    const auto& [variable, init, next] = system.states()[i];
    if (init || fixed[i]) result.set_init(i, fixed[i] ? fixed[i] : copier.copy(init));
    if (next) result.set_next(i, copier.copy(next));
  }
  for (const system::NamedTerm& bad : system.bads()) result.add_bad(copier.copy(bad.term), bad.name);
  for (const system::NamedTerm& constraint : system.constraints())
    result.add_constraint(copier.copy(constraint.term), constraint.name);
  return result;
}

void Split::complete(Trace& trace, std::uint64_t number) const {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (trace.initial.size() <= states_[i]) trace.initial.resize(states_[i] + 1);
    trace.initial[states_[i]] = value(i, number);
  }
}

std::vector<std::size_t> choose_split(const System& system, std::uint32_t max_bits, const Budget& budget) {
  return Chooser(system, max_bits, budget).choose(influential(system));
}

}  // namespace plumb::prove
