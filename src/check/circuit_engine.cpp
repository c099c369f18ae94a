// The program as a system, proved for runs of every length. Goals and limits of the graph are proved as one: if none
// can be reached, one proof is enough for all. A counterexample takes out what it reaches. A limit that can be reached
// bounds what is said about the goals that are left: they hold within it. With --all, goals that have no answer when
// half of the time is over are tried alone, each on the part of the graph that it depends on.

#include <fmt/format.h>

#include <algorithm>

#include "check/engine.h"
#include "check/loop_invariants.h"
#include "flatten/follow.h"
#include "prove/together.h"
#include "system/control_graph.h"
#include "system/reduce/narrow.h"
#include "system/reduce/simplify.h"

namespace plumb::check {
namespace {

using flatten::Flattened;
using Seconds = std::chrono::duration<double>;

/// Statements times variables: what is live where is a bit each.
constexpr std::uint64_t kMaxLiveBits = std::uint64_t{1} << 32;
/// For running a counterexample in the graph: where loops were left out, and where none was.
constexpr Seconds kShortFollowTime{0.3};
constexpr Seconds kMaxFollowTime{5};
/// For the question whether a goal that holds is vacuous.
constexpr Seconds kMaxCoverTime{10};

class CircuitEngine {
 public:
  explicit CircuitEngine(const EngineTask& task)
      : task_(task), flat_(flatten::flatten(task.program, task.goals, task.settings.flatten, task.budget)) {
    const std::uint64_t bits = std::uint64_t{flat_.graph.statements.size()} * flat_.graph.variables.size();
    if (bits > kMaxLiveBits)
      throw UserError(fmt::format("the program is too large to be one circuit: {} statements, {} variables",
                                  flat_.graph.statements.size(), flat_.graph.variables.size()),
                      "use --engine bmc, or check a part of it");
  }

  EngineRemarks run() {
    std::vector<std::size_t> goals = open_goals();
    decide(goals, task_.settings.is_every_goal && goals.size() > 1 ? share(2) : task_.budget);
    goals = open_goals();
    for (std::size_t i = 0; i < goals.size() && task_.settings.is_every_goal && goals.size() > 1; ++i)
      if (task_.is_open(goals[i])) decide({goals[i]}, share(goals.size() - i));
    EngineRemarks remarks;
    remarks.assumptions = flat_.assumptions;
    return remarks;
  }

 private:
  std::vector<std::size_t> open_goals() const {
    std::vector<std::size_t> open;
    for (std::size_t g = 0; g < task_.goals.size(); ++g)
      if (!is_told_[g] && task_.is_open(g)) open.push_back(g);
    return open;
  }

  Budget share(std::size_t count) const {
    const auto left = task_.budget.time_left();
    return left ? task_.budget.with_timeout(*left / static_cast<double>(count)) : task_.budget;
  }

  /// What some properties depend on.
  struct Part {
    system::ControlGraph graph;
    system::Encoding encoding;
  };
  Part part(const std::vector<std::size_t>& properties, system::Loops loops, const Budget& budget) const {
    system::ControlGraph graph = system::simplify(flat_.graph, {.properties = properties, .loops = loops}, budget);
    system::narrow(graph, budget);
    system::Encoding encoding = system::encode(graph, {}, budget);
    return {std::move(graph), std::move(encoding)};
  }

  /// What is known of some goals that are looked at together.
  struct Question {
    std::vector<std::size_t> goals;
    std::vector<std::size_t> limits;          ///< that may be reached as far as is known
    std::vector<std::size_t> reached_limits;  ///< that can be
  };

