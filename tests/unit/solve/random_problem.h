#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "base/error.h"
#include "term/evaluator.h"
#include "term/term_store.h"
#include "term/traverse.h"

namespace plumb::solve {

// --- Enumeration: the oracle for problems of a few bits ---

/// The number of bits that determine a value of this sort.
inline std::uint32_t bits_of(term::Sort sort) { return sort.is_array() ? sort.width << sort.index_width : sort.width; }

/// Takes bits_of(sort) bits off the low end of `code`.
inline term::Value take_value(term::Sort sort, std::uint64_t& code) {
  const auto take = [&] {
    const BitVector bits(sort.width, code);
    code >>= sort.width;
    return bits;
  };
  if (!sort.is_array()) return take();
  term::ArrayValue array{sort.index_width, BitVector(sort.width, 0), {}};
  for (std::uint64_t i = 0; i < (1ULL << sort.index_width); ++i)
    array.elements.insert_or_assign(BitVector(sort.index_width, i), take());
  return array;
}

/// Does visit(assignment, evaluator) return true for some assignment of `variables`? Calls it until then. The evaluator
/// is that of the assignment.
template <typename Visit>
bool some_assignment(const term::TermStore& store, std::span<const term::Term> variables, Visit&& visit) {
  std::uint32_t bits = 0;
  for (const term::Term v : variables) bits += bits_of(store.sort(v));
  INVARIANT(bits <= 20, "a problem should be small enough to enumerate");
  term::Assignment assignment;
  term::Evaluator evaluator(store, assignment);
  for (std::uint64_t code = 0; code < (1ULL << bits); ++code) {
    std::uint64_t rest = code;
    for (const term::Term v : variables) assignment.insert_or_assign(v, take_value(store.sort(v), rest));
    evaluator.clear();
    if (visit(assignment, evaluator)) return true;
  }
  return false;
}

inline bool all_hold(term::Evaluator& evaluator, std::span<const term::Term> constraints) {
  return std::ranges::all_of(constraints, [&](term::Term t) { return evaluator.is_true(t); });
}

inline bool is_satisfiable(const term::TermStore& store, std::span<const term::Term> constraints) {
  return some_assignment(store, term::support(store, constraints),
                         [&](const term::Assignment&, term::Evaluator& e) { return all_hold(e, constraints); });
}

/// Terms that have the same value under all assignments.
inline bool are_equivalent(const term::TermStore& store, term::Term a, term::Term b) {
  const std::vector<term::Term> both = {a, b};
  return !some_assignment(store, term::support(store, both),
                          [&](const term::Assignment&, term::Evaluator& e) { return e.value(a) != e.value(b); });
}

// --- Random terms ---

/// Random terms over variables of the given sorts, the same for the same seed. Variables are dealt like cards, each
/// once before any comes again, so that some occur once and others often.
class RandomTerms {
 public:
  RandomTerms(term::TermStore& store, std::uint64_t seed, std::span<const term::Sort> sorts)
      : store_(store), random_(seed) {
    for (const term::Sort sort : sorts)
      variables_.push_back(store.variable(sort, fmt::format("v{}", variables_.size())));
  }

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  const std::vector<term::Term>& variables() const noexcept { return variables_; }

  /// A variable of this sort or, sometimes and if there is none, a constant.
  term::Term leaf(term::Sort sort) {
    if (below(6) != 0) {
      if (const term::Term v = variable(sort)) return v;
    }
    const term::Term element = store_.constant(sort.width, random_());
    return sort.is_array() ? store_.constant_array(sort.index_width, element) : element;
  }

  term::Term bits(std::uint32_t width, unsigned depth) {
    if (depth == 0 || below(8) == 0) return leaf({width, 0});
    if (width == 1 && below(3) != 0) return predicate(depth - 1);
    const auto sub = [&] { return bits(width, depth - 1); };
    switch (below(20)) {
      case 0:
        return store_.bit_not(sub());
      case 1:
        return store_.bit_and(sub(), sub());
      case 2:
        return store_.bit_or(sub(), sub());
      case 3:
        return store_.bit_xor(sub(), sub());
      case 4:
        return store_.neg(sub());
      case 5:
        return store_.add(sub(), sub());
      case 6:
        return store_.sub(sub(), sub());
      case 7:
        return store_.mul(sub(), sub());
      case 8:
        return store_.mul(store_.constant(width, random_() | 1), sub());
      case 9:
        return store_.udiv(sub(), sub());
      case 10:
        return store_.urem(sub(), sub());
      case 11:
        return store_.shl(sub(), sub());
      case 12:
        return below(2) == 0 ? store_.lshr(sub(), sub()) : store_.ashr(sub(), sub());
      case 13:
        return slice(width, depth - 1);
      case 14:
        return joined(width, depth - 1);
      case 15:
        return store_.sign_extend(bits(width > 1 ? width - 1 : 1, depth - 1), width);
      case 16:
        return read(width, depth - 1);
      case 17:
        return read(width, depth - 1);
      default:
        return store_.ite(bits(1, depth - 1), sub(), sub());
    }
  }

