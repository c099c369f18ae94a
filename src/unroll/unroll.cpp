// One bound after the other. All open goals are asked for in one question first: while it is unsatisfiable that is all
// that a bound costs. A model names the goal that its run violates first. Where that question is too hard, each goal
// has a share of the time. When no goal is left that the bound violates, the question is whether a run goes further
// than the bound or comes to what cannot be executed; if neither, what was looked at was everything.

#include "unroll/unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "unroll/decider.h"
#include "unroll/executor.h"
#include "unroll/questions.h"

namespace plumb::unroll {

namespace {

using Kind = Record::Kind;

constexpr std::uint64_t kMaxBound = std::uint64_t{1} << 40;
constexpr std::uint64_t kFirstContexts = 2;
constexpr double kSecondsForAll = 5.0;
constexpr double kSecondsForOne = 5.0;
constexpr std::size_t kContextsParts = 5;

class Unroller {
 public:
  Unroller(const Program& program, std::span<const Goal> goals, const Options& options, const Budget& budget,
           const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer,
           const DeciderMaker& make_decider)
      : goals_(goals),
        options_(options),
        budget_(budget),
        on_answer_(on_answer),
        places_(program, goals),
        world_(program, options),
        decider_(make_decider(world_, budget)),
        is_open_(goals.size(), true),
        is_hard_(goals.size(), false) {
    outcome_.answers.resize(goals.size());
  }

  Outcome run() {
    std::string reason;
    try {
      Bound bound = first_bound();
      while (has_open() && look_at(bound)) {
        const Bound next = bound_after(bound);
        if (next == bound || bound.unwind > kMaxBound) {
          reason = fmt::format("some runs go on after an unwinding of {}", bound.unwind);
          if (bound.contexts > 0) reason += fmt::format(" and {} contexts of each thread", bound.contexts);
          break;
        }
        bound = next;
      }
    } catch (const OutOfBudget& stopped) {
      reason = to_string(stopped.stop);
    } catch (const std::bad_alloc&) {
      reason = to_string(Stop::Memory);
    }
    for (std::size_t g = 0; g < goals_.size(); ++g)
      if (is_open_[g] && outcome_.answers[g].reason.empty()) outcome_.answers[g].reason = reason;
    outcome_.queries = decider_->count();
    outcome_.assumptions.assign(assumptions_.begin(), assumptions_.end());
    return std::move(outcome_);
  }

 private:
  bool has_open() const { return std::ranges::count(is_open_, true) > 0; }

  Bound first_bound() const {
    Bound bound{options_.unwind.value_or(1), 0};
    if (options_.contexts) bound.contexts = *options_.contexts == 0 ? kFirstContexts : *options_.contexts;
    return bound;
  }

  /// The same if that cuts nothing off that may grow. Where threads are executed a greater unwinding costs as much in
  /// each context, so both grow slowly.
  Bound bound_after(Bound bound) const {
    const bool has_threads = bound.contexts > 0;
    if (!options_.unwind && is_cut_[Executor::kUnwindingCut])
      bound.unwind = has_threads ? bound.unwind + 1 : 2 * bound.unwind;
    if (has_threads && options_.contexts == 0U && is_cut_[Executor::kContextsCut]) ++bound.contexts;
    return bound;
  }

  /// Whether a greater bound may tell more.
  bool look_at(Bound bound) {
    const Record record = execute_threads(bound);
    is_cut_ = {};
    for (const Record::Event& event : record.events())
      if (event.kind == Kind::Cut) is_cut_[event.index] = true;
    std::vector<bool> is_refuted(goals_.size(), false);  // no run up to the bound violates it
    ask_together(record, is_refuted);
    if (is_going_on(record)) {
      // It is worth more to go on than to decide the last goal at this bound.
      ask_hard(record, is_refuted);
      settle(is_refuted, bound, gaps_in(record));
      budget_.check();
      return has_open();
    }
    finish(record, is_refuted, bound);
    return false;
  }

  Record execute(Bound bound) {
    Executor executor(world_, places_, bound, [this](Term c) { return decider_->is_possible(c); }, budget_);
    const auto note = [&] {
      outcome_.steps += executor.steps();
      assumptions_.insert(executor.assumptions().begin(), executor.assumptions().end());
    };
    try {
      Record record = executor.run();
      note();
      return record;
    } catch (...) {
      note();
      throw;
    }
  }

