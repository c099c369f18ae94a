#include "circuit/bit_blaster.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "base/error.h"
#include "term/evaluator.h"
#include "word_simulation.h"

namespace plumb::circuit {
namespace {

using term::Op;
using term::Term;
using term::TermStore;

/// An operator with the width of its result and its parameter, applied to operands of some widths.
struct Application {
  Op op;
  std::vector<std::uint32_t> operand_widths;
  std::uint32_t width;
  std::uint32_t parameter = 0;

  std::string text() const {
    std::string result = std::string(name(op)) + " to " + std::to_string(width) + " from";
    for (const std::uint32_t w : operand_widths) result += " " + std::to_string(w);
    return result + " parameter " + std::to_string(parameter);
  }
};

/// Every operator on bit-vectors, the derived ones too, with operands of `width` bits.
std::vector<Application> applications(std::uint32_t width) {
  std::vector<Application> result;
  for (int i = 0; i < term::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    switch (op) {
      case Op::Constant:
      case Op::Variable:
      case Op::Select:
      case Op::Store:
      case Op::ConstantArray:
        break;
      case Op::Concat:
        for (const std::uint32_t low : {1U, width}) result.push_back({op, {width, low}, width + low});
        break;
      case Op::Extract:
        for (std::uint32_t low = 0; low < width; low += 1 + width / 5)
          for (std::uint32_t w = 1; low + w <= width; w += 1 + width / 5) result.push_back({op, {width}, w, low});
        break;
      case Op::ZeroExtend:
      case Op::SignExtend:
        for (const std::uint32_t more : {1U, 5U, width}) result.push_back({op, {width}, width + more});
        break;
      case Op::Repeat:
        result.push_back({op, {width}, 3 * width});
        break;
      case Op::Ite:
        result.push_back({op, {1, width, width}, width});
        break;
      default:
        result.push_back({op, std::vector(arity(op), width), is_predicate(op) ? 1 : width});
    }
  }
  return result;
}

BitVector evaluate(const Application& application, const Case& values) {
  std::vector<const BitVector*> operands;
  for (const BitVector& value : values) operands.push_back(&value);
  return term::evaluate(application.op, operands, application.width, application.parameter);
}

class BitBlasterTest : public testing::Test {
 protected:
  /// Blasts the application to variables, or to constants where `constants` has a value, and compares it with
  /// evaluation.
  void check(const Application& application, std::span<const Case> cases, const Case* constants = nullptr,
             std::size_t constant_position = 0) {
    TermStore store;
    Aig aig;
    BitBlaster blaster(store, aig);
    const Budget budget;
    std::vector<Term> operands;
    std::vector<Word> inputs;
    for (std::size_t i = 0; i < application.operand_widths.size(); ++i) {
      const Term variable = store.variable(application.operand_widths[i], "x" + std::to_string(i));
      const auto bits = blaster.bits(variable, budget);
      inputs.emplace_back(bits.begin(), bits.end());
      const bool is_constant = constants != nullptr && i == constant_position;
      operands.push_back(is_constant ? store.constant((*constants)[i]) : variable);
    }
    const Term t = store.make(application.op, operands, application.width, application.parameter);
    const auto bits = blaster.bits(t, budget);
    const std::vector<BitVector> values = simulate(aig, inputs, Word(bits.begin(), bits.end()), cases);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      Case actual = cases[k];
      if (constants != nullptr) actual[constant_position] = (*constants)[constant_position];
      ASSERT_EQ(values[k].to_binary(), evaluate(application, actual).to_binary())
          << application.text() << " case " << k;
    }
  }
};

TEST_F(BitBlasterTest, EveryOperatorIsRightForAllValuesOfUpToFourBits) {
  for (std::uint32_t width = 1; width <= 4; ++width)
    for (const Application& application : applications(width))
      check(application, all_cases(application.operand_widths));
}

TEST_F(BitBlasterTest, EveryOperatorIsRightWithEachConstantOperandOfUpToFourBits) {
  for (std::uint32_t width = 1; width <= 4; ++width) {
    for (const Application& application : applications(width)) {
      const std::vector<Case> cases = all_cases(application.operand_widths);
      for (std::size_t position = 0; position < application.operand_widths.size(); ++position) {
        const std::uint32_t constant_width = application.operand_widths[position];
        for (std::uint64_t value = 0; value < std::uint64_t{1} << constant_width; ++value) {
          const Case constants(application.operand_widths.size(), BitVector(constant_width, value));
          check(application, cases, &constants, position);
        }
      }
    }
  }
}

TEST_F(BitBlasterTest, EveryOperatorIsRightForRandomWideValues) {
  for (const std::uint32_t width : {7U, 8U, 31U, 32U, 33U, 64U, 65U, 128U}) {
    for (const Application& application : applications(width)) {
      check(application, random_cases(application.operand_widths, 128, width));
      const std::vector<Case> constants = random_cases(application.operand_widths, 2, width + 1);
      for (std::size_t i = 0; i < application.operand_widths.size(); ++i)
        for (const Case& values : constants)
          check(application, random_cases(application.operand_widths, 64, i), &values, i);
    }
  }
}

TEST_F(BitBlasterTest, WideMultiplicationStopsWhenTheBudgetEndsAndTheBlasterStaysUsable) {
  TermStore store;
  Aig aig;
  BitBlaster blaster(store, aig);
  const Term a = store.variable(20000, "a");
  const Term b = store.variable(20000, "b");
  const Term product = store.mul(a, b);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(blaster.bits(product, Budget().with_timeout(std::chrono::duration<double>(0.2))), OutOfBudget);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_FALSE(blaster.is_blasted(product));
  EXPECT_EQ(blaster.bits(store.bit_xor(a, b), Budget()).size(), 20000U);
}

/// A random term over the variables, which shares subterms, by the operators that keep the width or give one bit.
Term random_term(TermStore& store, std::span<const Term> variables, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Term> words(variables.begin(), variables.end());
  std::vector<Term> bits = {store.boolean(true)};
  const std::uint32_t width = store.width(variables[0]);
  const std::vector<Op> operators = {
      Op::Not,  Op::And,  Op::Or,  Op::Xor,  Op::Neg,  Op::Add, Op::Sub, Op::Mul, Op::Udiv,         Op::Urem,
      Op::Sdiv, Op::Srem, Op::Shl, Op::Lshr, Op::Ashr, Op::Eq,  Op::Ult, Op::Slt, Op::UmulOverflow, Op::SmulOverflow};
  const auto word = [&] { return words[random() % words.size()]; };
  for (int i = 0; i < 40; ++i) {
    if (random() % 8 == 0) {
      words.push_back(store.ite(bits[random() % bits.size()], word(), word()));
    } else if (random() % 10 == 0) {
      words.push_back(store.constant(width, random()));
    } else if (random() % 10 == 0) {
      words.push_back(store.sign_extend(store.extract(word(), width - 2, 1), width));
    } else {
      const Op op = operators[random() % operators.size()];
      std::vector<Term> operands;
      for (unsigned k = 0; k < arity(op); ++k) operands.push_back(word());
      (is_predicate(op) ? bits : words).push_back(store.make(op, operands));
    }
  }
  return store.concat(bits.back(), words.back());
}

TEST(BitBlaster, RandomTermsHaveTheValuesOfTheirOperators) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    TermStore store;
    Aig aig;
    BitBlaster blaster(store, aig);
    const std::uint32_t width = 3 + static_cast<std::uint32_t>(seed % 7);
    const std::vector<Term> variables = {store.variable(width, "a"), store.variable(width, "b"),
                                         store.variable(width, "c")};
    std::vector<Word> inputs;
    for (const Term v : variables) {
      const auto bits = blaster.bits(v, Budget());
      inputs.emplace_back(bits.begin(), bits.end());
    }
    const Term t = random_term(store, variables, seed);
    const auto bits = blaster.bits(t, Budget());
    const std::vector<Case> cases = random_cases(std::vector{width, width, width}, 64, seed);
    const std::vector<BitVector> values = simulate(aig, inputs, Word(bits.begin(), bits.end()), cases);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      term::Assignment assignment;
      for (std::size_t i = 0; i < variables.size(); ++i) assignment[variables[i]] = cases[k][i];
      term::Evaluator evaluator(store, assignment);
      ASSERT_EQ(values[k].to_binary(), evaluator.bits(t).to_binary()) << "seed " << seed;
    }
  }
}

