#include "paths/dpvs.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "paths/native_store.h"
#include "term/evaluator.h"

namespace plumb::paths {
namespace {

using Outcome = DpvsStep::Outcome;

/// Program foo of Figure 1, sliced to p_1 as in Figures 2 and 3.
struct Foo {
  Foo() : graph(terms) {
    a0 = terms.variable(32, "a_0");
    b0 = terms.variable(32, "b_0");
    for (const char* name : {"c_1", "d_0", "e_0", "c_0"}) graph.add_variable(terms.variable(32, name), name);
    const auto var = [&](VariableId v) { return graph.variables[v].term; };
    const ConditionId zero = graph.add_condition(terms.sle(terms.zero(32), a0));
    const ConditionId five = graph.add_condition(terms.sle(terms.zero(32), b0));
    node12 = graph.add_node(c1, terms.add(terms.add(var(c0), var(d0)), var(e0)), {});
    node4 = graph.add_node(c0, a0, {{zero, true}});
    node8_c = graph.add_node(c0, b0, {{zero, false}});
    node6_d = graph.add_node(d0, a0, {{zero, true}, {five, true}});
    node7_d = graph.add_node(d0, a0, {{zero, true}, {five, false}});
    node8_d = graph.add_node(d0, terms.one(32), {{zero, false}});
    node6_e = graph.add_node(e0, b0, {{zero, true}, {five, true}});
    node7_e = graph.add_node(e0, terms.neg(b0), {{zero, true}, {five, false}});
    node8_e = graph.add_node(e0, terms.neg(a0), {{zero, false}});
    graph.property = {terms.slt(var(c1), terms.add(var(d0), var(e0)))};
    // The paper computes with numbers that do not wrap.
    for (const Term t : {a0, b0, var(c1), var(d0), var(e0), var(c0)})
      graph.property.push_back(terms.ult(terms.add(t, terms.constant(32, 1000)), terms.constant(32, 2000)));
  }

  static constexpr VariableId c1 = 0, d0 = 1, e0 = 2, c0 = 3;
  TermStore terms;
  Graph graph;
  Term a0, b0;
  NodeId node12, node4, node8_c, node6_d, node7_d, node8_d, node6_e, node7_e, node8_e;
};

TEST(Dpvs, ExploresFooAsInFiguresTwoAndThree) {
  Foo foo;
  NativeStore store(foo.terms, {});
  std::vector<DpvsStep> steps;
  Dpvs search(foo.graph, store, QueueOrder::FewestDefinitions, [&](const DpvsStep& step) { steps.push_back(step); });
  ASSERT_EQ(search.run({}), Answer::Sat);
  const std::vector<DpvsStep> expected = {
      {Foo::c1, foo.node12, Outcome::Feasible},
      {Foo::c0, foo.node4, Outcome::Infeasible},  // Figure 2: a_0 >= 0 and a_0 < 0
      {Foo::c0, foo.node8_c, Outcome::Feasible},  // Figure 3: cuts the other side of <0>
      {Foo::d0, foo.node6_d, Outcome::Cut},
      {Foo::d0, foo.node7_d, Outcome::Cut},
      {Foo::d0, foo.node8_d, Outcome::Feasible},
      {Foo::e0, foo.node6_e, Outcome::Cut},
      {Foo::e0, foo.node7_e, Outcome::Cut},
      {Foo::e0, foo.node8_e, Outcome::Solution},
  };
  EXPECT_EQ(steps, expected);
  term::Evaluator evaluator(foo.terms, store.model());
  EXPECT_TRUE(evaluator.is_true(foo.terms.slt(foo.a0, foo.terms.zero(32))));
  EXPECT_TRUE(evaluator.is_true(foo.terms.slt(foo.b0, foo.terms.zero(32))));
}

TEST(Dpvs, WithoutVariablesThePropertyAloneIsSolved) {
  TermStore terms;
  Graph graph(terms);
  const Term x = terms.variable(8, "x");
  graph.property = {terms.ult(x, terms.constant(8, 3)), terms.ult(terms.constant(8, 5), x)};
  NativeStore store(terms, {});
  EXPECT_EQ(Dpvs(graph, store, QueueOrder::First).run({}), Answer::Unsat);
}

/// A program in dynamic single assignment, over few bits of input: each variable is defined at the leaves of a tree of
/// conditions over what is defined before it.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : graph(terms), random_(seed) {
    for (unsigned i = 0; i < 3; ++i) inputs.push_back(terms.variable(2, "i"));
    for (const Term input : inputs) known_.push_back(terms.zero_extend(input, 4));
    const unsigned variables = 2 + below(5);
    for (unsigned v = 0; v < variables; ++v) {
      if (below(2) == 0 || graph.conditions.empty()) graph.add_condition(condition());
      const VariableId id = graph.add_variable(terms.variable(4, "v"), "v");
      define(id, {}, 2);
      known_.push_back(graph.variables[id].term);
    }
    graph.property = {condition(), terms.eq(known_.back(), terms.constant(4, below(16)))};
  }