  void decide(const std::vector<std::size_t>& goals, const Budget& budget) {
    Question question{goals, {}, {}};
    for (std::size_t l = 0; l < flat_.limits.size(); ++l) question.limits.push_back(l);
    std::vector<std::size_t> properties = goals;
    for (const std::size_t l : question.limits) properties.push_back(flat_.limit_property(l));
    // Most loops that have no part in a property end. Where one does not, a counterexample cannot be followed.
    system::Loops loops = system::Loops::End;
    std::optional<Part> sliced = part(properties, loops, budget);
    while (!question.goals.empty()) {
      std::vector<std::size_t> bads = question.goals;
      for (const std::size_t l : question.limits) bads.push_back(flat_.limit_property(l));
      prove::System joint = prove::joined(sliced->encoding.system, bads);
      prove::Options options = task_.settings.prove;
      options.seed = task_.settings.seed;
      const prove::Result result = prove::prove(joint, joint.bads().size() - 1, budget, options);
      if (result.verdict != Verdict::Violated) {
        conclude(question, result, invariants(*sliced, joint, result, budget), budget);
        return;
      }
      if (!take_reached(question, sliced->encoding, result, loops, budget)) {
        loops = system::Loops::MayBeEndless;
        sliced = part(properties, loops, budget);
      }
      std::erase_if(question.goals, [&](std::size_t g) { return !task_.is_open(g); });
    }
  }

  /// A counterexample decides all goals and limits that it reaches. False: one of them is reached behind a loop that
  /// was left out, and does not end in the time that there is.
  bool take_reached(Question& question, const system::Encoding& encoding, const prove::Result& result,
                    system::Loops loops, const Budget& budget) {
    for (const system::Replay::Reached& reached : system::replay(encoding.system, *result.trace).reached) {
      const bool is_goal = reached.bad < flat_.goal_count;
      const std::size_t limit = reached.bad - flat_.goal_count;
      if (std::ranges::count(is_goal ? question.goals : question.limits, is_goal ? reached.bad : limit) == 0) continue;
      system::Trace trace = *result.trace;
      trace.steps.resize(reached.step + 1);
      std::optional<result::TestCase> test = followed(encoding, trace, reached.bad, loops, budget);
      if (!test && loops == system::Loops::End) return false;
      if (is_goal) {
        std::erase(question.goals, reached.bad);
        tell_violated(reached.bad, std::move(test), result);
      } else {
        std::erase(question.limits, limit);
        question.reached_limits.push_back(limit);
      }
    }
    return true;
  }

  std::optional<result::TestCase> followed(const system::Encoding& encoding, const system::Trace& trace,
                                           std::size_t property, system::Loops loops, const Budget& budget) const {
    const Seconds most = loops == system::Loops::End ? kShortFollowTime : kMaxFollowTime;
    const auto left = budget.time_left();
    const Budget small = budget.with_timeout(left ? std::min(most, *left / 4) : most);
    try {
      return flatten::follow(flat_, encoding, trace, property, small);
    } catch (const OutOfBudget&) {
      budget.check();
      return std::nullopt;
    }
  }

  void tell_violated(std::size_t goal, std::optional<result::TestCase> test, const prove::Result& result) {
    Claim claim;
    claim.goal = goal;
    claim.detail = result.engine;
    claim.verdict = test ? Verdict::Violated : Verdict::Unknown;
    if (!test) claim.reason = "a counterexample of the circuit could not be followed in the program in time";
    claim.test = std::move(test);
    tell(std::move(claim));
  }

  void tell(Claim claim) {
    is_told_[claim.goal] = is_final(claim.verdict);
    task_.tell(std::move(claim));
  }

  SourceLocation place_of(std::size_t limit) const {
    return task_.program.describe(location_of(flat_.limits[limit].at));
  }
  program::Location location_of(const program::CodePoint& at) const {
    if (at.function == program::kNone) return {};
    const program::Function& function = task_.program.functions[at.function];
    return at.instruction == program::kNone ? function.location : function.instructions[at.instruction].location;
  }