TEST(BitBlaster, VariablesBecomeInputsNamedByBit) {
  TermStore store;
  Aig aig;
  BitBlaster blaster(store, aig);
  const Term flag = store.variable(1, "flag");
  const Term word = store.variable(2, "word");
  blaster.bits(flag, Budget());
  blaster.bits(store.bit_not(word), Budget());
  ASSERT_EQ(aig.inputs().size(), 3U);
  EXPECT_EQ(aig.inputs()[0].name, "flag");
  EXPECT_EQ(aig.inputs()[1].name, "word[0]");
  EXPECT_EQ(aig.inputs()[2].name, "word[1]");
  EXPECT_TRUE(blaster.is_blasted(word));
  ASSERT_EQ(blaster.leaves().size(), 2U);
  EXPECT_EQ(blaster.leaves()[0], flag);
  EXPECT_EQ(blaster.leaves()[1], word);
}

TEST(BitBlaster, SelectsAndArrayEqualitiesAreCutPoints) {
  TermStore store;
  Aig aig;
  BitBlaster blaster(store, aig);
  const Term a = store.variable(term::Sort{8, 4}, "a");
  const Term b = store.variable(term::Sort{8, 4}, "b");
  const Term index = store.variable(4, "i");
  const Term read = store.select(a, index);
  const Term same = store.eq(store.store(a, index, store.one(8)), b);
  EXPECT_EQ(blaster.bits(store.add(read, store.one(8)), Budget()).size(), 8U);
  EXPECT_EQ(blaster.bits(store.bit_and(same, store.variable(1, "p")), Budget()).size(), 1U);
  EXPECT_TRUE(blaster.is_blasted(read));
  EXPECT_TRUE(blaster.is_blasted(same));
  EXPECT_FALSE(blaster.is_blasted(index));
  EXPECT_EQ(blaster.leaves().size(), 3U);
  EXPECT_EQ(aig.inputs().size(), 8U + 1U + 1U);
  EXPECT_THROW(blaster.bits(a, Budget()), InternalError);
}

