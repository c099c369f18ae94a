#include "explore/evidence.h"

#include <algorithm>

#include "base/error.h"
#include "explore/merge.h"
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
  /// The same run once more, in which the variables that last have these values.
  Retracing(Retracing& before, const term::Assignment& model)
      : machine_(before.machine_),
        choices_(before.choices_),
        terms_(before.terms_),
        given_(before.lasting_),
        model_(std::in_place, before.terms_, model) {}

  /// The machine has made a way of a step: the only one, or the first or next of those that are merged.
  void add_way(StepEnd end) {
    Way way;
    name_inputs();
    for (const Choices::Input& input : choices_.inputs())
      way.inputs.push_back({input.name, fresh_.at(input.value), input.is_asked});
    if (end != StepEnd::Blocked) way.schedule = machine_.schedule();  // nothing was done
    ways_.push_back(std::move(way));
  }
  /// After all ways of a step, with what was known before it. `selectors` say which one is taken.
  void end_step(std::size_t known_before, std::span<const Term> selectors) {
    for (const auto& [made, lasting] : fresh_) names_[made] = lasting;
    for (std::size_t w = 0; w < selectors.size(); ++w) names_[selectors[w]] = ways_[w].selector = lasting(1, "way");
    term::Substitution names = lasting_names();
    const std::vector<Term>& known = choices_.constraints();
    for (std::size_t c = known_before; c < known.size(); ++c) constraints_.push_back(names.apply(known[c]));
    steps_.push_back(std::exchange(ways_, {}));
    fresh_.clear();
  }
  /// Right after the last step.
  void add(const Meeting& race) {
    term::Substitution names = lasting_names();
    for (const Term condition : race.also) constraints_.push_back(names.apply(condition));
    steps_.push_back({{{}, {}, {{race.thread, race.operations}}}});
  }
  void rename(const std::vector<std::pair<Term, Term>>& renamed) {
    absl::flat_hash_map<Term, Term> next;
    for (const auto& [from, to] : renamed)
      if (const auto known = names_.find(from); known != names_.end()) next[to] = known->second;
    names_ = std::move(next);
  }

  /// Whether it is so in the run, on the way of the step that the machine makes.
  bool holds(Term condition) {
    name_inputs();
    term::Substitution names = lasting_names();
    for (const auto& [made, lasting] : fresh_) names.add(made, lasting);
    INVARIANT(model_.has_value(), "what holds should be asked of a run that is known");
    return model_->is_true(names.apply(condition));
  }
  /// The way of a step that the run takes.
  std::size_t taken(std::size_t step, term::Evaluator& evaluator) const {
    const std::vector<Way>& ways = steps_[step];
    std::size_t way = 0;
    while (ways[way].selector && evaluator.bits(ways[way].selector).is_zero()) ++way;
    return way;
  }

  /// Of a run whose steps have one way each.
  std::size_t schedule_size() const {
    std::size_t size = 0;
    for (const std::vector<Way>& ways : steps_) size += ways.front().schedule.size();
    return size;
  }
  /// Leaves out the parts of the way without operations: others see nothing of them, and a thread that makes nothing
  /// else would never come to their end.
  void drop_idle() {
    std::erase_if(ways_.back().schedule, [](const result::ScheduleStep& step) {
      return step.operations == 0 && step.woken == result::kNobody;
    });
  }
  void add_idle(std::uint32_t thread) { steps_.push_back({{{}, {}, {{thread, 0}}}}); }
  /// Of a state of the run, in variables that last.
  std::vector<Term> values(const Store::Data& data) {
    term::Substitution names = lasting_names();
    std::vector<Term> all;
    for (const Term value : data.values) all.push_back(names.apply(value));
    return all;
  }
  void require_equal(const std::vector<Term>& a, const std::vector<Term>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) constraints_.push_back(terms_.eq(a[i], b[i]));
  }

  /// Inputs with which the steps can be made like this. Nothing if none were found in time.
  std::optional<term::Assignment> solve(std::uint64_t seed, const Budget& budget) {
    const std::unique_ptr<solve::Solver> solver = solve::make_solver(terms_, "native", {.seed = seed});
    std::vector<Term> usual = constraints_;
    for (const std::vector<Way>& ways : steps_)
      for (const Way& way : ways)
        for (const Choices::Input& input : way.inputs)
          if (!input.is_asked) usual.push_back(pattern(terms_, input.value));
    if (usual.size() == constraints_.size() || solver->check(usual, budget).answer != solve::Answer::Sat)
      if (solver->check(constraints_, budget).answer != solve::Answer::Sat) return std::nullopt;
    return solver->model();
  }
  /// `has_order`: the schedule is kept in any case.
  result::TestCase test_case(const term::Assignment& model, bool has_order = false) {
    term::Evaluator evaluator(terms_, model);
    result::TestCase run;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Way& way = steps_[s][taken(s, evaluator)];
      for (const Choices::Input& input : way.inputs)
        if (input.is_asked) run.inputs.push_back({input.name, bytes_of(evaluator.bits(input.value))});
      run.schedule.insert(run.schedule.end(), way.schedule.begin(), way.schedule.end());
    }
    // One thread alone has no order.
    const auto is_of_another = [](const result::ScheduleStep& step) { return step.thread != 0; };
    if (!has_order && std::ranges::none_of(run.schedule, is_of_another)) run.schedule.clear();
    return run;
  }

 private:
  struct Way {
    Term selector{};  ///< none of the last one
    std::vector<Choices::Input> inputs;
    result::Schedule schedule;
  };

  static std::vector<std::uint8_t> bytes_of(const BitVector& value) {
    std::vector<std::uint8_t> bytes;
    for (std::uint32_t i = 0; i < (value.width() + 7) / 8; ++i)
      bytes.push_back(static_cast<std::uint8_t>(value.words()[i / 8] >> (i % 8 * 8)));
    return bytes;
  }
  Term lasting(std::uint32_t width, const std::string& name) {
    const std::size_t next = lasting_.size();
    lasting_.push_back(next < given_.size() ? given_[next] : terms_.variable(width, name));
    return lasting_.back();
  }
  /// Ways have variables in common.
  void name_inputs() {
    for (const Choices::Input& input : choices_.inputs())
      if (!fresh_.contains(input.value)) fresh_[input.value] = lasting(terms_.width(input.value), input.name);
  }
  term::Substitution lasting_names() const {
    term::Substitution names(terms_);
    for (const auto& [canonical, lasting] : names_) names.add(canonical, lasting);
    return names;
  }

  Machine& machine_;
  Choices& choices_;
  TermStore& terms_;
  absl::flat_hash_map<Term, Term> names_;  ///< of the state's variables: the lasting ones
  absl::flat_hash_map<Term, Term> fresh_;  ///< likewise of those that the step has made
  std::vector<Term> lasting_;              ///< in the order in which they were made
  std::vector<Term> given_;                ///< likewise, of the same run before
  std::optional<term::Evaluator> model_;
  std::vector<Term> constraints_;
  std::vector<Way> ways_;  ///< of the step
  std::vector<std::vector<Way>> steps_;
};

}  // namespace

