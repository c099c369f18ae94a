// One body for all backends: what Solver promises holds for each of them. Models are not looked at where check() has
// done it already.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <ostream>
#include <random>
#include <thread>

#include "base/subprocess.h"
#include "solve/external/process_solver.h"
#include "solve/solver.h"
#include "term/evaluator.h"

namespace plumb::solve {
namespace {

using term::Op;
using term::Term;
using term::TermStore;
using namespace std::chrono_literals;

struct Backend {
  friend void PrintTo(const Backend& backend, std::ostream* out) { *out << backend.name; }

  std::string name;
  std::string program;  ///< that must be on PATH
  std::function<std::unique_ptr<Solver>(TermStore&)> make;
};

Backend library(const std::string& name) {
  return {name, "", [name](TermStore& store) { return make_solver(store, name); }};
}

Backend process(const std::string& program, ProcessMode mode) {
  return {program + (mode == ProcessMode::Interactive ? "Interactive" : "FreshProcess"), program,
          [program, mode](TermStore& store) {
            return std::make_unique<ProcessSolver>(store, SolverCommand::of(program), mode);
          }};
}

class Backends : public ::testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (const std::string& program = GetParam().program; !program.empty() && !find_program(program))
      GTEST_SKIP() << program << " is not on PATH";
    solver = GetParam().make(store);
  }
  Answer check(std::vector<Term> assumptions = {}) {
    const Result result = solver->check(assumptions, Budget().with_timeout(30s));
    EXPECT_NE(result.answer, Answer::Unknown) << result.reason;
    return result.answer;
  }
  Term var(std::uint32_t width, std::string name = "x") { return store.variable(width, std::move(name)); }
  Term array(std::uint32_t index, std::uint32_t element, std::string name = "m") {
    return store.variable(term::Sort{element, index}, std::move(name));
  }
  Term constant(std::uint32_t width, std::uint64_t value) { return store.constant(width, value); }
  BitVector value(Term t) { return term::Evaluator(store, solver->model()).bits(t); }
  /// p * q = n with 31-bit factors, in 64 bits.
  void assert_factoring(std::uint64_t n) {
    const Term p = store.zero_extend(var(31, "p"), 64);
    const Term q = store.zero_extend(var(31, "q"), 64);
    solver->assert_true(store.eq(store.mul(p, q), constant(64, n)));
    solver->assert_true(store.ult(store.one(64), p));
    solver->assert_true(store.ult(p, q));
  }

  TermStore store;
  std::unique_ptr<Solver> solver;
};

// A prime: the search has no lucky end.
constexpr std::uint64_t kPrime = 1111111111111111111;

TEST_P(Backends, AnEmptyProblemIsSatisfiable) { EXPECT_EQ(check(), Answer::Sat); }

TEST_P(Backends, TrueAndFalseAreDecided) {
  solver->assert_true(store.boolean(true));
  EXPECT_EQ(check(), Answer::Sat);
  solver->assert_true(store.boolean(false));
  EXPECT_EQ(check(), Answer::Unsat);
}

TEST_P(Backends, ALinearEquationHasItsOnlySolution) {
  const Term x = var(16);
  solver->assert_true(store.eq(store.add(store.mul(x, constant(16, 7)), constant(16, 3)), constant(16, 38)));
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(16, 5));
  solver->assert_true(store.distinct(x, constant(16, 5)));
  EXPECT_EQ(check(), Answer::Unsat);
}

TEST_P(Backends, PoppedAssertionsAreForgottenAndEarlierOnesKept) {
  const Term x = var(8);
  solver->assert_true(store.ult(x, constant(8, 10)));
  solver->push();
  solver->assert_true(store.ult(constant(8, 8), x));
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(8, 9));
  solver->push();
  solver->assert_true(store.distinct(x, constant(8, 9)));
  EXPECT_EQ(check(), Answer::Unsat);
  solver->pop();
  EXPECT_EQ(check(), Answer::Sat);
  solver->pop();
  solver->push();
  solver->assert_true(store.eq(x, constant(8, 3)));
  EXPECT_EQ(check(), Answer::Sat);
  solver->pop();
  solver->assert_true(store.ult(constant(8, 9), x));
  EXPECT_EQ(check(), Answer::Unsat);
}