TEST(BitBlaster, ATermIsBlastedOnce) {
  TermStore store;
  Aig aig;
  BitBlaster blaster(store, aig);
  const Term a = store.variable(16, "a");
  const Term b = store.variable(16, "b");
  const auto first = blaster.bits(store.mul(a, b), Budget());
  const Word copy(first.begin(), first.end());
  const std::uint32_t size = aig.size();
  const auto second = blaster.bits(store.mul(a, b), Budget());
  EXPECT_EQ(copy, Word(second.begin(), second.end()));
  EXPECT_EQ(aig.size(), size);
}

TEST(BitBlaster, QuotientAndRemainderShareOneDivider) {
  TermStore store;
  Aig aig;
  BitBlaster blaster(store, aig);
  const Term a = store.variable(16, "a");
  const Term b = store.variable(16, "b");
  blaster.bits(store.udiv(a, b), Budget());
  const std::uint32_t size = aig.size();
  blaster.bits(store.urem(a, b), Budget());
  EXPECT_EQ(aig.size(), size);
}

TEST(BitBlaster, SubtractionIsOneRipple) {
  const auto gates = [](const std::function<Term(TermStore&, Term, Term)>& make) {
    TermStore store;
    Aig aig;
    BitBlaster blaster(store, aig);
    const Term a = store.variable(32, "a");
    const Term b = store.variable(32, "b");
    blaster.bits(make(store, a, b), Budget());
    return aig.and_count();
  };
  const std::uint32_t sum = gates([](TermStore& s, Term a, Term b) { return s.add(a, b); });
  EXPECT_LE(gates([](TermStore& s, Term a, Term b) { return s.sub(a, b); }), sum + 3);
  EXPECT_LE(gates([](TermStore& s, Term a, Term b) { return s.sub(b, a); }), sum + 3);
  EXPECT_LE(gates([](TermStore& s, Term a, Term) {
              const Term negated = s.neg(a);
              return s.add(negated, s.variable(32, "younger than the negation"));
            }),
            sum + 3);
}

TEST(BitBlaster, MillionDeepTermsDoNotOverflowTheStack) {
  TermStore store;
  Aig aig;
  BitBlaster blaster(store, aig);
  std::vector<Term> variables;
  for (int i = 0; i < 101; ++i) variables.push_back(store.variable(1, std::to_string(i)));
  Term t = variables[0];
  for (std::size_t i = 0; i < 1'000'000; ++i) {
    const Term v = variables[i % variables.size()];
    t = i % 2 == 0 ? store.bit_xor(t, v) : store.bit_not(store.bit_and(t, v));
  }
  const Lit lit = blaster.bit(t, Budget());

  Simulator simulator(aig);
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> words(variables.size());
  std::generate(words.begin(), words.end(), random);
  for (std::size_t i = 0; i < variables.size(); ++i)
    simulator.set_input(aig.ordinal(blaster.bit(variables[i], Budget()).node()), words[i]);
  simulator.evaluate();
  std::uint64_t expected = words[0];
  for (std::size_t i = 0; i < 1'000'000; ++i) {
    const std::uint64_t v = words[i % words.size()];
    expected = i % 2 == 0 ? expected ^ v : ~(expected & v);
  }
  EXPECT_EQ(simulator.value(lit), expected);
}

}  // namespace
}  // namespace plumb::circuit