  /// Threads are interrupted everywhere first, to see what they share, and then where that makes a difference.
  Record execute_threads(Bound bound) {
    if (bound.contexts == 0) return execute(bound);
    SharedAccesses& shared = world_.shared_accesses;
    shared.set_complete(false);
    execute(bound);
    shared.set_complete(true);
    for (;;) {
      const std::uint64_t known = shared.version();
      Record record = execute(bound);
      if (shared.version() == known) return record;
    }
  }

  void close(std::size_t goal, GoalResult answer) {
    outcome_.answers[goal] = std::move(answer);
    is_open_[goal] = false;
    if (on_answer_) on_answer_(goal, outcome_.answers[goal]);
  }

  Record::Question open_question(const Record& record) const {
    return record.question([&](const Record::Event& e) {
      return (e.kind == Kind::Violation || e.kind == Kind::Leak) && is_open_[e.index];
    });
  }

  void violated(const Record& record, const Decider::Reply& reply) {
    GoalResult answer;
    answer.verdict = Verdict::Violated;
    answer.test = record.test_case(reply.model, reply.event, world_.unwritten);
    close(record.events()[reply.event].index, std::move(answer));
  }

  /// Asks for all goals that are not known to be hard; those that it cannot refute are hard then.
  void ask_together(const Record& record, std::vector<bool>& is_refuted) {
    const auto is_meant = [&](std::size_t goal) { return is_open_[goal] && !is_hard_[goal]; };
    for (;;) {
      const Record::Question question = open_question(record);
      const std::vector<std::size_t> asked = asked_for(record, question, is_meant);
      const Decider::Reply reply = decider_->ask(record, question, asked, share(kSecondsForAll, 2));
      if (reply.answer == solve::Answer::Sat) {
        violated(record, reply);
        continue;
      }
      for (std::size_t g = 0; g < goals_.size(); ++g) {
        if (!is_meant(g)) continue;
        is_refuted[g] = reply.answer == solve::Answer::Unsat;
        is_hard_[g] = !is_refuted[g];
      }
      budget_.check();
      return;
    }
  }

  template <typename Meant>
  static std::vector<std::size_t> asked_for(const Record& record, const Record::Question& question, Meant&& is_meant) {
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < question.events.size(); ++i)
      if (is_meant(record.events()[question.events[i]].index)) asked.push_back(i);
    return asked;
  }

  /// A part of the time that is left, but not less than some seconds, which grow.
  Budget share(double seconds, std::size_t parts) const {
    // With few contexts a question can be hard that has an easy answer with more.
    if (options_.contexts && *options_.contexts == 0) parts *= kContextsParts;
    const auto left = budget_.time_left();
    const double most = left ? left->count() / static_cast<double>(parts) : 0;
    return budget_.with_timeout(std::chrono::duration<double>(std::max(seconds * patience_, most)));
  }

  void ask_hard(const Record& record, std::vector<bool>& is_refuted) {
    std::size_t left = static_cast<std::size_t>(std::ranges::count(is_hard_, true));
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      if (!is_hard_[g]) continue;
      const std::size_t parts = 2 * left--;
      while (is_open_[g] && !is_refuted[g]) {
        const Record::Question question = open_question(record);
        const std::vector<std::size_t> asked = asked_for(record, question, [&](std::size_t goal) { return goal == g; });
        const Decider::Reply reply = decider_->ask(record, question, asked, share(kSecondsForOne, parts));
        if (reply.answer == solve::Answer::Sat) violated(record, reply);
        if (reply.answer == solve::Answer::Unknown) outcome_.answers[g].reason = reply.reason;
        if (reply.answer == solve::Answer::Unknown) break;
        is_refuted[g] = reply.answer == solve::Answer::Unsat;
      }
      if (!is_open_[g]) is_hard_[g] = false;
      budget_.check();
    }
    patience_ *= 2;
  }

