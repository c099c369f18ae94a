#include "system/btor2_operators.h"

#include <absl/container/flat_hash_map.h>

#include <vector>

namespace plumb::system {

namespace {

using term::Term;
using term::TermStore;
using Shape = Btor2Shape;

Term parity(TermStore& s, Term a) {
  std::vector<Term> bits;
  for (std::uint32_t i = 0; i < s.width(a); ++i) bits.push_back(s.bit(a, i));
  while (bits.size() > 1) {
    std::vector<Term> halved;
    for (std::size_t i = 0; i + 1 < bits.size(); i += 2) halved.push_back(s.bit_xor(bits[i], bits[i + 1]));
    if (bits.size() % 2 != 0) halved.push_back(bits.back());
    bits = std::move(halved);
  }
  return bits.front();
}

#define PLUMB_OPERATOR(name, shape, expression) \
  {name, shape,                                 \
   [](TermStore& s, [[maybe_unused]] Term a, [[maybe_unused]] Term b, [[maybe_unused]] Term c) { return expression; }}

// clang-format off
constexpr Btor2Operator kOperators[] = {
    PLUMB_OPERATOR("not", Shape::Unary, s.bit_not(a)),
    PLUMB_OPERATOR("inc", Shape::Unary, s.add(a, s.one(s.width(a)))),
    PLUMB_OPERATOR("dec", Shape::Unary, s.sub(a, s.one(s.width(a)))),
    PLUMB_OPERATOR("neg", Shape::Unary, s.neg(a)),
    PLUMB_OPERATOR("redand", Shape::Reduction, s.eq(a, s.ones(s.width(a)))),
    PLUMB_OPERATOR("redor", Shape::Reduction, s.distinct(a, s.zero(s.width(a)))),
    PLUMB_OPERATOR("redxor", Shape::Reduction, parity(s, a)),
    PLUMB_OPERATOR("iff", Shape::Logical, s.eq(a, b)),
    PLUMB_OPERATOR("implies", Shape::Logical, s.implies(a, b)),
    PLUMB_OPERATOR("eq", Shape::Equality, s.eq(a, b)),
    PLUMB_OPERATOR("neq", Shape::Equality, s.distinct(a, b)),
    PLUMB_OPERATOR("ugt", Shape::Comparison, s.ult(b, a)),
    PLUMB_OPERATOR("ugte", Shape::Comparison, s.ule(b, a)),
    PLUMB_OPERATOR("ult", Shape::Comparison, s.ult(a, b)),
    PLUMB_OPERATOR("ulte", Shape::Comparison, s.ule(a, b)),
    PLUMB_OPERATOR("sgt", Shape::Comparison, s.slt(b, a)),
    PLUMB_OPERATOR("sgte", Shape::Comparison, s.sle(b, a)),
    PLUMB_OPERATOR("slt", Shape::Comparison, s.slt(a, b)),
    PLUMB_OPERATOR("slte", Shape::Comparison, s.sle(a, b)),
    PLUMB_OPERATOR("and", Shape::Binary, s.bit_and(a, b)),
    PLUMB_OPERATOR("nand", Shape::Binary, s.bit_not(s.bit_and(a, b))),
    PLUMB_OPERATOR("or", Shape::Binary, s.bit_or(a, b)),
    PLUMB_OPERATOR("nor", Shape::Binary, s.bit_not(s.bit_or(a, b))),
    PLUMB_OPERATOR("xor", Shape::Binary, s.bit_xor(a, b)),
    PLUMB_OPERATOR("xnor", Shape::Binary, s.bit_not(s.bit_xor(a, b))),
    PLUMB_OPERATOR("sll", Shape::Binary, s.shl(a, b)),
    PLUMB_OPERATOR("srl", Shape::Binary, s.lshr(a, b)),
    PLUMB_OPERATOR("sra", Shape::Binary, s.ashr(a, b)),
    PLUMB_OPERATOR("rol", Shape::Binary, s.rotate_left(a, b)),
    PLUMB_OPERATOR("ror", Shape::Binary, s.rotate_right(a, b)),
    PLUMB_OPERATOR("add", Shape::Binary, s.add(a, b)),
    PLUMB_OPERATOR("sub", Shape::Binary, s.sub(a, b)),
    PLUMB_OPERATOR("mul", Shape::Binary, s.mul(a, b)),
    PLUMB_OPERATOR("udiv", Shape::Binary, s.udiv(a, b)),
    PLUMB_OPERATOR("urem", Shape::Binary, s.urem(a, b)),
    PLUMB_OPERATOR("sdiv", Shape::Binary, s.sdiv(a, b)),
    PLUMB_OPERATOR("srem", Shape::Binary, s.srem(a, b)),
    PLUMB_OPERATOR("smod", Shape::Binary, s.smod(a, b)),
    PLUMB_OPERATOR("uaddo", Shape::Comparison, s.uadd_overflow(a, b)),
    PLUMB_OPERATOR("saddo", Shape::Comparison, s.sadd_overflow(a, b)),
    PLUMB_OPERATOR("usubo", Shape::Comparison, s.usub_overflow(a, b)),
    PLUMB_OPERATOR("ssubo", Shape::Comparison, s.ssub_overflow(a, b)),
    PLUMB_OPERATOR("umulo", Shape::Comparison, s.umul_overflow(a, b)),
    PLUMB_OPERATOR("smulo", Shape::Comparison, s.smul_overflow(a, b)),
    PLUMB_OPERATOR("sdivo", Shape::Comparison, s.sdiv_overflow(a, b)),
    PLUMB_OPERATOR("concat", Shape::Concat, s.concat(a, b)),
    PLUMB_OPERATOR("read", Shape::Read, s.select(a, b)),
    PLUMB_OPERATOR("write", Shape::Write, s.store(a, b, c)),
    PLUMB_OPERATOR("ite", Shape::Ite, s.ite(a, b, c)),
};
// clang-format on
#undef PLUMB_OPERATOR

}  // namespace

const Btor2Operator* find_btor2_operator(std::string_view name) {
  static const absl::flat_hash_map<std::string_view, const Btor2Operator*> table = [] {
    absl::flat_hash_map<std::string_view, const Btor2Operator*> result;
    for (const Btor2Operator& op : kOperators) result.emplace(op.name, &op);
    return result;
  }();
  const auto it = table.find(name);
  return it == table.end() ? nullptr : it->second;
}

unsigned operand_count(Btor2Shape shape) {
  switch (shape) {
    case Shape::Unary:
    case Shape::Reduction:
      return 1;
    case Shape::Write:
    case Shape::Ite:
      return 3;
    default:
      return 2;
  }
}

}  // namespace plumb::system
