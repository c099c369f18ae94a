#include "paths/rules.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "term/evaluator.h"
#include "term/term_store.h"

namespace plumb::paths {
namespace {

using term::Op;

bool is_in(const Range& r, std::uint32_t width, std::uint64_t value) {
  const auto sign = static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
  return r.low <= value && value <= r.high && r.least <= sign && sign <= r.greatest;
}

/// An operator over variables of few bits.
struct Operator {
  TermStore terms;
  std::vector<Term> operands;
  Term t;
};

void make(Operator& o, Op op) {
  const auto variable = [&](std::uint32_t width) {
    o.operands.push_back(o.terms.variable(width, "x"));
    return o.operands.back();
  };
  if (op == Op::Ite) {
    const Term c = variable(1), a = variable(3), b = variable(3);
    o.t = o.terms.ite(c, a, b);
  } else if (op == Op::Extract) {
    o.t = o.terms.extract(variable(4), 2, 0);
  } else if (op == Op::SignExtend) {
    o.t = o.terms.sign_extend(variable(3), 5);
  } else if (op == Op::Not || op == Op::Neg) {
    const Term a[] = {variable(3)};
    o.t = o.terms.make(op, a);
  } else {
    const Term a[] = {variable(3), variable(3)};
    o.t = o.terms.make(op, a);
  }
}

/// Whatever the domains of the parts, no values of theirs that belong together are lost.
void expect_sound(Op op, unsigned seed) {
  Operator o;
  make(o, op);
  ASSERT_EQ(o.terms.op(o.t), op);
  std::mt19937 random(seed);
  const auto range = [&](std::uint32_t width) {
    const std::uint64_t most = Range::all(width).high;
    for (;;) {
      const std::uint64_t a = random() % (most + 1);
      const std::uint64_t b = random() % 3 == 0 ? a : random() % (most + 1);
      const auto unsigned_part = Range::of_unsigned(width, std::min(a, b), std::max(a, b));
      if (random() % 2 == 0 && unsigned_part) return *unsigned_part;
      const Range all = Range::all(width);
      const auto least = all.least + static_cast<std::int64_t>(std::min(a, b));
      const auto greatest = all.least + static_cast<std::int64_t>(std::max(a, b));
      if (const auto r = Range::of_signed(width, least, greatest)) return *r;
    }
  };
  std::vector<Range> domains;
  for (const Term operand : o.operands) domains.push_back(range(o.terms.width(operand)));
  Range result = range(o.terms.width(o.t));
  Parts parts{};
  for (unsigned i = 0; i < domains.size(); ++i) parts[i] = &domains[i];
  parts[kResult] = &result;
  std::uint32_t bits = 0;
  for (const Term operand : o.operands) bits += o.terms.width(operand);
  for (std::uint32_t all = 0; all < (1U << bits); ++all) {
    term::Assignment values;
    std::vector<std::uint64_t> chosen;
    std::uint32_t rest = all;
    bool fits = true;
    for (unsigned i = 0; i < o.operands.size(); ++i) {
      const std::uint32_t width = o.terms.width(o.operands[i]);
      chosen.push_back(rest & ((1U << width) - 1));
      rest >>= width;
      values[o.operands[i]] = BitVector(width, chosen.back());
      fits = fits && is_in(domains[i], width, chosen.back());
    }
    term::Evaluator evaluator(o.terms, values);
    const std::uint64_t value = evaluator.bits(o.t).to_uint64();
    if (!fits || !is_in(result, o.terms.width(o.t), value)) continue;
    for (unsigned target = 0; target < o.operands.size(); ++target) {
      const auto left = implied(o.terms, o.t, target, parts);
      ASSERT_TRUE(left && is_in(*left, o.terms.width(o.operands[target]), chosen[target]))
          << name(op) << " operand " << target << " seed " << seed;
    }
    const auto left = implied(o.terms, o.t, kResult, parts);
    ASSERT_TRUE(left && is_in(*left, o.terms.width(o.t), value)) << name(op) << " result, seed " << seed;
  }
}

TEST(Rules, LoseNoValuesThatBelongTogether) {
  for (const Op op : {Op::Not, Op::And, Op::Xor, Op::Neg, Op::Add, Op::Mul, Op::Udiv, Op::Urem, Op::Shl, Op::Lshr,
                      Op::Ashr, Op::Eq, Op::Ult, Op::Slt, Op::Concat, Op::Extract, Op::SignExtend, Op::Ite})
    for (unsigned seed = 0; seed < 400; ++seed) expect_sound(op, seed);
}

}  // namespace
}  // namespace plumb::paths
