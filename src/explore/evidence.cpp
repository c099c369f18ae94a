#include "explore/evidence.h"

#include <algorithm>

#include "semantics/memory/concrete_bytes.h"
#include "solve/solver.h"
#include "term/substitution.h"

namespace plumb::explore {
namespace {

/// Bytes that were never written have this pattern in the interpreter, if they may.
Term pattern(TermStore& terms, Term value) {
  const std::uint32_t width = terms.width(value);
  const std::vector<std::uint64_t> words((width + 63) / 64, ~std::uint64_t{0} / 0xFF * semantics::kUninitialised);
  return terms.eq(value, terms.constant(BitVector::from_words(width, words)));
}

/// Rounds of a cycle after which some valuation should be back.
constexpr int kMostRounds = 8;

class Retracing {
 public:
  Retracing(Machine& machine, Choices& choices) : machine_(machine), choices_(choices), terms_(choices.terms()) {}

  /// What the machine did last, with what was known before it.
  void add_step(StepEnd end, std::size_t known_before) {
    term::Substitution names(terms_);
    for (const auto& [canonical, lasting] : names_) names.add(canonical, lasting);
    for (const Choices::Input& input : choices_.inputs()) {
      const Term lasting = terms_.variable(terms_.width(input.value), input.name);
      names.add(input.value, lasting);
      names_[input.value] = lasting;
      inputs_.push_back({input.name, lasting, input.is_asked});
    }
    const std::vector<Term>& known = choices_.constraints();
    for (std::size_t c = known_before; c < known.size(); ++c) constraints_.push_back(names.apply(known[c]));
    if (end == StepEnd::Blocked) return;  // nothing was done
    for (const result::ScheduleStep& step : machine_.schedule()) schedule_.push_back(step);
  }
  /// Right after the last step.
  void add(const Meeting& race) {
    term::Substitution names(terms_);
    for (const auto& [canonical, lasting] : names_) names.add(canonical, lasting);
    for (const Term condition : race.also) constraints_.push_back(names.apply(condition));
    schedule_.push_back({race.thread, race.operations});
  }
  void rename(const std::vector<std::pair<Term, Term>>& renamed) {
    absl::flat_hash_map<Term, Term> next;
    for (const auto& [from, to] : renamed)
      if (const auto known = names_.find(from); known != names_.end()) next[to] = known->second;
    names_ = std::move(next);
  }

  std::size_t schedule_size() const { return schedule_.size(); }
  /// Leaves out steps without operations from there on: others see nothing of them, and a thread that makes nothing
  /// else would never come to their end.
  void drop_idle(std::size_t from) {
    const auto is_idle = [](const result::ScheduleStep& step) {
      return step.operations == 0 && step.woken == result::kNobody;
    };
    schedule_.erase(std::remove_if(schedule_.begin() + static_cast<std::ptrdiff_t>(from), schedule_.end(), is_idle),
                    schedule_.end());
  }
  void add_idle(std::uint32_t thread) { schedule_.push_back({thread, 0}); }
  /// Of a state of the run, in variables that last.
  std::vector<Term> values(const Store::Data& data) {
    term::Substitution names(terms_);
    for (const auto& [canonical, lasting] : names_) names.add(canonical, lasting);
    std::vector<Term> all;
    for (const Term value : data.values) all.push_back(names.apply(value));
    return all;
  }
  void require_equal(const std::vector<Term>& a, const std::vector<Term>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) constraints_.push_back(terms_.eq(a[i], b[i]));
  }

  /// `has_order`: the schedule is kept in any case.
  std::optional<result::TestCase> finish(std::uint64_t seed, const Budget& budget, bool has_order = false) {
    const std::unique_ptr<solve::Solver> solver = solve::make_solver(terms_, "native", {.seed = seed});
    std::vector<Term> usual = constraints_;
    for (const Choices::Input& input : inputs_)
      if (!input.is_asked) usual.push_back(pattern(terms_, input.value));
    if (usual.size() == constraints_.size() || solver->check(usual, budget).answer != solve::Answer::Sat)
      if (solver->check(constraints_, budget).answer != solve::Answer::Sat) return std::nullopt;
    term::Evaluator evaluator(terms_, solver->model());
    result::TestCase run;
    for (const Choices::Input& input : inputs_) {
      if (!input.is_asked) continue;
      const BitVector value = evaluator.bits(input.value);
      result::TestInput made{input.name, {}};
      for (std::uint32_t i = 0; i < (value.width() + 7) / 8; ++i)
        made.bytes.push_back(static_cast<std::uint8_t>(value.words()[i / 8] >> (i % 8 * 8)));
      run.inputs.push_back(std::move(made));
    }
    // One thread alone has no order.
    const auto is_of_another = [](const result::ScheduleStep& step) { return step.thread != 0; };
    if (has_order || std::ranges::any_of(schedule_, is_of_another)) run.schedule = std::move(schedule_);
    return run;
  }

