#pragma once

#include <random>
#include <vector>

#include "ltl/buchi.h"

namespace plumb::ltl {

constexpr std::uint32_t kAtoms = 2;
inline const Budget kBudget;

/// A word that goes round: letters, and the position that follows the last.
struct Lasso {
  std::vector<std::uint32_t> letters;
  std::size_t back = 0;

  std::size_t after(std::size_t i) const { return i + 1 < letters.size() ? i + 1 : back; }
};

inline Letter letter_of(std::uint32_t atoms) {
  Letter letter;
  for (std::uint32_t i = 0; i < kAtoms; ++i) {
    letter.push_back(((atoms >> i) & 1) != 0);
    letter.push_back(((atoms >> i) & 1) == 0);
  }
  return letter;
}

/// Where a formula holds on a lasso, by the definition: least and greatest fixed points.
inline std::vector<bool> holds(const Formulas& formulas, Id id, const Lasso& word) {
  using Kind = Formulas::Kind;
  const Formulas::Node& node = formulas[id];
  const std::size_t n = word.letters.size();
  std::vector<bool> result(n, node.kind == Kind::True || node.kind == Kind::Release);
  if (node.kind == Kind::Literal)
    for (std::size_t i = 0; i < n; ++i) result[i] = letter_of(word.letters[i])[node.literal];
  if (node.kind <= Kind::Literal) return result;
  const std::vector<bool> a = holds(formulas, node.a, word);
  if (node.kind == Kind::Next) {
    for (std::size_t i = 0; i < n; ++i) result[i] = a[word.after(i)];
    return result;
  }
  const std::vector<bool> b = holds(formulas, node.b, word);
  for (std::size_t round = 0; round <= n; ++round)
    for (std::size_t i = 0; i < n; ++i) {
      if (node.kind == Kind::And) result[i] = a[i] && b[i];
      if (node.kind == Kind::Or) result[i] = a[i] || b[i];
      if (node.kind == Kind::Until) result[i] = b[i] || (a[i] && result[word.after(i)]);
      if (node.kind == Kind::Release) result[i] = b[i] && (a[i] || result[word.after(i)]);
    }
  return result;
}

class Generator {
 public:
  Generator(Formulas& formulas, std::uint32_t seed) : formulas_(formulas), random_(seed) {}

  Id formula(int depth) {
    if (depth == 0 || pick(6) == 0) return formulas_.literal(pick(2 * kAtoms));
    switch (pick(7)) {
      case 0:
        return formulas_.conjunction(formula(depth - 1), formula(depth - 1));
      case 1:
        return formulas_.disjunction(formula(depth - 1), formula(depth - 1));
      case 2:
        return formulas_.next(formula(depth - 1));
      case 3:
        return formulas_.until(formula(depth - 1), formula(depth - 1));
      case 4:
        return formulas_.release(formula(depth - 1), formula(depth - 1));
      case 5:
        return formulas_.finally(formula(depth - 1));
      default:
        return formulas_.globally(formula(depth - 1));
    }
  }
  Lasso word() {
    Lasso result;
    const std::size_t length = 1 + pick(7);
    for (std::size_t i = 0; i < length; ++i) result.letters.push_back(pick(1U << kAtoms));
    result.back = pick(static_cast<std::uint32_t>(length));
    return result;
  }

 private:
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  Formulas& formulas_;
  std::mt19937 random_;
};

}  // namespace plumb::ltl
