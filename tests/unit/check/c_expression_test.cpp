#include "check/c_expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/file.h"
#include "base/subprocess.h"
#include "term/evaluator.h"

namespace plumb::check {
namespace {

using term::Op;
using term::Term;
using term::TermStore;

/// Variables of every type that C has for integers, and some of which the lowest bits alone are known.
class Variables {
 public:
  explicit Variables(TermStore& store) {
    for (const std::uint32_t width : {8U, 16U, 32U, 64U})
      for (const bool is_signed : {true, false})
        for (int i = 0; i < 2; ++i) {
          terms.push_back(store.variable(i == 1 ? width - 3 : width, ""));
          named.push_back({fmt::format("{}{}_{}", is_signed ? 's' : 'u', width, i), is_signed, width});
        }
  }
  CNames names() const {
    return [this](Term t) -> std::optional<CVariable> {
      for (std::size_t i = 0; i < terms.size(); ++i)
        if (terms[i] == t) return named[i];
      return std::nullopt;
    };
  }

  std::vector<Term> terms;
  std::vector<CVariable> named;
};

TEST(CExpression, ReadsAsPeopleWriteIt) {
  TermStore s;
  const Term x = s.variable(32, "x");
  const Term u = s.variable(32, "u");
  const Term a = s.variable({8, 4}, "a");
  const Term nameless = s.variable(32, "t");
  const CNames names = [&](Term t) -> std::optional<CVariable> {
    if (t == x) return CVariable{"x", true, 32};
    if (t == u) return CVariable{"s.u", false, 32};
    if (t == a) return CVariable{"a", true, 8, 10};
    return std::nullopt;
  };
  const auto text = [&](Term t) { return c_expression(s, t, names).value_or("none"); };
  EXPECT_EQ(text(s.slt(x, s.constant(32, 10))), "x < 10");
  EXPECT_EQ(text(s.sle(x, s.constant(32, 10))), "x <= 10");
  EXPECT_EQ(text(s.eq(x, s.constant(32, 0xffff'ffff))), "x == (-1)");
  EXPECT_EQ(text(s.distinct(u, s.constant(32, 0xffff'ffff))), "s.u != 4294967295U");
  EXPECT_EQ(text(s.ult(u, s.constant(32, 10))), "s.u < 10");
  const Term small = s.slt(x, s.constant(32, 10));
  const Term few = s.ult(u, s.constant(32, 3));
  EXPECT_EQ(text(s.bit_and(small, few)), "x < 10 && s.u < 3");
  EXPECT_EQ(text(s.bit_or(few, small)), "s.u < 3 || x < 10");
  EXPECT_EQ(text(s.eq(s.select(a, s.constant(4, 3)), s.constant(8, 1))), "a[3] == 1");
  EXPECT_EQ(text(s.eq(s.select(a, s.constant(4, 12)), s.constant(8, 1))), "none");
  EXPECT_EQ(text(s.slt(x, nameless)), "none");
  EXPECT_EQ(text(s.bit(x, 31)), "x < 0");
  EXPECT_EQ(text(s.bit_not(s.bit(u, 0))), "(s.u & 1) == 0");
  EXPECT_EQ(text(s.boolean(true)), "1");
}

/// Random terms of a width, over variables of its own and of other widths.
class Random {
 public:
  Random(TermStore& store, const Variables& variables, std::uint32_t seed)
      : store_(store), variables_(variables), random_(seed) {}

  std::uint32_t below(std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random_); }
  std::uint64_t value() {
    switch (below(4)) {
      case 0:
        return below(5);
      case 1:
        return ~std::uint64_t{below(5)};
      case 2:
        return std::uint64_t{1} << below(64);
      default:
        return random_();
    }
  }

  Term term(std::uint32_t width, int depth) {
    if (depth == 0 || below(8) == 0) return leaf(width);
    static constexpr std::array kBinary = {Op::And,  Op::Or,   Op::Xor,  Op::Add, Op::Sub,  Op::Mul, Op::Udiv,
                                           Op::Urem, Op::Sdiv, Op::Srem, Op::Shl, Op::Lshr, Op::Ashr};
    switch (below(7)) {
      case 0:
        return below(2) == 0 ? store_.bit_not(term(width, depth - 1)) : store_.neg(term(width, depth - 1));
      case 1:
        return store_.ite(condition(depth - 1), term(width, depth - 1), term(width, depth - 1));
      case 2: {
        const std::uint32_t from = widths()[below(8)];
        if (from == width) return term(width, depth - 1);
        if (from < width)
          return below(2) == 0 ? store_.zero_extend(term(from, depth - 1), width)
                               : store_.sign_extend(term(from, depth - 1), width);
        const std::uint32_t low = below(from - width + 1);
        return store_.extract(term(from, depth - 1), low + width - 1, low);
      }
      case 3:
        if (width > 8) return store_.concat(term(width - 8, depth - 1), term(8, depth - 1));
        [[fallthrough]];
      default: {
        const std::array operands = {term(width, depth - 1), term(width, depth - 1)};
        return store_.make(kBinary[below(kBinary.size())], operands);
      }
    }
  }

  Term condition(int depth) {
    const std::uint32_t width = widths()[below(8)];
    if (depth <= 0 || below(2) == 0) {
      const Term a = term(width, depth - 1 > 0 ? depth - 1 : 0);
      const Term b = term(width, depth - 1 > 0 ? depth - 1 : 0);
      static constexpr std::array kCompare = {Op::Eq,           Op::Ult,          Op::Ule,
                                              Op::Slt,          Op::Sle,          Op::SaddOverflow,
                                              Op::UmulOverflow, Op::SmulOverflow, Op::UsubOverflow};
      return store_.make(kCompare[below(kCompare.size())], std::array{a, b});
    }
    const Term a = condition(depth - 1);
    const Term b = condition(depth - 1);
    switch (below(5)) {
      case 0:
        return store_.bit_not(a);
      case 1:
        return store_.bit_and(a, b);
      case 2:
        return store_.bit_or(a, b);
      case 3:
        return store_.bit_xor(a, b);
      default:
        return store_.ite(condition(depth - 1), a, b);
    }
  }

 private:
  /// Those of C and some that no type has.
  static std::array<std::uint32_t, 8> widths() { return {8, 16, 32, 64, 13, 29, 61, 40}; }
  Term leaf(std::uint32_t width) {
    if (below(3) == 0) return store_.constant(width, value());
    std::vector<Term> fitting;
    for (const Term t : variables_.terms)
      if (store_.width(t) == width) fitting.push_back(t);
    if (!fitting.empty()) return fitting[below(static_cast<std::uint32_t>(fitting.size()))];
    const Term wide = variables_.terms[8 + below(8)];
    return store_.width(wide) < width ? store_.sign_extend(wide, width) : store_.extract(wide, width - 1, 0);
  }

  TermStore& store_;
  const Variables& variables_;
  std::mt19937_64 random_;
};

std::string_view type_of(std::uint32_t width, bool is_signed) {
  switch (width) {
    case 8:
      return is_signed ? "signed char" : "unsigned char";
    case 16:
      return is_signed ? "short" : "unsigned short";
    case 32:
      return is_signed ? "int" : "unsigned";
    default:
      return is_signed ? "long" : "unsigned long";
  }
}

TEST(CExpression, CompiledHasTheValueOfTheTermWithoutUndefinedBehaviour) {
  TermStore store;
  const Variables variables(store);
  Random random(store, variables, 7);
  std::vector<Term> conditions;
  std::vector<std::string> texts;
  while (conditions.size() < 300) {
    const Term t = random.condition(3);
    const std::optional<std::string> text = c_expression(store, t, variables.names());
    if (!text || store.is_constant(t)) continue;
    conditions.push_back(t);
    texts.push_back(*text);
  }
  // Each line of the program's output: all conditions in one assignment of the variables.
  std::string source = "#include <stdio.h>\n";
  std::string functions;
  for (std::size_t v = 0; v < variables.terms.size(); ++v)
    source += fmt::format("{} {};\n", type_of(variables.named[v].width, variables.named[v].is_signed),
                          variables.named[v].name);
  for (std::size_t i = 0; i < texts.size(); ++i) source += fmt::format("int f{}(void) {{ return {}; }}\n", i, texts[i]);
  source += "int main(void) {\n";
  std::string expected;
  for (int round = 0; round < 40; ++round) {
    term::Assignment assignment;
    for (std::size_t v = 0; v < variables.terms.size(); ++v) {
      const std::uint64_t value = random.value();
      source += fmt::format("  {} = ({}){}ULL;\n", variables.named[v].name,
                            type_of(variables.named[v].width, variables.named[v].is_signed), value);
      assignment[variables.terms[v]] = BitVector(store.width(variables.terms[v]), value);
    }
    term::Evaluator evaluator(store, assignment);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      source += fmt::format("  putchar('0' + (f{}() != 0));\n", i);
      expected += evaluator.is_true(conditions[i]) ? '1' : '0';
    }
  }
  source += "  return 0;\n}\n";
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "a.c").string();
  const std::string program = (directory.path() / "a").string();
  write_file(file, source);
  const ProcessResult compiled = run_process(
      {"clang-19", "-O0", "-w", "-fsanitize=undefined", "-fsanitize-trap=undefined", "-o", program, file}, {}, {});
  ASSERT_EQ(compiled.code, 0) << compiled.error;
  const ProcessResult run = run_process({program}, {}, {});
  EXPECT_EQ(run.end, ProcessResult::End::Exited);
  ASSERT_EQ(run.output.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(run.output[i], expected[i]) << texts[i % texts.size()];
}

TEST(CExpression, OfADeepOrHugeTermIsNone) {
  TermStore store;
  const Term x = store.variable(32, "x");
  const CNames names = [&](Term) { return CVariable{"x", true, 32}; };
  Term deep = x;
  for (int i = 0; i < 200'000; ++i) deep = store.bit_xor(store.mul(deep, x), store.constant(32, 12345));
  EXPECT_EQ(c_expression(store, store.slt(deep, x), names), std::nullopt);
  const Term wide = store.variable(128, "w");
  EXPECT_EQ(c_expression(store, store.eq(store.extract(wide, 31, 0), x), names), std::nullopt);
}

}  // namespace
}  // namespace plumb::check
