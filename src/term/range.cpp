#include "term/range.h"

#include <algorithm>
#include <array>
#include <bit>

namespace plumb::term {

namespace {

using Wide = __int128;

constexpr std::uint64_t ones(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
constexpr std::int64_t max_signed(std::uint32_t width) { return static_cast<std::int64_t>(ones(width) >> 1); }
constexpr std::int64_t min_signed(std::uint32_t width) { return -max_signed(width) - 1; }
constexpr std::int64_t to_signed(std::uint32_t width, std::uint64_t value) {
  const std::uint32_t unused = 64 - width;
  return static_cast<std::int64_t>(value << unused) >> unused;
}
constexpr std::uint64_t to_unsigned(std::uint32_t width, std::int64_t value) {
  return static_cast<std::uint64_t>(value) & ones(width);
}

/// Each interval made smaller by what the other one says; nothing if they exclude each other.
std::optional<Range> reduced(std::uint32_t width, Range r) {
  for (int round = 0; round < 2; ++round) {
    if (r.low > r.high || r.least > r.greatest) return std::nullopt;
    const auto middle = static_cast<std::uint64_t>(max_signed(width));
    if (r.high <= middle || r.low > middle) {
      r.least = std::max(r.least, to_signed(width, r.low));
      r.greatest = std::min(r.greatest, to_signed(width, r.high));
    }
    if (r.least > r.greatest) return std::nullopt;
    if (r.least >= 0 || r.greatest < 0) {
      r.low = std::max(r.low, to_unsigned(width, r.least));
      r.high = std::min(r.high, to_unsigned(width, r.greatest));
    }
  }
  if (r.low > r.high || r.least > r.greatest) return std::nullopt;
  return r;
}

/// Exact results modulo 2^width of which all lie between these; all values if they wrap in different ways.
Range wrapped(std::uint32_t width, Wide low, Wide high, Wide least, Wide greatest) {
  Range r = Range::all(width);
  const Wide size = Wide{1} << width;
  const auto turns = [&](Wide value) { return value >= 0 ? value / size : (value - size + 1) / size; };
  if (turns(low) == turns(high)) {
    r.low = static_cast<std::uint64_t>(low - turns(low) * size);
    r.high = static_cast<std::uint64_t>(high - turns(high) * size);
  }
  const Wide half = size / 2;
  if (turns(least + half) == turns(greatest + half)) {
    r.least = static_cast<std::int64_t>(least - turns(least + half) * size);
    r.greatest = static_cast<std::int64_t>(greatest - turns(greatest + half) * size);
  }
  return reduced(width, r).value_or(Range::all(width));
}

Range product(std::uint32_t width, const Range& a, const Range& b) {
  const std::array<Wide, 4> ends = {Wide{a.least} * b.least, Wide{a.least} * b.greatest, Wide{a.greatest} * b.least,
                                    Wide{a.greatest} * b.greatest};
  const auto [least, greatest] = std::minmax_element(ends.begin(), ends.end());
  // Two numbers of 64 bits may have a product that is no Wide.
  const bool is_small = a.high <= ones(63) && b.high <= ones(63);
  const Wide size = Wide{1} << width;
  const Wide low = is_small ? Wide{a.low} * Wide{b.low} : Wide{0};
  const Wide high = is_small ? Wide{a.high} * Wide{b.high} : size;
  return wrapped(width, low, high, *least, *greatest);
}

Range negated(std::uint32_t width, const Range& a) {
  const Wide size = Wide{1} << width;
  const bool has_zero = a.low == 0 && a.high != 0;
  return wrapped(width, has_zero ? Wide{0} : size - Wide{a.high}, has_zero ? size : size - Wide{a.low},
                 -Wide{a.greatest}, -Wide{a.least});
}

Range inverted(std::uint32_t width, const Range& a) {
  return {ones(width) - a.high, ones(width) - a.low, ~a.greatest, ~a.least};
}

Range up_to(std::uint32_t width, std::uint64_t low, std::uint64_t high) {
  return *Range::of_unsigned(width, low, high);
}

Range quotient(std::uint32_t width, const Range& a, const Range& b) {
  if (b.low == 0) return Range::all(width);
  return up_to(width, a.low / b.high, a.high / b.low);
}

Range remainder(std::uint32_t width, const Range& a, const Range& b) {
  if (b.low == 0) return up_to(width, 0, a.high);
  if (a.high < b.low) return a;
  return up_to(width, 0, std::min(a.high, b.high - 1));
}

Range shifted_right(std::uint32_t width, const Range& a, const Range& by) {
  const std::uint64_t low = by.high >= width ? 0 : a.low >> by.high;
  const std::uint64_t high = by.low >= width ? 0 : a.high >> by.low;
  return up_to(width, low, high);
}

Range shifted_arithmetically(std::uint32_t width, const Range& a, const Range& by) {
  const std::uint64_t few = std::min<std::uint64_t>(by.low, 63);
  const std::uint64_t many = std::min<std::uint64_t>(by.high, 63);
  return *Range::of_signed(width, std::min(a.least >> few, a.least >> many),
                           std::max(a.greatest >> few, a.greatest >> many));
}

Range shifted_left(std::uint32_t width, const Range& a, const Range& by) {
  if (by.high >= width || by.high > 62) return Range::all(width);
  const auto power = [](std::uint64_t n) {
    return Range{std::uint64_t{1} << n, std::uint64_t{1} << n, std::int64_t{1} << n, std::int64_t{1} << n};
  };
  return product(width, a, {power(by.low).low, power(by.high).high, power(by.low).least, power(by.high).greatest});
}

Range both(std::uint32_t width, const Range& a, const Range& b) {
  // A mask that keeps all bits that the other one can have.
  if (a.is_single() && (a.low & (a.low + 1)) == 0 && b.high <= a.low) return b;
  if (b.is_single() && (b.low & (b.low + 1)) == 0 && a.high <= b.low) return a;
  return up_to(width, 0, std::min(a.high, b.high));
}

Range either(std::uint32_t width, const Range& a, const Range& b) {
  const auto bits = static_cast<std::uint32_t>(std::bit_width(a.high | b.high));
  return up_to(width, 0, bits == 0 ? 0 : ones(bits) & ones(width));
}

Range truth(bool can_be_false, bool can_be_true) {
  if (can_be_false && can_be_true) return Range::all(1);
  return Range::of(1, can_be_true ? 1 : 0);
}

Range equal(const Range& a, const Range& b) {
  const bool is_apart = a.high < b.low || b.high < a.low || a.greatest < b.least || b.greatest < a.least;
  return truth(!(a.is_single() && b.is_single() && a.low == b.low), !is_apart);
}

Range part(std::uint32_t width, const Range& a, std::uint32_t first) {
  const std::uint64_t low = a.low >> first;
  const std::uint64_t high = a.high >> first;
  Range r = Range::all(width);
  if (low >> (width - 1) >> 1 == high >> (width - 1) >> 1) r = up_to(width, low & ones(width), high & ones(width));
  if (first == 0 && a.least >= min_signed(width) && a.greatest <= max_signed(width)) {
    const auto narrower = common(width, r, *Range::of_signed(width, a.least, a.greatest));
    if (narrower) r = *narrower;
  }
  return r;
}

}  // namespace

Range Range::all(std::uint32_t width) { return {0, ones(width), min_signed(width), max_signed(width)}; }

Range Range::of(std::uint32_t width, std::uint64_t value) {
  return {value, value, to_signed(width, value), to_signed(width, value)};
}

std::optional<Range> Range::of_unsigned(std::uint32_t width, std::uint64_t low, std::uint64_t high) {
  Range r = all(width);
  r.low = low;
  r.high = high;
  return reduced(width, r);
}

std::optional<Range> Range::of_signed(std::uint32_t width, std::int64_t least, std::int64_t greatest) {
  Range r = all(width);
  r.least = least;
  r.greatest = greatest;
  return reduced(width, r);
}

Range joined(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), std::min(a.least, b.least),
          std::max(a.greatest, b.greatest)};
}

