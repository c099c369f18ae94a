// Accesses at offsets that are terms. Where few offsets are possible (the object is small, the term's upper bound is
// low, its low bits are known) the access is a choice between accesses at known offsets, so that words stay words and
// solvers see no arrays: a read is a tree over the bits of the offset, a write compares the bits that tell the elements
// apart. Otherwise the object is an array (term_bytes_array.cpp).

#include <algorithm>
#include <bit>

#include "semantics/memory/byte_terms.h"
#include "semantics/memory/term_bytes.h"
#include "term/selection.h"

namespace plumb::semantics {

using term::Term;
using term::TermStore;

namespace {

std::uint32_t log2_of(std::uint64_t power) { return static_cast<std::uint32_t>(std::countr_zero(power)); }

}  // namespace

TermBytes::Choices TermBytes::choices(const TermStore& terms, Term offset, std::uint64_t count) const {
  INVARIANT(count > 0 && terms.width(offset) <= 64, "an offset should have the width of a pointer");
  if (count > size()) return {};
  if (terms.is_constant(offset)) {
    const std::uint64_t at = terms.value(offset).to_uint64();
    return {at, 1, at <= size() - count ? 1U : 0U};
  }
  const term::LowBits low = term::known_low_bits(terms, offset);
  Choices result{low.value, std::uint64_t{1} << low.count, 0};
  const std::uint64_t most = std::min(size() - count, terms.upper_bound(offset));
  if (result.first <= most) result.count = (most - result.first) / result.step + 1;
  return result;
}

Term TermBytes::load(TermStore& terms, Term offset, std::uint64_t count) const {
  const Choices possible = choices(terms, offset, count);
  if (possible.count == 0) return terms.zero(static_cast<std::uint32_t>(count * 8));
  if (terms.is_constant(offset)) return load(terms, possible.first, count);
  if (data_->array) return load_array(terms, data_->array, data_->unit, offset, count);
  if (possible.count <= std::max(data_->options.max_reads, data_->options.max_choices)) {
    std::vector<Term> list;
    std::uint64_t different = 1;  // from their neighbours: the others cost nothing
    for (std::uint64_t i = 0; i < possible.count; ++i) {
      list.push_back(load(terms, possible.first + i * possible.step, count));
      different += i > 0 && list[i] != list[i - 1] ? 1 : 0;
    }
    if (different <= data_->options.max_choices)
      return term::select_by_bits(terms, offset, std::move(list), log2_of(possible.step));
  }
  std::uint64_t unit = unit_for(possible, count);
  const Term array = snapshot(terms, unit);
  return load_array(terms, array, unit, offset, count);
}

void TermBytes::store(TermStore& terms, Term offset, Term value, Term when) {
  INVARIANT(terms.width(value) % 8 == 0, "a stored value should consist of bytes");
  const std::uint64_t count = terms.width(value) / 8;
  const Choices possible = choices(terms, offset, count);
  if (possible.count == 0 || terms.is_false(when)) return;
  if (terms.is_constant(offset)) {
    const std::uint64_t at = possible.first;
    return store(terms, at, terms.is_true(when) ? value : terms.ite(when, value, load(terms, at, count)));
  }
  if (!data_->array && possible.count <= data_->options.max_choices) {
    if (possible.step >= count || possible.count == 1) return store_choice(terms, possible, offset, value, when);
    return store_overlapping(terms, possible, offset, value, when);
  }
  if (!data_->array) make_array(terms, unit_for(possible, count));
  store_array(terms, offset, value, when);
}

void TermBytes::store_choice(TermStore& terms, const Choices& choices, Term offset, Term value, Term when) {
  const std::uint64_t count = terms.width(value) / 8;
  for (std::uint64_t i = 0; i < choices.count; ++i) {
    const std::uint64_t at = choices.first + i * choices.step;
    const Term is_here = terms.bit_and(when, term::is_element(terms, offset, i, choices.count, log2_of(choices.step)));
    store(terms, at, terms.ite(is_here, value, load(terms, at, count)));
  }
}

void TermBytes::store_overlapping(TermStore& terms, const Choices& choices, Term offset, Term value, Term when) {
  const std::uint64_t count = terms.width(value) / 8;
  const std::uint64_t end = choices.first + (choices.count - 1) * choices.step + count;
  std::vector<Term> bytes;
  for (std::uint64_t i = choices.first; i < end; ++i) bytes.push_back(load(terms, i, 1));
  for (std::uint64_t i = 0; i < choices.count; ++i) {
    const Term is_here = terms.bit_and(when, term::is_element(terms, offset, i, choices.count, log2_of(choices.step)));
    for (std::uint64_t k = 0; k < count; ++k) {
      Term& byte = bytes[i * choices.step + k];
      byte = terms.ite(is_here, part_of_bytes(terms, order(), value, k, k + 1), byte);
    }
  }
  for (std::uint64_t i = 0; i < bytes.size(); ++i) store(terms, choices.first + i, bytes[i]);
}

}  // namespace plumb::semantics
