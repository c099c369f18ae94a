#include "lang/tiny/interpret/interpreter.h"

#include <gtest/gtest.h>

#include "base/bit_vector.h"
#include "lang/tiny/interpret/words.h"

namespace plumb::tiny {
namespace {

Options bits(std::uint32_t width) {
  Options options;
  options.int_width = width;
  return options;
}

Options signed_bits(std::uint32_t width) {
  Options options = bits(width);
  options.is_signed = true;
  return options;
}

std::uint64_t zero(const std::string&, std::uint64_t, std::uint64_t) { return 0; }

Outcome run(const std::string& text, const Options& options = bits(4), const Choices& choices = zero,
            const Limits& limits = {}) {
  std::vector<Warning> warnings;
  const Program program = parse(text, "t.tiny", warnings);
  return interpret(program, options, choices, limits);
}

std::vector<std::uint64_t> values(const Outcome& outcome, const std::string& name) {
  for (const VariableValue& value : outcome.values) {
    if (value.name == name) return value.values;
  }
  return {};
}

std::uint64_t value(const Outcome& outcome, const std::string& name) {
  const std::vector<std::uint64_t> found = values(outcome, name);
  EXPECT_EQ(found.size(), 1U) << name;
  return found.empty() ? 0 : found.front();
}

std::string failure(const Outcome& outcome) {
  if (!outcome.failure) return "none";
  return outcome.failure->kind + " at line " + std::to_string(outcome.failure->place.line) + ": " +
         outcome.failure->message;
}

/// The exact result fits, on plain machine integers.
bool fits(std::int64_t exact, std::uint32_t width, bool is_signed) {
  const std::int64_t least = is_signed ? -(std::int64_t{1} << (width - 1)) : 0;
  return exact >= least && exact < least + (std::int64_t{1} << width);
}

TEST(Words, AgreeWithBitVectorsOnAllPairsOfUpToFourBits) {
  for (const bool is_signed : {false, true}) {
    for (std::uint32_t width = 1; width <= 4; ++width) {
      const Words words(width, is_signed);
      for (std::uint64_t i = 0; i < std::uint64_t{1} << (2 * width); ++i) {
        const std::uint64_t a = i & words.mask();
        const std::uint64_t b = i >> width;
        const BitVector x(width, a);
        const BitVector y(width, b);
        const std::int64_t m = is_signed ? x.to_int64() : static_cast<std::int64_t>(a);
        const std::int64_t n = is_signed ? y.to_int64() : static_cast<std::int64_t>(b);
        const auto expect = [&](Operator op, const BitVector& result, bool overflows) {
          const Words::Result found = words.apply(op, a, b);
          EXPECT_EQ(found.word, result.to_uint64()) << static_cast<int>(op) << " " << a << " " << b << " " << width;
          EXPECT_EQ(found.overflows, overflows) << static_cast<int>(op) << " " << a << " " << b << " " << width;
        };
        expect(Operator::Add, x + y, !fits(m + n, width, is_signed));
        expect(Operator::Subtract, x - y, !fits(m - n, width, is_signed));
        expect(Operator::Multiply, x * y, !fits(m * n, width, is_signed));
        expect(Operator::Divide, is_signed ? x.sdiv(y) : x.udiv(y), n != 0 && !fits(m / n, width, is_signed));
        expect(Operator::Remainder, is_signed ? x.srem(y) : x.urem(y), false);
        expect(Operator::ShiftLeft, x.shl(y), b >= width);
        expect(Operator::ShiftRight, is_signed ? x.ashr(y) : x.lshr(y), b >= width);
        expect(Operator::BitXor, x ^ y, false);
        expect(Operator::BitAnd, x & y, false);
        expect(Operator::BitOr, x | y, false);
        EXPECT_EQ(words.compare(Operator::Less, a, b), m < n);
        EXPECT_EQ(words.compare(Operator::LessEqual, a, b), m <= n);
        EXPECT_EQ(words.compare(Operator::Greater, a, b), m > n);
        EXPECT_EQ(words.compare(Operator::GreaterEqual, a, b), m >= n);
        EXPECT_EQ(words.negate(a).word, (-x).to_uint64());
        EXPECT_EQ(words.negate(a).overflows, !fits(-m, width, is_signed));
      }
    }
  }
}

TEST(Words, HoldAtTheGreatestWidth) {
  const Words words(64, false);
  const std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(words.apply(Operator::Multiply, most, most).word, 1U);
  EXPECT_TRUE(words.apply(Operator::Multiply, most, most).overflows);
  EXPECT_TRUE(words.apply(Operator::Add, most, 1).overflows);
  EXPECT_FALSE(words.apply(Operator::Add, most, 0).overflows);
  EXPECT_EQ(words.text(most), "18446744073709551615");
  EXPECT_EQ(Words(64, true).text(most), "-1");
  EXPECT_TRUE(Words(64, true).apply(Operator::Divide, std::uint64_t{1} << 63, most).overflows);
}

TEST(Interpreter, TogetherReadsValuesBeforeTheBlock) {
  const Outcome outcome =
      run("int x = 3; int y = 5; int a[4]; void main() { a[3] = 1;"
          " @do_together { x = y; y = x; a[x] = 7; if (x == 3) { y = y + x; } } }");
  EXPECT_EQ(value(outcome, "x"), 5U);
  EXPECT_EQ(value(outcome, "y"), 8U);
  EXPECT_EQ(values(outcome, "a"), (std::vector<std::uint64_t>{0, 0, 0, 7}));
}

TEST(Interpreter, IndexOfATargetIsEvaluatedBeforeTheValue) {
  const Outcome outcome = run("int i = 0; int a[2]; int f() { i = 1; return 7; } void main() { a[i] = f(); }");
  EXPECT_EQ(values(outcome, "a"), (std::vector<std::uint64_t>{7, 0}));
}

TEST(Interpreter, OperandKeepsItsValueAcrossACallThatChangesIt) {
  const Outcome outcome = run("int x = 1; int y; int f() { x = 5; return 2; } void main() { y = x + f() + x; }");
  EXPECT_EQ(value(outcome, "y"), 8U);
}

TEST(Interpreter, RightSidesAreEvaluatedOnlyWhereTheyDecide) {
  const Outcome outcome =
      run("int a[2]; int i = 3; bool b; bool c; bool d; int e; void main() {"
          " b = i < 2 && a[i] == 0; c = i > 2 || a[i] == 0; d = i < 2 -> a[i] == 1;"
          " e = i > 2 ? 4 : a[i]; }");
  EXPECT_EQ(failure(outcome), "none");
  EXPECT_EQ(value(outcome, "b"), 0U);
  EXPECT_EQ(value(outcome, "c"), 1U);
  EXPECT_EQ(value(outcome, "d"), 1U);
  EXPECT_EQ(value(outcome, "e"), 4U);
}

TEST(Interpreter, RangeThatIsEmptyByABoundBelowZeroMakesForallTrueAndExistsFalse) {
  for (const bool is_signed : {false, true}) {
    const Outcome outcome =
        run("int n = 0; bool f; bool e; void main() {"
            " f = forall(int i : [0..n-1]) { false }; e = exists(int i : [0..n-1]) { true }; }",
            is_signed ? signed_bits(4) : bits(4));
    EXPECT_EQ(failure(outcome), "none");
    EXPECT_EQ(value(outcome, "f"), 1U);
    EXPECT_EQ(value(outcome, "e"), 0U);
  }
}

TEST(Interpreter, QuantifierOverAllIntsEnds) {
  const Outcome outcome =
      run("int n = 15; int s = 0; bool f; void main() {"
          " f = forall(int i : [0..n + n]) { i <= 15 }; }");
  EXPECT_EQ(outcome.end, Outcome::End::Finished);
  EXPECT_EQ(value(outcome, "f"), 1U);
}

TEST(Interpreter, QuantifierStopsWhereItIsDecided) {
  const std::string text =
      "int a[3]; bool b; void main() { a[0] = 0; a[1] = 4; a[2] = 0;"
      " b = exists(int i : [0..5]) { a[i] == VALUE }; }";
  std::string found = text;
  found.replace(found.find("VALUE"), 5, "4");
  EXPECT_EQ(failure(run(found)), "none");
  std::string missing = text;
  missing.replace(missing.find("VALUE"), 5, "5");
  EXPECT_EQ(failure(run(missing)), "index at line 1: index 3 of a, which has 3 elements");
}

TEST(Interpreter, NumberWithAMinusSignIsAWordAndNoOverflow) {
  const Outcome outcome = run("int x; int y = 1; void main() { x = -1; y = -y; }");
  EXPECT_EQ(value(outcome, "x"), 15U);
  EXPECT_EQ(failure(outcome), "overflow at line 1: -1 does not fit 4 bits");
}

TEST(Interpreter, FailuresNameTheirValues) {
  EXPECT_EQ(failure(run("int x = 9; void main() {\n x = x + x; }")), "overflow at line 2: 9 + 9 does not fit 4 bits");
  EXPECT_EQ(failure(run("int x = 3; void main() {\n x = x - 5; }")), "overflow at line 2: 3 - 5 does not fit 4 bits");
  EXPECT_EQ(failure(run("int x = 0; void main() {\n x = 7 / x; }")), "division at line 2: division of 7 by zero");
  EXPECT_EQ(failure(run("int a[2][3]; int x = 3; void main() {\n a[1][x] = 0; }")),
            "index at line 2: index 3 of a, which in dimension 2 has 3 elements");
  EXPECT_EQ(failure(run("int x = 0; void main() {\n assert(x > 0); }")), "assertion at line 2: x > 0 is false");
}

TEST(Interpreter, ChecksThatAreSwitchedOffGiveTheDocumentedValues) {
  Options options = bits(4);
  options.check_index = options.check_overflow = options.check_division = false;
  const Outcome outcome =
      run("int a[2][2]; int b[3]; int i = 9; int x; int y; int z; int w; void main() {"
          " a[0][0] = 1; a[0][1] = 2; a[1][0] = 3; a[1][1] = 4; b[2] = 6; b[i] = 9;"
          " x = a[i][0]; y = b[i] + i + i; z = i / (i - i); w = i % (i - i); }",
          options);
  EXPECT_EQ(failure(outcome), "none");
  EXPECT_EQ(value(outcome, "x"), 3U);
  EXPECT_EQ(values(outcome, "b"), (std::vector<std::uint64_t>{0, 0, 6}));
  EXPECT_EQ(value(outcome, "y"), (6U + 9 + 9) % 16);
  EXPECT_EQ(value(outcome, "z"), 15U);
  EXPECT_EQ(value(outcome, "w"), 9U);
}

TEST(Interpreter, WireShowsItsDefinitionAtEveryUse) {
  const Outcome outcome = run("int x = 1; wire int w = x + 1; int a; int b; void main() { a = w; x = 5; b = w; }");
  EXPECT_EQ(value(outcome, "a"), 2U);
  EXPECT_EQ(value(outcome, "b"), 6U);
}

TEST(Interpreter, LocalWithoutValueIsChosenAtEachExecution) {
  std::vector<std::string> asked;
  const Choices choices = [&](const std::string& name, std::uint64_t occurrence, std::uint64_t element) {
    asked.push_back(name + "/" + std::to_string(occurrence) + "/" + std::to_string(element));
    return occurrence + 1;
  };
  const Outcome outcome =
      run("int s = 0; void main() { for (int i = 0; i < 3; i++) { int x; s = s + x; } int a[2]; }", bits(4), choices);
  EXPECT_EQ(value(outcome, "s"), 6U);
  EXPECT_EQ(asked,
            (std::vector<std::string>{"main::x/0/0", "main::x/1/0", "main::x/2/0", "main::a/0/0", "main::a/0/1"}));
}

TEST(Interpreter, NondetIsChosenAtEachEvaluation) {
  const Choices choices = [](const std::string& name, std::uint64_t occurrence, std::uint64_t) -> std::uint64_t {
    return name.starts_with("nondet@2:") ? occurrence + 3 : 0;
  };
  const Outcome outcome =
      run("int a[2]; bool b; void main() { for (int i = 0; i < 2; i++)\n a[i] = nondet();"
          " b = nondet_bool(); }",
          bits(4), choices);
  EXPECT_EQ(values(outcome, "a"), (std::vector<std::uint64_t>{3, 4}));
  EXPECT_EQ(value(outcome, "b"), 1U);
}

TEST(Interpreter, PostconditionBehindReturnIsEvaluatedAtEachReturn) {
  const std::string text = "int f(int n) {\n if (n == 1) return 4;\n return n;\n @post p { rv != 4 } }";
  const auto with = [&](std::uint64_t n) {
    return run(text, bits(4), [n](const std::string&, std::uint64_t, std::uint64_t) { return n; });
  };
  EXPECT_EQ(failure(with(1)), "postcondition at line 4: postcondition p is false");
  EXPECT_EQ(failure(with(4)), "postcondition at line 4: postcondition p is false");
  EXPECT_EQ(failure(with(2)), "none");
  EXPECT_EQ(value(with(2), "f::rv"), 2U);
}

TEST(Interpreter, PostconditionElsewhereIsEvaluatedWhereItStands) {
  EXPECT_EQ(failure(run("int x = 1; void main() {\n @post p { x == 1 }\n x = 2; }")), "none");
  EXPECT_EQ(failure(run("int x = 1; void main() {\n @post p { x == 2 }\n x = 2; }")),
            "postcondition at line 2: postcondition p is false");
}

TEST(Interpreter, OnlyPreconditionOfTheEntryEndsTheRunWhereItIsFalse) {
  const Outcome outcome = run("int x = 0; void main() { @pre p { x > 0 } x = x - 1; @post p { false } }");
  EXPECT_EQ(outcome.end, Outcome::End::PreconditionFalse);
  EXPECT_EQ(failure(outcome), "none");
}

TEST(Interpreter, OneOfSeveralPreconditionsThatIsFalseSilencesChecksButNotTheOthersPostcondition) {
  const std::string start =
      "int x = 0; int a[2]; void main() {\n @pre p { x > 0 }\n @pre q { x == 0 }\n x = x - 1;"
      " assert(false); x = a[x]; ";
  EXPECT_EQ(failure(run(start + "@post p { false } }")), "none");
  EXPECT_EQ(failure(run(start + "\n @post q { false } }")), "postcondition at line 5: postcondition q is false");
}

TEST(Interpreter, FailedCheckInAPreconditionMakesItFalse) {
  const Outcome outcome = run("int i = 2; int a[2]; void main() { @pre p { a[i] == 0 || true } assert(false); }");
  EXPECT_EQ(outcome.end, Outcome::End::PreconditionFalse);
  const Outcome division = run("int i = 0; void main() { @pre p { 1 / i >= 0 } assert(false); }");
  EXPECT_EQ(division.end, Outcome::End::PreconditionFalse);
}

TEST(Interpreter, ContractsWrapWithoutReportAndFunctionsCalledThereAreChecked) {
  EXPECT_EQ(failure(run("int x = 15; void main() { @pre p { x + 1 == 0 } @post p { x + 2 == 1 } }")), "none");
  EXPECT_EQ(failure(run("int x = 15; less(int n) = n + 1 == 0\n void main() { @post p { less(x) } }")), "none");
  EXPECT_EQ(failure(run("int x = 15;\n bool f(int n) {\n return n + 1 == 0; }\n void main() { @post p { f(x) } }")),
            "overflow at line 3: 15 + 1 does not fit 4 bits");
  EXPECT_EQ(failure(run("int a[2]; int i = 2; void main() {\n @post p { a[i] == 0 } }")),
            "index at line 2: index 2 of a, which has 2 elements");
}

TEST(Interpreter, ContractOfACalledFunctionBelongsToEachCall) {
  const std::string text =
      "int f(int n) { @pre c { n > 0 } if (n > 1) f(n - 1); return n;\n @post c { rv > 1 } }"
      " void main() { f(0); f(START); }";
  std::string fails = text;
  fails.replace(fails.find("START"), 5, "2");
  EXPECT_EQ(failure(run(fails)), "postcondition at line 2: postcondition c is false");
  std::string silent = text;
  silent.replace(silent.find("START"), 5, "0");
  EXPECT_EQ(failure(run(silent)), "none");
}

TEST(Interpreter, StackLimitCountsActiveCallsOfFunctionsThatCallEachOther) {
  Options options = bits(4);
  options.stack_size = 4;
  const std::string text =
      "int even(int n) { if (n == 0) return 1; return odd(n - 1); }\n"
      "int odd(int n) { if (n == 0) return 0;\n return even(n - 1); }\n"
      "int main_(int m) { int x = even(m); assert(x <= 1); return x; }";
  const auto with = [&](std::uint64_t n) {
    return run(text, options, [n](const std::string&, std::uint64_t, std::uint64_t) { return n; });
  };
  EXPECT_EQ(failure(with(3)), "none");
  EXPECT_EQ(failure(with(4)), "recursion at line 3: call of even when 4 calls are active already");
  options.check_recursion = false;
  EXPECT_EQ(with(4).end, Outcome::End::OutOfStack);
}

TEST(Interpreter, RecursionThatIsTooDeepForTheMachineIsRefused) {
  Options options = bits(32);
  options.stack_size = std::uint64_t{1} << 31;
  EXPECT_THROW(run("int f(int n) { if (n == 0) return 0; return f(n - 1); } void main() { f(4000000000); }", options,
                   zero, {1'000'000'000, 0, {}}),
               Unsupported);
}

TEST(Interpreter, LoopsKnowBreakAndContinue) {
  const Outcome outcome =
      run("int s = 0; int d = 0; void main() {"
          " for (int i = 0; i < 9; i++) { if (i == 2) continue; if (i == 5) break; s += i; }"
          " int k = 0; do { k++; if (k < 3) continue; d = k; } while (k < 4);"
          " while (true) { if (k == 9) break; k++; } }");
  EXPECT_EQ(value(outcome, "s"), 0U + 1 + 3 + 4);
  EXPECT_EQ(value(outcome, "d"), 4U);
  EXPECT_EQ(value(outcome, "main::k"), 9U);
}

TEST(Interpreter, ArraysArePassedByReferenceAndScalarsByValue) {
  const Outcome outcome =
      run("int a[3]; int x = 1; int f(int [] b, int y) { b[1] = 7; y = 9; return b[2]; }"
          " void main() { a[2] = 5; x = x + f(a, x); }");
  EXPECT_EQ(values(outcome, "a"), (std::vector<std::uint64_t>{0, 7, 5}));
  EXPECT_EQ(value(outcome, "x"), 6U);
}

TEST(Interpreter, ArrayParameterHasTheSizeOfItsArgument) {
  Options options = bits(4);
  options.array_size = 8;
  EXPECT_EQ(failure(run("int a[3]; int f(int [] b) {\n return b[3]; } void main() { f(a); }", options)),
            "index at line 2: index 3 of b, which has 3 elements");
}

TEST(Interpreter, PredicateArgumentsAreValues) {
  // Textually the bound would be m - 1 - 1, which is below zero; as a value it is 15 - 1.
  Options options = bits(4);
  options.check_overflow = false;
  const Outcome outcome =
      run("int m = 0; bool b; p(int n) = forall(int i : [0..n-1]) { i < 3 }\n"
          "void main() { b = p(m - 1); }",
          options);
  EXPECT_EQ(value(outcome, "b"), 0U);
}

TEST(Interpreter, EndlessLoopRunsOutOfSteps) {
  EXPECT_EQ(run("void main() { while (true) { } }").end, Outcome::End::OutOfSteps);
  EXPECT_EQ(run("void main() { for (;;) ; }").end, Outcome::End::OutOfSteps);
}

TEST(Interpreter, AssumptionThatIsFalseEndsTheRun) {
  const Outcome outcome = run("int x = 1; void main() { assume(x == 2); assert(false); }");
  EXPECT_EQ(outcome.end, Outcome::End::Assumption);
}

TEST(Interpreter, RunGoesOnBehindAFailureThatIsNotLookedFor) {
  Limits limits;
  std::vector<std::string> kinds;
  limits.ends_at = [&](const Failure& failure) {
    kinds.push_back(failure.kind);
    return failure.kind == "division";
  };
  const Outcome outcome = run("int x = 9; int a[2]; void main() { x = x + x; a[x] = 1; x = x / a[0]; assert(false); }",
                              bits(4), zero, limits);
  EXPECT_EQ(kinds, (std::vector<std::string>{"overflow", "index", "division"}));
  EXPECT_EQ(value(outcome, "x"), 2U);
  EXPECT_EQ(values(outcome, "a"), (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(outcome.end, Outcome::End::Failed);
}

}  // namespace
}  // namespace plumb::tiny
