#include "chain/row_stream.h"

#include <gtest/gtest.h>

#include <mutex>

#include "chain/build.h"
#include "unit/chain/random_model.h"

namespace plumb::chain {
namespace {

Chain built(const Model& model, KeepRows keep, unsigned threads = 1) {
  BuildOptions options;
  options.threads = threads;
  options.keep_rows = keep;
  BuildReport report;
  return build(model, Budget(), options, report);
}

/// A walk over a grid of `side` * `side` states with a loop in one corner: several blocks of rows.
Model grid(std::int64_t side) {
  Model model;
  model.kind = Kind::Ctmc;
  ExpressionPool& pool = model.expressions;
  model.components.push_back({"walk", {}});
  for (std::uint32_t v = 0; v < 2; ++v) {
    Variable variable;
    variable.name = v == 0 ? "x" : "y";
    variable.high = side - 1;
    variable.component = 0;
    model.variables.push_back(variable);
    const Expression value = pool.variable(v, Type::Int);
    Command up;
    up.guard = pool.make(Op::Less, value, pool.integer(side - 1));
    up.alternatives.push_back({pool.real(1.5 + v), {{v, pool.make(Op::Add, value, pool.integer(1)), {}}}, {}});
    Command down;
    down.guard = pool.make(Op::Less, pool.integer(0), value);
    down.alternatives.push_back(
        {pool.to_double(value), {{v, pool.make(Op::Subtract, value, pool.integer(1)), {}}}, {}});
    model.components[0].commands.push_back(std::move(up));
    model.components[0].commands.push_back(std::move(down));
  }
  return model;
}

/// All rows of a pass as (state, row, target, weight) in their order.
using Flat = std::vector<std::tuple<StateId, std::uint64_t, StateId, double>>;

void read(const Chain& chain, const RowBlock& block, Flat& into) {
  std::uint64_t row = block.first_row;
  std::uint64_t transition = 0;
  for (std::uint32_t i = 0; i < block.states; ++i)
    for (std::uint32_t r = 0; r < block.rows_of(i); ++r, ++row)
      for (std::uint32_t k = 0; k < block.counts[row - block.first_row]; ++k, ++transition)
        into.emplace_back(block.first_state + i, row, block.targets[transition],
                          chain.rows.weights().distinct()[block.weights[transition]]);
}

Flat expected(const Chain& kept) {
  Flat result;
  for (StateId s = 0; s < kept.states; ++s)
    for (std::uint64_t row = kept.first_row(s); row < kept.first_row(s) + kept.row_count(s); ++row)
      kept.rows.for_each(row, [&](StateId target, double weight) { result.emplace_back(s, row, target, weight); });
  return result;
}

void expect_same(const Chain& kept, const Chain& chain, unsigned threads) {
  const Flat all = expected(kept);
  const RowStream stream(chain, threads);
  Flat forward;
  stream.in_order(Budget(), [&](const RowBlock& block) { read(chain, block, forward); });
  EXPECT_EQ(forward, all);
  Flat backward;
  std::uint64_t last = chain.states;
  stream.in_order(
      Budget(),
      [&](const RowBlock& block) {
        EXPECT_EQ(block.first_state + block.states, last);
        last = block.first_state;
        Flat here;
        read(chain, block, here);
        backward.insert(backward.begin(), here.begin(), here.end());
      },
      RowStream::Order::Backward);
  EXPECT_EQ(backward, all);
  for (int pass = 0; pass < 2; ++pass) {
    std::mutex mutex;
    Flat unordered;
    stream.in_parallel(Budget(), [&](const RowBlock& block) {
      const std::scoped_lock lock(mutex);
      read(chain, block, unordered);
    });
    std::ranges::sort(unordered);
    EXPECT_EQ(unordered, all);
  }
}

TEST(RowStream, GivesTheRowsThatWouldHaveBeenKept) {
  for (const Kind kind : {Kind::Dtmc, Kind::Ctmc, Kind::Mdp})
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      const Model model = ModelGenerator(seed).model(kind);
      const Chain kept = built(model, KeepRows::Always);
      const Chain dropped = built(model, KeepRows::Never, 1 + seed % 3);
      ASSERT_FALSE(dropped.rows.is_kept());
      ASSERT_EQ(dropped.rows.size(), kept.rows.size());
      ASSERT_EQ(dropped.rows.transitions(), kept.rows.transitions());
      ASSERT_EQ(dropped.rows.weights().distinct(), kept.rows.weights().distinct());
      expect_same(kept, kept, 2);
      expect_same(kept, dropped, 1 + seed % 3);
    }
}

TEST(RowStream, GoesThroughManyBlocksInOrder) {
  const Model model = grid(150);
  const Chain kept = built(model, KeepRows::Always);
  ASSERT_EQ(kept.states, 22500U);
  expect_same(kept, built(model, KeepRows::Never, 3), 3);
}

TEST(RowStream, StopsWhereItsBudgetEnds) {
  const Model model = grid(50);
  const Chain chain = built(model, KeepRows::Never);
  const Budget cancelled;
  cancelled.cancel();
  const RowStream stream(chain, 2);
  EXPECT_THROW(stream.in_order(cancelled, [](const RowBlock&) {}), OutOfBudget);
  EXPECT_THROW(stream.in_parallel(cancelled, [](const RowBlock&) {}), OutOfBudget);
}

TEST(Build, DropsRowsThatDoNotFitTheMemoryAndSaysSo) {
  const Model model = grid(50);
  BuildOptions options;
  options.keep_rows = KeepRows::Automatic;
  BuildReport report;
  // Three quarters of the limit are used already, by something else.
  const std::vector<char> ballast(std::size_t{1} << 26, 1);
  asm volatile("" : : "r"(ballast.data()) : "memory");  // or the compiler does without it
  const Budget tight = Budget().with_memory_limit(resident_memory() * 5 / 4);
  const Chain dropped = build(model, tight, options, report);
  EXPECT_FALSE(dropped.rows.is_kept());
  EXPECT_EQ(report.transitions, 4U * 50 * 49);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("computed again"), std::string::npos);
  EXPECT_THROW(require_rows(dropped, "this"), UserError);
  expect_same(built(model, KeepRows::Always), dropped, 1);
  const Chain kept = build(model, Budget().with_memory_limit(std::uint64_t{1} << 40), options, report);
  EXPECT_TRUE(kept.rows.is_kept());
}

}  // namespace
}  // namespace plumb::chain
