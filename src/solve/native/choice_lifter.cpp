#include "solve/native/choice_lifter.h"

#include <array>
#include <span>

#include "term/substitution.h"

namespace plumb::solve {

using term::Op;
using term::Term;

Term ChoiceLifter::apply(Term root) {
  term::post_order(store_, std::span(&root, 1), seen_, [&](Term t) {
    const Term made = lift(term::rebuild(store_, t, done_));
    done_[t] = made;
    seen_[made] = {};
    done_[made] = made;
  });
  return done_.at(root);
}

ChoiceLifter::Key ChoiceLifter::key(const Comparison& comparison, Term part) {
  return comparison.is_left ? Key{comparison.op, part, comparison.other} : Key{comparison.op, comparison.other, part};
}

Term ChoiceLifter::compare(const Comparison& comparison, Term part) {
  const auto [op, left, right] = key(comparison, part);
  const auto [it, is_new] = known_.try_emplace({op, left, right});
  if (is_new) it->second = store_.make(op, std::array{left, right});
  return it->second;
}

std::vector<Term> ChoiceLifter::choices_below(Term root) {
  std::vector<Term> found;
  std::size_t count = 0;
  std::vector<std::pair<Term, bool>> work{{root, false}};
  below_.clear();
  while (!work.empty()) {
    const auto [t, is_expanded] = work.back();
    work.pop_back();
    if (is_expanded) {
      found.push_back(t);
      continue;
    }
    if (!is_choice(t) || below_.contains(t)) continue;
    if (++count > kMaxChoices) return {};
    below_[t] = {};
    work.emplace_back(t, true);
    work.emplace_back(store_.child(t, 2), false);
    work.emplace_back(store_.child(t, 1), false);
  }
  return found;
}

std::int64_t ChoiceLifter::cost(const Comparison& comparison, const std::vector<Term>& choices) {
  below_.clear();
  std::size_t words = 0;
  std::size_t bits = 0;
  for (const Term choice : choices) {
    if (!known_.contains(key(comparison, choice))) ++bits;
    for (const unsigned i : {1U, 2U}) {
      const Term part = store_.child(choice, i);
      if (is_choice(part) || store_.is_constant(part) || below_.contains(part)) continue;
      below_[part] = {};
      if (!known_.contains(key(comparison, part))) ++words;
    }
  }
  return static_cast<std::int64_t>(words + bits / store_.width(comparison.other));
}

Term ChoiceLifter::lift(Term t) {
  const Op op = store_.op(t);
  if (op != Op::Eq && op != Op::Ult && op != Op::Slt) return t;
  const Term left = store_.child(t, 0);
  const Term right = store_.child(t, 1);
  if (store_.is_array(left) || is_choice(left) == is_choice(right)) return t;
  const Comparison comparison{op, is_choice(left) ? right : left, is_choice(left)};
  if (store_.is_constant(comparison.other)) return t;
  const std::vector<Term> choices = choices_below(comparison.is_left ? left : right);
  for (const Term choice : choices) {
    if (met_.contains(choice)) continue;
    met_[choice] = {};
    credit_ += kCreditPerChoice;
  }
  const std::int64_t price = cost(comparison, choices);
  if (choices.empty() || price > credit_) return t;
  credit_ -= price;
  ++lifted_;
  for (const Term choice : choices) {
    if (known_.contains(key(comparison, choice))) continue;
    const Term yes = compare(comparison, store_.child(choice, 1));
    const Term no = compare(comparison, store_.child(choice, 2));
    known_.emplace(key(comparison, choice), store_.ite(store_.child(choice, 0), yes, no));
  }
  return known_.at(key(comparison, choices.back()));
}

}  // namespace plumb::solve
