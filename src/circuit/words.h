#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "circuit/aig.h"

namespace plumb::circuit {

/// Bits of a word, least significant first; at least one.
using Word = std::vector<Lit>;
using Bits = std::span<const Lit>;

/// Makes gates of an Aig and asks the budget every few thousand of them, so that a word-level circuit of billions of
/// gates stops in time; whatever makes a gate through it may throw OutOfBudget. Gates made before that stay in the Aig,
/// unused. Holds references: a Gates lives as long as one piece of work.
class Gates {
 public:
  Gates(Aig& aig, const Budget& budget) : aig_(aig), budget_(budget) {}

  Lit and_(Lit a, Lit b) {
    charge(1);
    return aig_.and_(a, b);
  }
  Lit or_(Lit a, Lit b) { return ~and_(~a, ~b); }
  Lit xor_(Lit a, Lit b) {
    charge(1);
    return aig_.xor_(a, b);
  }
  Lit ite(Lit condition, Lit then_lit, Lit else_lit) {
    charge(1);
    return aig_.ite(condition, then_lit, else_lit);
  }
  /// At least two of the three, as ite(a ^ b, c, a): the xor is the one that a sum bit needs anyway.
  Lit majority(Lit a, Lit b, Lit c);
  /// Counts `steps` of work other than gates.
  void charge(std::size_t steps) {
    if (steps >= left_) [[unlikely]]
      refill();
    else
      left_ -= steps;
  }

 private:
  static constexpr std::size_t kStepsBetweenChecks = 4096;
  void refill() {
    budget_.check();
    left_ = kStepsBetweenChecks;
  }

  Aig& aig_;
  const Budget& budget_;
  std::size_t left_ = kStepsBetweenChecks;
};

// Word-level circuits, modulo 2^width where they compute words. Operands of one circuit have equal widths. Constant
// bits cost nothing: every gate simplifies them, and where whole parts of a circuit fall away they are not even
// visited.

/// True if there are none.
Lit all_of(Gates& gates, Bits bits);
/// False if there are none.
Lit any_of(Gates& gates, Bits bits);
Lit equal(Gates& gates, Bits a, Bits b);
Lit unsigned_less(Gates& gates, Bits a, Bits b);
Lit signed_less(Gates& gates, Bits a, Bits b);

Word complement(Bits a);
Word select(Gates& gates, Lit condition, Bits then_bits, Bits else_bits);

/// a + b + carry.
Word add(Gates& gates, Bits a, Bits b, Lit carry = kFalse);
/// a - b.
Word subtract(Gates& gates, Bits a, Bits b);
Word negate(Gates& gates, Bits a);

struct Division {
  Word quotient;
  Word remainder;
};
/// Unsigned. Dividing by zero gives all ones and the dividend, as in SMT-LIB.
Division divide(Gates& gates, Bits dividend, Bits divisor);

/// Amounts are unsigned and as wide as `a`; those of the width or more leave only zeros, or `fill`.
Word shift_left(Gates& gates, Bits a, Bits amount);
Word shift_right(Gates& gates, Bits a, Bits amount, Lit fill = kFalse);

}  // namespace plumb::circuit
