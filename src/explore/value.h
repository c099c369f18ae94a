#pragma once

#include <cstdint>

#include "term/term_store.h"

namespace plumb::explore {

using term::Term;
using term::TermStore;

/// A value of the program: a number of up to 64 bits, with zeros above its width, or a term: what depends on inputs, or
/// is wider.
struct Value {
  std::uint64_t number = 0;
  Term term{};

  bool is_number() const noexcept { return !term; }
  friend bool operator==(const Value&, const Value&) = default;
};

inline Value number(std::uint64_t n) { return {n, {}}; }

/// The value that a term is: a number where it is a constant of up to 64 bits.
inline Value value_of(const TermStore& terms, Term t) {
  if (terms.is_constant(t) && terms.width(t) <= 64) return {terms.value(t).to_uint64(), {}};
  return {0, t};
}

inline Term term_of(TermStore& terms, const Value& value, std::uint32_t width) {
  return value.is_number() ? terms.constant(width, value.number) : value.term;
}

}  // namespace plumb::explore