  /// Some input violates the property, found by running the program on all of them.
  bool is_violated() {
    for (unsigned bits = 0; bits < 64; ++bits)
      if (is_violated_by(bits)) return true;
    return false;
  }

  TermStore terms;
  Graph graph;
  std::vector<Term> inputs;

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  Term known() { return known_[below(static_cast<unsigned>(known_.size()))]; }
  Term condition() {
    const Term a = known();
    const Term b = below(2) == 0 ? terms.constant(4, below(16)) : known();
    const Term c = below(3) == 0 ? terms.eq(a, b) : terms.ult(a, b);
    return below(2) == 0 ? c : terms.bit_not(c);
  }
  Term expression() {
    switch (below(4)) {
      case 0:
        return terms.constant(4, below(16));
      case 1:
        return known();
      case 2:
        return terms.add(known(), known());
      default:
        return terms.bit_xor(known(), terms.constant(4, below(16)));
    }
  }
  void define(VariableId v, std::vector<Graph::Ancestor> way, unsigned depth) {
    std::vector<ConditionId> left;
    for (ConditionId c = 0; c < graph.conditions.size(); ++c) {
      const bool is_met = std::ranges::any_of(way, [&](const Graph::Ancestor& each) { return each.condition == c; });
      if (!is_met) left.push_back(c);
    }
    if (depth == 0 || left.empty() || below(3) == 0) {
      graph.add_node(v, expression(), std::move(way));
      return;
    }
    const ConditionId c = left[below(static_cast<unsigned>(left.size()))];
    for (const bool is_left : {true, false}) {
      std::vector<Graph::Ancestor> longer = way;
      longer.push_back({c, is_left});
      define(v, std::move(longer), depth - 1);
    }
  }
  bool is_violated_by(unsigned bits) {
    term::Assignment values;
    for (std::size_t i = 0; i < inputs.size(); ++i) values[inputs[i]] = BitVector(2, (bits >> (2 * i)) & 3);
    for (const Graph::Variable& v : graph.variables) {
      unsigned reached = 0;
      for (const NodeId n : v.def_nodes) {
        term::Evaluator evaluator(terms, values);
        const bool is_reached = std::ranges::all_of(graph.nodes[n].cond_anc, [&](const Graph::Ancestor& each) {
          return evaluator.is_true(graph.conditions[each.condition]) == each.left;
        });
        if (!is_reached) continue;
        ++reached;
        const BitVector value = evaluator.bits(graph.nodes[n].definition);
        values[v.term] = value;
      }
      EXPECT_EQ(reached, 1U);
    }
    term::Evaluator evaluator(terms, values);
    return std::ranges::all_of(graph.property, [&](Term t) { return evaluator.is_true(t); });
  }

  std::mt19937 random_;
  std::vector<Term> known_;
};

/// Algorithm 1, written down as it is printed: recursive, everything copied.
class Transcription {
 public:
  explicit Transcription(const Graph& graph) : graph_(graph) {}