  term::Term array(term::Sort sort, unsigned depth) {
    if (depth == 0 || below(6) == 0) return leaf(sort);
    const term::Term below_it = array(sort, depth - 1);
    if (below(3) == 0) return store_.ite(bits(1, depth - 1), below_it, array(sort, depth - 1));
    return store_.store(below_it, bits(sort.index_width, depth - 1), bits(sort.width, depth - 1));
  }

  term::Term predicate(unsigned depth) {
    const term::Sort sort = store_.sort(variables_[below(variables_.size())]);
    if (sort.is_array()) return store_.eq(array(sort, depth), array(sort, depth));
    const term::Term a = bits(sort.width, depth);
    const term::Term b = bits(sort.width, depth);
    switch (below(5)) {
      case 0:
        return store_.ult(a, b);
      case 1:
        return store_.slt(a, b);
      case 2:
        return store_.ule(a, b);
      case 3:
        return store_.umul_overflow(a, b);
      default:
        return store_.eq(a, b);
    }
  }

  /// An equation that defines a variable, directly or through a sum or an exclusive or.
  term::Term equation(unsigned depth) {
    const term::Term v = variables_[below(variables_.size())];
    const term::Sort sort = store_.sort(v);
    if (sort.is_array()) return store_.eq(v, array(sort, depth));
    const term::Term side = bits(sort.width, depth);
    switch (below(4)) {
      case 0:
        return store_.eq(store_.add(store_.mul(store_.constant(sort.width, random_()), v), side), leaf(sort));
      case 1:
        return store_.eq(store_.bit_xor(v, side), leaf(sort));
      default:
        return store_.eq(v, side);
    }
  }

  term::Term constraint(unsigned depth) {
    switch (below(4)) {
      case 0:
        return equation(depth);
      case 1:
        return store_.bit_not(bits(1, depth));
      case 2:
        return store_.bit_or(bits(1, depth), bits(1, depth));
      default:
        return bits(1, depth);
    }
  }

  std::vector<term::Term> constraints(std::size_t count, unsigned depth) {
    std::vector<term::Term> result;
    while (result.size() < count) result.push_back(constraint(depth));
    return result;
  }

 private:
  term::Term variable(term::Sort sort) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto card = std::ranges::find_if(deck_, [&](term::Term v) { return store_.sort(v) == sort; });
      if (card != deck_.end()) {
        const term::Term v = *card;
        deck_.erase(card);
        return v;
      }
      deck_.insert(deck_.end(), variables_.begin(), variables_.end());
      std::shuffle(deck_.begin(), deck_.end(), random_);
    }
    return {};
  }

  term::Term slice(std::uint32_t width, unsigned depth) {
    const auto low = static_cast<std::uint32_t>(below(2));
    return store_.extract(bits(width + 1, depth), low + width - 1, low);
  }

  term::Term joined(std::uint32_t width, unsigned depth) {
    if (width == 1) return bits(width, depth);
    const auto low = 1 + static_cast<std::uint32_t>(below(width - 1));
    return store_.concat(bits(width - low, depth), bits(low, depth));
  }

  term::Term read(std::uint32_t width, unsigned depth) {
    for (const term::Term v : variables_) {
      const term::Sort sort = store_.sort(v);
      if (sort.is_array() && sort.width == width)
        return store_.select(array(sort, depth), bits(sort.index_width, depth));
    }
    return bits(width, depth);
  }

  term::TermStore& store_;
  std::mt19937_64 random_;
  std::vector<term::Term> variables_;
  std::vector<term::Term> deck_;
};

/// Small enough to enumerate, with and without arrays.
inline const std::vector<term::Sort> kBitVectorSorts = {{2, 0}, {2, 0}, {2, 0}, {1, 0}, {1, 0}};
inline const std::vector<term::Sort> kArraySorts = {{2, 0}, {1, 0}, {1, 0}, {2, 1}, {2, 1}};

}  // namespace plumb::solve
