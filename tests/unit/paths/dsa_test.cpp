#include "paths/dsa.h"

#include <gtest/gtest.h>

#include "paths/dpvs.h"
#include "paths/native_store.h"
#include "random_terms.h"
#include "solve/native/blast_solver.h"

namespace plumb::paths {
namespace {

TEST(Dsa, TheGraphOfTermsMeansWhatTheTermsDo) {
  unsigned satisfiable = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    TermStore terms;
    RandomTerms random(terms, seed);
    const std::array property = {random.condition(), random.condition()};
    solve::BlastSolver solver(terms, {});
    const Answer expected = solver.check(property, {}).answer;
    satisfiable += expected == Answer::Sat ? 1 : 0;
    const Graph graph = graph_of(terms, property, {}, {});
    NativeStore store(terms, {});
    ASSERT_EQ(Dpvs(graph, store, QueueOrder::Latest).run({}), expected) << "seed " << seed;
    if (expected != Answer::Sat) continue;
    term::Evaluator evaluator(terms, store.model());
    for (const Term each : property) EXPECT_TRUE(evaluator.is_true(each)) << "seed " << seed;
  }
  EXPECT_GT(satisfiable, 50U);
  EXPECT_LT(satisfiable, 450U);
}

TEST(Dsa, AJoinThatIsABranchOfAnotherIsPartOfIt) {
  TermStore terms;
  const Term a = terms.variable(1, "a"), b = terms.variable(1, "b");
  const Term x = terms.variable(8, "x"), y = terms.variable(8, "y"), z = terms.variable(8, "z");
  const std::array property = {terms.ult(terms.ite(a, x, terms.ite(b, y, z)), terms.mul(x, y))};
  const Graph graph = graph_of(terms, property, {}, {});
  ASSERT_EQ(graph.variables.size(), 1U);
  ASSERT_EQ(graph.nodes.size(), 3U);
  std::vector<std::size_t> ancestors;
  for (const Graph::Node& node : graph.nodes) ancestors.push_back(node.cond_anc.size());
  EXPECT_EQ(ancestors, (std::vector<std::size_t>{1, 2, 2}));
  EXPECT_TRUE(graph.nodes[0].cond_anc[0].left);
  EXPECT_FALSE(graph.nodes[1].cond_anc[0].left);
}

}  // namespace
}  // namespace plumb::paths
