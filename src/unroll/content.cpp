// Bytes at known offsets, and the choice between two contents: runs of bytes that come from one term on either side are
// joined as a whole, so that a field stays a field whatever paths it went. Offsets that are terms are in
// content_symbolic.cpp.

#include "unroll/content.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace plumb::unroll {

using semantics::CowPointer;

Term Unknowns::bytes(ObjectId object, std::uint64_t offset, std::uint64_t count) {
  Term& found = known_[{object, offset, count}];
  if (!found) {
    found = terms_.variable(static_cast<std::uint32_t>(count * 8), fmt::format("unwritten{}.{}", object, offset));
    all_.push_back(found);
  }
  return found;
}

Term Unknowns::array(ObjectId object, term::Sort sort) {
  Term& found = known_[{object, ~std::uint64_t{0}, sort.width}];
  if (!found) {
    found = terms_.variable(sort, fmt::format("unwritten{}", object));
    all_.push_back(found);
  }
  return found;
}

Content Content::unwritten(ObjectId object, std::uint64_t size) {
  Content made;
  made.data_ = CowPointer<Data>::make();
  Data& data = made.data_.writable();
  data.object = object;
  data.size = size;
  if (size > 0) data.chunks.assign((size + kChunk - 1) / kChunk, CowPointer<Chunk>::make());
  return made;
}

Content Content::of(ObjectId object, std::span<const std::uint8_t> bytes, std::uint64_t size) {
  Content made;
  made.data_ = CowPointer<Data>::make();
  Data& data = made.data_.writable();
  data.object = object;
  data.size = size;
  CowPointer<Chunk> zeros = CowPointer<Chunk>::make();
  zeros.writable().fill(Byte{{}, 0});
  for (std::uint64_t at = 0; at < size; at += kChunk) {
    const std::uint64_t count = at < bytes.size() ? std::min(bytes.size() - at, kChunk) : 0;
    const bool has_content =
        std::ranges::any_of(bytes.subspan(count == 0 ? 0 : at, count), [](auto b) { return b != 0; });
    data.chunks.push_back(zeros);
    if (!has_content) continue;
    Chunk& chunk = data.chunks.back().writable();
    for (std::uint64_t i = 0; i < count; ++i) chunk[i].index = bytes[at + i];
  }
  return made;
}

bool Content::is_same(const Content& other) const noexcept {
  if (!data_ || !other.data_) return !data_ && !other.data_;
  return &*data_ == &*other.data_;
}

std::uint64_t Content::end_of_run(std::uint64_t offset, std::uint64_t limit) const {
  const Byte first = byte(offset);
  std::uint64_t end = offset + 1;
  for (; end < limit; ++end) {
    const Byte next = byte(end);
    if (next.term != first.term) break;
    if (first.term ? next.index != first.index + (end - offset)
                   : (next.index == kUnwritten) != (first.index == kUnwritten))
      break;
  }
  return end;
}

Term Content::load_run(Unknowns& unknowns, std::uint64_t offset, std::uint64_t end) const {
  TermStore& terms = unknowns.terms();
  const Byte first = byte(offset);
  const auto count = static_cast<std::uint32_t>(end - offset);
  if (first.term) return terms.extract(first.term, (first.index + count) * 8 - 1, first.index * 8);
  if (first.index == kUnwritten) return unknowns.bytes(data_->object, offset, count);
  std::vector<std::uint64_t> words((count + 7) / 8);
  for (std::uint32_t i = 0; i < count; ++i) words[i / 8] |= std::uint64_t{byte(offset + i).index} << (i % 8 * 8);
  return terms.constant(BitVector::from_words(count * 8, words));
}

Term Content::load(Unknowns& unknowns, std::uint64_t offset, std::uint64_t count) const {
  INVARIANT(count > 0 && offset <= size() && count <= size() - offset, "a load should be inside the object");
  TermStore& terms = unknowns.terms();
  if (data_->array) return load_array(terms, terms.constant(64, offset), count);
  const std::uint64_t limit = offset + count;
  std::uint64_t end = end_of_run(offset, limit);
  Term value = load_run(unknowns, offset, end);
  while (end < limit) {
    const std::uint64_t next = end_of_run(end, limit);
    value = terms.concat(load_run(unknowns, end, next), value);
    end = next;
  }
  return value;
}

