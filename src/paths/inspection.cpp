// What the search works on, to be looked at: graphs of goals, and their paths as tests.

#include "paths/dsa.h"
#include "paths/graph_text.h"
#include "paths/paths.h"
#include "solve/native/blast_solver.h"
#include "unroll/executor.h"

namespace plumb::paths {

using unroll::Record;

namespace {

/// A decision that a run comes to where `reached` holds, before so many events.
struct Branch {
  Term reached;
  Term condition;
  std::size_t events = 0;
};

/// A program that was executed to a bound.
class Unwound {
 public:
  Unwound(const program::Program& program, std::span<const program::Goal> goals, std::uint64_t unwind,
          const Budget& budget)
      : options_(options_of(unwind)), world(program, options_), record(execute(goals, unwind, budget)) {}

  /// Assumptions before an event hold.
  std::vector<Term> precondition(std::size_t event) {
    std::vector<Term> terms;
    for (std::size_t e = 0; e < event; ++e)
      if (record.events()[e].kind == Record::Kind::Excluded)
        terms.push_back(world.terms.bit_not(record.events()[e].when));
    return terms;
  }

 private:
  static unroll::Options options_of(std::uint64_t unwind) {
    unroll::Options options;
    options.unwind = unwind;
    return options;
  }
  Record execute(std::span<const program::Goal> goals, std::uint64_t unwind, const Budget& budget) {
    const unroll::GoalPlaces places(world.program, goals);
    const auto is_possible = [&](Term condition) { return !world.terms.is_false(condition); };
    unroll::Executor executor(world, places, {unwind, 0}, is_possible, budget);
    executor.set_observer({.on_joined = [&](Term value, const std::string& name) { names.try_emplace(value, name); },
                           .on_branch = [&](Term reached, Term condition,
                                            std::size_t events) { branches.push_back({reached, condition, events}); }});
    return executor.run();
  }

  const unroll::Options options_;

 public:
  unroll::World world;
  JoinedNames names;
  std::vector<Branch> branches;  ///< in an order in which every run comes to them
  Record record;
};

/// Looks for a run to an event, then for one that takes another path, until there is none. A path is told by its
/// decisions before the event `end`.
class PathEnumeration {
 public:
  PathEnumeration(Unwound& unwound, std::size_t event, std::size_t end, const Budget& budget)
      : unwound_(unwound), terms_(unwound.world.terms), end_(end), budget_(budget), solver_(terms_, {}) {
    for (std::size_t e = 0; e < event; ++e) {
      const Record::Event& before = unwound.record.events()[e];
      if (before.kind < Record::Kind::Leak) solver_.assert_true(terms_.bit_not(before.when));
    }
    solver_.assert_true(unwound.record.events()[event].when);
  }

  void run(const std::function<void(const result::TestCase& test)>& on_test) {
    for (;;) {
      const solve::Answer answer = solver_.check(budget_).answer;
      budget_.check();
      if (answer != solve::Answer::Sat) return;
      const term::Assignment model = solver_.model();
      solver_.assert_true(terms_.bit_not(path_of(model)));
      on_test(unwound_.record.test_case(model, end_, unwound_.world.unwritten));
    }
  }

 private:
  /// All runs that decide as this one does.
  Term path_of(const term::Assignment& model) {
    term::Evaluator evaluator(terms_, model);
    std::vector<Term> decisions;
    for (const Branch& each : unwound_.branches) {
      if (each.events > end_ || !evaluator.is_true(each.reached)) continue;
      decisions.push_back(each.reached);
      decisions.push_back(evaluator.is_true(each.condition) ? each.condition : terms_.bit_not(each.condition));
    }
    return terms_.all_of(decisions);
  }

  Unwound& unwound_;
  TermStore& terms_;
  const std::size_t end_;
  const Budget& budget_;
  solve::BlastSolver solver_;
};

/// A goal may be decided long before it is met, where nothing can turn a run away from it: up to its violation, or as
/// far as the execution goes if that was seen to be impossible.
std::size_t end_of(std::span<const Record::Event> events, std::size_t cover) {
  for (std::size_t e = cover + 1; e < events.size(); ++e)
    if (events[e].index == events[cover].index &&
        (events[e].kind == Record::Kind::Violation || events[e].kind == Record::Kind::Cover))
      return e;
  return events.size();
}

}  // namespace

void show_graphs(std::ostream& out, const program::Program& program, std::span<const program::Goal> goals,
                 std::uint64_t unwind, GraphForm form, const Budget& budget) {
  Unwound unwound(program, goals, unwind, budget);
  for (std::size_t e = 0; e < unwound.record.events().size(); ++e) {
    const Record::Event& event = unwound.record.events()[e];
    if (event.kind != Record::Kind::Violation && event.kind != Record::Kind::Leak) continue;
    std::vector<Term> property = unwound.precondition(e);
    property.push_back(event.when);
    const Graph graph = graph_of(unwound.world.terms, property, unwound.names, budget);
    if (form == GraphForm::Dot) {
      print_dot(out, graph);
      continue;
    }
    out << program::describe(program, goals[event.index]) << '\n';
    print(out, graph);
  }
}

void find_paths(const program::Program& program, std::span<const program::Goal> goals, std::uint64_t unwind,
                const Budget& budget,
                const std::function<void(std::size_t goal, const result::TestCase& test)>& on_path) {
  Unwound unwound(program, goals, unwind, budget);
  const std::span<const Record::Event> events = unwound.record.events();
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (events[e].kind != Record::Kind::Cover) continue;
    PathEnumeration(unwound, e, end_of(events, e), budget).run([&](const result::TestCase& test) {
      on_path(events[e].index, test);
    });
  }
}

}  // namespace plumb::paths
