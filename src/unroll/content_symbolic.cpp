// Accesses at offsets that are terms. An element is chosen by the bits of its number, lowest first: as many
// multiplexers as elements and no comparison (the selection trees of memories in circuits). A write compares the number
// with each element's own, over the bits that can differ.

#include <algorithm>
#include <bit>
#include <map>

#include "base/error.h"
#include "unroll/content.h"

namespace plumb::unroll {

namespace {

/// Of arrays' indices, whatever the pointers: an object has fewer bytes.
constexpr std::uint32_t kIndexWidth = 32;

unsigned log2_of(std::uint64_t power) { return static_cast<unsigned>(std::countr_zero(power)); }

/// Element number `index` (its bits from `low` on are the number) of a list.
Term choose(TermStore& terms, Term index, unsigned low, std::vector<Term> list) {
  for (unsigned bit = low; list.size() > 1; ++bit) {
    const Term odd = terms.bit(index, bit);
    const std::size_t half = (list.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i)
      list[i] = 2 * i + 1 < list.size() ? terms.ite(odd, list[2 * i + 1], list[2 * i]) : list[2 * i];
    list.resize(half);
  }
  return list[0];
}

Term byte_of(TermStore& terms, Term value, std::uint64_t i) {
  return terms.extract(value, static_cast<std::uint32_t>(i * 8 + 7), static_cast<std::uint32_t>(i * 8));
}

Term plus(TermStore& terms, Term offset, std::uint64_t i) {
  return terms.add(offset, terms.constant(terms.width(offset), i));
}

/// The number of the element that the offset is in.
Term index_of(TermStore& terms, Term offset, std::uint64_t unit) {
  const unsigned low = log2_of(unit);
  const std::uint32_t top = terms.width(offset) - 1;
  if (top - low + 1 >= kIndexWidth) return terms.extract(offset, low + kIndexWidth - 1, low);
  return terms.zero_extend(terms.extract(offset, top, low), kIndexWidth);
}

/// The byte of an element that the offset is at.
Term byte_in_element(TermStore& terms, Term element, Term offset, std::uint64_t unit) {
  std::vector<Term> bytes;
  for (std::uint64_t i = 0; i < unit; ++i) bytes.push_back(byte_of(terms, element, i));
  return choose(terms, offset, 0, std::move(bytes));
}

Term with_byte(TermStore& terms, Term element, Term offset, Term byte, std::uint64_t unit) {
  Term made;
  for (std::uint64_t i = 0; i < unit; ++i) {
    const unsigned bits = log2_of(unit);
    const Term is_here =
        unit == 1 ? terms.boolean(true) : terms.eq(terms.extract(offset, bits - 1, 0), terms.constant(bits, i));
    const Term part = terms.ite(is_here, byte, byte_of(terms, element, i));
    made = made ? terms.concat(part, made) : part;
  }
  return made;
}

}  // namespace

Content::Choices Content::choices(TermStore& terms, Term offset, std::uint64_t count) const {
  constexpr unsigned kMaxLowBits = 8;
  Choices result;
  if (terms.is_constant(offset)) {
    result.first = terms.value(offset).to_uint64();
    result.count = count <= size() && result.first <= size() - count ? 1 : 0;
    return result;
  }
  for (unsigned bits = 1; bits <= kMaxLowBits; ++bits) {
    const Term low = terms.extract(offset, bits - 1, 0);
    if (!terms.is_constant(low)) break;
    result.first = terms.value(low).to_uint64();
    result.step = std::uint64_t{1} << bits;
  }
  if (count > size()) return result;
  const std::uint64_t most = std::min(size() - count, terms.upper_bound(offset));
  if (result.first <= most) result.count = (most - result.first) / result.step + 1;
  return result;
}

std::vector<Term> Content::elements(Unknowns& unknowns, const Choices& choices, std::uint64_t count) const {
  std::vector<Term> list;
  for (std::uint64_t i = 0; i < choices.count; ++i)
    list.push_back(load(unknowns, choices.first + i * choices.step, count));
  return list;
}

Term Content::load(Unknowns& unknowns, Term offset, std::uint64_t count) const {
  TermStore& terms = unknowns.terms();
  const Choices possible = choices(terms, offset, count);
  if (possible.count == 0) return terms.zero(static_cast<std::uint32_t>(count * 8));  // never in bounds
  if (terms.is_constant(offset)) return load(unknowns, possible.first, count);
  if (data_->array) return load_array(terms, offset, count);
  if (possible.count <= kMaxReads) {
    std::vector<Term> list = elements(unknowns, possible, count);
    // Elements that are equal to their neighbours cost nothing.
    std::uint64_t different = 1;
    for (std::size_t i = 1; i < list.size(); ++i) different += list[i] != list[i - 1] ? 1 : 0;
    if (different <= kMaxChoices) return choose(terms, offset, log2_of(possible.step), std::move(list));
  }
  Content all = *this;
  all.make_array(unknowns, unit_for(possible, count));
  return all.load_array(terms, offset, count);
}

void Content::store(Unknowns& unknowns, Term offset, Term value, Term when) {
  TermStore& terms = unknowns.terms();
  const std::uint64_t count = terms.width(value) / 8;
  const Choices possible = choices(terms, offset, count);
  if (possible.count == 0 || terms.is_false(when)) return;
  if (terms.is_constant(offset)) {
    const std::uint64_t at = possible.first;
    return store(unknowns, at, terms.is_true(when) ? value : terms.ite(when, value, load(unknowns, at, count)));
  }
  if (!data_->array && possible.count <= kMaxChoices) return store_choice(unknowns, possible, offset, value, when);
  if (!data_->array) make_array(unknowns, unit_for(possible, count));
  store_array(terms, offset, value, when);
}

void Content::store_choice(Unknowns& unknowns, const Choices& choices, Term offset, Term value, Term when) {
  TermStore& terms = unknowns.terms();
  const std::uint64_t count = terms.width(value) / 8;
  const unsigned low = log2_of(choices.step);
  const auto bits = static_cast<unsigned>(std::bit_width(choices.count - 1));
  const auto is_at = [&](std::uint64_t i) {
    if (bits == 0) return when;
    return terms.bit_and(when, terms.eq(terms.extract(offset, low + bits - 1, low), terms.constant(bits, i)));
  };
  if (choices.step >= count) {
    for (std::uint64_t i = 0; i < choices.count; ++i) {
      const std::uint64_t at = choices.first + i * choices.step;
      store(unknowns, at, terms.ite(is_at(i), value, load(unknowns, at, count)));
    }
    return;
  }
  std::map<std::uint64_t, Term> bytes;  // elements overlap
  for (std::uint64_t i = 0; i < choices.count; ++i) {
    const Term is_here = is_at(i);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t at = choices.first + i * choices.step + k;
      const auto [it, is_new] = bytes.try_emplace(at);
      if (is_new) it->second = load(unknowns, at, 1);
      it->second = terms.ite(is_here, byte_of(terms, value, k), it->second);
    }
  }
  for (const auto& [at, byte] : bytes) store(unknowns, at, byte);
}

