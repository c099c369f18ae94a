#include "solve/native/order_lemmas.h"

#include <algorithm>
#include <span>

namespace plumb::solve {

using term::Op;
using term::Term;

void OrderLemmas::add(Term root) {
  term::post_order(store_, std::span(&root, 1), seen_, [&](Term t) { add_comparison(t); });
}

OrderLemmas::Relation& OrderLemmas::relation(Order& order, Term a, Term b) {
  const auto [it, is_new] = order.relations.try_emplace(std::minmax(a, b));
  if (is_new) {
    order.neighbours[a].push_back(b);
    order.neighbours[b].push_back(a);
  }
  order.changed.emplace_back(it->first);
  return it->second;
}

OrderLemmas::Relation OrderLemmas::oriented(const Order& order, Term a, Term b) const {
  const auto found = order.relations.find(std::minmax(a, b));
  if (found == order.relations.end()) return {};
  Relation r = found->second;
  if (b < a) std::swap(r.less, r.greater);
  return r;
}

void OrderLemmas::add_comparison(Term t) {
  const Op op = store_.op(t);
  if (op != Op::Eq && op != Op::Ult && op != Op::Slt) return;
  const Term a = store_.child(t, 0);
  const Term b = store_.child(t, 1);
  if (store_.is_array(a) || store_.is_constant(a) || store_.is_constant(b)) return;
  if (op == Op::Eq) {
    for (Order& order : orders_) relation(order, a, b).equal = t;
    return;
  }
  Relation& r = relation(orders_[op == Op::Slt ? 1 : 0], a, b);
  (a < b ? r.less : r.greater) = t;
}

Term OrderLemmas::strictly_less(const Relation& r) {
  if (r.less) return r.less;
  if (r.greater && r.equal) return store_.bit_and(store_.bit_not(r.greater), store_.bit_not(r.equal));
  return {};
}

Term OrderLemmas::less_or_equal(const Relation& r) {
  if (r.greater) return store_.bit_not(r.greater);
  if (r.less && r.equal) return store_.bit_or(r.less, r.equal);
  return {};
}

void OrderLemmas::tell(Term lemma, std::vector<Term>& lemmas) {
  if (told_.insert(lemma).second) lemmas.push_back(lemma);
}

void OrderLemmas::relate_two(const Relation& r, std::vector<Term>& lemmas) {
  const std::array atoms{r.less, r.greater, r.equal};
  for (std::size_t i = 0; i < atoms.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (atoms[i] && atoms[j]) tell(store_.bit_not(store_.bit_and(atoms[i], atoms[j])), lemmas);
  if (r.less && r.greater && r.equal) tell(store_.any_of(atoms), lemmas);
}

// first: a to b, second: b to c, whole: a to c.
void OrderLemmas::relate_path(const Relation& first, const Relation& second, const Relation& whole,
                              std::vector<Term>& lemmas) {
  const auto imply = [&](Term p, Term q, Term r) {
    if (p && q && r) tell(store_.implies(store_.bit_and(p, q), r), lemmas);
  };
  const auto weakest = [&](const Relation& r) {
    const Term weak = less_or_equal(r);
    return weak ? weak : strictly_less(r);
  };
  imply(weakest(first), weakest(second), less_or_equal(whole));
  imply(strictly_less(first), weakest(second), strictly_less(whole));
  imply(weakest(first), strictly_less(second), strictly_less(whole));
}

void OrderLemmas::relate_three(const Order& order, const std::array<Term, 3>& words, std::vector<Term>& lemmas) {
  std::array<Term, 3> along = words;
  do {
    const auto [a, b, c] = along;
    relate_path(oriented(order, a, b), oriented(order, b, c), oriented(order, a, c), lemmas);
  } while (std::ranges::next_permutation(along).found);
}

void OrderLemmas::relate_triangles(const Order& order, const Pair& edge, Triangles& done, std::vector<Term>& lemmas) {
  const auto [a, b] = edge;
  const bool has_order = order.relations.at(edge).has_order();
  // Of the two, the one that is compared with fewer others.
  const std::vector<Term>& of_a = order.neighbours.at(a);
  const std::vector<Term>& of_b = order.neighbours.at(b);
  const Term far = of_a.size() < of_b.size() ? b : a;
  for (const Term c : far == b ? of_a : of_b) {
    if (c == far || !order.relations.contains(std::minmax(far, c))) continue;
    if (!has_order && !oriented(order, a, c).has_order() && !oriented(order, b, c).has_order()) continue;
    std::array words{a, b, c};
    std::ranges::sort(words);
    if (!done.insert(words).second) continue;
    relate_three(order, words, lemmas);
    if (told_.size() >= kMaxLemmas) return;
  }
}

std::vector<Term> OrderLemmas::take() {
  std::vector<Term> lemmas;
  for (Order& order : orders_) {
    Triangles done;
    std::ranges::sort(order.changed);
    const auto repeated = std::ranges::unique(order.changed);
    order.changed.erase(repeated.begin(), repeated.end());
    for (const Pair& edge : order.changed) {
      if (told_.size() >= kMaxLemmas) break;
      const Relation& relation = order.relations.at(edge);
      if (relation.has_order()) relate_two(relation, lemmas);
      relate_triangles(order, edge, done, lemmas);
    }
    order.changed.clear();
  }
  return lemmas;
}

}  // namespace plumb::solve
