#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "graph_interpreter.h"
#include "random_control_graph.h"
#include "random_value.h"
#include "system/control_graph.h"
#include "system/encode_liveness.h"
#include "system/encode_paths.h"
#include "system/simulator.h"
#include "system/to_circuit.h"
#include "term/substitution.h"
#include "unit/term/small_stack.h"

namespace plumb::system {
namespace {

using Steps = EncodingOptions::Steps;
using Label = ControlGraph::Label;

/// What a system does in a run with random choices, step by step.
struct SystemRun {
  std::vector<std::vector<Value>> states;          ///< by step
  std::vector<std::vector<std::size_t>> failures;  ///< by step: positions in Encoding::check_sites
  std::vector<std::vector<std::size_t>> bads;      ///< by step
  std::vector<std::deque<Value>> choices;          ///< by input of the graph: its values when it was executed
  std::vector<std::uint64_t> pc;                   ///< by step
};

SystemRun run(const ControlGraph& graph, const Encoding& encoding, std::size_t steps, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const System& system = encoding.system;
  Simulator simulator(system);
  std::vector<std::optional<Value>> initial;
  for (const State& state : system.states())
    initial.push_back(random_value(system.store().sort(state.variable), random));
  simulator.reset(initial);
  SystemRun run;
  run.choices.resize(graph.inputs.size());
  for (std::size_t k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < system.inputs().size(); ++i)
      simulator.set_input(i, random_value(system.store().sort(system.inputs()[i]), random));
    simulator.evaluate();
    term::Assignment assignment;
    run.states.emplace_back();
    for (const State& state : system.states()) {
      run.states.back().push_back(simulator.value(state.variable));
      assignment[state.variable] = run.states.back().back();
    }
    for (const Term input : system.inputs()) assignment[input] = simulator.value(input);
    term::Evaluator evaluator(system.store(), assignment);
    run.failures.emplace_back();
    for (std::size_t i = 0; i < encoding.check_sites.size(); ++i)
      if (evaluator.is_true(encoding.check_sites[i].fails)) run.failures.back().push_back(i);
    run.bads.emplace_back();
    for (std::size_t i = 0; i < system.bads().size(); ++i)
      if (simulator.is_bad(i)) run.bads.back().push_back(i);
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      if (!evaluator.is_true(encoding.choices[i].executed)) continue;
      const std::optional<std::size_t> input = encoding.choices[i].input;
      run.choices[i].push_back(input ? simulator.value(system.inputs()[*input])
                                     : random_value(graph.store().sort(graph.inputs[i]), random));
    }
    run.pc.push_back(std::get<BitVector>(run.states.back()[encoding.pc]).to_uint64());
    simulator.step();
  }
  return run;
}

/// The position in Encoding::check_sites of each check, by statement.
std::vector<std::size_t> first_sites(const ControlGraph& graph) {
  std::vector<std::size_t> first;
  std::size_t count = 0;
  for (const ControlGraph::Statement& statement : graph.statements) {
    first.push_back(count);
    count += statement.checks.size();
  }
  return first;
}

/// Without what is beyond the elements of an array.
Value inside(const Value& value) {
  const auto* array = std::get_if<term::ArrayValue>(&value);
  if (array == nullptr) return value;
  term::ArrayValue elements{array->index_width, BitVector(array->otherwise.width(), 0), {}};
  for (std::uint64_t i = 0; i < RandomControlGraph::kElements; ++i) {
    const BitVector index(array->index_width, i);
    elements.elements[index] = array->at(index);
  }
  return elements;
}

/// A variable of users that is alone in its register.
bool is_exact(const ControlGraph& graph, const Encoding& encoding, std::size_t variable) {
  if (!encoding.registers[variable] || graph.variables[variable].is_hidden) return false;
  return std::count(encoding.registers.begin(), encoding.registers.end(), encoding.registers[variable]) == 1;
}

/// What the random runs met.
struct Met {
  std::size_t failures = 0;
  std::size_t ends = 0;
  std::size_t choices = 0;
};

