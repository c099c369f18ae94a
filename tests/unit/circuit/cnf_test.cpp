#include "circuit/cnf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>

#include "circuit/simulator.h"
#include "circuit/words.h"
#include "random_circuit.h"

namespace plumb::circuit {
namespace {

/// Keeps clauses and decides them by unit propagation and case splits.
class Clauses : public ClauseSink {
 public:
  void add_clause(std::span<const int> literals) override {
    clauses_.emplace_back(literals.begin(), literals.end());
    for (const int l : literals) {
      EXPECT_NE(l, 0);
      variables_ = std::max(variables_, std::abs(l));
    }
  }
  std::size_t count() const { return clauses_.size(); }
  std::size_t literals() const {
    std::size_t sum = 0;
    for (const auto& clause : clauses_) sum += clause.size();
    return sum;
  }

  bool satisfiable(std::span<const int> units) const {
    int variables = variables_;
    for (const int l : units) variables = std::max(variables, std::abs(l));
    std::vector<signed char> values(static_cast<std::size_t>(variables) + 1, 0);
    for (const int l : units) {
      if (value(values, l) < 0) return false;
      set(values, l);
    }
    return search(values);
  }

 private:
  static int value(const std::vector<signed char>& values, int l) {
    const int v = values[static_cast<std::size_t>(std::abs(l))];
    return l < 0 ? -v : v;
  }
  static void set(std::vector<signed char>& values, int l) {
    values[static_cast<std::size_t>(std::abs(l))] = l < 0 ? -1 : 1;
  }
  bool search(std::vector<signed char> values) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& clause : clauses_) {
        int open = 0;
        int last = 0;
        bool satisfied = false;
        for (const int l : clause) {
          const int v = value(values, l);
          if (v > 0) satisfied = true;
          if (v == 0 && l != last) {
            ++open;
            last = l;
          }
        }
        if (satisfied) continue;
        if (open == 0) return false;
        if (open == 1) {
          set(values, last);
          changed = true;
        }
      }
    }
    const auto free = std::find(values.begin() + 1, values.end(), 0);
    if (free == values.end()) return true;
    for (const bool sign : {true, false}) {
      *free = sign ? 1 : -1;
      if (search(values)) return true;
    }
    return false;
  }

  std::vector<std::vector<int>> clauses_;
  int variables_ = 0;
};

/// Values of all literals for all assignments of up to 8 inputs and latches, which count as inputs here.
class TruthTable {
 public:
  explicit TruthTable(const Aig& aig) : values_(aig.size(), std::vector<bool>(kRows, false)) {
    std::uint32_t leaf = 0;
    for (std::uint32_t node = 1; node < aig.size(); ++node) {
      if (!aig.is_and(node)) leaves_.push_back(node);
      for (std::size_t row = 0; row < kRows; ++row)
        values_[node][row] =
            aig.is_and(node) ? value(aig.fanin0(node), row) && value(aig.fanin1(node), row) : ((row >> leaf) & 1) != 0;
      if (!aig.is_and(node)) ++leaf;
    }
    rows_ = std::size_t{1} << leaf;
  }
  std::size_t rows() const { return rows_; }
  bool value(Lit lit, std::size_t row) const { return values_[lit.node()][row] != lit.complemented(); }
  /// DIMACS literals for the assignment, of those inputs that have variables.
  std::vector<int> units(const CnfEncoder& encoder, std::size_t row) const {
    std::vector<int> result;
    for (const std::uint32_t node : leaves_)
      if (const int v = encoder.variable(node)) result.push_back(value(Lit::of(node), row) ? v : -v);
    return result;
  }

 private:
  static constexpr std::size_t kRows = 256;
  std::vector<std::vector<bool>> values_;
  std::vector<std::uint32_t> leaves_;
  std::size_t rows_ = 0;
};

struct Request {
  Lit lit;
  int literal;
  bool equivalent;
};

