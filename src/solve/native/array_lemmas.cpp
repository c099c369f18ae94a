#include "solve/native/array_lemmas.h"

#include <optional>

#include "base/error.h"

namespace plumb::solve {

using term::ArrayValue;
using term::Op;
using term::Term;

namespace {

/// An index at which two arrays differ.
std::optional<BitVector> difference(const ArrayValue& a, const ArrayValue& b) {
  for (const auto& [index, element] : a.elements)
    if (b.at(index) != element) return index;
  for (const auto& [index, element] : b.elements)
    if (a.at(index) != element) return index;
  if (a.otherwise == b.otherwise) return {};
  BitVector index(a.index_width, 0);
  do {
    if (!a.elements.contains(index) && !b.elements.contains(index)) return index;
    index = index + BitVector(a.index_width, 1);
  } while (!index.is_zero());
  return {};
}

}  // namespace

void ArrayLemmas::add(Term root) {
  term::post_order(store_, std::span(&root, 1), seen_, [&](Term t) {
    if (store_.op(t) == Op::Select) {
      reads_.push_back(t);
      indices_.push_back(store_.child(t, 1));
    } else if (store_.op(t) == Op::Store) {
      indices_.push_back(store_.child(t, 1));
    } else if (store_.op(t) == Op::Eq && store_.is_array(store_.child(t, 0))) {
      equalities_.push_back(t);
    } else if (store_.is_variable(t) && store_.is_array(t)) {
      variables_.push_back(t);
    }
  });
}

void ArrayLemmas::clear() {
  seen_.clear();
  reads_.clear();
  equalities_.clear();
  indices_.clear();
  variables_.clear();
}

Term ArrayLemmas::implication(std::span<const Term> path, Term conclusion) {
  ++count_;
  return store_.implies(store_.all_of(path), conclusion);
}

void ArrayLemmas::follow(Term read, const Candidate& candidate, Cells& cells, std::vector<Term>& lemmas) {
  const Term index = store_.child(read, 1);
  const BitVector at = candidate(index);
  const BitVector got = candidate(read);
  std::vector<Term> path;
  Term array = store_.child(read, 0);
  const auto expect = [&](Term element) {
    if (candidate(element) != got) lemmas.push_back(implication(path, store_.eq(read, element)));
  };
  for (;;) {
    switch (store_.op(array)) {
      case Op::Store:
        if (candidate(store_.child(array, 1)) == at) {
          path.push_back(store_.eq(index, store_.child(array, 1)));
          return expect(store_.child(array, 2));
        }
        path.push_back(store_.distinct(index, store_.child(array, 1)));
        array = store_.child(array, 0);
        break;
      case Op::Ite: {
        const Term condition = store_.child(array, 0);
        const bool chosen = candidate(condition).is_one();
        path.push_back(chosen ? condition : store_.bit_not(condition));
        array = store_.child(array, chosen ? 1 : 2);
        break;
      }
      case Op::ConstantArray:
        return expect(store_.child(array, 0));
      default: {
        INVARIANT(store_.is_variable(array), "an array should be a store, an ite, a constant or a variable");
        const auto [it, is_new] = cells.try_emplace({array, at}, Cell{read, path});
        if (is_new) return;
        path.insert(path.end(), it->second.path.begin(), it->second.path.end());
        path.push_back(store_.eq(index, store_.child(it->second.read, 1)));
        return expect(it->second.read);
      }
    }
  }
}

Term ArrayLemmas::base(Term array, const Candidate& candidate) const {
  for (;;) {
    if (store_.op(array) == Op::Store)
      array = store_.child(array, 0);
    else if (store_.op(array) == Op::Ite)
      array = store_.child(array, candidate(store_.child(array, 0)).is_one() ? 1 : 2);
    else
      return array;
  }
}

term::Assignment ArrayLemmas::describe(const Cells& cells, const Candidate& candidate) const {
  // Arrays that are equal in the candidate must agree on the cells that nobody reads: they share a default, which a
  // constant array fixes.
  term::Assignment model;
  for (const Term v : variables_) model.emplace(v, term::zero_value(store_.sort(v)));
  const auto otherwise = [&](Term array) -> BitVector {
    if (store_.op(array) == Op::ConstantArray) return candidate(store_.child(array, 0));
    return std::get<ArrayValue>(model.at(array)).otherwise;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Term e : equalities_) {
      if (!candidate(e).is_one()) continue;
      const Term a = base(store_.child(e, 0), candidate);
      const Term b = base(store_.child(e, 1), candidate);
      for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
        if (store_.is_variable(x) && !otherwise(y).is_zero() && otherwise(x).is_zero()) {
          std::get<ArrayValue>(model.at(x)).otherwise = otherwise(y);
          changed = true;
        }
      }
    }
  }
  for (const auto& [place, cell] : cells)
    std::get<ArrayValue>(model.at(place.first)).elements.insert_or_assign(place.second, candidate(cell.read));
  return model;
}

