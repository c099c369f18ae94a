// Multiplication is a sum of rows of partial products. What makes it cheap is to have few rows: a constant operand is
// recoded to signed digits, of which no two neighbours are non-zero (Reitwiesner's non-adjacent form), if that has
// fewer of them than the binary form; a sign-extended operand needs one negative row for all copies of its sign; a
// square pairs a_i a_j with a_j a_i and has half the rows. The rows are summed one after the other by ripple-carry
// adders: column compression (Wallace) makes shallower circuits, but ones that SAT solvers find no easier.
//
// Overflow follows Schulte, Balzola, Akkas and Brocato, "Integer Multiplication with Overflow Detection or Saturation"
// (IEEE Transactions on Computers 49(7), 2000): if the leading ones of the operands do not give it away, one more bit
// of the product does.

#include "circuit/multiplier.h"

#include <algorithm>

#include "base/error.h"

namespace plumb::circuit {

namespace {

bool is_constant(Lit lit) { return lit.node() == 0; }

/// digit * multiplicand * 2^shift, where the digit is 0 or 1, or 0 or -1 if it is negative.
struct Row {
  std::size_t shift;
  Lit digit;
  bool negative;
};

std::vector<Row> binary_rows(Bits multiplier) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < multiplier.size(); ++i)
    if (multiplier[i] != kFalse) rows.push_back({i, multiplier[i], false});
  return rows;
}

/// The non-adjacent form of a constant: going up, a run of ones becomes -1 at its start and a carry into the bit above
/// it.
std::vector<Row> non_adjacent_rows(Bits constant) {
  std::vector<Row> rows;
  bool carry = false;
  for (std::size_t i = 0; i < constant.size(); ++i) {
    const bool one = constant[i] == kTrue;
    if (one == carry) continue;  // 0, or 2 and the carry stays
    const bool next = i + 1 < constant.size() && constant[i + 1] == kTrue;
    rows.push_back({i, kTrue, next});
    carry = next;
  }
  // A sum that starts with a positive row saves a negation.
  std::stable_partition(rows.begin(), rows.end(), [](const Row& row) { return !row.negative; });
  return rows;
}

/// Few rows whose sum is the multiplier.
std::vector<Row> recode(Bits multiplier) {
  std::vector<Row> rows = binary_rows(multiplier);
  if (std::all_of(multiplier.begin(), multiplier.end(), is_constant)) {
    std::vector<Row> signed_rows = non_adjacent_rows(multiplier);
    return signed_rows.size() < rows.size() ? signed_rows : rows;
  }
  // Copies of the sign from bit k on sum up to -2^k modulo 2^width.
  std::size_t sign = multiplier.size() - 1;
  if (is_constant(multiplier[sign])) return rows;
  while (sign > 0 && multiplier[sign - 1] == multiplier[sign]) --sign;
  if (sign + 1 == multiplier.size()) return rows;
  std::erase_if(rows, [&](const Row& row) { return row.shift > sign; });
  rows.back().negative = true;
  return rows;
}

/// The rows of a product, made bit by bit: all bits of a wide product together would not fit into memory.
class PartialProducts {
 public:
  PartialProducts(Gates& gates, Bits a, Bits b) : gates_(gates), multiplicand_(a) {
    is_square_ = std::equal(a.begin(), a.end(), b.begin()) && !std::all_of(a.begin(), a.end(), is_constant);
    if (is_square_) {
      // Row i: a_i^2 = a_i at 2i, then a_i a_j + a_j a_i at i + j + 1 for all j > i.
      for (std::size_t i = 0; 2 * i < a.size(); ++i)
        if (a[i] != kFalse) rows_.push_back({2 * i, a[i], false});
      return;
    }
    rows_ = recode(b);
    if (std::vector<Row> other = recode(a); other.size() < rows_.size()) {
      rows_ = std::move(other);
      multiplicand_ = b;
    }
  }

  std::size_t width() const noexcept { return multiplicand_.size(); }
  std::span<const Row> rows() const noexcept { return rows_; }

  /// The bit of `row` with weight 2^position, complemented if the row is negative (which also needs a one at its
  /// shift). Needs shift <= position < width.
  Lit bit(const Row& row, std::size_t position) {
    return gates_.and_(row.digit, multiplicand_bit(row, position)) ^ row.negative;
  }

 private:
  Lit multiplicand_bit(const Row& row, std::size_t position) const {
    const std::size_t distance = position - row.shift;
    if (!is_square_) return multiplicand_[distance];
    if (distance == 0) return kTrue;
    return distance == 1 ? kFalse : multiplicand_[row.shift / 2 + distance - 1];
  }

  Gates& gates_;
  Bits multiplicand_;
  std::vector<Row> rows_;
  bool is_square_ = false;
};

Word shift_and_add(Gates& gates, PartialProducts& products) {
  Word sum(products.width(), kFalse);
  Word row_bits;
  for (const Row& row : products.rows()) {
    row_bits.clear();
    for (std::size_t i = row.shift; i < sum.size(); ++i) row_bits.push_back(products.bit(row, i));
    const Word upper = add(gates, Bits(sum).subspan(row.shift), row_bits, kFalse ^ row.negative);
    std::copy(upper.begin(), upper.end(), sum.begin() + static_cast<std::ptrdiff_t>(row.shift));
  }
  return sum;
}

/// Some a_i b_j with i + j >= size is set.
Lit leading_ones_overflow(Gates& gates, Bits a, Bits b) {
  const std::size_t size = a.size();
  Word terms;
  Lit any = kFalse;  // some b_j with j >= size - i
  for (std::size_t i = 1; i < size; ++i) {
    any = gates.or_(any, b[size - i]);
    terms.push_back(gates.and_(a[i], any));
  }
  return any_of(gates, terms);
}

Word extended(Bits a, Lit top) {
  Word result(a.begin(), a.end());
  result.push_back(top);
  return result;
}

/// The bits below the sign, complemented if the sign is set: the value of `a`, or one less than that of -a.
Word magnitude(Gates& gates, Bits a) {
  Word result;
  for (const Lit bit : a.first(a.size() - 1)) result.push_back(gates.xor_(bit, a.back()));
  return result;
}

}  // namespace

Word multiply(Gates& gates, Bits a, Bits b) {
  INVARIANT(a.size() == b.size(), "factors should have equal widths");
  PartialProducts products(gates, a, b);
  return shift_and_add(gates, products);
}

// If the leading ones of a and b stand at m and n, then 2^(m+n) <= a b < 2^(m+n+2). So m + n >= width is an overflow,
// and otherwise the product is less than 2^(width+1).
Lit unsigned_multiply_overflows(Gates& gates, Bits a, Bits b) {
  const Lit leading = leading_ones_overflow(gates, a, b);
  const Word product = multiply(gates, extended(a, kFalse), extended(b, kFalse));
  return gates.or_(leading, product.back());
}

// If the leading ones of the magnitudes stand at m and n, then |a| >= 2^m, and more if a is negative; the same for b.
// So m + n >= width - 1 is an overflow, and otherwise |a b| <= 2^(m+1+n+1) <= 2^width. With one more bit the product
// fits, but for 2^width itself, which wraps to -2^width; either way it overflows exactly if its two upper bits differ.
Lit signed_multiply_overflows(Gates& gates, Bits a, Bits b) {
  const Lit leading = leading_ones_overflow(gates, magnitude(gates, a), magnitude(gates, b));
  const Word product = multiply(gates, extended(a, a.back()), extended(b, b.back()));
  return gates.or_(leading, gates.xor_(product[a.size()], product[a.size() - 1]));
}

}  // namespace plumb::circuit