void check(const Clauses& clauses, const CnfEncoder& encoder, const TruthTable& table,
           std::span<const Request> requests, std::span<const Lit> asserted, const std::string& where) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<int> units = table.units(encoder, row);
    const bool holds = std::all_of(asserted.begin(), asserted.end(), [&](Lit l) { return table.value(l, row); });
    ASSERT_EQ(clauses.satisfiable(units), holds) << where << " row " << row;
    if (!holds) continue;
    for (const Request& request : requests) {
      const bool expected = table.value(request.lit, row);
      units.push_back(request.literal);
      ASSERT_EQ(clauses.satisfiable(units), expected) << where << " row " << row << " lit " << request.lit.code;
      units.back() = -request.literal;
      if (request.equivalent) {
        ASSERT_EQ(clauses.satisfiable(units), !expected) << where << " row " << row << " lit " << request.lit.code;
      } else if (!expected) {
        ASSERT_TRUE(clauses.satisfiable(units)) << where << " row " << row << " lit " << request.lit.code;
      }
      units.pop_back();
    }
    // All that holds can be assumed together.
    for (const Request& request : requests)
      if (table.value(request.lit, row)) units.push_back(request.literal);
    ASSERT_TRUE(clauses.satisfiable(units)) << where << " row " << row;
  }
}

/// Requests literals of random circuits one after the other, `assertions` of ten of them by assert_true.
void check_random_requests(std::uint64_t seeds, std::uint32_t operations, std::uint64_t assertions) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    std::mt19937_64 random(seed);
    const auto leaves = static_cast<std::uint32_t>(random() % 6);
    const Aig aig = random_circuit(seed, 1 + leaves / 2, leaves - leaves / 2, operations);
    const TruthTable table(aig);
    Clauses clauses;
    CnfEncoder encoder(aig, clauses);
    const Budget budget;
    std::vector<Request> requests;
    std::vector<Lit> asserted;
    for (int i = 0; i < 8; ++i) {
      const Lit lit = Lit::of(static_cast<std::uint32_t>(random() % aig.size()), random() % 2 == 0);
      if (random() % 10 < assertions) {
        encoder.assert_true(lit, budget);
        asserted.push_back(lit);
      } else {
        const bool equivalent = random() % 2 == 0;
        requests.push_back(
            {lit, equivalent ? encoder.equivalent(lit, budget) : encoder.implying(lit, budget), equivalent});
      }
      if (i % 3 == 1 || i == 7) check(clauses, encoder, table, requests, asserted, "seed " + std::to_string(seed));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Cnf, LiteralsMeanWhatTheyStandForInRandomCircuits) { check_random_requests(300, 30, 0); }
TEST(Cnf, AssertionsHoldExactlyWhereTheyAreTrueInRandomCircuits) { check_random_requests(300, 30, 3); }
TEST(Cnf, TinyCircuitsAreEncodedRight) { check_random_requests(1000, 6, 3); }

TEST(Cnf, ACircuitThatGrowsIsEncodedRight) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    Aig aig;
    Clauses clauses;
    CnfEncoder encoder(aig, clauses);
    std::vector<Lit> pool;
    for (int i = 0; i < 5; ++i) pool.push_back(aig.add_input());
    const auto pick = [&] { return pool[random() % pool.size()] ^ (random() % 2 == 0); };
    std::vector<Request> requests;
    for (int round = 0; round < 4; ++round) {
      for (int i = 0; i < 8; ++i) {
        const Lit a = pick();
        pool.push_back(random() % 3 == 0 ? aig.xor_(a, pick()) : aig.and_(a, pick()));
      }
      const Lit lit = pick();
      const bool equivalent = random() % 2 == 0;
      requests.push_back(
          {lit, equivalent ? encoder.equivalent(lit, Budget()) : encoder.implying(lit, Budget()), equivalent});
      check(clauses, encoder, TruthTable(aig), requests, {}, "seed " + std::to_string(seed));
      if (HasFatalFailure()) return;
    }
  }
}

/// Refuses each clause with some probability, as if the budget had ended there.
class InterruptedClauses : public Clauses {
 public:
  explicit InterruptedClauses(std::uint64_t seed) : random_(seed) {}
  void add_clause(std::span<const int> literals) override {
    if (random_() % 20 == 0) throw OutOfBudget{Stop::Cancelled};
    Clauses::add_clause(literals);
  }

 private:
  std::mt19937_64 random_;
};