TEST_P(Backends, APopIntoTheMiddleOfWhatOneCheckSawKeepsTheLowerPart) {
  const Term x = var(8);
  const Term y = var(8, "y");
  solver->push();
  solver->assert_true(store.eq(x, constant(8, 1)));
  solver->push();
  solver->assert_true(store.eq(store.add(x, y), constant(8, 4)));
  solver->push();
  solver->assert_true(store.eq(y, constant(8, 7)));
  EXPECT_EQ(check(), Answer::Unsat);
  solver->pop();
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_EQ(value(y), BitVector(8, 3));
  solver->pop();
  solver->assert_true(store.eq(y, constant(8, 7)));
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(8, 1));
  solver->pop();
  solver->assert_true(store.eq(x, constant(8, 2)));
  EXPECT_EQ(check(), Answer::Sat);
}

TEST_P(Backends, AssumptionsHoldForOneCheckOnly) {
  const Term x = var(8);
  const Term p = var(1, "p");
  solver->assert_true(store.implies(p, store.eq(x, constant(8, 1))));
  ASSERT_EQ(check({p}), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(8, 1));
  EXPECT_EQ(check({p, store.eq(x, constant(8, 2))}), Answer::Unsat);
  ASSERT_EQ(check({store.bit_not(p), store.eq(x, constant(8, 2))}), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(8, 2));
  EXPECT_EQ(check({store.boolean(false)}), Answer::Unsat);
  EXPECT_EQ(check({store.boolean(true)}), Answer::Sat);
  EXPECT_EQ(check(), Answer::Sat);
}

TEST_P(Backends, AssumptionsSurviveThePopOfTheScopeTheyWereFirstUsedIn) {
  const Term x = var(8);
  const Term small = store.ult(x, constant(8, 4));
  solver->push();
  solver->assert_true(store.distinct(x, constant(8, 0)));
  EXPECT_EQ(check({small}), Answer::Sat);
  solver->pop();
  solver->push();
  solver->assert_true(store.ult(constant(8, 5), x));
  EXPECT_EQ(check({small}), Answer::Unsat);
  EXPECT_EQ(solver->failed_assumptions(), std::vector<Term>{small});
  solver->pop();
  EXPECT_EQ(check({small}), Answer::Sat);
}

TEST_P(Backends, FailedAssumptionsAloneContradictTheAssertions) {
  const Term x = var(8);
  const Term unrelated = store.eq(var(8, "y"), constant(8, 1));
  solver->assert_true(store.ult(x, constant(8, 100)));
  const Term low = store.ult(x, constant(8, 10));
  const Term high = store.ult(constant(8, 20), x);
  ASSERT_EQ(check({unrelated, high, low}), Answer::Unsat);
  const std::vector<Term> failed = solver->failed_assumptions();
  EXPECT_NE(std::ranges::find(failed, low), failed.end());
  EXPECT_NE(std::ranges::find(failed, high), failed.end());
  EXPECT_EQ(check(failed), Answer::Unsat);
  EXPECT_EQ(check({unrelated, high}), Answer::Sat);
  EXPECT_TRUE(solver->failed_assumptions().empty());
}

TEST_P(Backends, ContradictoryAssertionsAreUnsatisfiableUnderAnAssumption) {
  const Term x = var(8);
  solver->assert_true(store.ult(x, constant(8, 0)));
  EXPECT_EQ(check({store.eq(x, constant(8, 1))}), Answer::Unsat);
}

TEST_P(Backends, VariablesWithTheSameOrAStrangeNameAreDifferent) {
  const Term a = var(8, "x");
  const Term b = var(8, "x");
  const Term odd = var(8, "a |b\\ c\n(");
  const Term word = var(8, "assert");
  const Term defined = var(8, "$1");
  solver->assert_true(store.ult(a, b));
  solver->assert_true(store.ult(b, odd));
  solver->assert_true(store.ult(odd, word));
  solver->assert_true(store.ult(word, defined));
  solver->assert_true(store.eq(store.mul(a, b), store.mul(b, defined)));
  EXPECT_EQ(check({store.ult(constant(8, 3), a)}), Answer::Sat);
}

