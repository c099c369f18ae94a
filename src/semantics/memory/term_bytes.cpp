// A byte remembers the wide value it was stored with and its place in it, so a read first looks for runs of bytes that
// continue each other (downwards in a big-endian object): one run that is a whole value is that value, otherwise the
// runs are cut out and joined. Symbolic offsets are in term_bytes_symbolic.cpp.

#include "semantics/memory/term_bytes.h"

#include <algorithm>

namespace plumb::semantics {

using term::Term;
using term::TermStore;

namespace {

std::uint32_t byte_width(const TermStore& terms, Term value) {
  INVARIANT(terms.width(value) % 8 == 0, "a stored value should consist of bytes");
  return terms.width(value) / 8;
}

}  // namespace

TermBytes::TermBytes(ConcreteBytes content, ByteOrder order) {
  if (content.size() == 0) return;
  data_ = CowPointer<Data>::make();
  data_.writable().concrete = std::move(content);
  data_.writable().order = order;
}

Term TermBytes::byte_of(TermStore& terms, Term value, std::uint32_t i) const {
  const std::uint32_t index = index_of(order(), i, byte_width(terms, value));
  return terms.extract(value, index * 8 + 7, index * 8);
}

const ConcreteBytes& TermBytes::concrete() const noexcept {
  static const ConcreteBytes nothing;
  return data_ ? data_->concrete : nothing;
}

TermBytes::Origin TermBytes::origin(std::uint64_t offset) const noexcept {
  const Data& data = *data_;
  if (data.origins.empty()) return default_origin(data);
  const CowPointer<OriginChunk>& chunk = data.origins[offset / kChunk];
  return chunk ? (*chunk)[offset % kChunk] : default_origin(data);
}

bool TermBytes::is_concrete(std::uint64_t offset, std::uint64_t count) const noexcept {
  if (count == 0 || (data_->origins.empty() && !data_->base)) return true;
  for (std::uint64_t i = offset; i < offset + count; ++i) {
    const Origin o = origin(i);
    if (o.term || o.index != kInConcrete) return false;
  }
  return true;
}

std::uint64_t TermBytes::end_of_run(std::uint64_t offset, std::uint64_t limit) const noexcept {
  const Origin first = origin(offset);
  if (!first.term && first.index == kInArray) return offset + 1;
  const std::uint32_t step = !first.term ? 0 : order() == ByteOrder::Little ? 1 : ~std::uint32_t{0};
  std::uint32_t index = first.index;
  std::uint64_t end = offset + 1;
  for (; end < limit; ++end) {
    const Origin next = origin(end);
    index += step;
    if (next.term != first.term || next.index != index) break;
  }
  return end;
}

Term TermBytes::load_run(TermStore& terms, std::uint64_t offset, std::uint64_t end) const {
  const Origin first = origin(offset);
  const auto count = static_cast<std::uint32_t>(end - offset);
  if (first.term) {
    const std::uint32_t lowest = std::min(first.index, origin(end - 1).index);
    return terms.extract(first.term, (lowest + count) * 8 - 1, lowest * 8);
  }
  if (first.index == kInConcrete) return terms.constant(data_->concrete.load_wide(offset, count, order()));
  return terms.select(data_->base, terms.constant(terms.sort(data_->base).index_width, offset));
}

Term TermBytes::load(TermStore& terms, std::uint64_t offset, std::uint32_t count) const {
  INVARIANT(count > 0 && concrete().is_inside(offset, count), "a load should be inside the object");
  const std::uint64_t limit = offset + count;
  std::uint64_t end = end_of_run(offset, limit);
  Term value = load_run(terms, offset, end);
  while (end < limit) {
    const std::uint64_t next = end_of_run(end, limit);
    value = join(terms, order(), value, load_run(terms, end, next));
    end = next;
  }
  return value;
}

TermBytes::Data& TermBytes::prepare_write(std::uint64_t offset, std::uint64_t count) {
  // Beyond so many pieces a snapshot from scratch is cheaper than keeping book.
  constexpr std::size_t kMaxWritten = 64;
  Data& data = data_.writable();
  if (count == data.concrete.size()) {
    data.origins.clear();
    data.base = {};
    data.snapshot = {};
  }
  if (data.snapshot) data.written.push_back({offset, count});
  if (!data.snapshot || data.written.size() > kMaxWritten) {
    data.snapshot = {};
    data.written.clear();
  }
  return data;
}

void TermBytes::set_origin(Data& data, std::uint64_t offset, Origin origin) {
  if (data.origins.empty()) data.origins.resize((data.concrete.size() + kChunk - 1) / kChunk);
  CowPointer<OriginChunk>& chunk = data.origins[offset / kChunk];
  if (!chunk) {
    chunk = CowPointer<OriginChunk>::make();
    chunk.writable().fill(default_origin(data));
  }
  chunk.writable()[offset % kChunk] = origin;
}

void TermBytes::clear_origins(Data& data, std::uint64_t offset, std::uint64_t count) {
  if (data.origins.empty() && !data.base) return;
  for (std::uint64_t i = offset; i < offset + count; ++i) {
    if (data.base || data.origins[i / kChunk]) set_origin(data, i, Origin{});
  }
}

void TermBytes::store(const TermStore& terms, std::uint64_t offset, Term value) {
  const std::uint32_t count = byte_width(terms, value);
  INVARIANT(concrete().is_inside(offset, count), "a store should be inside the object");
  Data& data = prepare_write(offset, count);
  if (terms.is_constant(value)) {
    data.concrete.store_wide(offset, terms.value(value), data.order);
    clear_origins(data, offset, count);
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) set_origin(data, offset + i, {value, index_of(data.order, i, count)});
}

void TermBytes::fill(const TermStore& terms, std::uint64_t offset, std::uint64_t count, Term byte) {
  INVARIANT(terms.width(byte) == 8, "memory should be filled with a byte");
  INVARIANT(concrete().is_inside(offset, count), "a fill should be inside the object");
  if (count == 0) return;
  Data& data = prepare_write(offset, count);
  if (terms.is_constant(byte)) {
    data.concrete.fill(offset, count, static_cast<std::uint8_t>(terms.value(byte).to_uint64()));
    clear_origins(data, offset, count);
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) set_origin(data, offset + i, {byte, 0});
}

void TermBytes::copy(TermStore& terms, std::uint64_t offset, const TermBytes& source, std::uint64_t source_offset,
                     std::uint64_t count) {
  INVARIANT(concrete().is_inside(offset, count) && source.concrete().is_inside(source_offset, count),
            "a copy should be inside both objects");
  const bool is_same = &source == this;
  if (count == 0 || (is_same && offset == source_offset)) return;
  const bool all_concrete = source.is_concrete(source_offset, count);
  Data& data = prepare_write(offset, count);
  data.concrete.copy(offset, is_same ? data.concrete : source.data_->concrete, source_offset, count);
  if (all_concrete) {
    clear_origins(data, offset, count);
    return;
  }
  // Bytes that lie in both ranges are read before they are overwritten.
  const bool backwards = is_same && offset > source_offset;
  for (std::uint64_t step = 0; step < count; ++step) {
    const std::uint64_t i = backwards ? count - 1 - step : step;
    Origin o = source.origin(source_offset + i);
    if (!o.term && o.index == kInArray) o = {source.load_run(terms, source_offset + i, source_offset + i + 1), 0};
    if (o.term && terms.is_constant(o.term)) {
      data.concrete.store(offset + i, terms.value(o.term).to_uint64(), 1);
      o = {};
    }
    set_origin(data, offset + i, o);
  }
}

}  // namespace plumb::semantics