TEST(Cnf, AnInterruptedCallLeavesNothingHalfDone) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const Aig aig = random_circuit(seed, 4, 0, 30);
    InterruptedClauses clauses(seed);
    CnfEncoder encoder(aig, clauses);
    std::vector<Request> requests;
    for (int i = 0; i < 30; ++i) {
      const Lit lit = Lit::of(static_cast<std::uint32_t>(random() % aig.size()), random() % 2 == 0);
      const bool equivalent = random() % 2 == 0;
      try {
        const int literal = equivalent ? encoder.equivalent(lit, Budget()) : encoder.implying(lit, Budget());
        requests.push_back({lit, literal, equivalent});
      } catch (const OutOfBudget&) {
      }
    }
    check(clauses, encoder, TruthTable(aig), requests, {}, "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

class CnfShapes : public testing::Test {
 protected:
  Lit input() { return aig_.add_input(); }
  void expect_counts(std::size_t clauses, int variables) {
    EXPECT_EQ(clauses_.count(), clauses);
    EXPECT_EQ(encoder_.variable_count(), variables);
  }

  Aig aig_;
  Clauses clauses_;
  CnfEncoder encoder_{aig_, clauses_};
  Budget budget_;
};

TEST_F(CnfShapes, ExclusiveOrHasFourClausesInBothPolaritiesAndTwoInOne) {
  const Lit a = input();
  const Lit b = input();
  const Lit x = aig_.xor_(a, b);
  encoder_.implying(x, budget_);
  expect_counts(2, 3);
  encoder_.implying(~x, budget_);
  expect_counts(4, 3);
  encoder_.equivalent(x, budget_);
  expect_counts(4, 3);
}

TEST_F(CnfShapes, AllSignPatternsOfAnExclusiveOrAreFound) {
  for (int signs = 0; signs < 4; ++signs) {
    Aig aig;
    const Lit a = aig.add_input() ^ ((signs & 1) != 0);
    const Lit b = aig.add_input() ^ ((signs & 2) != 0);
    Clauses clauses;
    CnfEncoder encoder(aig, clauses);
    encoder.equivalent(aig.or_(aig.and_(a, ~b), aig.and_(~a, b)), budget_);
    EXPECT_EQ(clauses.count(), 4U);
    EXPECT_EQ(encoder.variable_count(), 3);
  }
}

TEST_F(CnfShapes, ChoiceHasSixClausesInBothPolaritiesAndThreeInOne) {
  const Lit choice = aig_.ite(input(), input(), input());
  encoder_.implying(~choice, budget_);
  expect_counts(3, 4);
  encoder_.equivalent(choice, budget_);
  expect_counts(6, 4);
}

TEST_F(CnfShapes, FullAdderHasSixteenClausesAndOneInnerVariable) {
  Gates gates(aig_, budget_);
  const Lit a = input();
  const Lit b = input();
  const Lit c = input();
  const Lit sum = gates.xor_(gates.xor_(a, b), c);
  const Lit carry = gates.majority(a, b, c);
  encoder_.equivalent(sum, budget_);
  encoder_.equivalent(carry, budget_);
  expect_counts(16, 6);
}

TEST_F(CnfShapes, AndTreeIsOneGate) {
  Word inputs;
  for (int i = 0; i < 10; ++i) inputs.push_back(input());
  Gates gates(aig_, budget_);
  const Lit all = all_of(gates, inputs);
  encoder_.implying(~all, budget_);
  expect_counts(1, 11);
  encoder_.equivalent(all, budget_);
  expect_counts(11, 11);
}

TEST_F(CnfShapes, SharedConjunctKeepsItsVariable) {
  const Lit shared = aig_.and_(input(), input());
  const Lit p = aig_.and_(shared, input());
  const Lit q = aig_.and_(shared, input());
  encoder_.implying(~aig_.and_(~p, ~q), budget_);
  EXPECT_NE(encoder_.variable(shared.node()), 0);
}

TEST_F(CnfShapes, ConjunctOfAGateThatIsWantedInBothPolaritiesIsAbsorbed) {
  const Lit inner = aig_.and_(input(), input());
  const Lit tree = aig_.and_(inner, input());
  const Lit down = aig_.and_(tree, input());
  const Lit up = aig_.and_(~aig_.and_(tree, input()), input());
  encoder_.implying(aig_.and_(~down, ~up), budget_);
  EXPECT_NE(encoder_.variable(tree.node()), 0);
  EXPECT_EQ(encoder_.variable(inner.node()), 0);
}

TEST_F(CnfShapes, AssertedGatesHaveNoVariables) {
  const Lit a = input();
  const Lit b = input();
  const Lit c = input();
  const Lit d = input();
  const Lit e = input();
  // a, (b or c or d), d ^ e and a choice.
  const Lit top = aig_.and_(aig_.and_(a, aig_.or_(b, aig_.or_(c, d))), aig_.and_(aig_.xor_(d, e), aig_.ite(b, c, e)));
  encoder_.assert_true(top, budget_);
  expect_counts(1 + 1 + 2 + 3, 5);
  EXPECT_EQ(clauses_.literals(), 1U + 3U + 4U + 6U);
}

TEST_F(CnfShapes, ConstantsAreTrueAndFalse) {
  encoder_.assert_true(kTrue, budget_);
  expect_counts(0, 0);
  const int literal = encoder_.implying(kTrue, budget_);
  EXPECT_TRUE(clauses_.satisfiable(std::vector{literal}));
  EXPECT_FALSE(clauses_.satisfiable(std::vector{-literal}));
  EXPECT_EQ(encoder_.equivalent(kFalse, budget_), -literal);
  encoder_.assert_true(kFalse, budget_);
  EXPECT_FALSE(clauses_.satisfiable({}));
}

/// Only counts: for circuits that are too large to decide here.
struct Counter : ClauseSink {
  void add_clause(std::span<const int> literals) override {
    ++clauses;
    longest = std::max(longest, literals.size());
  }
  std::size_t clauses = 0;
  std::size_t longest = 0;
};

TEST(Cnf, MillionDeepChainsDoNotOverflowTheStack) {
  constexpr std::size_t kDepth = 1'000'000;
  Aig aig;
  Lit conjunction = aig.add_input();
  Lit alternation = conjunction;
  for (std::size_t i = 0; i < kDepth; ++i) {
    const Lit x = aig.add_input();
    conjunction = aig.and_(conjunction, x);
    alternation = ~aig.and_(alternation, x);
  }
  Counter counter;
  CnfEncoder encoder(aig, counter);
  encoder.implying(~conjunction, Budget());
  EXPECT_EQ(counter.clauses, 1U);
  EXPECT_EQ(counter.longest, kDepth + 2);
  // Odd steps want two clauses, even ones one.
  encoder.implying(alternation, Budget());
  EXPECT_EQ(counter.clauses, 1 + kDepth / 2 * 3);
  encoder.assert_true(conjunction, Budget());
  encoder.assert_true(alternation, Budget());
}

TEST(Cnf, StopsWhenTheBudgetEndsAndCanGoOn) {
  Aig aig;
  std::vector<Lit> inputs;
  for (int i = 0; i < 8; ++i) inputs.push_back(aig.add_input());
  std::mt19937_64 random(1);
  std::vector<Lit> pool = inputs;
  Lit root = inputs[0];
  for (int i = 0; i < 20000; ++i) {
    pool.push_back(aig.and_(pool[random() % pool.size()] ^ (random() % 2 == 0), ~pool.back()));
    root = aig.xor_(root, pool.back());
  }
  Clauses clauses;
  CnfEncoder encoder(aig, clauses);
  const Budget cancelled = Budget().with_own_cancellation();
  cancelled.cancel();
  EXPECT_THROW(encoder.implying(root, cancelled), OutOfBudget);
  const int literal = encoder.equivalent(root, Budget());

  Simulator simulator(aig);
  for (std::uint32_t i = 0; i < inputs.size(); ++i) simulator.set_input(i, 0);
  simulator.evaluate();
  std::vector<int> units = {literal};
  for (const Lit lit : inputs) units.push_back(-encoder.variable(lit.node()));
  std::erase(units, 0);
  EXPECT_EQ(clauses.satisfiable(units), simulator.value(root) != 0);
}

}  // namespace
}  // namespace plumb::circuit