/// The run of the system is, step by step, that of the graph with the same choices.
void expect_same_run(const ControlGraph& graph, const Encoding& encoding, std::size_t steps, std::uint64_t seed,
                     Met& met) {
  const SystemRun run = system::run(graph, encoding, steps, seed);
  GraphInterpreter interpreter(graph);
  interpreter.choices() = run.choices;
  for (const std::deque<Value>& values : run.choices) met.choices += values.size();
  for (std::size_t v = 0; v < graph.variables.size(); ++v) {
    const ControlGraph::Variable& variable = graph.variables[v];
    const std::optional<std::size_t> place = encoding.registers[v];
    if (variable.init) {
      term::Evaluator evaluator(graph.store(), interpreter.values());
      interpreter.values()[variable.term] = evaluator.value(variable.init);
    } else if (place) {
      interpreter.values()[variable.term] = run.states.front()[*place];
    } else {
      interpreter.values()[variable.term] = term::zero_value(graph.store().sort(variable.term));
    }
  }
  const std::vector<std::size_t> first = first_sites(graph);
  for (std::size_t k = 0; k < steps; ++k) {
    const bool is_at_end =
        interpreter.has_ended() || (k > 0 && encoding.pc_values[interpreter.label()] == encoding.end_value);
    ASSERT_EQ(run.pc[k], is_at_end ? encoding.end_value : encoding.pc_values[interpreter.label()]) << "step " << k;
    for (std::size_t v = 0; v < graph.variables.size(); ++v)
      if (is_exact(graph, encoding, v)) {
        ASSERT_EQ(inside(run.states[k][*encoding.registers[v]]), inside(interpreter.values()[graph.variables[v].term]))
            << "step " << k << ", " << graph.store().name(graph.variables[v].term);
      }
    std::set<std::size_t> failed;
    std::set<std::size_t> bads;
    while (!is_at_end) {
      const Label label = interpreter.label();
      interpreter.forget_failures();
      interpreter.execute();
      ASSERT_FALSE(interpreter.is_starved()) << "step " << k << ", statement " << label;
      for (const auto& [at, check] : interpreter.failures()) {
        failed.insert(first[at] + check);
        bads.insert(graph.statements[label].checks[check].property);
      }
      if (interpreter.has_ended() || encoding.pc_values[interpreter.label()]) break;
    }
    met.failures += failed.size();
    met.ends += is_at_end ? 0 : (interpreter.has_ended() ? 1 : 0);
    ASSERT_EQ(run.failures[k], std::vector<std::size_t>(failed.begin(), failed.end())) << "step " << k;
    ASSERT_EQ(run.bads[k], std::vector<std::size_t>(bads.begin(), bads.end())) << "step " << k;
    // Registers that are shared or dead rest as well: bounded proofs are complete because runs come to rest.
    if (k > 1 && run.pc[k - 2] == encoding.end_value) {
      ASSERT_EQ(run.states[k], run.states[k - 1]) << "step " << k;
    }
  }
}

TEST(Encode, RunsAsTheGraphDoesOnRandomGraphs) {
  Met met;
  std::size_t shared = 0;
  std::size_t dropped = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const ControlGraph graph = RandomControlGraph(seed).make();
    ASSERT_EQ(graph.problems(), std::vector<std::string>()) << seed;
    for (const Steps steps : {Steps::Block, Steps::Statement})
      for (const bool share : {false, true}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", share " << share << ", by statement "
                                        << (steps == Steps::Statement));
        const Encoding encoding = encode(graph, {steps, share, {}});
        for (std::uint64_t i = 0; i < 4; ++i) expect_same_run(graph, encoding, 25, seed * 10 + i, met);
        if (HasFatalFailure()) return;
        const std::set<std::optional<std::size_t>> places(encoding.registers.begin(), encoding.registers.end());
        const auto none = std::count(encoding.registers.begin(), encoding.registers.end(), std::nullopt);
        dropped += static_cast<std::size_t>(none);
        shared += encoding.registers.size() - places.size() - (none > 0 ? static_cast<std::size_t>(none) - 1 : 0);
      }
  }
  EXPECT_GT(met.failures, 1000U);
  EXPECT_GT(met.ends, 1000U);
  EXPECT_GT(met.choices, 1000U);
  EXPECT_GT(shared, 100U);
  EXPECT_GT(dropped, 1000U);
}

