// Objects as array terms: elements of a power of two of bytes, numbered from 0. An access of whole elements reads or
// writes them; one that surely lies inside of an element takes that apart; any other goes byte by byte.

#include <algorithm>
#include <bit>
#include <map>

#include "semantics/memory/byte_terms.h"
#include "semantics/memory/term_bytes.h"
#include "term/selection.h"

namespace plumb::semantics {

using term::Term;
using term::TermStore;

namespace {

/// Of arrays' indices, whatever the pointers: an object has fewer bytes.
constexpr std::uint32_t kIndexWidth = 32;

Term plus(TermStore& terms, Term offset, std::uint64_t i) {
  return terms.add(offset, terms.constant(terms.width(offset), i));
}

/// The number of the element that the offset is in.
Term element_number(TermStore& terms, Term offset, std::uint64_t unit) {
  const auto low = static_cast<std::uint32_t>(std::countr_zero(unit));
  const std::uint32_t top = terms.width(offset) - 1;
  if (top - low + 1 >= kIndexWidth) return terms.extract(offset, low + kIndexWidth - 1, low);
  return terms.zero_extend(terms.extract(offset, top, low), kIndexWidth);
}

/// The byte of an element that an access begins at, if its low bits show it.
std::optional<std::uint64_t> place_in_element(const TermStore& terms, Term offset, std::uint64_t unit) {
  if (unit == 1) return 0;
  const term::LowBits low = term::known_low_bits(terms, offset);
  if (low.count < static_cast<std::uint32_t>(std::countr_zero(unit))) return std::nullopt;
  return low.value & (unit - 1);
}

/// The byte of an element that the offset is at.
Term byte_in_element(TermStore& terms, ByteOrder order, Term element, Term offset, std::uint64_t unit) {
  std::vector<Term> bytes;
  for (std::uint64_t i = 0; i < unit; ++i) bytes.push_back(part_of_bytes(terms, order, element, i, i + 1));
  return term::select_by_bits(terms, offset, std::move(bytes));
}

/// The element with that byte replaced.
Term with_byte(TermStore& terms, ByteOrder order, Term element, Term offset, Term byte, std::uint64_t unit) {
  Term made;
  for (std::uint64_t i = 0; i < unit; ++i) {
    const Term old = part_of_bytes(terms, order, element, i, i + 1);
    made = join_bytes(terms, order, made, terms.ite(term::is_element(terms, offset, i, unit), byte, old));
  }
  return made;
}

/// The element with the bytes from `place` on replaced.
Term with_part(TermStore& terms, ByteOrder order, Term element, std::uint64_t place, Term value) {
  const std::uint64_t unit = terms.width(element) / 8;
  const std::uint64_t end = place + terms.width(value) / 8;
  Term made;
  if (place > 0) made = part_of_bytes(terms, order, element, 0, place);
  made = join_bytes(terms, order, made, value);
  if (end < unit) made = join_bytes(terms, order, made, part_of_bytes(terms, order, element, end, unit));
  return made;
}

}  // namespace

std::uint64_t TermBytes::unit_for(const Choices& choices, std::uint64_t count) const {
  const bool fits =
      std::has_single_bit(count) && choices.step >= count && choices.first % count == 0 && size() % count == 0;
  return fits ? count : 1;
}

Term TermBytes::snapshot(TermStore& terms, std::uint64_t& unit) const {
  const Data& data = *data_;
  if (data.snapshot) {
    unit = data.snapshot_unit;
    for (const Range& range : data.written)
      for (std::uint64_t at = range.offset / unit * unit; at < range.offset + range.count; at += unit)
        data.snapshot = terms.store(data.snapshot, terms.constant(kIndexWidth, at / unit), load(terms, at, unit));
  } else {
    data.snapshot = initial_array(terms, unit);
    data.snapshot_unit = unit;
  }
  data.written.clear();
  return data.snapshot;
}

Term TermBytes::initial_array(TermStore& terms, std::uint64_t& unit) const {
  const bool has_variable_each = size() / unit <= data_->options.max_reads;
  Term below;
  if (!has_variable_each) {
    for (std::uint64_t at = 0; at < size() && !below; at += unit) {
      if (!is_unwritten(at, unit)) continue;
      const UnwrittenBytes::Array all = data_->unwritten->array(data_->object, unit, kIndexWidth);
      below = all.term;
      unit = all.unit;
    }
  }
  std::vector<Term> list;
  std::map<Term, std::uint64_t> histogram;
  for (std::uint64_t at = 0; at < size(); at += unit) {
    list.push_back(below && is_unwritten(at, unit) ? Term{} : load(terms, at, unit));
    if (list.back() && terms.is_constant(list.back())) ++histogram[list.back()];
  }
  Term background;
  if (!below) {
    background = terms.zero(static_cast<std::uint32_t>(unit * 8));
    for (const auto& [value, count] : histogram)
      if (count > histogram[background]) background = value;
    below = terms.constant_array(kIndexWidth, background);
  }
  Term array = below;
  for (std::uint64_t i = 0; i < list.size(); ++i)
    if (list[i] && list[i] != background) array = terms.store(array, terms.constant(kIndexWidth, i), list[i]);
  return array;
}

void TermBytes::make_array(TermStore& terms, std::uint64_t unit) {
  const Term array = snapshot(terms, unit);
  Data& data = data_.writable();
  data.chunks.clear();
  data.snapshot = {};
  data.array = array;
  data.unit = unit;
}

Term TermBytes::load_array(TermStore& terms, Term array, std::uint64_t unit, Term offset, std::uint64_t count) const {
  const std::optional<std::uint64_t> place = place_in_element(terms, offset, unit);
  if (place && *place + count <= unit) {
    const Term element = terms.select(array, element_number(terms, offset, unit));
    return part_of_bytes(terms, order(), element, *place, *place + count);
  }
  const bool is_whole = place && *place == 0 && count % unit == 0;
  const std::uint64_t step = is_whole ? unit : 1;
  Term value;
  for (std::uint64_t i = 0; i < count; i += step) {
    const Term at = plus(terms, offset, i);
    const Term element = terms.select(array, element_number(terms, at, unit));
    value = join_bytes(terms, order(), value, is_whole ? element : byte_in_element(terms, order(), element, at, unit));
  }
  return value;
}

void TermBytes::store_array(TermStore& terms, Term offset, Term value, Term when) {
  Data& data = data_.writable();
  const std::uint64_t unit = data.unit;
  const std::uint64_t count = terms.width(value) / 8;
  const std::optional<std::uint64_t> place = place_in_element(terms, offset, unit);
  const bool is_inside = place && *place + count <= unit;
  const bool is_whole = place && *place == 0 && count % unit == 0;
  const std::uint64_t step = is_inside ? count : is_whole ? unit : 1;
  for (std::uint64_t i = 0; i < count; i += step) {
    const Term at = plus(terms, offset, i);
    const Term number = element_number(terms, at, unit);
    const Term old = terms.select(data.array, number);
    const Term part = part_of_bytes(terms, order(), value, i, i + step);
    const Term made = is_inside || is_whole ? with_part(terms, order(), old, is_inside ? *place : 0, part)
                                            : with_byte(terms, order(), old, at, part, unit);
    data.array = terms.store(data.array, number, terms.ite(when, made, old));
  }
}

TermBytes TermBytes::choice_of_arrays(TermStore& terms, Term condition, TermBytes a, TermBytes b) {
  if (!a.data_->array) a.make_array(terms, b.data_->unit);
  if (!b.data_->array) b.make_array(terms, a.data_->unit);
  if (a.data_->unit != b.data_->unit) {
    // Rare: the same object was used in two ways on two paths.
    for (std::uint64_t at = 0; at < a.size(); ++at)
      a.store(terms, at, terms.ite(condition, a.load(terms, at, 1), b.load(terms, at, 1)));
    return a;
  }
  Data& data = a.data_.writable();
  data.array = terms.ite(condition, data.array, b.data_->array);
  return a;
}

}  // namespace plumb::semantics
