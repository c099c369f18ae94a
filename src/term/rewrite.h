#pragma once

// What the rewrite_*.cpp files share. A rule that calls make functions on the operands of its operands could recurse as
// deep as the term; Depth counts such calls and past the limit terms are interned as they are, which is always correct.

#include "base/error.h"
#include "term/term_store.h"

namespace plumb::term {

inline constexpr unsigned kMaxRewriteDepth = 48;

class Depth {
 public:
  explicit Depth(unsigned& depth) : depth_(depth) { ++depth_; }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  bool exhausted() const noexcept { return depth_ > kMaxRewriteDepth; }

 private:
  unsigned& depth_;
};

/// Constants first, then the older term: the normal form of commutative operators.
inline void order_operands(const TermStore& s, Term& a, Term& b) {
  const bool ca = s.is_constant(a);
  const bool cb = s.is_constant(b);
  if (ca != cb ? cb : b < a) std::swap(a, b);
}

/// a is ~b.
inline bool complementary(const TermStore& s, Term a, Term b) {
  return (s.op(a) == Op::Not && s.child(a, 0) == b) || (s.op(b) == Op::Not && s.child(b, 0) == a);
}

/// An Ite of two constants, or with at least one.
inline bool is_constant_ite(const TermStore& s, Term t) {
  return s.op(t) == Op::Ite && s.is_constant(s.child(t, 1)) && s.is_constant(s.child(t, 2));
}
inline bool is_half_constant_ite(const TermStore& s, Term t) {
  return s.op(t) == Op::Ite && (s.is_constant(s.child(t, 1)) || s.is_constant(s.child(t, 2)));
}

/// A concatenation with a constant among its first few parts.
inline bool has_constant_part(const TermStore& s, Term t) {
  for (unsigned parts = 8; s.op(t) == Op::Concat && parts > 0; --parts, t = s.child(t, 1))
    if (s.is_constant(s.child(t, 0)) || s.is_constant(s.child(t, 1))) return true;
  return false;
}

/// Bits at the top that are certainly zero, as seen from constants and concatenations.
std::uint32_t leading_zeros(const TermStore& s, Term t);

inline void check_same_width(const TermStore& s, Term a, Term b) {
  INVARIANT(s.width(a) == s.width(b), "operands should have the same width");
}

}  // namespace plumb::term