std::optional<Range> common(std::uint32_t width, const Range& a, const Range& b) {
  return reduced(width, {std::max(a.low, b.low), std::min(a.high, b.high), std::max(a.least, b.least),
                         std::min(a.greatest, b.greatest)});
}

Range sum(std::uint32_t width, const Range& a, const Range& b) {
  return wrapped(width, Wide{a.low} + b.low, Wide{a.high} + b.high, Wide{a.least} + b.least,
                 Wide{a.greatest} + b.greatest);
}

Range range_of(const TermStore& store, Term t, const Range* const* operands) {
  const std::uint32_t width = store.width(t);
  const auto a = [&]() -> const Range& { return *operands[0]; };
  const auto b = [&]() -> const Range& { return *operands[1]; };
  switch (store.op(t)) {
    case Op::Constant:
      return Range::of(width, store.value(t).to_uint64());
    case Op::Not:
      return inverted(width, a());
    case Op::And:
      return both(width, a(), b());
    case Op::Xor:
      return either(width, a(), b());
    case Op::Neg:
      return negated(width, a());
    case Op::Add:
      return sum(width, a(), b());
    case Op::Mul:
      return product(width, a(), b());
    case Op::Udiv:
      return quotient(width, a(), b());
    case Op::Urem:
      return remainder(width, a(), b());
    case Op::Shl:
      return shifted_left(width, a(), b());
    case Op::Lshr:
      return shifted_right(width, a(), b());
    case Op::Ashr:
      return shifted_arithmetically(width, a(), b());
    case Op::Eq:
      return equal(a(), b());
    case Op::Ult:
      return truth(a().high >= b().low, a().low < b().high);
    case Op::Slt:
      return truth(a().greatest >= b().least, a().least < b().greatest);
    case Op::Concat: {
      const std::uint32_t low = store.width(store.child(t, 1));
      return up_to(width, a().low << low | b().low, a().high << low | b().high);
    }
    case Op::Extract:
      return part(width, a(), store.parameter(t));
    case Op::SignExtend:
      return *Range::of_signed(width, a().least, a().greatest);
    case Op::Ite:
      if (a().is_single()) return a().is_true() ? b() : *operands[2];
      return joined(b(), *operands[2]);
    default:
      return Range::all(width);
  }
}

}  // namespace plumb::term