/// Makes graphs by hand.
struct Builder {
  ControlGraph graph;

  TermStore& store() { return graph.store(); }
  Term variable(const std::string& name, std::uint32_t width, std::optional<std::uint64_t> init = {},
                bool is_hidden = false) {
    const Term made = store().variable(width, name);
    graph.variables.push_back({made, init ? store().constant(width, *init) : Term{}, 0, is_hidden});
    return made;
  }
  Term number(std::uint32_t width, std::uint64_t value) { return store().constant(width, value); }
  /// Falls through to the next statement; its label.
  Label add(std::vector<ControlGraph::Assignment> assignments, std::string text = {}) {
    const auto label = static_cast<Label>(graph.statements.size());
    const SourceLocation location{"by_hand", label + 1, 1};
    graph.statements.push_back(
        {location, std::move(text), {}, std::move(assignments), {{store().boolean(true), label + 1}}});
    return label;
  }
  void branch(Label from, Term condition, Label then_label, Label else_label) {
    graph.statements[from].targets = {{condition, then_label}, {store().boolean(true), else_label}};
  }
  void jump(Label from, Label to) { graph.statements[from].targets = {{store().boolean(true), to}}; }
  Label end() {
    const Label label = add({}, "end");
    graph.statements[label].targets.clear();
    return label;
  }
  void check(Label at, Term condition) {
    if (graph.properties.empty()) graph.properties.push_back("property");
    graph.statements[at].checks.push_back({condition, 0, graph.statements[at].location});
  }
};

/// i = 0; while (i < n) { if (c) { x = x + i; if (x < 9) x = x ^ 3; } i = i + 1; } assert(x < 200)
struct BranchingLoop : Builder {
  Term i = variable("i", 4, 0);
  Term n = variable("n", 4);
  Term x = variable("x", 8);
  Term c = store().variable(1, "c");

  BranchingLoop() {
    TermStore& s = store();
    graph.inputs = {c};
    add({{i, number(4, 0)}}, "i = 0;");
    add({}, "while (i < n)");
    add({}, "if (c)");
    add({{x, s.add(x, s.zero_extend(i, 8))}}, "x = x + i;");
    add({}, "if (x < 9)");
    add({{x, s.bit_xor(x, number(8, 3))}}, "x = x ^ 3;");
    add({{i, s.add(i, number(4, 1))}}, "i = i + 1;");
    add({}, "assert(x < 200);");
    end();
    branch(1, s.ult(i, n), 2, 7);
    branch(2, c, 3, 6);
    branch(4, s.ult(x, number(8, 9)), 5, 6);
    jump(6, 1);
    check(7, s.ult(x, number(8, 200)));
  }
};

std::uint64_t as_number(const Value& value) { return std::get<BitVector>(value).to_uint64(); }

TEST(Encode, ABudgetThatEndsStopsEachPart) {
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  const ControlGraph graph = RandomControlGraph(1).make();
  EXPECT_THROW(encode(graph, {}, ended), OutOfBudget);
  EXPECT_THROW(Accesses(graph, ended), OutOfBudget);
  const ControlFlow flow = control_flow(graph);
  const Accesses accesses(graph, Budget());
  EXPECT_THROW(live_variables(graph, flow, accesses, VariableSet(graph.variables.size()), ended), OutOfBudget);
  TermStore store;
  PathTree tree(store, ended);
  const Term value = store.variable(8, "v");
  EXPECT_THROW(tree.merge({{PathTree::kRoot, {value}}, {PathTree::kRoot, {store.zero(8)}}}), OutOfBudget);
}

TEST(Encode, TakesOneStepForAnIterationWhateverItsBranches) {
  const BranchingLoop loop;
  const Encoding encoding = encode(loop.graph, {});
  EXPECT_EQ(encoding.end_value, 2U);
  EXPECT_EQ(encoding.pc_values[1], 1U);
  EXPECT_EQ(encoding.pc_values[8], 2U);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const SystemRun run = system::run(loop.graph, encoding, 20, seed);
    const std::uint64_t n = as_number(run.states[0][*encoding.registers[1]]);
    for (std::size_t k = 1; k < 20; ++k) {
      ASSERT_EQ(run.pc[k], k < n + 2 ? 1U : 2U) << k;
      ASSERT_EQ(as_number(run.states[k][*encoding.registers[0]]), std::min<std::uint64_t>(k - 1, n)) << k;
    }
  }
}

