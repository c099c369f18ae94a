// Runs one by one, where they are told apart by control alone: depth first through the values of the control state
// (locations.h), as symbolic execution does, with a question to the solver at each branch whether the way on is
// possible. Bounded model checking merges runs that are in the same place in the same step; where loops end at
// different times (the length of a list) what is merged has little in common, and each case by itself is easy. Nothing
// is merged here, so the number of paths decides.

#include <fmt/format.h>

#include <array>
#include <map>

#include "base/error.h"
#include "prove/base_case.h"
#include "prove/engine.h"
#include "prove/locations.h"
#include "solve/solver.h"
#include "term/substitution.h"

namespace plumb::prove {
namespace {

/// Longer paths are those of loops that do not end.
constexpr std::size_t kLongestPath = 1 << 14;

class PathSearch {
 public:
  PathSearch(System& system, const Budget& budget, const BmcOptions& options)
      : system_(system), store_(system.store()), budget_(budget), options_(options), locations_(system) {
    solve::SolverOptions solver;
    solver.seed = options.seed;
    solver_ = solve::make_solver(store_, "native", solver);
  }

  Result run() {
    Result result;
    if (!locations_.state()) {
      result.reason = "no state tells runs apart";
      return result;
    }
    solver_->push();
    enter(initial());
    while (!path_.empty() && !ending_) advance();
    if (ending_) return *std::move(ending_);
    if (is_cut_) return bounded_result(options_.max_bound + 1, "bound reached");
    result.verdict = Verdict::Holds;
    result.bound = longest_ + 1;
    result.is_rechecked = true;
    result.certificate = Certificate{Certificate::Kind::Exhaustion, {}, 0, result.bound};
    result.statistics = solver_->statistics();
    result.statistics.emplace_back("paths", static_cast<double>(paths_));
    return result;
  }

 private:
  /// A step of the path, with what is left to try in it.
  struct Node {
    BitVector value;  ///< of the control state
    std::vector<Term> states;
    std::unique_ptr<term::Substitution> here;  ///< the values of states and inputs in this step
    std::size_t next_edge = 0;
  };

  std::size_t step() const noexcept { return path_.size() - 1; }

  /// The variable of a state that nothing determines, or of an input: one a step, for all paths.
  Term free_state(std::size_t position, std::size_t at) {
    Term& variable = free_states_[{position, at}];
    if (!variable)
      variable = store_.variable(store_.sort(system_.states()[position].variable),
                                 fmt::format("{}@{}", system_.state_name(position), at));
    return variable;
  }

  Node initial() {
    Node node;
    term::Substitution before(store_);
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const system::State& state = system_.states()[i];
      node.states.push_back(state.init ? before.apply(state.init) : free_state(i, 0));
      before.add(state.variable, node.states.back());
    }
    node.value = store_.value(system_.states()[*locations_.state()].init);
    return node;
  }

  /// Goes on to a node that is known to be possible, in a scope of the solver that leave() takes away.
  void enter(Node node) {
    const std::size_t at = path_.size();
    node.here = std::make_unique<term::Substitution>(store_);
    for (std::size_t i = 0; i < node.states.size(); ++i)
      if (node.states[i] != system_.states()[i].variable) node.here->add(system_.states()[i].variable, node.states[i]);
    while (inputs_.size() <= at) {
      std::vector<Term>& made = inputs_.emplace_back();
      for (std::size_t i = 0; i < system_.inputs().size(); ++i)
        made.push_back(store_.variable(store_.sort(system_.inputs()[i]),
                                       fmt::format("{}@{}", system_.input_name(i), inputs_.size() - 1)));
    }
    for (std::size_t i = 0; i < system_.inputs().size(); ++i) node.here->add(system_.inputs()[i], inputs_[at][i]);
    path_.push_back(std::move(node));
    look_around();
  }

  void look_around() {
    Node& node = path_.back();
    const LocationStep& step_here = locations_.step(node.value);
    const Term constraints = node.here->apply(step_here.constraints);
    if (!store_.is_true(constraints)) {
      solver_->assert_true(constraints);
      if (!is_possible(store_.boolean(true))) return leave();
    }
    const Term bad = node.here->apply(step_here.bad);
    if (is_possible(bad)) {
      ending_.emplace();
      ending_->verdict = Verdict::Violated;
      ending_->bound = step();
      ending_->trace = trace();
      return;
    }
    if (ending_) return;
    const bool is_last = step() >= options_.max_bound;
    if (!step_here.is_at_rest && !is_last && step() < kLongestPath) return;
    if (!step_here.is_at_rest && !is_last) return give_up(fmt::format("a path is longer than {} steps", kLongestPath));
    is_cut_ |= !step_here.is_at_rest;
    longest_ = std::max(longest_, step());
    ++paths_;
    leave();
  }