 private:
  Machine& machine_;
  Choices& choices_;
  TermStore& terms_;
  absl::flat_hash_map<Term, Term> names_;  ///< of the state's variables: the lasting ones
  std::vector<Term> constraints_;
  std::vector<Choices::Input> inputs_;
  result::Schedule schedule_;
};

}  // namespace

std::optional<result::TestCase> run_of(Machine& machine, Choices& choices, Store& store,
                                       std::span<const StateGraph::Step> steps, const Meeting* race,
                                       const Budget& budget, std::uint64_t seed) {
  Retracing retracing(machine, choices);
  State now;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    std::size_t known = 0;
    StepEnd end = StepEnd::Stands;
    if (s == 0) {
      choices.begin({}, steps[s].script);
      machine.start();
      end = machine.settle_start();
    } else {
      const std::vector<Term>& constraints = store.data(now.data).constraints;
      known = constraints.size();
      choices.begin(constraints, steps[s].script);
      machine.load(now);
      end = machine.step(steps[s].thread);
      if (end == StepEnd::Blocked) machine.load(now);  // but for what is known of inputs
    }
    retracing.add_step(end, known);
    if (s + 1 == steps.size() && race != nullptr) retracing.add(*race);
    if (s + 1 == steps.size()) break;
    now = machine.save();
    retracing.rename(machine.renamed());
  }
  return retracing.finish(seed, budget);
}

namespace {

/// The cycle, gone round so many times.
std::optional<RetracedLasso> lasso_of_rounds(Machine& machine, Choices& choices, Store& store,
                                             std::span<const StateGraph::Step> stem,
                                             std::span<const StateGraph::Step> cycle, int rounds,
                                             const std::function<void()>& look, const Budget& budget,
                                             std::uint64_t seed) {
  Retracing retracing(machine, choices);
  State now;
  std::vector<Term> at_start;
  RetracedLasso made;
  const std::size_t count = stem.size() + cycle.size() * static_cast<std::size_t>(rounds);
  for (std::size_t s = 0; s < count; ++s) {
    const StateGraph::Step& step = s < stem.size() ? stem[s] : cycle[(s - stem.size()) % cycle.size()];
    const std::vector<Term> constraints = s == 0 ? std::vector<Term>{} : store.data(now.data).constraints;
    choices.begin(constraints, step.script);
    StepEnd end = StepEnd::Stands;
    bool is_woken = false;
    if (s == 0) {
      machine.start();
      end = machine.settle_start();
    } else {
      machine.load(now);
      is_woken = machine.is_condition_waiter(step.thread);
      end = machine.step(step.thread);
    }
    if (end == StepEnd::Blocked && s > 0) {
      machine.load(now);  // but for what is known of inputs
    } else {
      look();
    }
    const std::size_t first = retracing.schedule_size();
    retracing.add_step(end, constraints.size());
    if (!is_woken) retracing.drop_idle(first);
    now = machine.save();
    retracing.rename(machine.renamed());
    if (s + 1 == stem.size()) {
      at_start = retracing.values(store.data(now.data));
      made.cycle = retracing.schedule_size();
    }
  }
  if (!cycle.empty() && retracing.schedule_size() == made.cycle) retracing.add_idle(cycle.front().thread);
  if (!cycle.empty()) retracing.require_equal(at_start, retracing.values(store.data(now.data)));
  std::optional<result::TestCase> test = retracing.finish(seed, budget, true);
  if (!test) return std::nullopt;
  made.test = std::move(*test);
  return made;
}

}  // namespace

std::optional<RetracedLasso> lasso_of(Machine& machine, Choices& choices, Store& store,
                                      std::span<const StateGraph::Step> stem, std::span<const StateGraph::Step> cycle,
                                      const std::function<void()>& look, const Budget& budget, std::uint64_t seed) {
  for (int rounds = 1; rounds <= (cycle.empty() ? 1 : kMostRounds); ++rounds)
    if (auto made = lasso_of_rounds(machine, choices, store, stem, cycle, rounds, look, budget, seed)) return made;
  return std::nullopt;
}

}  // namespace plumb::explore
