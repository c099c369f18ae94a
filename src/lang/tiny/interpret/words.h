#pragma once

#include <cstdint>
#include <string>

#include "lang/tiny/ast.h"

namespace plumb::tiny {

/// Ints of a run as words of up to 64 bits, on machine arithmetic alone: nothing is shared with terms and bit-vectors,
/// so that a mistake there shows when both are compared.
class Words {
 public:
  /// Mathematical integers: what the bounds of quantifiers are computed in.
  __extension__ using Integer = __int128;

  Words(std::uint32_t width, bool is_signed) : width_(width), is_signed_(is_signed) {}

  struct Result {
    std::uint64_t word = 0;
    bool overflows = false;  ///< the mathematical result does not fit, or a shift is by the width or more
  };
  /// Of arithmetic and bit operators. Division by zero gives what SMT-LIB says.
  Result apply(Operator op, std::uint64_t a, std::uint64_t b) const;
  Result negate(std::uint64_t a) const;
  std::uint64_t complement(std::uint64_t a) const { return ~a & mask(); }
  /// Of comparisons.
  bool compare(Operator op, std::uint64_t a, std::uint64_t b) const;

  std::uint64_t mask() const { return width_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width_) - 1; }
  std::uint32_t width() const { return width_; }
  Integer to_integer(std::uint64_t word) const;
  std::uint64_t to_word(Integer value) const { return static_cast<std::uint64_t>(value) & mask(); }
  Integer least() const;
  Integer greatest() const;
  std::string text(std::uint64_t word) const;

 private:
  Result wrapped(Integer exact) const;
  std::uint64_t divide(std::uint64_t a, std::uint64_t b) const;
  std::uint64_t remainder(std::uint64_t a, std::uint64_t b) const;
  Result multiply(std::uint64_t a, std::uint64_t b) const;
  std::uint64_t shift_right(std::uint64_t a, std::uint64_t amount) const;

  std::uint32_t width_;
  bool is_signed_;
};

}  // namespace plumb::tiny