  bool dpvs(std::vector<Term> s, std::vector<VariableId> q, std::vector<bool> m, std::map<ConditionId, char> choice) {
    const VariableId v = q.front();  // 1
    q.erase(q.begin());
    for (const NodeId n : graph_.variables[v].def_nodes) {  // 2
      bool cut = false;                                     // 3
      const auto saved = std::make_tuple(s, q, m, choice);
      s.push_back(graph_.terms->eq(graph_.variables[v].term, graph_.nodes[n].definition));  // 4
      push(q, m, graph_.nodes[n].definition);                                               // 5, 6
      for (const Graph::Ancestor& anc : graph_.nodes[n].cond_anc) {                         // 7
        if (cut) continue;                                                                  // 8
        if (!choice.contains(anc.condition)) {                                              // 9
          const Term condition = graph_.conditions[anc.condition];
          push(q, m, condition);                                                 // 10, 11
          s.push_back(anc.left ? condition : graph_.terms->bit_not(condition));  // 12 to 17
          choice[anc.condition] = anc.left ? 'L' : 'R';
        } else if ((choice[anc.condition] == 'L') != anc.left) {  // 20
          cut = true;                                             // 21
        }
      }
      Outcome outcome = Outcome::Cut;
      if (!cut) {                                                        // 26
        if (q.empty()) {                                                 // 27
          outcome = solve(s) ? Outcome::Solution : Outcome::NoSolution;  // 28
        } else {
          outcome = solve(s) ? Outcome::Feasible : Outcome::Infeasible;  // 33
        }
      }
      steps.push_back({v, n, outcome});
      if (outcome == Outcome::Solution) return true;                           // 30
      if (outcome == Outcome::Feasible && dpvs(s, q, m, choice)) return true;  // 34 to 36
      std::tie(s, q, m, choice) = saved;                                       // 41
    }
    return false;  // 43
  }

  bool run() {
    std::vector<VariableId> q;
    std::vector<bool> m(graph_.variables.size(), false);
    for (const Term t : graph_.property) push(q, m, t);
    return q.empty() ? solve(graph_.property) : dpvs(graph_.property, q, m, {});
  }

  std::vector<DpvsStep> steps;

 private:
  void push(std::vector<VariableId>& q, std::vector<bool>& m, Term t) const {
    for (const VariableId v : graph_.variables_in(t)) {
      if (!m[v]) q.push_back(v);
      m[v] = true;
    }
  }
  bool solve(const std::vector<Term>& s) const {
    NativeStore store(*graph_.terms, {});
    for (const Term constraint : s) store.add(constraint, kNoChoice);
    return store.solve({}) == Answer::Sat;
  }

  const Graph& graph_;
};

TEST(Dpvs, IsTheAlgorithmAsPrintedOnTwoThousandRandomGraphs) {
  unsigned violated = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    RandomGraph random(seed);
    Transcription transcription(random.graph);
    const bool is_violated = random.is_violated();
    violated += is_violated ? 1 : 0;
    ASSERT_EQ(transcription.run(), is_violated) << "seed " << seed;
    NativeStore store(random.terms, {});
    std::vector<DpvsStep> steps;
    Dpvs search(random.graph, store, QueueOrder::First, [&](const DpvsStep& step) { steps.push_back(step); });
    ASSERT_EQ(search.run({}), is_violated ? Answer::Sat : Answer::Unsat) << "seed " << seed;
    ASSERT_EQ(steps, transcription.steps) << "seed " << seed;
  }
  EXPECT_GT(violated, 300U);
  EXPECT_LT(violated, 1700U);
}

TEST(Dpvs, EveryQueueOrderFindsTheSameAnswers) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomGraph random(seed);
    const Answer expected = random.is_violated() ? Answer::Sat : Answer::Unsat;
    for (const QueueOrder order : {QueueOrder::First, QueueOrder::Latest, QueueOrder::FewestDefinitions}) {
      NativeStore store(random.terms, {});
      ASSERT_EQ(Dpvs(random.graph, store, order).run({}), expected) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace plumb::paths