TEST_P(Backends, TheModelCoversEveryVariableThatMatters) {
  std::vector<Term> bits;
  for (int i = 0; i < 40; ++i) {
    bits.push_back(var(i % 3 == 0 ? 1 : 9, fmt::format("v{}", i)));
    solver->assert_true(store.eq(bits.back(), store.ones(store.width(bits.back()))));
  }
  ASSERT_EQ(check(), Answer::Sat);
  for (const Term t : bits) EXPECT_TRUE(solver->model().contains(t));
}

TEST_P(Backends, StoresAndSelectsFollowTheArrayAxioms) {
  const Term m = array(32, 8);
  const Term i = var(32, "i");
  const Term j = var(32, "j");
  const Term written = store.store(m, i, constant(8, 42));
  solver->assert_true(store.eq(store.select(written, j), constant(8, 7)));
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_NE(value(i), value(j));
  EXPECT_EQ(value(store.select(m, j)), BitVector(8, 7));
  EXPECT_EQ(check({store.eq(i, j)}), Answer::Unsat);
}

TEST_P(Backends, ArraysThatDifferDifferAtAnIndexOfTheModel) {
  const Term a = array(4, 8, "a");
  const Term b = array(4, 8, "b");
  solver->assert_true(store.distinct(a, b));
  for (std::uint64_t i = 0; i < 15; ++i)
    solver->assert_true(store.eq(store.select(a, constant(4, i)), store.select(b, constant(4, i))));
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_NE(value(store.select(a, constant(4, 15))), value(store.select(b, constant(4, 15))));
  solver->assert_true(store.eq(store.select(a, constant(4, 15)), store.select(b, constant(4, 15))));
  EXPECT_EQ(check(), Answer::Unsat);
}

TEST_P(Backends, EqualArraysHaveEqualElements) {
  const Term a = array(16, 16, "a");
  const Term b = array(16, 16, "b");
  const Term i = var(16, "i");
  solver->assert_true(store.eq(store.store(a, i, constant(16, 5)), b));
  EXPECT_EQ(check({store.distinct(store.select(b, i), constant(16, 5))}), Answer::Unsat);
  EXPECT_EQ(check({store.distinct(store.select(a, i), constant(16, 5))}), Answer::Sat);
}

TEST_P(Backends, AConstantArrayHasItsElementEverywhere) {
  const Term a = array(8, 8, "a");
  const Term i = var(8, "i");
  solver->assert_true(store.eq(a, store.constant_array(8, constant(8, 9))));
  EXPECT_EQ(check({store.distinct(store.select(a, i), constant(8, 9))}), Answer::Unsat);
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_EQ(value(store.select(a, constant(8, 200))), BitVector(8, 9));
}

TEST_P(Backends, ArraysOfSingleBitsWork) {
  const Term a = array(1, 1, "a");
  const Term i = var(1, "i");
  solver->assert_true(store.distinct(store.select(a, i), store.select(a, store.bit_not(i))));
  solver->assert_true(store.bit_not(store.select(a, store.boolean(true))));
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_TRUE(value(store.select(a, store.boolean(false))).is_one());
  EXPECT_EQ(check({store.select(a, store.boolean(true))}), Answer::Unsat);
}

TEST_P(Backends, ArraysMayAppearAfterChecksWithoutThem) {
  const Term x = var(8);
  solver->assert_true(store.ult(x, constant(8, 5)));
  solver->push();
  solver->assert_true(store.ult(constant(8, 2), x));
  ASSERT_EQ(check({store.distinct(x, constant(8, 3))}), Answer::Sat);
  const Term m = array(8, 8);
  solver->push();
  solver->assert_true(store.eq(store.select(m, x), constant(8, 1)));
  EXPECT_EQ(check({store.eq(store.select(m, constant(8, 3)), constant(8, 2)),
                   store.eq(store.select(m, constant(8, 4)), constant(8, 2))}),
            Answer::Unsat);
  EXPECT_EQ(check(), Answer::Sat);
  solver->pop(2);
  EXPECT_EQ(check({store.eq(x, constant(8, 0))}), Answer::Sat);
}

