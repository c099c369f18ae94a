#include <gtest/gtest.h>

#include <array>
#include <random>
#include <sstream>

#include "lang/smtlib/reader.h"
#include "lang/smtlib/script.h"
#include "term/evaluator.h"
#include "term/smtlib_printer.h"

namespace plumb::smtlib {
namespace {

using term::Op;
using term::Sort;
using term::Term;

/// Random terms over all operators, with widths of one bit and more, and arrays.
class RandomTerms {
 public:
  RandomTerms(term::TermStore& store, std::uint64_t seed) : store_(store), random_(seed) {
    for (const std::uint32_t width : {1U, 2U, 5U}) {
      for (const char* name : {"a", "b"}) add(store.variable(width, name + std::to_string(width)));
    }
    for (const Sort sort : {Sort{1, 1}, Sort{5, 2}, Sort{2, 1}})
      for (const char* name : {"m", "n"})
        add(store.variable(sort, name + std::to_string(sort.width) + "|" + std::to_string(sort.index_width)));
  }

  Term grow(int steps) {
    for (int i = 0; i < steps; ++i) step();
    return terms_.back();
  }
  const std::vector<Term>& variables() const { return variables_; }
  const std::vector<Term>& all() const { return terms_; }

 private:
  void add(Term t) {
    terms_.push_back(t);
    if (store_.is_variable(t)) variables_.push_back(t);
  }
  Term any() { return terms_[random_() % terms_.size()]; }
  Term of(Sort sort) {
    for (int i = 0; i < 50; ++i)
      if (const Term t = any(); store_.sort(t) == sort) return t;
    for (const Term t : terms_)
      if (store_.sort(t) == sort) return t;
    return sort.is_array() ? store_.constant_array(sort.index_width, store_.constant(sort.width, random_()))
                           : store_.constant(sort.width, random_());
  }

  void step() {
    const Term a = any();
    const Sort sort = store_.sort(a);
    if (sort.is_array()) return add(array_step(a, sort));
    static constexpr Op kBinary[] = {Op::And, Op::Or,   Op::Xor,          Op::Add,          Op::Sub,
                                     Op::Mul, Op::Udiv, Op::Urem,         Op::Sdiv,         Op::Smod,
                                     Op::Shl, Op::Lshr, Op::Ashr,         Op::Eq,           Op::Ult,
                                     Op::Slt, Op::Sle,  Op::UmulOverflow, Op::SmulOverflow, Op::SaddOverflow};
    const std::array<Term, 2> operands{a, of(sort)};
    const std::uint32_t low = static_cast<std::uint32_t>(random_() % sort.width);
    switch (random_() % 8) {
      case 0:
        return add(store_.bit_not(a));
      case 1:
        return add(store_.extract(a, sort.width - 1, low));
      case 2:
        return add(sort.width < 20 ? store_.concat(a, of(Sort{1, 0})) : store_.neg(a));
      case 3:
        return add(sort.width < 20 ? store_.sign_extend(a, sort.width + 1 + low) : store_.bit(a, low));
      case 4:
        return add(store_.ite(of(Sort{1, 0}), a, operands[1]));
      default:
        return add(store_.make(kBinary[random_() % std::size(kBinary)], operands));
    }
  }

  Term array_step(Term a, Sort sort) {
    const Term index = of(Sort{sort.index_width, 0});
    switch (random_() % 5) {
      case 0:
        return store_.store(a, index, of(Sort{sort.width, 0}));
      case 1:
        return store_.eq(a, of(sort));
      case 2:
        return store_.ite(of(Sort{1, 0}), a, of(sort));
      case 3:
        return store_.constant_array(sort.index_width, of(Sort{sort.width, 0}));
      default:
        return store_.select(a, index);
    }
  }

