// Accesses at symbolic offsets. Where few offsets are possible (the object is small, the term's upper bound is low, its
// low bits are known) the access is a choice between accesses at known offsets, so that words stay words and solvers
// see no arrays. Otherwise the object is read as an array of bytes: a constant array of its commonest byte with the
// others stored over it. A write replaces the object by the array written to.

#include <algorithm>
#include <optional>

#include "semantics/memory/term_bytes.h"

namespace plumb::semantics {

using term::Term;
using term::TermStore;

namespace {

Term plus(TermStore& terms, Term offset, std::uint32_t i) {
  return terms.add(offset, terms.constant(terms.width(offset), i));
}

Term equals(TermStore& terms, Term offset, std::uint64_t value) {
  return terms.eq(offset, terms.constant(terms.width(offset), value));
}

}  // namespace

TermBytes::Choices TermBytes::choices(TermStore& terms, Term offset, std::uint32_t count) const {
  INVARIANT(count > 0 && count <= size(), "an access should fit the object");
  INVARIANT(terms.width(offset) >= 32 && terms.width(offset) <= 64, "an offset should have the width of a pointer");
  // Elements of an array are a power of two or a multiple of one apart; the low bits of the offset show it.
  constexpr std::uint32_t kMaxLowBits = 6;
  Choices result;
  for (std::uint32_t bits = 1; bits <= kMaxLowBits; ++bits) {
    const Term low = terms.extract(offset, bits - 1, 0);
    if (!terms.is_constant(low)) break;
    result.first = terms.value(low).to_uint64();
    result.step = std::uint64_t{1} << bits;
  }
  const std::uint64_t most = std::min(size() - count, terms.upper_bound(offset));
  INVARIANT(result.first <= most, "an offset should have a value in bounds");
  result.last = result.first + (most - result.first) / result.step * result.step;
  return result;
}

Term TermBytes::load(TermStore& terms, Term offset, std::uint32_t count) const {
  if (terms.is_constant(offset)) return load(terms, terms.value(offset).to_uint64(), count);
  const Choices possible = choices(terms, offset, count);
  if (!data_->base && possible.count() <= kMaxChoices) {
    Term value = load(terms, possible.last, count);
    for (std::uint64_t i = possible.last; i > possible.first;) {
      i -= possible.step;
      value = terms.ite(equals(terms, offset, i), load(terms, i, count), value);
    }
    return value;
  }
  const Term array = snapshot(terms, terms.width(offset));
  Term value = terms.select(array, offset);
  for (std::uint32_t i = 1; i < count; ++i)
    value = join(terms, order(), value, terms.select(array, plus(terms, offset, i)));
  return value;
}

void TermBytes::store(TermStore& terms, Term offset, Term value) {
  if (terms.is_constant(offset)) return store(terms, terms.value(offset).to_uint64(), value);
  INVARIANT(terms.width(value) % 8 == 0, "a stored value should consist of bytes");
  const std::uint32_t count = terms.width(value) / 8;
  const Choices possible = choices(terms, offset, count);
  if (!data_->base && possible.count() <= kMaxChoices) {
    if (possible.step >= count) return store_choice(terms, possible, offset, value);
    return store_choice_bytewise(terms, possible, offset, value);
  }
  Term array = snapshot(terms, terms.width(offset));
  for (std::uint32_t i = 0; i < count; ++i)
    array = terms.store(array, plus(terms, offset, i), byte_of(terms, value, i));
  Data& data = data_.writable();
  data.origins.clear();
  data.base = array;
  data.snapshot = array;
  data.written.clear();
}

void TermBytes::store_choice(TermStore& terms, const Choices& choices, Term offset, Term value) {
  const std::uint32_t count = terms.width(value) / 8;
  for (std::uint64_t i = choices.first; i <= choices.last; i += choices.step)
    store(terms, i, terms.ite(equals(terms, offset, i), value, load(terms, i, count)));
}

void TermBytes::store_choice_bytewise(TermStore& terms, const Choices& choices, Term offset, Term value) {
  const std::uint32_t count = terms.width(value) / 8;
  std::vector<Term> bytes;
  for (std::uint64_t i = choices.first; i < choices.last + count; ++i) bytes.push_back(load(terms, i, 1));
  for (std::uint64_t i = choices.first; i <= choices.last; i += choices.step) {
    const Term is_here = equals(terms, offset, i);
    for (std::uint32_t k = 0; k < count; ++k) {
      Term& byte = bytes[i - choices.first + k];
      byte = terms.ite(is_here, byte_of(terms, value, k), byte);
    }
  }
  for (std::uint64_t i = 0; i < bytes.size(); ++i) store(terms, choices.first + i, bytes[i]);
}

Term TermBytes::snapshot(TermStore& terms, std::uint32_t index_width) const {
  const Data& data = *data_;
  Term array = data.snapshot;
  if (array) {
    for (const Range& range : data.written) {
      for (std::uint64_t i = range.offset; i < range.offset + range.count; ++i)
        array = terms.store(array, terms.constant(index_width, i), load(terms, i, 1));
    }
  } else {
    array = initial_array(terms, index_width);
  }
  data.snapshot = array;
  data.written.clear();
  return array;
}

Term TermBytes::initial_array(TermStore& terms, std::uint32_t index_width) const {
  const Data& data = *data_;
  const std::uint8_t* bytes = data.concrete.data();
  Term array = data.base;
  std::optional<std::uint8_t> background;
  if (!array) {
    std::array<std::uint64_t, 256> histogram{};
    for (std::uint64_t i = 0; i < size(); ++i) ++histogram[bytes[i]];
    background = static_cast<std::uint8_t>(std::ranges::max_element(histogram) - histogram.begin());
    array = terms.constant_array(index_width, terms.constant(8, *background));
  }
  for (std::uint64_t i = 0; i < size(); ++i) {
    const Origin o = origin(i);
    if (!o.term && (o.index == kInArray || bytes[i] == background)) continue;
    array = terms.store(array, terms.constant(index_width, i), load(terms, i, 1));
  }
  return array;
}

}  // namespace plumb::semantics
