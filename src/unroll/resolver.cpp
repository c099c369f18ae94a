// Where a pointer leads is read off its term: the condition of each choice on the way to a constant says when that is
// meant. Terms are visited from the largest handle down, so a term that many choices share is visited once, when the
// conditions of all its users are known.

#include <algorithm>
#include <map>

#include "unroll/memory.h"

namespace plumb::unroll {

using term::Op;

std::optional<std::pair<Term, Term>> Resolver::summands(Term t) {
  if (terms_.op(t) == Op::Add) return std::pair(terms_.child(t, 0), terms_.child(t, 1));
  if (terms_.op(t) != Op::Concat || !terms_.is_constant(terms_.child(t, 0))) return std::nullopt;
  const Term sum = terms_.child(t, 1);
  if (!terms_.value(terms_.child(t, 0)).is_zero() || terms_.op(sum) != Op::Add) return std::nullopt;
  const std::uint32_t width = terms_.width(sum);
  const auto [a, b] = std::pair(terms_.child(sum, 0), terms_.child(sum, 1));
  if (width >= 64 || terms_.upper_bound(a) + terms_.upper_bound(b) >= std::uint64_t{1} << width) return std::nullopt;
  return std::pair(terms_.zero_extend(a, terms_.width(t)), terms_.zero_extend(b, terms_.width(t)));
}

bool Resolver::has_pointer(Term t) {
  // A choice has a pointer if a leaf of it has; the depth of choices is not bounded, so there is a stack.
  std::vector<Term> stack{t};
  while (!stack.empty()) {
    const Term top = stack.back();
    if (has_pointer_.contains(top)) {
      stack.pop_back();
      continue;
    }
    if (terms_.is_constant(top)) {
      has_pointer_[top] = objects_.at(terms_.value(top).to_uint64()) != kNone;
      stack.pop_back();
      continue;
    }
    const bool is_choice = terms_.op(top) == Op::Ite;
    const std::optional<std::pair<Term, Term>> parts =
        is_choice ? std::pair(terms_.child(top, 1), terms_.child(top, 2)) : summands(top);
    if (!parts) {
      has_pointer_[top] = false;
      stack.pop_back();
      continue;
    }
    const auto [a, b] = *parts;
    const auto known_a = has_pointer_.find(a);
    const auto known_b = has_pointer_.find(b);
    if (known_a != has_pointer_.end() && known_b != has_pointer_.end()) {
      const bool has = known_a->second || known_b->second;
      has_pointer_[top] = has;
      stack.pop_back();
      continue;
    }
    if (known_a == has_pointer_.end()) stack.push_back(a);
    if (known_b == has_pointer_.end()) stack.push_back(b);
  }
  return has_pointer_[t];
}

Resolver::Split Resolver::split(Term sum) {
  std::vector<Term> leaves;
  std::vector<Term> stack{sum};
  while (!stack.empty()) {
    const Term t = stack.back();
    stack.pop_back();
    if (const auto parts = summands(t)) {
      stack.push_back(parts->second);
      stack.push_back(parts->first);
    } else {
      leaves.push_back(t);
    }
  }
  const auto is_pointer = [&](Term t) { return has_pointer(t); };
  const auto base = std::ranges::find_if(leaves, is_pointer);
  // A difference of pointers added to a pointer leads where only the sum can tell.
  if (base == leaves.end() || std::find_if(std::next(base), leaves.end(), is_pointer) != leaves.end()) return {};
  Split made{*base, terms_.zero(terms_.width(sum))};
  for (auto it = leaves.begin(); it != leaves.end(); ++it)
    if (it != base) made.rest = terms_.add(made.rest, *it);
  return made;
}

Pointed Resolver::find(Term address) {
  Pointed found;
  found.nowhere = terms_.boolean(false);
  found.unclear_when = terms_.boolean(false);
  const std::uint32_t width = objects_.pointer_width();
  std::map<std::pair<Term, Term>, Term> work;  // term and what is added to it: when
  std::map<std::pair<ObjectId, Term>, Term> targets;
  const auto add = [&](auto& map, auto key, Term when) {
    const auto [it, is_new] = map.try_emplace(key, when);
    if (!is_new) it->second = terms_.bit_or(it->second, when);
  };
  add(work, std::pair(address, terms_.zero(width)), terms_.boolean(true));
  while (!work.empty()) {
    const auto last = std::prev(work.end());
    const auto [key, when] = *last;
    const auto [t, rest] = key;
    work.erase(last);
    if (terms_.is_false(when)) continue;
    if (terms_.is_constant(t)) {
      const std::uint64_t number = terms_.value(t).to_uint64();
      const ObjectId object = objects_.at(number);
      if (object == kNone) {
        found.nowhere = terms_.bit_or(found.nowhere, when);
      } else {
        const Term inside = terms_.constant(width, number - objects_[object].base);
        add(targets, std::pair(object, terms_.add(inside, rest)), when);
      }
    } else if (terms_.op(t) == Op::Ite) {
      const Term condition = terms_.child(t, 0);
      add(work, std::pair(terms_.child(t, 1), rest), terms_.bit_and(when, condition));
      add(work, std::pair(terms_.child(t, 2), rest), terms_.bit_and(when, terms_.bit_not(condition)));
    } else if (const Split parts = summands(t) ? split(t) : Split{}; parts.base) {
      add(work, std::pair(parts.base, terms_.add(parts.rest, rest)), when);
    } else {
      found.is_unclear = true;
      found.unclear_when = terms_.bit_or(found.unclear_when, when);
    }
  }
  found.unclear = address;
  for (const auto& [key, when] : targets) found.targets.push_back({key.first, key.second, when});
  return found;
}

const Pointed& Resolver::resolve(Term address) {
  std::unique_ptr<Pointed>& found = known_[address];
  if (!found) found = std::make_unique<Pointed>(find(address));
  return *found;
}

}  // namespace plumb::unroll