  /// What is refuted holds up to the bound, but for runs that come to the gaps.
  void settle(const std::vector<bool>& is_refuted, Bound bound, const std::vector<result::Gap>& gaps) {
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      if (!is_open_[g] || !is_refuted[g]) continue;
      outcome_.answers[g].verdict = Verdict::HoldsUpTo;
      outcome_.answers[g].bound = bound.unwind;
      outcome_.answers[g].contexts = bound.contexts;
      outcome_.answers[g].gaps = gaps;
    }
  }

  /// What some run comes to that is not followed exactly; those too of which that is not known.
  std::vector<result::Gap> gaps_in(const Record& record) {
    std::vector<bool> is_reached;
    const auto is_reached_yet = [&](const Record::Event& e) {
      return e.index < is_reached.size() && is_reached[e.index];
    };
    std::vector<result::Gap> gaps;
    for (;;) {
      const Record::Question question = record.question([&](const Record::Event& e) {
        return (e.kind == Kind::Gap || e.kind == Kind::Passed) && !is_reached_yet(e);
      });
      if (question.events.empty()) return gaps;
      const Decider::Reply reply = decider_->ask(record, question, budget_);
      if (reply.answer == solve::Answer::Unsat) return gaps;
      const bool is_known = reply.answer == solve::Answer::Sat;
      for (const std::size_t e : question.events) {
        const Record::Event& event = record.events()[e];
        if ((is_known && e != reply.event) || is_reached_yet(event)) continue;
        is_reached.resize(std::max(is_reached.size(), event.index + 1));
        is_reached[event.index] = true;
        result::add_gaps(gaps, std::array{record.gap(event.index)});
      }
      if (!is_known) budget_.check();  // then what an earlier bound said stays
    }
  }

  /// A run goes further than the bound, as far as is known.
  bool is_going_on(const Record& record) {
    if (!has_open()) return false;
    const auto is_cut = [](const Record::Event& e) { return e.kind == Kind::Cut; };
    return decider_->ask(record, record.question(is_cut), share(kSecondsForAll, 4)).answer != solve::Answer::Unsat;
  }

  /// No run goes further: what is refuted holds.
  void finish(const Record& record, std::vector<bool>& is_refuted, Bound bound) {
    if (!has_open()) return;
    const std::vector<result::Gap> gaps = gaps_in(record);
    hold(record, is_refuted, bound, gaps);
    const auto is_left = [&](std::size_t g) { return is_open_[g] && !is_refuted[g]; };
    for (;;) {
      bool has_left = false;
      for (std::size_t g = 0; g < goals_.size(); ++g) has_left = has_left || is_left(g);
      if (!has_left) return;
      ask_hard(record, is_refuted);
      hold(record, is_refuted, bound, gaps);
      budget_.check();
    }
  }

  void hold(const Record& record, const std::vector<bool>& is_refuted, Bound bound,
            const std::vector<result::Gap>& gaps) {
    settle(is_refuted, bound, gaps);  // in case that the budget ends
    const std::vector<bool> is_covered = covered(record, is_refuted);
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      if (!is_open_[g] || !is_refuted[g]) continue;
      GoalResult answer;
      answer.verdict = is_covered[g] ? Verdict::Holds : Verdict::Vacuous;
      answer.bound = bound.unwind;
      answer.contexts = bound.contexts;
      answer.gaps = gaps;
      close(g, std::move(answer));
      is_hard_[g] = false;
    }
  }

  /// Which of the goals a run comes to; those too of which it is not known.
  std::vector<bool> covered(const Record& record, const std::vector<bool>& is_asked) {
    std::vector<bool> is_covered(goals_.size(), false);
    for (;;) {
      const Record::Question question = record.question([&](const Record::Event& e) {
        return e.kind == Kind::Cover && is_open_[e.index] && is_asked[e.index] && !is_covered[e.index];
      });
      const Decider::Reply reply = decider_->ask(record, question, share(kSecondsForOne, 4));
      if (reply.answer == solve::Answer::Unsat) return is_covered;
      if (reply.answer == solve::Answer::Unknown) return std::vector<bool>(goals_.size(), true);
      term::Evaluator evaluator(world_.terms, reply.model);
      for (std::size_t i = 0; i < question.events.size(); ++i)
        if (evaluator.is_true(question.conditions[i])) is_covered[record.events()[question.events[i]].index] = true;
    }
  }

  std::span<const Goal> goals_;
  const Options& options_;
  const Budget& budget_;
  const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer_;
  GoalPlaces places_;
  World world_;
  std::unique_ptr<Decider> decider_;
  std::vector<bool> is_open_;
  std::vector<bool> is_hard_;     ///< not decided together with others
  std::array<bool, 2> is_cut_{};  ///< at the last bound, by what
  double patience_ = 1;
  std::set<std::string> assumptions_;
  Outcome outcome_;
};

}  // namespace

Outcome unroll(const Program& program, std::span<const Goal> goals, const Options& options, const Budget& budget,
               const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer,
               const DeciderMaker& make_decider) {
  if (program.entry == program::kNone) throw UserError("the program has no entry function", "name one with --entry");
  if (make_decider) return Unroller(program, goals, options, budget, on_answer, make_decider).run();
  const DeciderMaker by_formula = [](World& world, const Budget& whole) {
    return std::make_unique<Questions>(world, whole);
  };
  return Unroller(program, goals, options, budget, on_answer, by_formula).run();
}

}  // namespace plumb::unroll