TEST(Encode, KeepsLoopCountersConstantInUnrolledSteps) {
  const BranchingLoop loop;
  Encoding encoding = encode(loop.graph, {});
  TermStore& store = encoding.system.store();
  const auto states = encoding.system.states();
  const State& pc = states[encoding.pc];
  const State& i = states[*encoding.registers[0]];
  // The body's only way out is by n: with i and n known, the branches leave no trace in pc and i.
  Term pc_now = store.one(store.width(pc.variable));
  Term i_now = store.zero(4);
  for (std::uint64_t k = 0; k < 10; ++k) {
    ASSERT_EQ(i_now, store.constant(4, k));
    term::Substitution step(store);
    step.add(pc.variable, pc_now);
    step.add(i.variable, i_now);
    step.add(states[*encoding.registers[1]].variable, store.constant(4, 10));
    pc_now = step.apply(pc.next);
    i_now = step.apply(i.next);
    ASSERT_EQ(pc_now, store.one(store.width(pc.variable)));
  }
}

TEST(Encode, TakesExactlyTheStepsOfTheMode) {
  BranchingLoop loop;
  loop.graph.variables[1].init = loop.number(4, 5);
  const Encoding blocks = encode(loop.graph, {});
  const Encoding statements = encode(loop.graph, {Steps::Statement, true, {}});
  const auto length = [&](const Encoding& encoding, std::uint64_t seed) {
    const SystemRun run = system::run(loop.graph, encoding, 60, seed);
    return std::find(run.pc.begin(), run.pc.end(), encoding.end_value) - run.pc.begin();
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(length(blocks, seed), 1 + 5 + 1);
    const SystemRun run = system::run(loop.graph, statements, 60, seed);
    std::ptrdiff_t expected = 1 + 6 + 1;
    for (const Value& value : run.choices[0]) expected += 2 + (as_number(value) == 1 ? 2 : 0);
    expected += std::count(run.pc.begin(), run.pc.end(), *statements.pc_values[5]);
    EXPECT_EQ(length(statements, seed), expected);
  }
}

TEST(Encode, BoundsStepsExactly) {
  BranchingLoop loop;
  loop.graph.variables[1].init = loop.number(4, 5);
  for (const std::uint64_t bound : {0U, 1U, 6U, 7U, 8U, 1000U}) {
    const Encoding encoding = encode(loop.graph, {Steps::Block, true, bound});
    ASSERT_EQ(encoding.system.bads().size(), 2U);
    EXPECT_EQ(encoding.system.bads()[1].name, fmt::format("termination within {} steps", bound));
    const SystemRun run = system::run(loop.graph, encoding, 20, bound);
    bool is_reached = false;
    for (std::size_t k = 0; k < 20; ++k) {
      const bool is_bad = std::count(run.bads[k].begin(), run.bads[k].end(), 1U) != 0;
      is_reached = is_reached || is_bad;
      EXPECT_FALSE(is_bad && k < bound);
    }
    EXPECT_EQ(is_reached, bound < 7) << bound;
  }
}

TEST(Encode, NumbersCutPointsInTheOrderOfTheSource) {
  BranchingLoop loop;
  std::swap(loop.graph.statements[1].location.line, loop.graph.statements[7].location.line);
  const Encoding encoding = encode(loop.graph, {Steps::Statement, true, {}});
  EXPECT_EQ(encoding.end_value, 8U);
  EXPECT_EQ(encoding.system.store().width(encoding.system.states()[encoding.pc].variable), 4U);
  EXPECT_EQ(encoding.pc_values[0], 0U);
  EXPECT_EQ(encoding.pc_values[1], 7U);
  EXPECT_EQ(encoding.pc_values[7], 1U);
  EXPECT_EQ(encoding.pc_values[2], 2U);
  const Annotation& names = encoding.system.annotations()[0];
  EXPECT_EQ(names.texts.at(BitVector(4, 7)), "8: while (i < n)");
  EXPECT_EQ(names.texts.at(BitVector(4, 8)), "end");
  EXPECT_EQ(encoding.system.annotations()[1].texts.at(BitVector(4, 7)), "by_hand:8");
}

