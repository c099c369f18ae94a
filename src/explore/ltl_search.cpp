// The states of a program with the propositions that hold in them, made as the product with the automaton asks for
// them. A step is made as for other goals; then the propositions are asked of the state that it leads to, and what they
// choose belongs to the step, so that in a stored state each of them is decided.
//
// Reductions: what the formula speaks of is seen at once (Watch), and the others may run anything in between, so that a
// run and its reduced form have the same sequences of propositions up to repetition, which formulas without Next cannot
// tell apart. All threads that can go on do so in every state, so none is ignored for ever; a thread that loops unseen
// closes a cycle of its own. Fairness asks whether threads can go on in between, which a critical section in one step
// would hide: then only what a thread does on its own is joined to steps.

#include "explore/ltl_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/error.h"
#include "explore/evidence.h"
#include "explore/ltl_product.h"

namespace plumb::explore {

using program::Kind;
using program::ValueKind;

namespace {

constexpr std::uint64_t kCheckInterval = 64;

/// What was hidden should not have been.
struct Restart {};
struct TooManyStates {};

/// The globals that an address is made of; false if it may come from elsewhere.
bool find_globals(const program::Function& f, program::ValueId address, std::vector<program::GlobalId>& globals) {
  std::vector<program::ValueId> open{address};
  while (!open.empty()) {
    const program::Value& value = f.values[open.back()];
    open.pop_back();
    switch (value.kind) {
      case ValueKind::Constant:
        continue;
      case ValueKind::GlobalAddress:
        globals.push_back(value.index);
        continue;
      case ValueKind::Result:
        break;
      default:
        return false;
    }
    const Instruction& made = f.instructions[value.index];
    if (made.kind == Kind::Operator) {
      for (const program::ValueId operand : f.operands_of(made)) open.push_back(operand);
    } else if (made.kind != Kind::Load || value.is_pointer || value.width == 0) {
      return false;
    }
  }
  return !globals.empty();
}

class LtlSearch {
 public:
  LtlSearch(const program::Program& program, ltl::Formulas& formulas, const LtlTask& task, const Options& options,
            const Budget& budget)
      : task_(task),
        options_(options),
        budget_(budget),
        automaton_(formulas, task.negation, budget),
        world_(program),
        watch_(watch_of(world_, task.propositions)),
        choices_(terms_, options.seed, budget),
        machine_(
            world_, store_, choices_,
            {.reduction = task.is_fair && options.reduction == Reduction::Dpor ? Reduction::Tau : options.reduction,
             .has_spurious_wakeups = options.has_spurious_wakeups,
             .discipline = task.is_fair || options.reduction != Reduction::Dpor ? nullptr : &discipline_,
             .watch = &watch_}) {
    machine_.listener.on_gap = [this](const result::Gap& gap) { result::add_gaps(gaps_, std::array{gap}); };
    machine_.listener.on_assumption = [this](const std::string& text) { assumptions_.insert(text); };
  }

  LtlOutcome run() {
    try {
      while (!outcome_.lasso && outcome_.reason.empty()) {
        try {
          search();
          break;
        } catch (const Restart&) {
          discipline_.mend();
        }
      }
      if (!outcome_.lasso && outcome_.reason.empty()) outcome_.verdict = Verdict::Holds;
    } catch (const TooManyStates&) {
      outcome_.reason = fmt::format("{} states were looked at, and there are more", graph_.size());
    } catch (const OutOfBudget& stopped) {
      outcome_.reason = fmt::format("{} after {} states", to_string(stopped.stop), graph_.size());
    } catch (const std::bad_alloc&) {
      outcome_.reason = fmt::format("{} after {} states", to_string(Stop::Memory), graph_.size());
    }
    outcome_.gaps = gaps_;
    outcome_.assumptions.assign(assumptions_.begin(), assumptions_.end());
    Statistics& s = outcome_.statistics;
    s.states = graph_.size();
    s.bytes = graph_.bytes() + store_.bytes();
    s.queries = choices_.queries();
    s.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return std::move(outcome_);
  }

 private:
  using Id = LabelledGraph::Id;

  void search() {
    graph_ = {};
    first_scripts_.clear();
    LtlProduct product(graph_, automaton_, task_.is_fair, [this](Id id) { expand(id); });
    std::optional<Choices::Script> script = Choices::Script{};
    while (script) {
      choices_.begin({}, *script);
      machine_.start();
      const StepEnd end = machine_.settle_start();
      const std::optional<Id> initial = arrive(end);
      if (discipline_.is_broken()) throw Restart{};
      const Choices::Script made = choices_.script();
      script = choices_.next();
      if (!initial) continue;
      first_scripts_.try_emplace(*initial, made);
      const std::optional<LtlProduct::Cycle> cycle = product.find_cycle(*initial);
      if (cycle) return conclude(*cycle);
    }
  }

  /// The state that a step has led to; nothing if there is none.
  std::optional<Id> arrive(StepEnd end) {
    if (end == StepEnd::Excluded || end == StepEnd::Lost) return std::nullopt;
    const std::optional<ltl::LetterId> letter = letter_here();
    if (!letter) return std::nullopt;
    return graph_.add(machine_.save(), *letter, end == StepEnd::Finished || end == StepEnd::Faulty);
  }

  std::optional<ltl::LetterId> letter_here() {
    ltl::Letter letter;
    for (const Proposition& each : task_.propositions) {
      const std::optional<bool> holds =
          each.condition == program::kNone ? machine_.stands_at(each.places) : machine_.holds(each.condition);
      if (!holds) {
        result::Gap gap{.kind = result::GapKind::Unsupported};
        gap.text = "a condition of the formula that has no value in some state";
        gap.function = world_.program.functions[world_.program.entry].name;
        machine_.listener.on_gap(gap);
        return std::nullopt;
      }
      letter.push_back(*holds);
      letter.push_back(!*holds);
    }
    return automaton_.letter(letter);
  }