ArrayValue ArrayLemmas::build(Term array, const Candidate& candidate, const term::Assignment& model) const {
  std::vector<Term> writes;
  const Term bottom = base(array, candidate);
  for (Term t = array; t != bottom;) {
    if (store_.op(t) == Op::Store) {
      writes.push_back(t);
      t = store_.child(t, 0);
    } else {
      t = store_.child(t, candidate(store_.child(t, 0)).is_one() ? 1 : 2);
    }
  }
  ArrayValue value = std::get<ArrayValue>(term::zero_value(store_.sort(bottom)));
  if (store_.op(bottom) == Op::ConstantArray)
    value.otherwise = candidate(store_.child(bottom, 0));
  else
    value = std::get<ArrayValue>(model.at(bottom));
  for (auto w = writes.rbegin(); w != writes.rend(); ++w)
    value.elements.insert_or_assign(candidate(store_.child(*w, 1)), candidate(store_.child(*w, 2)));
  return value;
}

Term ArrayLemmas::index_with_value(const BitVector& value, const Candidate& candidate) {
  for (const Term t : indices_)
    if (store_.width(t) == value.width() && candidate(t) == value) return t;
  return store_.constant(value);
}

void ArrayLemmas::check_equality(Term equality, const Candidate& candidate, const term::Assignment& model,
                                 std::vector<Term>& lemmas) {
  const Term a = store_.child(equality, 0);
  const Term b = store_.child(equality, 1);
  const auto where = difference(build(a, candidate, model), build(b, candidate, model));
  const bool claimed = candidate(equality).is_one();
  if (claimed && where) {
    const Term i = index_with_value(*where, candidate);
    lemmas.push_back(implication(std::span(&equality, 1), store_.eq(store_.select(a, i), store_.select(b, i))));
  } else if (!claimed && !where) {
    // Different arrays differ somewhere: at a cell that gets a name here.
    Term& i = witnesses_[equality];
    if (!i) i = store_.variable(store_.sort(a).index_width, "witness");
    const Term differ = store_.distinct(store_.select(a, i), store_.select(b, i));
    ++count_;
    lemmas.push_back(store_.bit_or(equality, differ));
  }
}

std::vector<Term> ArrayLemmas::violated(const Candidate& candidate, term::Assignment& model) {
  std::vector<Term> lemmas;
  Cells cells;
  for (const Term read : reads_) follow(read, candidate, cells, lemmas);
  if (!lemmas.empty()) return lemmas;
  term::Assignment arrays = describe(cells, candidate);
  for (const Term equality : equalities_) check_equality(equality, candidate, arrays, lemmas);
  if (lemmas.empty())
    for (auto& [variable, value] : arrays) model.insert_or_assign(variable, std::move(value));
  return lemmas;
}

}  // namespace plumb::solve
