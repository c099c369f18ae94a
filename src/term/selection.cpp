#include "term/selection.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace plumb::term {

namespace {

/// Operators between a term and what is looked at of it.
constexpr unsigned kMaxDepth = 8;

/// An operator may know more bits of its result than that has.
LowBits clipped(const TermStore& store, Term t, const LowBits& bits) {
  return LowBits::of(std::min(bits.count, store.width(t)), bits.value);
}

LowBits low_bits(const TermStore& store, Term t, unsigned depth) {
  if (store.is_constant(t)) return LowBits::of(store.width(t), store.value(t).to_uint64());
  if (depth == 0) return {};
  const auto operand = [&](unsigned i) {
    const Term child = store.child(t, i);
    return clipped(store, child, low_bits(store, child, depth - 1));
  };
  switch (store.op(t)) {
    case Op::Not: {
      const LowBits a = operand(0);
      return LowBits::of(a.count, ~a.value);
    }
    case Op::Neg: {
      const LowBits a = operand(0);
      return LowBits::of(a.count, 0 - a.value);
    }
    case Op::And: {
      const LowBits a = operand(0);
      const LowBits b = operand(1);
      const auto is_zero = [](const LowBits& bits, std::uint32_t i) {
        return i < bits.count && (bits.value >> i & 1) == 0;
      };
      std::uint32_t count = std::min(a.count, b.count);
      while (count < LowBits::kMax && (is_zero(a, count) || is_zero(b, count))) ++count;
      return LowBits::of(count, a.value & b.value);
    }
    case Op::Add: {
      const LowBits a = operand(0);
      const LowBits b = a.count > 0 ? operand(1) : LowBits{};
      return LowBits::of(std::min(a.count, b.count), a.value + b.value);
    }
    case Op::Mul: {
      const LowBits a = operand(0);
      const LowBits b = operand(1);
      const std::uint32_t zeros = a.zeros() + b.zeros();
      const std::uint32_t both = std::min(a.count, b.count);
      return zeros >= both ? LowBits::of(zeros, 0) : LowBits::of(both, a.value * b.value);
    }
    case Op::Shl: {
      if (!store.is_constant(store.child(t, 1))) return {};
      const std::uint64_t amount = store.value(store.child(t, 1)).to_uint64();
      if (amount >= LowBits::kMax) return LowBits::of(LowBits::kMax, 0);
      const LowBits a = operand(0);
      return LowBits::of(a.count + static_cast<std::uint32_t>(amount), a.value << amount);
    }
    case Op::Ite: {
      const LowBits a = operand(1);
      const LowBits b = a.count > 0 ? operand(2) : LowBits{};
      const auto equal = static_cast<std::uint32_t>(std::countr_zero(a.value ^ b.value));
      return LowBits::of(std::min({a.count, b.count, equal}), a.value);
    }
    case Op::Concat: {
      const LowBits low = operand(1);
      const std::uint32_t width = store.width(store.child(t, 1));
      if (low.count < width) return low;
      const LowBits high = operand(0);
      return LowBits::of(width + high.count, low.value | high.value << width);
    }
    case Op::SignExtend:
      return operand(0);
    case Op::Extract:
      return store.parameter(t) == 0 ? operand(0) : LowBits{};
    default:
      return {};
  }
}

}  // namespace

LowBits LowBits::of(std::uint32_t count, std::uint64_t value) {
  count = std::min(count, kMax);
  return {count, value & ((std::uint64_t{1} << count) - 1)};
}

std::uint32_t LowBits::zeros() const noexcept {
  return std::min(count, static_cast<std::uint32_t>(std::countr_zero(value)));
}

LowBits known_low_bits(const TermStore& store, Term t) { return clipped(store, t, low_bits(store, t, kMaxDepth)); }

Term select_by_bits(TermStore& store, Term index, std::vector<Term> elements, std::uint32_t low) {
  INVARIANT(!elements.empty(), "there should be an element to select");
  for (std::uint32_t bit = low; elements.size() > 1; ++bit) {
    const Term is_odd = store.bit(index, bit);
    const std::size_t half = (elements.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i) {
      const bool has_odd = 2 * i + 1 < elements.size();
      elements[i] = has_odd ? store.ite(is_odd, elements[2 * i + 1], elements[2 * i]) : elements[2 * i];
    }
    elements.resize(half);
  }
  return elements.front();
}

Term is_element(TermStore& store, Term index, std::uint64_t k, std::uint64_t count, std::uint32_t low) {
  if (count == 1) return store.boolean(true);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(count - 1));
  return store.eq(store.extract(index, low + bits - 1, low), store.constant(bits, k));
}

}  // namespace plumb::term