TEST(Encode, SharesARegisterAmongVariablesThatAreNeverLiveTogether) {
  Builder b;
  TermStore& s = b.store();
  const Term x = b.variable("x", 8);
  const Term t = b.variable("t", 8, {}, true);
  const Term u = b.variable("u", 8, {}, true);
  const Term unused = b.variable("unused", 8);
  const Term inside = b.variable("inside", 8);
  b.add({{t, s.add(x, b.number(8, 1))}});
  b.add({{u, s.add(t, t)}});
  b.add({{inside, s.bit_xor(u, x)}, {unused, u}});
  b.add({});
  b.end();
  b.check(3, s.ult(inside, x));
  b.graph.wires = {{s.add(x, x), "double"}, {s.add(t, t), "temporary"}};
  const Encoding by_statement = encode(b.graph, {Steps::Statement, true, {}});
  EXPECT_EQ(by_statement.registers[1], by_statement.registers[2]);
  EXPECT_EQ(by_statement.system.state_name(*by_statement.registers[1]), "t|u|inside");
  EXPECT_EQ(by_statement.registers[3], std::nullopt);
  EXPECT_EQ(by_statement.system.state_name(*by_statement.registers[0]), "x");
  ASSERT_EQ(by_statement.system.wires().size(), 1U);
  EXPECT_EQ(by_statement.system.wires()[0].name, "double");
  const Encoding by_block = encode(b.graph, {});
  EXPECT_EQ(by_block.registers, (std::vector<std::optional<std::size_t>>{1, {}, {}, {}, {}}));
  const Encoding apart = encode(b.graph, {Steps::Statement, false, {}});
  EXPECT_EQ(apart.registers, (std::vector<std::optional<std::size_t>>{1, 2, 3, 4, 5}));
}

TEST(Encode, ExecutesWhatBranchesShareOnce) {
  // Two calls of a function in the branches of an if are one stretch; two calls in a row need its entry as a cut point.
  Builder b;
  TermStore& s = b.store();
  const Term x = b.variable("x", 8);
  const Term to = b.variable("return", 1, {}, true);
  b.add({}, "if (x < 7)");
  b.add({{to, b.number(1, 0)}}, "call");
  b.add({{to, b.number(1, 1)}}, "call");
  b.add({{x, s.add(x, b.number(8, 1))}}, "function");
  b.add({{x, s.add(x, b.number(8, 2))}}, "behind the first call");
  b.add({{x, s.add(x, b.number(8, 3))}}, "behind the second call");
  b.end();
  b.branch(0, s.ult(x, b.number(8, 7)), 1, 2);
  b.jump(1, 3);
  b.branch(3, s.eq(to, b.number(1, 0)), 4, 5);
  b.jump(4, 6);
  b.check(5, s.ult(x, b.number(8, 200)));
  EXPECT_EQ(encode(b.graph, {}).end_value, 1U);
  b.jump(4, 2);
  EXPECT_EQ(encode(b.graph, {}).end_value, 2U);
}

