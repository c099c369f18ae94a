// Bytes at known offsets, and the choice between two contents. A byte remembers the wide value it was stored with and
// its place in it, so a read first looks for runs of bytes that continue each other (downwards in a big-endian object):
// one run that is a whole value is that value, otherwise the runs are cut out and joined. A choice joins such runs as a
// whole, so that a field stays a field whatever paths it went.

#include "semantics/memory/term_bytes.h"

#include <algorithm>

#include "semantics/memory/byte_terms.h"

namespace plumb::semantics {

using term::Term;
using term::TermStore;

TermBytes::TermBytes(std::span<const std::uint8_t> content, std::uint64_t size, const Options& options) {
  INVARIANT(content.size() <= size, "the initial content should fit its object");
  if (size == 0) return;
  data_ = CowPointer<Data>::make();
  Data& data = data_.writable();
  data.size = size;
  data.options = options;
  CowPointer<Chunk> zeros = CowPointer<Chunk>::make();
  zeros.writable().fill(Byte{{}, 0});
  data.chunks.assign((size + kChunk - 1) / kChunk, zeros);
  for (std::uint64_t i = 0; i < content.size(); ++i)
    if (content[i] != 0) set_byte(data, i, {{}, content[i]});
}

TermBytes TermBytes::unwritten(UnwrittenBytes& unwritten, ObjectId object, std::uint64_t size) {
  TermBytes made;
  if (size == 0) return made;
  made.data_ = CowPointer<Data>::make();
  Data& data = made.data_.writable();
  data.size = size;
  data.options.order = unwritten.order();
  data.unwritten = &unwritten;
  data.object = object;
  data.chunks.assign((size + kChunk - 1) / kChunk, CowPointer<Chunk>::make());
  return made;
}

bool TermBytes::is_same(const TermBytes& other) const noexcept {
  if (!data_ || !other.data_) return !data_ && !other.data_;
  return &*data_ == &*other.data_;
}

bool TermBytes::is_unwritten(std::uint64_t offset, std::uint64_t count) const {
  for (std::uint64_t i = offset; i < offset + count; ++i)
    if (byte(i) != Byte{}) return false;
  return true;
}

std::uint64_t TermBytes::end_of_run(std::uint64_t offset, std::uint64_t limit) const {
  const Byte first = byte(offset);
  const std::uint32_t step = order() == ByteOrder::Little ? 1 : ~std::uint32_t{0};
  std::uint32_t index = first.index;
  std::uint64_t end = offset + 1;
  for (; end < limit; ++end) {
    const Byte next = byte(end);
    index += step;
    if (next.term != first.term) break;
    if (first.term ? next.index != index : (next.index == kUnwritten) != (first.index == kUnwritten)) break;
  }
  return end;
}

Term TermBytes::load_run(TermStore& terms, std::uint64_t offset, std::uint64_t end) const {
  const Byte first = byte(offset);
  const auto count = static_cast<std::uint32_t>(end - offset);
  if (first.term) {
    const std::uint32_t lowest = std::min(first.index, byte(end - 1).index);
    return terms.extract(first.term, (lowest + count) * 8 - 1, lowest * 8);
  }
  if (first.index == kUnwritten) return data_->unwritten->bytes(data_->object, offset, count);
  if (count <= 8) {
    std::uint64_t word = 0;
    for (std::uint32_t i = 0; i < count; ++i) word |= std::uint64_t{byte(offset + i).index} << (index_of(i, count) * 8);
    return terms.constant(count * 8, word);
  }
  std::vector<std::uint64_t> words((count + 7) / 8);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t index = index_of(i, count);
    words[index / 8] |= std::uint64_t{byte(offset + i).index} << (index % 8 * 8);
  }
  return terms.constant(BitVector::from_words(count * 8, words));
}

Term TermBytes::load(TermStore& terms, std::uint64_t offset, std::uint64_t count) const {
  INVARIANT(count > 0 && offset <= size() && count <= size() - offset, "a load should be inside the object");
  if (data_->array) return load_array(terms, data_->array, data_->unit, terms.constant(64, offset), count);
  const std::uint64_t limit = offset + count;
  Term value;
  while (offset < limit) {
    const std::uint64_t end = end_of_run(offset, limit);
    value = join_bytes(terms, order(), value, load_run(terms, offset, end));
    offset = end;
  }
  return value;
}

TermBytes::Data& TermBytes::prepare_write(std::uint64_t offset, std::uint64_t count) {
  // Beyond so many pieces a snapshot from scratch is cheaper than keeping book.
  constexpr std::size_t kMaxWritten = 64;
  INVARIANT(offset <= size() && count <= size() - offset, "a write should be inside the object");
  Data& data = data_.writable();
  if (data.array && count == data.size) {
    data.array = {};
    data.chunks.assign((data.size + kChunk - 1) / kChunk, CowPointer<Chunk>::make());
  }
  if (data.snapshot) data.written.push_back({offset, count});
  if (!data.snapshot || data.written.size() > kMaxWritten || count == data.size) {
    data.snapshot = {};
    data.written.clear();
  }
  return data;
}

void TermBytes::set_bytes(TermStore& terms, Data& data, std::uint64_t begin, std::uint64_t end, Term value) {
  const std::uint64_t count = end - begin;
  if (!terms.is_constant(value)) {
    for (std::uint64_t i = 0; i < count; ++i) set_byte(data, begin + i, {value, index_of(i, count)});
    return;
  }
  const BitVector number = terms.value(value);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t index = index_of(i, count);
    set_byte(data, begin + i, {{}, static_cast<std::uint32_t>(number.words()[index / 8] >> (index % 8 * 8) & 0xFF)});
  }
}