namespace {

/// Makes the steps of a run.
class Run {
 public:
  Run(Machine& machine, Choices& choices, Store& store, const Payload& payload, std::span<const StateGraph::Step> steps)
      : machine_(machine), choices_(choices), store_(store), payload_(payload), steps_(steps) {}

  /// Of the ways of a step `taken` gives the one whose state is left behind it, but for the payload.
  void retrace(Retracing& retracing, const Meeting* race, const std::function<std::size_t(std::size_t step)>& taken) {
    now_ = {};
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      make(s, retracing, taken(s));
      if (s + 1 < steps_.size()) {
        now_ = machine_.save();
        retracing.rename(machine_.renamed());
      } else if (race != nullptr) {
        retracing.add(*race);
      }
    }
  }

 private:
  StepEnd make(const StateGraph::Step& step, const Choices::Script& script, bool is_start) {
    choices_.begin(is_start ? std::vector<Term>() : store_.data(now_.data).constraints, script);
    if (is_start) {
      machine_.start();
      return machine_.settle_start();
    }
    machine_.load(now_);
    return step.is_rest ? machine_.finish_step(step.thread) : machine_.step(step.thread);
  }
  void make(std::size_t s, Retracing& retracing, std::size_t taken) {
    const StateGraph::Step& step = steps_[s];
    const std::size_t known = s == 0 ? 0 : store_.data(now_.data).constraints.size();
    std::vector<Choices::Script> scripts = step.merged;
    scripts.push_back(step.script);
    std::vector<WayOut> ways;
    StepEnd end = StepEnd::Stands;
    for (const Choices::Script& script : scripts) {
      end = make(step, script, s == 0);
      retracing.add_way(end);
      if (scripts.size() > 1) ways.push_back({script, machine_.take_out(payload_), choices_.constraints()});
    }
    std::vector<Term> selectors;
    if (!ways.empty()) {
      end = make(step, scripts[taken], s == 0);
      selectors = merge(machine_, choices_, payload_, ways, known);
    }
    if (end == StepEnd::Blocked) machine_.load(now_);  // but for what is known of inputs
    retracing.end_step(known, selectors);
  }

  Machine& machine_;
  Choices& choices_;
  Store& store_;
  const Payload& payload_;
  std::span<const StateGraph::Step> steps_;
  State now_;
};

}  // namespace

std::optional<result::TestCase> run_of(Machine& machine, Choices& choices, Store& store, const Payload& payload,
                                       std::span<const StateGraph::Step> steps, const Meeting* race,
                                       const Budget& budget, std::uint64_t seed) {
  Run run(machine, choices, store, payload, steps);
  Retracing retracing(machine, choices);
  run.retrace(retracing, race, [&](std::size_t step) { return steps[step].merged.size(); });
  const std::optional<term::Assignment> model = retracing.solve(seed, budget);
  if (!model) return std::nullopt;
  if (!machine.has_slice()) return retracing.test_case(*model);
  // What was left out counts in schedules. Which way it goes depends on values that the states do not have.
  term::Evaluator evaluator(choices.terms(), *model);
  Retracing whole(retracing, *model);
  machine.execute_left_out([&](Term condition) { return whole.holds(condition); });
  run.retrace(whole, race, [&](std::size_t step) { return retracing.taken(step, evaluator); });
  machine.execute_left_out({});
  return whole.test_case(*model);
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
    retracing.add_way(end);
    if (!is_woken) retracing.drop_idle();
    retracing.end_step(constraints.size(), {});
    now = machine.save();
    retracing.rename(machine.renamed());
    if (s + 1 == stem.size()) {
      at_start = retracing.values(store.data(now.data));
      made.cycle = retracing.schedule_size();
    }
  }
  if (!cycle.empty() && retracing.schedule_size() == made.cycle) retracing.add_idle(cycle.front().thread);
  if (!cycle.empty()) retracing.require_equal(at_start, retracing.values(store.data(now.data)));
  const std::optional<term::Assignment> model = retracing.solve(seed, budget);
  if (!model) return std::nullopt;
  made.test = retracing.test_case(*model, true);
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