TEST(Encode, GoesStraightToTheLoopThatAFunctionBeginsWith) {
  Builder b;
  TermStore& s = b.store();
  const Term k = b.variable("k", 8);
  const Term sum = b.variable("sum", 8, 0);
  const Term to = b.variable("return", 1, {}, true);
  b.add({{to, b.number(1, 0)}}, "call");
  b.add({{k, b.number(8, 0)}}, "k = 0;");
  b.add({}, "while (k < 3)");
  b.add({{k, s.add(k, b.number(8, 1))}, {sum, s.add(sum, k)}}, "k++, sum += k;");
  b.add({}, "return");
  b.add({{to, b.number(1, 1)}}, "call");
  b.end();
  b.branch(2, s.ult(k, b.number(8, 3)), 3, 4);
  b.jump(3, 2);
  b.branch(4, s.eq(to, b.number(1, 0)), 5, 6);
  b.jump(5, 1);
  b.check(4, s.ult(sum, b.number(8, 6)));
  const Encoding encoding = encode(b.graph, {});
  EXPECT_EQ(encoding.end_value, 2U);
  const SystemRun run = system::run(b.graph, encoding, 12, 0);
  EXPECT_EQ(run.pc, (std::vector<std::uint64_t>{0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(run.bads[4], std::vector<std::size_t>());
  EXPECT_EQ(run.bads[8], std::vector<std::size_t>{0});
}

TEST(Encode, NeedsNoRegisterForWhatIsConstantWhereItIsNeeded) {
  Builder b;
  TermStore& s = b.store();
  const Term x = b.variable("x", 8);
  const Term holds = b.variable("holds", 1, {}, true);
  b.add({{holds, s.ult(x, b.number(8, 100))}}, "precondition");
  b.add({}, "if (!holds) end");
  b.add({{x, s.add(x, b.number(8, 1))}}, "loop");
  b.end();
  b.branch(1, holds, 2, 3);
  b.branch(2, s.ult(x, b.number(8, 200)), 2, 3);
  b.check(2, s.implies(holds, s.ult(x, b.number(8, 150))));
  const Encoding encoding = encode(b.graph, {});
  EXPECT_EQ(encoding.registers, (std::vector<std::optional<std::size_t>>{1, {}}));
  b.graph.variables[1].is_hidden = false;
  EXPECT_EQ(encode(b.graph, {}).registers, (std::vector<std::optional<std::size_t>>{1, 2}));
}

TEST(Encode, HasNoLatchesForWhatIsBeyondTheElementsOfAnArray) {
  Builder b;
  TermStore& s = b.store();
  const Term a = s.variable(Sort{4, 3}, "a");
  b.graph.variables.push_back({a, {}, 5, false});
  const Term i = b.variable("i", 3);
  const Term j = b.variable("j", 3);
  b.add({{a, s.store(a, i, s.select(a, j))}, {i, j}}, "loop");
  b.jump(0, 0);
  b.check(0, s.eq(s.select(a, i), b.number(4, 3)));
  EXPECT_EQ(to_circuit(encode(b.graph, {}).system, Budget()).latches.size(), 5U * 4 + 3 + 3 + 1);
}

TEST(Encode, EncodesLongProgramsWithoutRecursion) {
  term::run_on_small_stack([] {
    Builder b;
    TermStore& s = b.store();
    const Term x = b.variable("x", 8);
    const Term y = b.variable("y", 8);
    for (int i = 0; i < 10000; ++i) b.add({{i % 2 == 0 ? x : y, s.bit_xor(s.add(x, y), b.number(8, 77))}});
    b.check(9999, s.eq(x, y));
    b.end();
    EXPECT_EQ(encode(b.graph, {}).end_value, 1U);
    EXPECT_EQ(encode(b.graph, {Steps::Statement, true, {}}).end_value, 10000U);
  });
}

TEST(Encode, MergesLongChainsOfBranchesAndOfExits) {
  term::run_on_small_stack([] {
    Builder branches;
    Builder exits;
    for (Builder* b : {&branches, &exits}) {
      TermStore& s = b->store();
      const Term x = b->variable("x", 8);
      const Term y = b->variable("y", 8);
      for (Label i = 0; i < 2000; ++i) {
        b->add({});
        b->add({{x, s.add(x, y)}, {y, s.bit_xor(x, b->number(8, i % 256))}});
        b->branch(2 * i, s.ult(x, b->number(8, 100)), 2 * i + 1, b == &branches ? 2 * i + 2 : 4000);
      }
      b->add({});
      b->end();
      b->check(4000, s.eq(x, y));
      const Encoding encoding = encode(b->graph, {});
      EXPECT_EQ(encoding.end_value, 1U);
      EXPECT_LT(encoding.system.store().size(), 100000U);
    }
  });
}

}  // namespace
}  // namespace plumb::system