void TermBytes::store(TermStore& terms, std::uint64_t offset, Term value) {
  INVARIANT(terms.width(value) % 8 == 0, "a stored value should consist of bytes");
  const std::uint64_t count = terms.width(value) / 8;
  Data& data = prepare_write(offset, count);
  if (data.array) return store_array(terms, terms.constant(64, offset), value, terms.boolean(true));
  set_bytes(terms, data, offset, offset + count, value);
}

void TermBytes::fill(TermStore& terms, std::uint64_t offset, std::uint64_t count, Term byte) {
  INVARIANT(terms.width(byte) == 8, "memory should be filled with a byte");
  if (count == 0) return;
  Data& data = prepare_write(offset, count);
  for (std::uint64_t i = offset; i < offset + count; ++i) {
    if (data.array) {
      store_array(terms, terms.constant(64, i), byte, terms.boolean(true));
    } else {
      set_bytes(terms, data, i, i + 1, byte);
    }
  }
}

void TermBytes::copy(TermStore& terms, std::uint64_t offset, const TermBytes& source, std::uint64_t source_offset,
                     std::uint64_t count) {
  INVARIANT(source_offset <= source.size() && count <= source.size() - source_offset,
            "a copy should be inside both objects");
  if (count == 0) return;
  const TermBytes from = source;  // a copy: the source may be this object
  Data& data = prepare_write(offset, count);
  if (data.array || from.data_->array) {
    for (std::uint64_t i = 0; i < count; ++i) store(terms, offset + i, from.load(terms, source_offset + i, 1));
    return;
  }
  for (std::uint64_t i = 0; i < count;) {
    const std::uint64_t end = from.end_of_run(source_offset + i, source_offset + count) - source_offset;
    const Byte first = from.byte(source_offset + i);
    // What was never written has the name of its object: the copy must not get another.
    const bool is_own = data.unwritten != nullptr && from.data_->object == data.object && offset == source_offset;
    if (first == Byte{} && !is_own) {
      set_bytes(terms, data, offset + i, offset + end, from.load_run(terms, source_offset + i, source_offset + end));
    } else {
      for (std::uint64_t k = i; k < end; ++k) set_byte(data, offset + k, from.byte(source_offset + k));
    }
    i = end;
  }
}

TermBytes TermBytes::choice(TermStore& terms, Term condition, const TermBytes& a, const TermBytes& b) {
  if (a.is_same(b) || terms.is_true(condition)) return a;
  if (terms.is_false(condition)) return b;
  INVARIANT(a.size() == b.size(), "contents should be of one object");
  if (a.data_->array || b.data_->array) return choice_of_arrays(terms, condition, a, b);
  const bool is_of_one_object = a.data_->object == b.data_->object;
  TermBytes made = a;
  Data& data = made.data_.writable();
  data.snapshot = {};
  data.written.clear();
  for (std::uint64_t i = 0; i < a.size();) {
    if (i % kChunk == 0 && &*a.data_->chunks[i / kChunk] == &*b.data_->chunks[i / kChunk]) {
      i += kChunk;
      continue;
    }
    if (a.byte(i) == b.byte(i) && (is_of_one_object || a.byte(i) != Byte{})) {
      ++i;
      continue;
    }
    const std::uint64_t end = std::min(a.end_of_run(i, a.size()), b.end_of_run(i, a.size()));
    made.set_bytes(terms, data, i, end, terms.ite(condition, a.load_run(terms, i, end), b.load_run(terms, i, end)));
    i = end;
  }
  return made;
}

std::optional<std::uint8_t> TermBytes::number(std::uint64_t offset) const {
  if (data_->array) return std::nullopt;
  const Byte found = byte(offset);
  if (found.term || found.index == kUnwritten) return std::nullopt;
  return static_cast<std::uint8_t>(found.index);
}

std::vector<Term> TermBytes::words(TermStore& terms, std::uint64_t word) const {
  std::vector<Term> found;
  if (!data_ || data_->array) return found;
  for (std::uint64_t i = 0; i + word <= size(); i += word) found.push_back(load(terms, i, word));
  return found;
}

std::vector<TermBytes::TermRun> TermBytes::term_runs() const {
  std::vector<TermRun> runs;
  for (std::uint64_t offset = 0; offset < size();) {
    const std::uint64_t end = end_of_run(offset, size());
    if (const Byte first = byte(offset); first.term) runs.push_back({offset, end - offset, first.term, first.index});
    offset = end;
  }
  return runs;
}

void TermBytes::set_runs(TermStore& terms, std::span<const TermRun> runs) {
  for (const TermRun& run : runs) {
    Data& data = prepare_write(run.offset, run.count);
    if (terms.is_constant(run.term)) {
      const auto lowest = run.index * 8;
      const auto highest = static_cast<std::uint32_t>(lowest + run.count * 8 - 1);
      set_bytes(terms, data, run.offset, run.offset + run.count, terms.extract(run.term, highest, lowest));
      continue;
    }
    for (std::uint64_t i = 0; i < run.count; ++i)
      set_byte(data, run.offset + i, {run.term, run.index + static_cast<std::uint32_t>(i)});
  }
}

TermBytes TermBytes::of_array(Term array, std::uint64_t unit, std::uint64_t size) {
  TermBytes made = zeroed(size);
  Data& data = made.data_.writable();
  data.array = array;
  data.unit = unit;
  data.chunks.clear();
  return made;
}

}  // namespace plumb::semantics