TEST_P(Backends, WideVectorsKeepAllTheirBits) {
  for (const std::uint32_t width : {65U, 128U, 1000U}) {
    solver->push();
    const Term x = var(width);
    BitVector pattern = BitVector::from_words(width, std::vector<std::uint64_t>(16, 0x9e3779b97f4a7c15ULL));
    pattern.set_bit(width - 1, true);
    solver->assert_true(store.eq(store.add(store.bit_not(x), store.one(width)), store.constant(pattern)));
    ASSERT_EQ(check(), Answer::Sat);
    EXPECT_EQ(value(x), -pattern);
    EXPECT_EQ(check({store.distinct(x, store.constant(-pattern))}), Answer::Unsat);
    solver->pop();
  }
}

TEST_P(Backends, EveryOperatorHasItsValueOnAllOperandsUpToThreeBits) {
  for (int number = 0; number < term::kOpCount; ++number) {
    const Op op = static_cast<Op>(number);
    if (term::arity(op) == 0 || op >= Op::Concat) continue;
    std::vector<Term> wrong;
    for (std::uint32_t width = 1; width <= 3; ++width) {
      const std::vector<Term> operands = {var(width, "a"), var(width, "b")};
      const std::span<const Term> used(operands.data(), term::arity(op));
      const Term t = store.make(op, used);
      for (std::uint64_t code = 0; code < (1ULL << (2 * width)); ++code) {
        const BitVector a(width, code);
        const BitVector b(width, code >> width);
        const std::vector<const BitVector*> values = {&a, &b};
        const Term expected =
            store.constant(term::evaluate(op, std::span(values).first(used.size()), store.width(t), 0));
        wrong.push_back(
            store.all_of(std::vector<Term>{store.eq(operands[0], store.constant(a)),
                                           store.eq(operands[1], store.constant(b)), store.distinct(t, expected)}));
      }
    }
    EXPECT_EQ(check({store.any_of(wrong)}), Answer::Unsat) << term::name(op);
  }
}

TEST_P(Backends, StructuralOperatorsMoveTheRightBits) {
  const Term bit = var(1, "bit");
  const Term x = var(5);
  const Term p = var(1, "p");
  const auto extended = [&](Term t, std::uint32_t width) { return store.sign_extend(t, width); };
  solver->assert_true(store.eq(store.concat(bit, x), constant(6, 0b110010)));
  solver->assert_true(store.eq(store.ite(p, x, store.bit_not(x)), constant(5, 0b01101)));
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_TRUE(value(bit).is_one());
  EXPECT_EQ(value(x), BitVector(5, 0b10010));
  EXPECT_TRUE(value(p).is_zero());
  EXPECT_EQ(check({store.distinct(extended(x, 8), constant(8, 0b11110010))}), Answer::Unsat);
  EXPECT_EQ(check({store.distinct(extended(bit, 4), constant(4, 15))}), Answer::Unsat);
  EXPECT_EQ(check({store.distinct(store.extract(x, 3, 1), constant(3, 0b001))}), Answer::Unsat);
  EXPECT_EQ(check({store.bit(x, 0)}), Answer::Unsat);
}

// Some solvers take longer than the depth warrants, so the claim is only that nothing overflows and no answer is wrong.
TEST_P(Backends, DeepTermsNeedNoStack) {
  Term t = var(1, "p");
  for (int i = 0; i < 100000; ++i) t = store.bit_not(store.bit_and(t, var(1, "p")));
  solver->push();
  solver->assert_true(t);
  const Result result = solver->check(Budget().with_timeout(0.5s));
  EXPECT_NE(result.answer, Answer::Unsat);
  EXPECT_TRUE(result.answer == Answer::Sat || result.reason.find("out of time") != std::string::npos) << result.reason;
  solver->pop();
  EXPECT_EQ(check(), Answer::Sat);
}