  /// Of a proof, as far as it can be said in C.
  std::vector<LoopInvariant> invariants(const Part& sliced, prove::System& joint, const prove::Result& result,
                                        const Budget& budget) const {
    if (!task_.settings.wants_invariants || !is_proof(result.verdict) || !result.certificate) return {};
    try {
      return proof_invariants(task_.program, task_.settings.load, flat_, sliced.graph, sliced.encoding, joint,
                              *result.certificate, budget);
    } catch (const OutOfBudget&) {
      return {};  // The proof stands.
    }
  }

  /// There is no counterexample to any of the goals.
  void conclude(const Question& question, const prove::Result& result, const std::vector<LoopInvariant>& invariants,
                const Budget& budget) {
    std::vector<bool> is_vacuous(task_.goals.size(), false);
    const bool holds = is_proof(result.verdict) && std::ranges::all_of(question.reached_limits, [&](std::size_t limit) {
                         return gap_kind(flat_.limits[limit].kind).has_value();
                       });
    if (holds) is_vacuous = find_vacuous(question.goals, budget);
    for (const std::size_t goal : question.goals) {
      Claim claim;
      claim.goal = goal;
      claim.verdict = result.verdict;
      claim.detail = result.engine;
      claim.reason = result.reason;
      if (is_vacuous[goal]) claim.verdict = Verdict::Vacuous;
      if (holds) claim.invariants = invariants;
      if (result.verdict == Verdict::HoldsUpTo)
        claim.reason = fmt::format("steps 0 to {}{}{}", result.bound, result.reason.empty() ? "" : ": ", result.reason);
      bound(claim, question.reached_limits);
      tell(std::move(claim));
    }
  }

  /// Nothing is proved beyond these limits.
  void bound(Claim& claim, const std::vector<std::size_t>& reached) const {
    for (const std::size_t l : reached) {
      const flatten::Limit& limit = flat_.limits[l];
      if (const std::optional<result::GapKind> kind = gap_kind(limit.kind)) {
        const program::FunctionId f = limit.at.function;
        claim.gaps.push_back({.kind = *kind,
                              .place = place_of(l),
                              .function = f == program::kNone ? "" : task_.program.functions[f].name,
                              .text = limit.text});
        continue;
      }
      if (is_proof(claim.verdict)) claim.verdict = Verdict::HoldsUpTo;
      const std::string place = place_of(l).to_string();
      claim.reason = place.empty() ? limit.text : fmt::format("{}: {}", place, limit.text);
    }
  }

  /// By goal: its cover cannot be reached. Not asked for any longer than it is worth: without an answer it is not said.
  std::vector<bool> find_vacuous(const std::vector<std::size_t>& goals, const Budget& budget) {
    std::vector<bool> found(task_.goals.size(), false);
    const auto left = budget.time_left();
    const Budget small = budget.with_timeout(left ? std::min(kMaxCoverTime, *left / 2) : kMaxCoverTime);
    std::vector<std::size_t> covers;
    for (const std::size_t goal : goals) covers.push_back(flat_.cover_property(goal));
    try {
      const Part sliced = part(covers, system::Loops::MayBeEndless, small);
      const std::vector<prove::Result> results =
          prove::prove_all(sliced.encoding.system, covers, small, task_.settings.prove);
      for (std::size_t i = 0; i < goals.size(); ++i) found[goals[i]] = is_proof(results[i].verdict);
    } catch (const OutOfBudget&) {
      return found;  // The proofs stand.
    }
    return found;
  }

  const EngineTask& task_;
  Flattened flat_;
  std::vector<bool> is_told_ = std::vector<bool>(task_.goals.size(), false);
};

}  // namespace

constinit const Engine circuit_engine = {
    .info = {.name = "circuit",
             .takes = result::EngineInput::Program,
             .can_hold = true,
             .can_bound = true,
             .can_violate = true,
             .summary = "the program becomes a transition system with a program counter, and the engines of "
                        "docs/proving.md decide it. Loops stay loops",
             .by_default = {"circuit"}},
    .run = [](const EngineTask& task) { return CircuitEngine(task).run(); },
    .memory_part = 0.85};

}  // namespace plumb::check