  void advance() {
    Node& node = path_.back();
    const LocationStep& step_here = locations_.step(node.value);
    if (node.next_edge == step_here.edges.size()) return leave();
    const LocationStep::Edge& edge = step_here.edges[node.next_edge++];
    const Term condition = node.here->apply(edge.condition);
    if (store_.is_false(condition)) return;
    if (!edge.target) return give_up("control goes where no constant says");
    Node next;
    next.value = *edge.target;
    if (!store_.is_true(condition) && !is_possible(condition)) return;
    for (std::size_t i = 0; i < edge.nexts.size(); ++i)
      next.states.push_back(edge.nexts[i] ? node.here->apply(edge.nexts[i]) : free_state(i, path_.size()));
    solver_->push();
    solver_->assert_true(condition);
    enter(std::move(next));
  }

  void leave() {
    path_.pop_back();
    solver_->pop();
  }

  bool is_possible(Term t) {
    if (store_.is_false(t) || ending_) return false;
    const std::array<Term, 1> assumption{t};
    const solve::Result answer = solver_->check(assumption, budget_);
    if (answer.answer == solve::Answer::Unknown) give_up(answer.reason);
    return answer.answer == solve::Answer::Sat;
  }

  void give_up(std::string reason) {
    if (ending_) return;
    ending_.emplace();
    ending_->reason = fmt::format("{} after {} paths", reason, paths_);
  }

  Trace trace() const {
    const term::Assignment& model = solver_->model();
    const auto value = [&](Term variable) -> std::optional<term::Value> {
      const auto found = model.find(variable);
      return found == model.end() ? term::zero_value(store_.sort(variable)) : found->second;
    };
    Trace trace;
    trace.initial.resize(system_.states().size());
    for (std::size_t at = 0; at < path_.size(); ++at) {
      Trace::Step& choices = trace.steps.emplace_back();
      for (const Term input : inputs_[at]) choices.inputs.push_back(value(input));
      choices.states.resize(system_.states().size());
      for (std::size_t i = 0; i < system_.states().size(); ++i) {
        const auto found = free_states_.find({i, at});
        if (found == free_states_.end()) continue;
        (at == 0 ? trace.initial[i] : choices.states[i]) = value(found->second);
      }
    }
    return trace;
  }

  System& system_;
  term::TermStore& store_;
  const Budget& budget_;
  const BmcOptions& options_;
  Locations locations_;
  std::unique_ptr<solve::Solver> solver_;
  std::vector<Node> path_;
  std::vector<std::vector<Term>> inputs_;                            ///< by step
  std::map<std::pair<std::size_t, std::size_t>, Term> free_states_;  ///< by position and step
  std::size_t longest_ = 0;
  std::uint64_t paths_ = 0;
  bool is_cut_ = false;  ///< a path was ended by the bound
  std::optional<Result> ending_;
};

Result run_path_bmc(Problem& problem, const Budget& budget, const BmcOptions& options) {
  return run_engine("path-bmc", problem, [&] { return PathSearch(problem.system(), budget, options).run(); });
}

}  // namespace

constinit const Engine path_bmc_engine = {
    .info = {.name = "path-bmc",
             .can_hold = true,
             .can_bound = true,
             .can_violate = true,
             .summary =
                 "each path through the values of the program counter; good if loops end at different times (lists)",
             .by_default = {"path-bmc"},
             .former_name = "paths"},
    .form = Problem::Form::Cells,
    .priority = 1,
    .run = [](const EngineTask& task) {
      return run_path_bmc(task.problem, task.budget, {.max_bound = task.options.max_bound, .seed = task.options.seed});
    }};

Result path_bmc(const System& system, std::size_t bad, const Budget& budget, const BmcOptions& options) {
  return run_alone(system, bad, path_bmc_engine.form, budget,
                   [&](Problem& problem) { return run_path_bmc(problem, budget, options); });
}

}  // namespace plumb::prove