TEST_P(Backends, ABudgetThatEndsIsUnknownAndLeavesTheSolverUsable) {
  const Term x = var(8);
  solver->assert_true(store.eq(x, constant(8, 3)));
  solver->push();
  assert_factoring(kPrime);
  const auto start = std::chrono::steady_clock::now();
  const Result result = solver->check(Budget().with_timeout(0.3s));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  ASSERT_EQ(result.answer, Answer::Unknown);
  EXPECT_NE(result.reason.find("out of time"), std::string::npos) << result.reason;
  EXPECT_TRUE(solver->model().empty());
  solver->pop();
  ASSERT_EQ(check(), Answer::Sat);
  EXPECT_EQ(value(x), BitVector(8, 3));
  EXPECT_EQ(check({store.eq(x, constant(8, 4))}), Answer::Unsat);
}

TEST_P(Backends, ACancelledCheckIsUnknownAndLeavesTheSolverUsable) {
  solver->push();
  assert_factoring(kPrime);
  const Budget budget;
  const std::jthread canceller([&] {
    std::this_thread::sleep_for(300ms);
    budget.cancel();
  });
  const auto start = std::chrono::steady_clock::now();
  const Result result = solver->check(budget);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  ASSERT_EQ(result.answer, Answer::Unknown);
  EXPECT_NE(result.reason.find("cancelled"), std::string::npos) << result.reason;
  solver->pop();
  const Term x = var(8);
  solver->assert_true(store.ult(x, constant(8, 1)));
  EXPECT_EQ(check(), Answer::Sat);
  EXPECT_EQ(check({store.eq(x, constant(8, 4))}), Answer::Unsat);
}

TEST_P(Backends, RandomScopesAndAssumptionsAgreeWithEnumeration) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t n) { return random() % n; };
  const std::vector<Term> variables = {var(3, "a"), var(3, "b"), var(1, "p")};
  const auto atom = [&] {
    const Term x = variables[pick(2)];
    const Term y = pick(2) == 0 ? variables[pick(2)] : constant(3, pick(8));
    const Term sides[] = {store.ult(store.add(x, y), constant(3, pick(8))),
                          store.eq(store.mul(x, y), constant(3, pick(8))), store.slt(x, y), variables[2]};
    const Term t = sides[pick(4)];
    return pick(2) == 0 ? t : store.bit_not(t);
  };
  const auto is_satisfiable = [&](std::span<const Term> assumptions) {
    for (std::uint64_t code = 0; code < 128; ++code) {
      const term::Assignment assignment = {{variables[0], BitVector(3, code)},
                                           {variables[1], BitVector(3, code >> 3)},
                                           {variables[2], BitVector(1, code >> 6)}};
      term::Evaluator evaluator(store, assignment);
      const auto holds = [&](Term t) { return evaluator.is_true(t); };
      if (std::ranges::all_of(solver->assertions(), holds) && std::ranges::all_of(assumptions, holds)) return true;
    }
    return false;
  };
  for (int step = 0; step < 120; ++step) {
    const std::size_t choice = pick(6);
    if (choice == 0) solver->push();
    if (choice == 1 && solver->scopes() > 0) solver->pop(1 + pick(solver->scopes()));
    if (choice == 2 && solver->scopes() > 0) solver->assert_true(atom());
    if (choice < 3) continue;
    std::vector<Term> assumptions;
    for (std::size_t n = pick(4); n > 0; --n) assumptions.push_back(atom());
    const bool expected = is_satisfiable(assumptions);
    ASSERT_EQ(check(assumptions), expected ? Answer::Sat : Answer::Unsat) << "step " << step;
    if (expected) continue;
    ASSERT_FALSE(is_satisfiable(solver->failed_assumptions())) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Backends,
                         ::testing::Values(library("native"), library("z3"), library("portfolio"),
                                           process("z3", ProcessMode::Interactive),
                                           process("z3", ProcessMode::OneProcessPerCheck),
                                           process("cvc5", ProcessMode::Interactive),
                                           process("cvc5", ProcessMode::OneProcessPerCheck)),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plumb::solve