  /// Whether the thread can go on, in some way.
  bool take(Id id, std::uint32_t thread, std::vector<LabelledGraph::Edge>& edges) {
    bool can_go = false;
    const LabelledGraph::Node from = graph_[id];
    std::optional<Choices::Script> script = Choices::Script{};
    while (script) {
      choices_.begin(store_.data(from.state.data).constraints, *script);
      machine_.load(from.state);
      if (++outcome_.statistics.steps % kCheckInterval == 0) budget_.check();
      const StepEnd end = machine_.step(thread);
      std::optional<Id> to;
      if (end == StepEnd::Blocked) {
        // Where inputs decide whether it blocks, those for which it does are a state of their own.
        if (choices_.has_learnt()) {
          machine_.load(from.state);
          to = graph_.add(machine_.save(), from.letter, false);
          if (*to == id) to.reset();
        }
      } else {
        can_go = true;
        to = arrive(end);
      }
      if (discipline_.is_broken()) throw Restart{};
      if (to) edges.push_back({*to, thread, graph_.script(choices_.script()), end == StepEnd::Blocked});
      script = choices_.next();
    }
    return can_go;
  }

  void expand(Id id) {
    if (options_.max_states && graph_.size() >= *options_.max_states) throw TooManyStates{};
    const LabelledGraph::Node node = graph_[id];
    if (node.has_ended) return graph_.expand(id, 0, {{.to = id}});
    machine_.load(node.state);
    std::vector<std::uint32_t> ready;
    std::vector<std::uint32_t> waiting;
    std::uint64_t able = 0;
    for (std::uint32_t t = 0; t < machine_.thread_count(); ++t) {
      if (machine_.may_step(t)) ready.push_back(t);
      const bool is_timed = machine_.is_timed_waiter(t);
      if (is_timed || (options_.has_spurious_wakeups && machine_.is_condition_waiter(t))) waiting.push_back(t);
      if (is_timed) able |= std::uint64_t{1} << t;
    }
    std::vector<LabelledGraph::Edge> edges;
    for (const std::uint32_t t : ready)
      if (take(id, t, edges)) able |= std::uint64_t{1} << t;
    if (able == 0) edges.push_back({.to = id});
    for (const std::uint32_t t : waiting) take(id, t, edges);
    graph_.expand(id, able, edges);
  }

  void conclude(const LtlProduct::Cycle& found) {
    const auto step_of = [&](const LtlProduct::Move& move) {
      const LabelledGraph::Edge& edge = graph_.edge(move.from, move.edge);
      return StateGraph::Step{edge.thread, graph_.script_of(edge)};
    };
    std::vector<StateGraph::Step> stem{{0, first_scripts_.at(found.initial)}};
    std::vector<StateGraph::Step> cycle;
    for (const LtlProduct::Move& move : found.stem)
      if (graph_.edge(move.from, move.edge).thread != LabelledGraph::kNobody) stem.push_back(step_of(move));
    for (const LtlProduct::Move& move : found.cycle)
      if (graph_.edge(move.from, move.edge).thread != LabelledGraph::kNobody) cycle.push_back(step_of(move));
    const auto listener = std::exchange(machine_.listener, {});
    machine_.listener.on_gap = [](const result::Gap&) {};
    std::optional<RetracedLasso> made =
        lasso_of(machine_, choices_, store_, stem, cycle, [this] { letter_here(); }, budget_, options_.seed);
    machine_.listener = listener;
    if (!made) {
      outcome_.reason = "the inputs of a run that violates it, and closes a cycle, were not found";
      return;
    }
    outcome_.lasso = Lasso{std::move(made->test), made->cycle};
    outcome_.verdict = Verdict::Violated;
  }

  const LtlTask& task_;
  const Options& options_;
  const Budget& budget_;
  TermStore terms_;
  ltl::Buchi automaton_;
  World world_;
  Watch watch_;
  Store store_;
  Choices choices_;
  Discipline discipline_;
  Machine machine_;
  LabelledGraph graph_;
  absl::flat_hash_map<Id, Choices::Script> first_scripts_;
  std::vector<result::Gap> gaps_;
  std::set<std::string> assumptions_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  LtlOutcome outcome_;
};

}  // namespace

Watch watch_of(const World& world, std::span<const Proposition> propositions) {
  Watch watch;
  for (const Proposition& each : propositions) {
    for (const CodePoint place : each.places) {
      // The fence before leads to it.
      watch.places.insert({place.function, place.instruction});
      watch.places.insert({place.function, place.instruction - 1});
    }
    if (each.condition == program::kNone) continue;
    const program::Function& f = world.program.functions[each.condition];
    for (const Instruction& i : f.instructions) {
      if (i.kind != Kind::Load) continue;
      std::vector<program::GlobalId> globals;
      if (!find_globals(f, f.operands_of(i)[0], globals)) watch.is_everything = true;
      for (const program::GlobalId g : globals)
        watch.ranges.push_back({world.globals()[g].info.base, world.globals()[g].info.size});
    }
  }
  return watch;
}

LtlOutcome explore_ltl(const program::Program& program, ltl::Formulas& formulas, const LtlTask& task,
                       const Options& options, const Budget& budget) {
  if (program.entry == program::kNone) throw UserError("the program has no entry function", "name one with --entry");
  return LtlSearch(program, formulas, task, options, budget).run();
}

}  // namespace plumb::explore