  term::TermStore& store_;
  std::mt19937_64 random_;
  std::vector<Term> terms_;
  std::vector<Term> variables_;
};

term::Value random_value(Sort sort, std::mt19937_64& random) {
  if (!sort.is_array()) return BitVector(sort.width, random());
  term::ArrayValue array{sort.index_width, BitVector(sort.width, random()), {}};
  for (int i = 0; i < 3; ++i)
    array.elements.insert_or_assign(BitVector(sort.index_width, random()), BitVector(sort.width, random()));
  return array;
}

/// Reads a printed term; variables are bound under the names that the printer gives them.
TypedTerm read_back(term::TermStore& store, const std::string& text, const std::vector<Term>& variables,
                    std::vector<std::string>& names) {
  static const Budget budget;
  Reader reader(store, text, "printed", budget);
  for (const Term variable : variables) names.push_back(term::quote_symbol(store.name(variable)));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Sort sort = store.sort(variables[i]);
    Binding binding;
    binding.kind = Binding::Kind::Value;
    const Type bits = Type::bits(sort.width);
    const Type type = sort.is_array()   ? Type::array(Type::bits(sort.index_width), bits)
                      : sort.width == 1 ? Type::boolean()
                                        : bits;
    binding.value = {variables[i], type};
    std::string_view name = names[i];
    if (name.starts_with('|')) name = name.substr(1, name.size() - 2);
    reader.symbols().define(name, binding, true);
  }
  return reader.term();
}

TEST(PrinterRoundTrip, WhatWasPrintedReadsBackAsATermOfEqualValue) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    term::TermStore store;
    RandomTerms terms(store, seed);
    const Term t = terms.grow(60);
    const std::string text = term::to_smtlib(store, t);
    std::vector<std::string> names;
    TypedTerm back;
    try {
      back = read_back(store, text, terms.variables(), names);
    } catch (const UserError& error) {
      FAIL() << error.what() << "\n" << text;
    }
    ASSERT_EQ(store.sort(back.term), store.sort(t)) << text;
    std::mt19937_64 random(seed);
    for (int i = 0; i < 8; ++i) {
      term::Assignment assignment;
      for (const Term variable : terms.variables()) assignment[variable] = random_value(store.sort(variable), random);
      term::Evaluator evaluator(store, assignment);
      ASSERT_TRUE(evaluator.value(back.term) == evaluator.value(t)) << "seed " << seed << "\n" << text;
    }
  }
}

TEST(PrinterRoundTrip, APrintedScriptHasTheAnswerOfItsTerms) {
  std::size_t answers[2] = {0, 0};
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    term::TermStore store;
    RandomTerms terms(store, seed);
    terms.grow(40);
    std::vector<Term> bits;
    for (const Term t : terms.all())
      if (store.sort(t) == Sort{1, 0} && !store.is_constant(t)) bits.push_back(t);
    const std::vector<Term> assertions(bits.end() - std::min<std::ptrdiff_t>(3, std::ssize(bits)), bits.end());
    const std::vector<Term> assumptions{store.bit_not(bits.front()), bits[bits.size() / 2]};
    const auto solver = solve::make_solver(store, "native");
    for (const Term t : assertions) solver->assert_true(t);
    const solve::Result direct = solver->check(assumptions, Budget());

    const std::string text = term::to_smtlib_script(store, assertions, assumptions);
    term::TermStore other;
    std::ostringstream out;
    Script script(
        other,
        [](term::TermStore& s, const solve::SolverOptions& options) {
          return solve::make_solver(s, "native", options);
        },
        {}, out);
    try {
      script.run(text, "printed");
    } catch (const UserError& error) {
      FAIL() << error.what() << "\n" << text;
    }
    ASSERT_EQ(out.str(), std::string(to_string(direct.answer)) + "\n") << text;
    ++answers[direct.answer == solve::Answer::Sat ? 1 : 0];
  }
  EXPECT_GT(answers[0], 10U);
  EXPECT_GT(answers[1], 10U);
}

}  // namespace
}  // namespace plumb::smtlib
