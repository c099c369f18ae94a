#include "prove/guess/polynomial_facts.h"

#include <algorithm>

#include "term/linear.h"
#include "term/substitution.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

constexpr std::size_t kMaxProducts = 60;
constexpr std::size_t kMaxRows = 60;

using Products = std::map<std::vector<Term>, BitVector>;

void subtract(Products& from, const Products& row, const BitVector& factor) {
  for (const auto& [product, coefficient] : row) {
    const BitVector value = -(coefficient * factor);
    const auto [it, is_new] = from.try_emplace(product, value);
    if (!is_new) it->second = it->second + value;
    if (it->second.is_zero()) from.erase(it);
  }
}

}  // namespace

PolynomialFacts::PolynomialFacts(term::TermStore& store, std::span<const Term> facts) : store_(&store) {
  for (const Term fact : facts) {
    if (rows_.size() >= kMaxRows) break;
    std::optional<Products> products = difference(fact);
    if (!products) continue;
    reduce(*products);
    // Of those with few factors of two the longest: nothing else replaces it.
    const auto better = [](const auto& a, const auto& b) {
      if (a.first.empty() || b.first.empty()) return b.first.empty() && !a.first.empty();
      const std::uint32_t twos_a = a.second.trailing_zeros();
      const std::uint32_t twos_b = b.second.trailing_zeros();
      return twos_a != twos_b ? twos_a < twos_b : a.first.size() > b.first.size();
    };
    const auto best = std::ranges::min_element(*products, better);
    if (best == products->end() || best->first.empty()) continue;
    Row row{best->first, best->second.trailing_zeros(), {}};
    const BitVector unit = term::inverse_of_odd(best->second.lshr(row.twos));
    for (const auto& [product, coefficient] : *products)
      if (const BitVector value = coefficient * unit; !value.is_zero()) row.products.emplace(product, value);
    for (Row& other : rows_) reduce(other.products, row);
    rows_.push_back(std::move(row));
  }
}

void PolynomialFacts::reduce(Products& products, const Row& row) {
  const auto found = products.find(row.pivot);
  if (found == products.end() || found->second.trailing_zeros() < row.twos) return;
  subtract(products, row.products, found->second.lshr(row.twos));
}

std::optional<Products> PolynomialFacts::difference(Term equation) const {
  if (store_->op(equation) != term::Op::Eq) return std::nullopt;
  const Term left = store_->child(equation, 0);
  if (store_->is_array(left) || store_->width(left) < 2) return std::nullopt;
  std::optional<term::Polynomial> a = term::Polynomial::of(*store_, left, kMaxProducts);
  if (!a) return std::nullopt;
  const std::optional<term::Polynomial> b = term::Polynomial::of(*store_, store_->child(equation, 1), kMaxProducts);
  if (!b) return std::nullopt;
  Products result = std::move(a->products);
  subtract(result, b->products, BitVector(store_->width(left), 1));
  return result;
}

void PolynomialFacts::reduce(Products& products) const {
  for (const Row& row : rows_) reduce(products, row);
}

bool PolynomialFacts::imply(Term equation) const {
  if (rows_.empty()) return false;
  std::optional<Products> products = difference(equation);
  if (!products) return false;
  reduce(*products);
  return products->empty();
}

Term with_products_expanded(term::TermStore& store, Term t) {
  const auto is_product = [&](Term u) {
    return store.op(u) == term::Op::Mul && !store.is_constant(store.child(u, 0)) &&
           !store.is_constant(store.child(u, 1));
  };
  const auto is_sum = [&](Term u) {
    return store.op(u) == term::Op::Add || store.op(u) == term::Op::Neg || store.op(u) == term::Op::Mul;
  };
  term::TermSet seen;
  bool has_products = false;
  std::vector<Term> sums;  // that are compared
  const Term root[] = {t};
  term::post_order(store, root, seen, [&](Term u) {
    has_products = has_products || is_product(u);
    if (store.op(u) != term::Op::Eq && store.op(u) != term::Op::Ult && store.op(u) != term::Op::Slt) return;
    for (unsigned i = 0; i < 2; ++i)
      if (is_sum(store.child(u, i))) sums.push_back(store.child(u, i));
  });
  if (!has_products || sums.empty()) return t;
  term::Substitution expanded(store);
  for (const Term sum : sums) {
    const std::optional<term::Polynomial> polynomial = term::Polynomial::of(store, sum, kMaxProducts);
    if (!polynomial) continue;
    Term value = store.zero(store.width(sum));
    for (const auto& [factors, coefficient] : polynomial->products) {
      Term product = store.constant(coefficient);
      for (const Term factor : factors) product = store.mul(product, factor);
      value = store.add(value, product);
    }
    if (value != sum) expanded.add(sum, value);
  }
  return expanded.apply(t);
}

}  // namespace plumb::prove
