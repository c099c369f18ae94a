#include "term/polynomial.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>

namespace plumb::term {

namespace {

using Products = std::map<std::vector<Term>, BitVector>;

void add_product(Products& sum, const std::vector<Term>& factors, const BitVector& coefficient) {
  const auto [it, is_new] = sum.try_emplace(factors, coefficient);
  if (!is_new) it->second = it->second + coefficient;
  if (it->second.is_zero()) sum.erase(it);
}

void add_multiple(Products& sum, const Products& other, const BitVector& factor) {
  for (const auto& [factors, coefficient] : other) add_product(sum, factors, coefficient * factor);
}

Products multiply(const Products& a, const Products& b) {
  Products result;
  for (const auto& [factors_a, coefficient_a] : a) {
    for (const auto& [factors_b, coefficient_b] : b) {
      std::vector<Term> factors;
      std::merge(factors_a.begin(), factors_a.end(), factors_b.begin(), factors_b.end(), std::back_inserter(factors));
      add_product(result, factors, coefficient_a * coefficient_b);
    }
  }
  return result;
}

/// Of one term whose operands' polynomials are known.
Products combine(TermStore& s, Term t, const absl::flat_hash_map<Term, Products>& known) {
  const std::uint32_t width = s.width(t);
  const BitVector one(width, 1);
  Products result;
  switch (s.op(t)) {
    case Op::Constant:
      add_product(result, {}, s.value(t));
      break;
    case Op::Add:
      result = known.at(s.child(t, 0));
      add_multiple(result, known.at(s.child(t, 1)), one);
      break;
    case Op::Neg:
      add_multiple(result, known.at(s.child(t, 0)), -one);
      break;
    case Op::Not:
      add_multiple(result, known.at(s.child(t, 0)), -one);
      add_product(result, {}, -one);
      break;
    case Op::Mul:
      result = multiply(known.at(s.child(t, 0)), known.at(s.child(t, 1)));
      break;
    case Op::Urem: {
      const Products quotient{{{s.udiv(s.child(t, 0), s.child(t, 1))}, one}};
      result = known.at(s.child(t, 0));
      add_multiple(result, multiply(quotient, known.at(s.child(t, 1))), -one);
      break;
    }
    default:
      add_product(result, {t}, one);
      break;
  }
  return result;
}

bool is_arithmetic(Op op) { return op == Op::Add || op == Op::Neg || op == Op::Not || op == Op::Mul || op == Op::Urem; }

}  // namespace

std::optional<Polynomial> Polynomial::of(TermStore& s, Term root, std::size_t limit) {
  absl::flat_hash_map<Term, Products> known;
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term t = stack.back();
    if (known.contains(t)) {
      stack.pop_back();
      continue;
    }
    if (known.size() > 8 * limit) return {};
    const std::size_t before = stack.size();
    if (is_arithmetic(s.op(t)))
      for (unsigned i = 0; i < s.arity(t); ++i)
        if (!known.contains(s.child(t, i))) stack.push_back(s.child(t, i));
    if (stack.size() != before) continue;
    stack.pop_back();
    Products products = combine(s, t, known);
    if (products.size() > limit) return {};
    known.emplace(t, std::move(products));
  }
  return Polynomial{std::move(known.at(root))};
}

}  // namespace plumb::term