std::uint64_t Content::unit_for(const Choices& choices, std::uint64_t count) const {
  const bool fits =
      std::has_single_bit(count) && choices.step >= count && choices.first % count == 0 && size() % count == 0;
  return fits ? count : 1;
}

void Content::make_array(Unknowns& unknowns, std::uint64_t unit) {
  TermStore& terms = unknowns.terms();
  std::map<Term, std::uint64_t> histogram;
  std::vector<Term> list;
  bool has_unwritten = false;
  for (std::uint64_t at = 0; at < size(); at += unit) {
    bool is_unwritten = true;
    for (std::uint64_t i = 0; i < unit; ++i)
      is_unwritten = is_unwritten && !byte(at + i).term && byte(at + i).index == kUnwritten;
    list.push_back(is_unwritten ? Term{} : load(unknowns, at, unit));
    has_unwritten = has_unwritten || is_unwritten;
    if (list.back() && terms.is_constant(list.back())) ++histogram[list.back()];
  }
  Term background = terms.zero(static_cast<std::uint32_t>(unit * 8));
  for (const auto& [value, count] : histogram)
    if (count > histogram[background]) background = value;
  const term::Sort sort{static_cast<std::uint32_t>(unit * 8), kIndexWidth};
  Term array = has_unwritten ? unknowns.array(data_->object, sort) : terms.constant_array(kIndexWidth, background);
  for (std::uint64_t i = 0; i < list.size(); ++i) {
    if (!list[i] || (!has_unwritten && list[i] == background)) continue;
    array = terms.store(array, terms.constant(kIndexWidth, i), list[i]);
  }
  Data& data = data_.writable();
  data.chunks.clear();
  data.array = array;
  data.unit = unit;
}

Term Content::load_array(TermStore& terms, Term offset, std::uint64_t count) const {
  const std::uint64_t unit = data_->unit;
  const Term low = unit == 1 ? terms.zero(1) : terms.extract(offset, log2_of(unit) - 1, 0);
  Term value;
  if (terms.is_constant(low) && terms.value(low).is_zero() && count % unit == 0) {
    for (std::uint64_t at = 0; at < count; at += unit) {
      const Term part = terms.select(data_->array, index_of(terms, plus(terms, offset, at), unit));
      value = value ? terms.concat(part, value) : part;
    }
    return value;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const Term at = plus(terms, offset, i);
    const Term part = byte_in_element(terms, terms.select(data_->array, index_of(terms, at, unit)), at, unit);
    value = value ? terms.concat(part, value) : part;
  }
  return value;
}

void Content::store_array(TermStore& terms, Term offset, Term value, Term when) {
  Data& data = data_.writable();
  const std::uint64_t unit = data.unit;
  const std::uint64_t count = terms.width(value) / 8;
  const Term low = unit == 1 ? terms.zero(1) : terms.extract(offset, log2_of(unit) - 1, 0);
  const bool is_whole = terms.is_constant(low) && terms.value(low).is_zero() && count % unit == 0;
  const std::uint64_t step = is_whole ? unit : 1;
  for (std::uint64_t done = 0; done < count; done += step) {
    const Term at = plus(terms, offset, done);
    const Term index = index_of(terms, at, unit);
    const Term old = terms.select(data.array, index);
    const Term part =
        terms.extract(value, static_cast<std::uint32_t>((done + step) * 8 - 1), static_cast<std::uint32_t>(done * 8));
    const Term element = is_whole ? part : with_byte(terms, old, at, part, unit);
    data.array = terms.store(data.array, index, terms.ite(when, element, old));
  }
}

Content Content::choice_of_arrays(Unknowns& unknowns, Term condition, Content a, Content b) {
  if (!a.data_->array) a.make_array(unknowns, b.data_->unit);
  if (!b.data_->array) b.make_array(unknowns, a.data_->unit);
  TermStore& terms = unknowns.terms();
  if (a.data_->unit != b.data_->unit) {
    // Rare: the same object was used in two ways on two paths. Element by element.
    for (std::uint64_t at = 0; at < a.size(); ++at)
      a.store(unknowns, at, terms.ite(condition, a.load(unknowns, at, 1), b.load(unknowns, at, 1)));
    return a;
  }
  Data& data = a.data_.writable();
  data.array = terms.ite(condition, data.array, b.data_->array);
  return a;
}

}  // namespace plumb::unroll
