// An access at a symbolic offset as a choice between all places of the object. A read is a tree of ites, one level a
// bit of the offset: as its conditions are single bits and equal subtrees are one term, a table of n entries costs
// fewer than n ites and no comparison, where an array would cost n comparisons of whole addresses once it is
// eliminated. A write compares the bits that tell the places apart. Places are as far apart as the constant low bits of
// the offset say, and end at its upper bound.
#include "concolic/trace/object_access.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/error.h"

namespace plumb::concolic {

using semantics::TermBytes;
using term::Op;
using term::Term;
using term::TermStore;

namespace {

constexpr std::uint32_t kMaxShift = 6;

/// The offsets first + k * 2^shift for k in [0, count).
struct Places {
  std::uint64_t first = 0;
  std::uint32_t shift = 0;
  std::uint64_t count = 0;

  std::uint64_t at(std::uint64_t k) const noexcept { return first + (k << shift); }
  std::uint64_t step() const noexcept { return std::uint64_t{1} << shift; }
  /// How many bits of the offset tell them apart.
  std::uint32_t bits() const noexcept { return static_cast<std::uint32_t>(std::bit_width(count - 1)); }
};

/// The low `count` bits of a term are those of `value`.
struct LowBits {
  std::uint32_t count = 0;
  std::uint64_t value = 0;

  static LowBits of(std::uint32_t count, std::uint64_t value) {
    count = std::min(count, kMaxShift);
    return {count, value & ((std::uint64_t{1} << count) - 1)};
  }
  /// How many of them are zeros before the first one.
  std::uint32_t zeros() const noexcept { return std::min(count, static_cast<std::uint32_t>(std::countr_zero(value))); }
};

constexpr unsigned kMaxDepth = 8;

/// What the shape of an address shows: sums and products of indices and sizes.
LowBits low_bits(const TermStore& store, Term t, unsigned depth = kMaxDepth) {
  if (store.is_constant(t)) return LowBits::of(store.width(t), store.value(t).to_uint64());
  if (depth == 0) return {};
  const auto operand = [&](unsigned i) { return low_bits(store, store.child(t, i), depth - 1); };
  switch (store.op(t)) {
    case Op::Not: {
      const LowBits a = operand(0);
      return LowBits::of(a.count, ~a.value);
    }
    case Op::Neg: {
      const LowBits a = operand(0);
      return LowBits::of(a.count, 0 - a.value);
    }
    case Op::Add: {
      const LowBits a = operand(0);
      const LowBits b = operand(1);
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
      if (amount >= kMaxShift) return LowBits::of(kMaxShift, 0);
      const LowBits a = operand(0);
      return LowBits::of(a.count + static_cast<std::uint32_t>(amount), a.value << amount);
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

LowBits known_low_bits(const TermStore& store, Term offset) {
  const LowBits result = low_bits(store, offset);
  return LowBits::of(std::min(result.count, store.width(offset)), result.value);
}

Places places(TermStore& store, const TermBytes& object, Term offset, std::uint32_t count) {
  INVARIANT(count > 0 && count <= object.size(), "an access should fit the object");
  const LowBits low = known_low_bits(store, offset);
  Places result{low.value, low.count, 0};
  const std::uint64_t most = std::min(object.size() - count, store.upper_bound(offset));
  INVARIANT(result.first <= most, "an offset should have a value inside the object");
  result.count = ((most - result.first) >> result.shift) + 1;
  return result;
}

/// "The offset is place k", given that it is one of them.
Term is_place(TermStore& store, Term offset, const Places& all, std::uint64_t k) {
  if (all.count == 1) return store.boolean(true);
  const Term bits = store.extract(offset, all.shift + all.bits() - 1, all.shift);
  return store.eq(bits, store.constant(all.bits(), k));
}

void write_apart(TermStore& store, TermBytes& object, const Places& all, Term offset, Term value) {
  const std::uint32_t count = store.width(value) / 8;
  for (std::uint64_t k = 0; k < all.count; ++k) {
    const std::uint64_t at = all.at(k);
    object.store(store, at, store.ite(is_place(store, offset, all, k), value, object.load(store, at, count)));
  }
}

/// Places that overlap each other: byte by byte.
void write_overlapping(TermStore& store, TermBytes& object, const Places& all, Term offset, Term value) {
  const std::uint32_t count = store.width(value) / 8;
  const std::uint64_t end = all.at(all.count - 1) + count;
  std::vector<Term> bytes;
  for (std::uint64_t i = all.first; i < end; ++i) bytes.push_back(object.load(store, i, 1));
  for (std::uint64_t k = 0; k < all.count; ++k) {
    const Term is_here = is_place(store, offset, all, k);
    for (std::uint32_t i = 0; i < count; ++i) {
      Term& byte = bytes[all.at(k) - all.first + i];
      byte = store.ite(is_here, object.byte_of(store, value, i), byte);
    }
  }
  for (std::uint64_t i = 0; i < bytes.size(); ++i) object.store(store, all.first + i, bytes[i]);
}

}  // namespace

Term offset_in_object(TermStore& store, Term address, std::uint64_t base) {
  const std::uint32_t width = store.width(address);
  // The store makes a concatenation of an aligned base and a small index; the sum that it was cancels the base.
  if (store.op(address) == Op::Concat && store.is_constant(store.child(address, 0))) {
    const Term low = store.child(address, 1);
    const std::uint64_t high = store.value(store.child(address, 0)).to_uint64() << store.width(low);
    return store.add(store.zero_extend(low, width), store.constant(width, high - base));
  }
  return store.sub(address, store.constant(width, base));
}

bool may_be(const TermStore& store, Term offset, std::uint64_t value) {
  const LowBits low = known_low_bits(store, offset);
  return LowBits::of(low.count, value).value == low.value && value <= store.upper_bound(offset);
}

Term read_object(TermStore& store, const TermBytes& object, Term offset, std::uint32_t count) {
  const Places all = places(store, object, offset, count);
  std::vector<Term> level;
  level.reserve(all.count);
  for (std::uint64_t k = 0; k < all.count; ++k) level.push_back(object.load(store, all.at(k), count));
  for (std::uint32_t bit = all.shift; level.size() > 1; ++bit) {
    const Term is_upper = store.bit(offset, bit);
    for (std::size_t k = 0; k < level.size(); k += 2) {
      level[k / 2] = k + 1 < level.size() ? store.ite(is_upper, level[k + 1], level[k]) : level[k];
    }
    level.resize((level.size() + 1) / 2);
  }
  return level.front();
}

void write_object(TermStore& store, TermBytes& object, Term offset, Term value) {
  INVARIANT(store.width(value) % 8 == 0, "a written value should consist of bytes");
  const Places all = places(store, object, offset, store.width(value) / 8);
  if (all.step() >= store.width(value) / 8) {
    write_apart(store, object, all, offset, value);
  } else {
    write_overlapping(store, object, all, offset, value);
  }
}

}  // namespace plumb::concolic
