#include "solve/native/order_lemmas.h"

#include <algorithm>
#include <span>
#include <utility>

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

void OrderLemmas::complete(Order& order, const std::array<Term, 3>& words) {
  const auto [a, b, c] = words;
  const std::array<Pair, 3> edges{{{a, b}, {a, c}, {b, c}}};
  const auto has_order = [&](const Pair& edge) { return order.relations.at(edge).has_order(); };
  const auto open = std::ranges::find_if_not(edges, has_order);
  if (std::ranges::count_if(edges, has_order) != 2 || added_atoms_ >= kMaxAtoms) return;
  ++added_atoms_;
  const auto [low, high] = *open;
  order.relations.at(*open).less = order.is_signed ? store_.slt(low, high) : store_.ult(low, high);
  order.changed.push_back(*open);
}

void OrderLemmas::relate_triangles(Order& order, const Pair& edge, Triangles& done, std::vector<Term>& lemmas) {
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
    complete(order, words);
    relate_three(order, words, lemmas);
    if (told_.size() >= kMaxLemmas) return;
  }
}

std::vector<Term> OrderLemmas::take() {
  std::vector<Term> lemmas;
  for (Order& order : orders_) {
    while (!order.changed.empty() && told_.size() < kMaxLemmas) {
      Triangles done;
      std::vector<Pair> changed = std::exchange(order.changed, {});
      std::ranges::sort(changed);
      const auto repeated = std::ranges::unique(changed);
      changed.erase(repeated.begin(), repeated.end());
      for (const Pair& edge : changed) {
        if (told_.size() >= kMaxLemmas) break;
        const Relation& relation = order.relations.at(edge);
        if (relation.has_order()) relate_two(relation, lemmas);
        relate_triangles(order, edge, done, lemmas);
      }
    }
    order.changed.clear();
  }
  return lemmas;
}

}  // namespace plumb::solve
