#include "lang/smtlib/operators.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "lang/smtlib/reader.h"
#include "term/evaluator.h"

namespace plumb::smtlib {
namespace {

using term::Assignment;
using term::Term;
using Bits = BitVector;

/// A reader of one term over x and y (bit-vectors of the width), p and q (Bool).
class Terms {
 public:
  explicit Terms(std::uint32_t width) : width_(width) {
    x = store.variable(width, "x");
    y = store.variable(width, "y");
    p = store.variable(1, "p");
    q = store.variable(1, "q");
  }

  TypedTerm read(const std::string& text) {
    Reader reader(store, text, "test", budget_);
    const auto define = [&](std::string_view name, Term t, const Type& type) {
      Binding binding;
      binding.kind = Binding::Kind::Value;
      binding.value = {t, type};
      reader.symbols().define(name, binding, true);
    };
    define("x", x, Type::bits(width_));
    define("y", y, Type::bits(width_));
    define("p", p, Type::boolean());
    define("q", q, Type::boolean());
    const TypedTerm result = reader.term();
    EXPECT_EQ(reader.lexer().next().kind, Token::Kind::End) << text;
    return result;
  }

  term::TermStore store;
  Term x, y, p, q;

 private:
  std::uint32_t width_;
  Budget budget_;
};

Bits truth(bool b) { return Bits(1, b ? 1 : 0); }

struct Case {
  std::string text;
  Type type;
  std::function<Bits(const Bits&, const Bits&)> expected;
};

constexpr std::uint32_t kWidth = 3;

std::int64_t as_signed(const Bits& v) { return v.to_int64(); }
bool out_of_range(std::int64_t v) { return v < -(1 << (kWidth - 1)) || v >= (1 << (kWidth - 1)); }
std::uint64_t u(const Bits& v) { return v.to_uint64(); }

std::vector<Case> bit_vector_cases() {
  const Type same = Type::bits(kWidth);
  const Type boolean = Type::boolean();
  const Type one = Type::bits(1);
  return {
      {"x", same, [](auto& a, auto&) { return a; }},
      {"#b101", same, [](auto&, auto&) { return Bits(3, 5); }},
      {"(_ bv6 3)", same, [](auto&, auto&) { return Bits(3, 6); }},
      {"#xA5", Type::bits(8), [](auto&, auto&) { return Bits(8, 0xA5); }},
      {"(bvnot x)", same, [](auto& a, auto&) { return ~a; }},
      {"(bvneg x)", same, [](auto& a, auto&) { return -a; }},
      {"(bvand x y)", same, [](auto& a, auto& b) { return a & b; }},
      {"(bvor x y)", same, [](auto& a, auto& b) { return a | b; }},
      {"(bvxor x y)", same, [](auto& a, auto& b) { return a ^ b; }},
      {"(bvnand x y)", same, [](auto& a, auto& b) { return ~(a & b); }},
      {"(bvnor x y)", same, [](auto& a, auto& b) { return ~(a | b); }},
      {"(bvxnor x y)", same, [](auto& a, auto& b) { return ~(a ^ b); }},
      {"(bvadd x y)", same, [](auto& a, auto& b) { return Bits(3, u(a) + u(b)); }},
      {"(bvadd x y x #b001)", same, [](auto& a, auto& b) { return Bits(3, 2 * u(a) + u(b) + 1); }},
      {"(bvsub x y)", same, [](auto& a, auto& b) { return Bits(3, u(a) - u(b)); }},
      {"(bvsub x y y)", same, [](auto& a, auto& b) { return Bits(3, u(a) - 2 * u(b)); }},
      {"(bvmul x y)", same, [](auto& a, auto& b) { return Bits(3, u(a) * u(b)); }},
      {"(bvand x y #b110)", same, [](auto& a, auto& b) { return Bits(3, u(a) & u(b) & 6); }},
      {"(bvudiv x y)", same, [](auto& a, auto& b) { return Bits(3, u(b) == 0 ? 7 : u(a) / u(b)); }},
      {"(bvurem x y)", same, [](auto& a, auto& b) { return Bits(3, u(b) == 0 ? u(a) : u(a) % u(b)); }},
      {"(bvsdiv x y)", same, [](auto& a, auto& b) { return a.sdiv(b); }},
      {"(bvsrem x y)", same, [](auto& a, auto& b) { return a.srem(b); }},
      {"(bvsmod x y)", same, [](auto& a, auto& b) { return a.smod(b); }},
      {"(bvshl x y)", same, [](auto& a, auto& b) { return Bits(3, u(a) << u(b)); }},
      {"(bvlshr x y)", same, [](auto& a, auto& b) { return Bits(3, u(a) >> u(b)); }},
      {"(bvashr x y)", same,
       [](auto& a, auto& b) { return Bits(3, static_cast<std::uint64_t>(as_signed(a) >> u(b))); }},
      {"(ext_rotate_left x y)", same,
       [](auto& a, auto& b) { return a.rotate_left(static_cast<std::uint32_t>(u(b) % 3)); }},
      {"(ext_rotate_right x y)", same,
       [](auto& a, auto& b) { return a.rotate_right(static_cast<std::uint32_t>(u(b) % 3)); }},
      {"((_ rotate_left 4) x)", same, [](auto& a, auto&) { return Bits(3, (u(a) << 1) | (u(a) >> 2)); }},
      {"((_ rotate_right 1) x)", same, [](auto& a, auto&) { return Bits(3, (u(a) >> 1) | (u(a) << 2)); }},
      {"((_ rotate_left 3) x)", same, [](auto& a, auto&) { return a; }},
      {"(bvult x y)", boolean, [](auto& a, auto& b) { return truth(u(a) < u(b)); }},
      {"(bvule x y)", boolean, [](auto& a, auto& b) { return truth(u(a) <= u(b)); }},
      {"(bvugt x y)", boolean, [](auto& a, auto& b) { return truth(u(a) > u(b)); }},
      {"(bvuge x y)", boolean, [](auto& a, auto& b) { return truth(u(a) >= u(b)); }},
      {"(bvslt x y)", boolean, [](auto& a, auto& b) { return truth(as_signed(a) < as_signed(b)); }},
      {"(bvsle x y)", boolean, [](auto& a, auto& b) { return truth(as_signed(a) <= as_signed(b)); }},
      {"(bvsgt x y)", boolean, [](auto& a, auto& b) { return truth(as_signed(a) > as_signed(b)); }},
      {"(bvsge x y)", boolean, [](auto& a, auto& b) { return truth(as_signed(a) >= as_signed(b)); }},
      {"(= x y)", boolean, [](auto& a, auto& b) { return truth(a == b); }},
      {"(= x y #b010)", boolean, [](auto& a, auto& b) { return truth(a == b && u(a) == 2); }},
      {"(distinct x y)", boolean, [](auto& a, auto& b) { return truth(a != b); }},
      {"(distinct x y #b010)", boolean, [](auto& a, auto& b) { return truth(a != b && u(a) != 2 && u(b) != 2); }},
      {"(bvcomp x y)", one, [](auto& a, auto& b) { return truth(a == b); }},
      {"(bvredor x)", one, [](auto& a, auto&) { return truth(u(a) != 0); }},
      {"(bvredand x)", one, [](auto& a, auto&) { return truth(u(a) == 7); }},
      {"(bvnego x)", boolean, [](auto& a, auto&) { return truth(out_of_range(-as_signed(a))); }},
      {"(bvuaddo x y)", boolean, [](auto& a, auto& b) { return truth(u(a) + u(b) > 7); }},
      {"(bvsaddo x y)", boolean, [](auto& a, auto& b) { return truth(out_of_range(as_signed(a) + as_signed(b))); }},
      {"(bvumulo x y)", boolean, [](auto& a, auto& b) { return truth(u(a) * u(b) > 7); }},
      {"(bvsmulo x y)", boolean, [](auto& a, auto& b) { return truth(out_of_range(as_signed(a) * as_signed(b))); }},
      {"(bvusubo x y)", boolean, [](auto& a, auto& b) { return truth(u(a) < u(b)); }},
      {"(bvssubo x y)", boolean, [](auto& a, auto& b) { return truth(out_of_range(as_signed(a) - as_signed(b))); }},
      {"(bvsdivo x y)", boolean, [](auto& a, auto& b) { return truth(as_signed(a) == -4 && as_signed(b) == -1); }},
      {"(bvumul_noovfl x y)", boolean, [](auto& a, auto& b) { return truth(u(a) * u(b) <= 7); }},
      {"(bvsmul_noovfl x y)", boolean, [](auto& a, auto& b) { return truth(as_signed(a) * as_signed(b) <= 3); }},
      {"(bvsmul_noudfl x y)", boolean, [](auto& a, auto& b) { return truth(as_signed(a) * as_signed(b) >= -4); }},
      {"(concat x y)", Type::bits(6), [](auto& a, auto& b) { return Bits(6, u(a) * 8 + u(b)); }},
      {"(concat x y #b1)", Type::bits(7), [](auto& a, auto& b) { return Bits(7, u(a) * 16 + u(b) * 2 + 1); }},
      {"((_ extract 2 1) x)", Type::bits(2), [](auto& a, auto&) { return Bits(2, u(a) >> 1); }},
      {"((_ zero_extend 2) x)", Type::bits(5), [](auto& a, auto&) { return Bits(5, u(a)); }},
      {"((_ sign_extend 2) x)", Type::bits(5),
       [](auto& a, auto&) { return Bits(5, static_cast<std::uint64_t>(as_signed(a))); }},
      {"((_ zero_extend 0) x)", same, [](auto& a, auto&) { return a; }},
      {"((_ repeat 2) x)", Type::bits(6), [](auto& a, auto&) { return Bits(6, u(a) * 9); }},
      {"(ite (bvult x y) x y)", same, [](auto& a, auto& b) { return u(a) < u(b) ? a : b; }},
      {"(select (store ((as const (Array (_ BitVec 3) (_ BitVec 3))) #b111) x y) #b010)", same,
       [](auto& a, auto& b) { return u(a) == 2 ? b : Bits(3, 7); }},
      {"(let ((x y) (y x)) (bvsub x y))", same, [](auto& a, auto& b) { return Bits(3, u(b) - u(a)); }},
      {"(! (bvadd x y) :weight 3 :note (a (b)))", same, [](auto& a, auto& b) { return a + b; }},
  };
}

TEST(Operators, BitVectorOperatorsHaveTheirSmtLibMeaningOnAllValuesOfThreeBits) {
  Terms terms(kWidth);
  for (const Case& c : bit_vector_cases()) {
    const TypedTerm t = terms.read(c.text);
    EXPECT_EQ(t.type.to_string(), c.type.to_string()) << c.text;
    for (std::uint64_t a = 0; a < 8; ++a) {
      for (std::uint64_t b = 0; b < 8; ++b) {
        const Bits x(kWidth, a);
        const Bits y(kWidth, b);
        const Assignment assignment{{terms.x, x}, {terms.y, y}};
        EXPECT_EQ(term::Evaluator(terms.store, assignment).bits(t.term).to_binary(), c.expected(x, y).to_binary())
            << c.text << " at " << a << ", " << b;
      }
    }
  }
}

TEST(Operators, ConnectivesHaveTheirMeaningOnAllTruthValues) {
  const std::vector<std::pair<std::string, std::function<bool(bool, bool)>>> cases = {
      {"true", [](bool, bool) { return true; }},
      {"(not p)", [](bool a, bool) { return !a; }},
      {"(and p q)", [](bool a, bool b) { return a && b; }},
      {"(and p)", [](bool a, bool) { return a; }},
      {"(or p q false)", [](bool a, bool b) { return a || b; }},
      {"(xor p q true)", [](bool a, bool b) { return (a != b) != true; }},
      {"(=> p q)", [](bool a, bool b) { return !a || b; }},
      {"(=> p q false)", [](bool a, bool b) { return !a || !b; }},  // p => (q => false)
      {"(= p q)", [](bool a, bool b) { return a == b; }},
      {"(distinct p q)", [](bool a, bool b) { return a != b; }},
      {"(distinct p q true)", [](bool, bool) { return false; }},  // three cannot differ over two values
      {"(ite p q (not q))", [](bool a, bool b) { return a ? b : !b; }},
  };
  Terms terms(kWidth);
  for (const auto& [text, expected] : cases) {
    const TypedTerm t = terms.read(text);
    EXPECT_TRUE(t.type.is_bool()) << text;
    for (const bool a : {false, true}) {
      for (const bool b : {false, true}) {
        const Assignment assignment{{terms.p, truth(a)}, {terms.q, truth(b)}};
        EXPECT_EQ(term::Evaluator(terms.store, assignment).is_true(t.term), expected(a, b)) << text;
      }
    }
  }
}

TEST(Operators, EveryOperatorOfTheTableIsTested) {
  std::string all;
  for (const Case& c : bit_vector_cases()) all += c.text;
  all += "(not (and (or (xor (=> (= (distinct (ite ";
  for (const Operator& op : operators()) {
    const std::string name(op.name);
    EXPECT_TRUE(all.find("(" + name + " ") != std::string::npos || all.find("(_ " + name + " ") != std::string::npos)
        << name;
  }
}

TEST(Operators, IllTypedOperandsAreNamedInTheMessage) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"(bvadd x #xff)", "test:1:2: error: bvadd: operands have widths 3 and 8"},
      {"(bvadd x p)", "bvadd: operand 2 has sort Bool, not a bit-vector"},
      {"(and p x)", "and: operand 2 has sort (_ BitVec 3), not Bool"},
      {"(= p #b1)", "=: operands have sorts Bool and (_ BitVec 1)"},
      {"(= x #xff)", "=: operands have widths 3 and 8"},
      {"(ite x x x)", "ite: the condition has sort (_ BitVec 3), not Bool"},
      {"(ite p x q)", "ite: operands have sorts (_ BitVec 3) and Bool"},
      {"(not p q)", "not: needs 1 operand, has 2"},
      {"(bvudiv x x x)", "bvudiv: needs 2 operands, has 3"},
      {"(bvadd x)", "bvadd: needs at least 2 operands, has 1"},
      {"((_ extract 3 0) x)", "extract: bit 3 of an operand of width 3"},
      {"((_ extract 0 1) x)", "extract: the lower bit 1 is above the upper bit 0"},
      {"((_ repeat 0) x)", "repeat: needs at least one copy"},
      {"((_ repeat 4000000000) x)", "repeat: the result has 12000000000 bits"},
      {"((_ zero_extend 4294967295) x)", "zero_extend: the result has 4294967298 bits"},
      {"((_ zero_extend 99999999999) x)", "too large"},
      {"(select x x)", "select: the first operand has sort (_ BitVec 3), not an array"},
      {"(select ((as const (Array (_ BitVec 2) Bool)) p) x)",
       "select: the index has sort (_ BitVec 3), the array needs (_ BitVec 2)"},
      {"(store ((as const (Array (_ BitVec 3) Bool)) p) x y)",
       "store: the element has sort (_ BitVec 3), the array needs Bool"},
      {"((as const (_ BitVec 3)) x)", "const: (_ BitVec 3) is not an array sort"},
      {"(extract x)", "'extract' needs two indices"},
      {"bvadd", "'bvadd' needs operands"},
      {"(x y)", "'x' has sort (_ BitVec 3) and takes no operands"},
      {"(_ bv8 3)", "'bv8' does not fit in 3 bits"},
      {"(_ bv0 0)", "a bit-vector of 0 bits"},
      {"(_ bv0 65537)", "a bit-vector of 65537 bits"},
      {"()", "() is not a term"},
      {"(let ((x x) (x y)) x)", "let: 'x' is bound twice"},
      {"zz", "unknown symbol 'zz'"},
      {"(bvadd x", "unexpected end of file"},
  };
  Terms terms(kWidth);
  for (const auto& [text, message] : cases) {
    try {
      terms.read(text);
      ADD_FAILURE() << text << " should be an error";
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << text << "\n" << error.what();
      EXPECT_NE(error.location().line, 0U) << text;
    }
  }
}

TEST(Operators, WhatIsOutsideIsUnsupportedAndNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"(forall ((z Bool)) z)", "'forall'"},
      {"(+ 1 2)", "'+'"},
      {"(= 1 1)", "integer constant 1"},
      {"1.5", "real constant"},
      {"\"s\"", "string"},
      {"(str.len x)", "'str.len'"},
      {"(fp.add x y)", "'fp.add'"},
      {"(bv2nat x)", "'bv2nat'"},
      {"(_ +oo 8 24)", "(_ +oo"},
      {"((_ int2bv 8) x)", "(_ int2bv"},
      {"((_ to_fp 8 24) x)", "(_ to_fp"},
  };
  Terms terms(kWidth);
  for (const auto& [text, construct] : cases) {
    try {
      terms.read(text);
      ADD_FAILURE() << text << " should be unsupported";
    } catch (const Unsupported& error) {
      EXPECT_NE(error.message().find(construct), std::string::npos) << text << "\n" << error.what();
      EXPECT_NE(error.hint().find("--backend z3"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace plumb::smtlib