void Content::store(Unknowns& unknowns, std::uint64_t offset, Term value) {
  TermStore& terms = unknowns.terms();
  const std::uint32_t count = terms.width(value) / 8;
  INVARIANT(terms.width(value) % 8 == 0 && offset <= size() && count <= size() - offset,
            "a store should be of bytes inside the object");
  if (data_->array) return store_array(terms, terms.constant(64, offset), value, terms.boolean(true));
  Data& data = data_.writable();
  if (!terms.is_constant(value)) {
    for (std::uint32_t i = 0; i < count; ++i) set_byte(data, offset + i, {value, i});
    return;
  }
  const BitVector number = terms.value(value);
  for (std::uint32_t i = 0; i < count; ++i)
    set_byte(data, offset + i, {{}, static_cast<std::uint32_t>(number.words()[i / 8] >> (i % 8 * 8) & 0xFF)});
}

void Content::copy(Unknowns& unknowns, std::uint64_t offset, const Content& source, std::uint64_t source_offset,
                   std::uint64_t count) {
  if (count == 0) return;
  const Content from = source;  // a copy: the source may be this object
  if (data_->array || from.data_->array) {
    for (std::uint64_t i = 0; i < count; ++i) store(unknowns, offset + i, from.load(unknowns, source_offset + i, 1));
    return;
  }
  Data& data = data_.writable();
  for (std::uint64_t i = 0; i < count;) {
    const std::uint64_t end = from.end_of_run(source_offset + i, source_offset + count) - source_offset;
    const Byte first = from.byte(source_offset + i);
    // What was never written has the name of its object: the copy must not get another.
    if (!first.term && first.index == kUnwritten && !(from.data_->object == data.object && offset == source_offset)) {
      const Term value = from.load_run(unknowns, source_offset + i, source_offset + end);
      for (std::uint64_t k = i; k < end; ++k) set_byte(data, offset + k, {value, static_cast<std::uint32_t>(k - i)});
    } else {
      for (std::uint64_t k = i; k < end; ++k) set_byte(data, offset + k, from.byte(source_offset + k));
    }
    i = end;
  }
}

Content Content::choice(Unknowns& unknowns, Term condition, const Content& a, const Content& b) {
  TermStore& terms = unknowns.terms();
  if (a.is_same(b) || terms.is_true(condition)) return a;
  if (terms.is_false(condition)) return b;
  INVARIANT(a.size() == b.size(), "contents should be of one object");
  if (a.data_->array || b.data_->array) return choice_of_arrays(unknowns, condition, a, b);
  Content made = a;
  Data& data = made.data_.writable();
  for (std::uint64_t i = 0; i < a.size();) {
    if (i % kChunk == 0 && &*a.data_->chunks[i / kChunk] == &*b.data_->chunks[i / kChunk]) {
      i += kChunk;
      continue;
    }
    if (a.byte(i) == b.byte(i)) {
      ++i;
      continue;
    }
    const std::uint64_t end = std::min(a.end_of_run(i, a.size()), b.end_of_run(i, a.size()));
    const Term value = terms.ite(condition, a.load_run(unknowns, i, end), b.load_run(unknowns, i, end));
    if (terms.is_constant(value)) {
      made.store(unknowns, i, value);
    } else {
      for (std::uint64_t k = i; k < end; ++k) set_byte(data, k, {value, static_cast<std::uint32_t>(k - i)});
    }
    i = end;
  }
  return made;
}

std::optional<std::uint8_t> Content::number(std::uint64_t offset) const {
  if (data_->array) return std::nullopt;
  const Byte found = byte(offset);
  if (found.term || found.index == kUnwritten) return std::nullopt;
  return static_cast<std::uint8_t>(found.index);
}

void Content::collect_words(Unknowns& unknowns, std::uint64_t word, std::vector<Term>& words) const {
  if (!data_ || data_->array) return;
  for (std::uint64_t i = 0; i + word <= size(); i += word) words.push_back(load(unknowns, i, word));
}

}  // namespace plumb::unroll
