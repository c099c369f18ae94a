#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "semantics/memory/cow_vector.h"
#include "semantics/memory/unwritten_bytes.h"

namespace plumb::semantics {

/// The bytes of a memory object over terms: the one byte memory of all engines that execute on terms. A byte is a
/// number, or byte i of a wider term that it was stored with, or was never written; so a word that was written is the
/// word that is read, the same handle. Copies share until one of them writes, all in one thread.
///
/// Offsets are numbers, or terms that are in bounds where the value is meant (the engine has checked): for other values
/// of theirs results are arbitrary, and a term that is never in bounds reads zeros and writes nothing. Few possible
/// offsets make a choice between elements; with more of them the object is an array term, of elements as wide as the
/// access if its offsets are multiples of that, and stays one once such a write was made. Either way nothing is lost.
///
/// All terms of one object belong to one store.
class TermBytes {
 public:
  struct Options {
    ByteOrder order = ByteOrder::Little;
    /// Possible offsets of an access that is a choice; of a read those alone count whose elements are different.
    std::uint64_t max_choices = 256;
    /// Offsets that a read looks at to see which elements are different.
    std::uint64_t max_reads = 8192;
  };

  /// No bytes.
  TermBytes() = default;
  /// `content`, then zeros.
  TermBytes(std::span<const std::uint8_t> content, std::uint64_t size, const Options& options);
  TermBytes(std::span<const std::uint8_t> content, std::uint64_t size) : TermBytes(content, size, Options()) {}
  static TermBytes zeroed(std::uint64_t size) { return {{}, size}; }
  /// In the order of `unwritten`, which must live as long as all copies.
  static TermBytes unwritten(UnwrittenBytes& unwritten, ObjectId object, std::uint64_t size);

  std::uint64_t size() const noexcept { return data_ ? data_->size : 0; }
  /// Surely equal.
  bool is_same(const TermBytes& other) const noexcept;

  /// `count` bytes, at least one.
  term::Term load(term::TermStore& terms, std::uint64_t offset, std::uint64_t count) const;
  /// Of a width that is a multiple of 8.
  void store(term::TermStore& terms, std::uint64_t offset, term::Term value);
  /// With a term of 8 bits.
  void fill(term::TermStore& terms, std::uint64_t offset, std::uint64_t count, term::Term byte);
  /// As memmove; `source` may be this object, and has its byte order.
  void copy(term::TermStore& terms, std::uint64_t offset, const TermBytes& source, std::uint64_t source_offset,
            std::uint64_t count);

  /// At an offset of up to 64 bits.
  term::Term load(term::TermStore& terms, term::Term offset, std::uint64_t count) const;
  /// Likewise, where `when` holds.
  void store(term::TermStore& terms, term::Term offset, term::Term value, term::Term when);

  /// The first where the condition holds, the second elsewhere. Of equal sizes.
  static TermBytes choice(term::TermStore& terms, term::Term condition, const TermBytes& a, const TermBytes& b);

  /// The number that the byte is, if it is one.
  std::optional<std::uint8_t> number(std::uint64_t offset) const;
  /// Terms that hold whole words of memory, one after the other: what pointers may be among. None of an array.
  std::vector<term::Term> words(term::TermStore& terms, std::uint64_t word) const;
  bool is_array() const noexcept { return data_ && data_->array; }

  // Its parts, for whoever keeps contents elsewhere

  /// Bytes that are consecutive bytes of one term, from byte `index` of it on.
  struct TermRun {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
    term::Term term;
    std::uint32_t index = 0;
  };
  /// All bytes that are parts of terms, by rising offset. Needs little-endian bytes that are no array.
  std::vector<TermRun> term_runs() const;
  /// The term may be a constant.
  void set_runs(term::TermStore& terms, std::span<const TermRun> runs);
  /// Of an array: all bytes, and the bytes of an element.
  term::Term array() const { return data_->array; }
  std::uint64_t array_unit() const { return data_->unit; }
  static TermBytes of_array(term::Term array, std::uint64_t unit, std::uint64_t size);

 private:
  /// Byte `index` of `term`, counted from its lowest; without a term the number itself, or kUnwritten.
  struct Byte {
    term::Term term;
    std::uint32_t index = kUnwritten;
    friend bool operator==(const Byte&, const Byte&) = default;
  };
  static constexpr std::uint32_t kUnwritten = 256;
  static constexpr std::uint64_t kChunk = 64;
  using Chunk = std::array<Byte, kChunk>;

  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
  };
  struct Data {
    std::uint64_t size = 0;
    Options options;
    UnwrittenBytes* unwritten = nullptr;
    ObjectId object = 0;
    std::vector<CowPointer<Chunk>> chunks;  ///< of none if there is an array
    term::Term array;                       ///< all bytes, or no term
    std::uint64_t unit = 1;                 ///< of the array: bytes of an element, a power of two
    // A whole object as an array term is costly to make, so it is kept, with what was written since: a cache, not
    // content, so a read may fill it.
    mutable term::Term snapshot;
    mutable std::uint64_t snapshot_unit = 1;
    mutable std::vector<Range> written;
  };
  /// The offsets first, first + step, … of which there are `count`; step is a power of two.
  struct Choices {
    std::uint64_t first = 0;
    std::uint64_t step = 1;
    std::uint64_t count = 0;
  };

  ByteOrder order() const noexcept { return data_->options.order; }
  const Byte& byte(std::uint64_t offset) const { return (*data_->chunks[offset / kChunk])[offset % kChunk]; }
  bool is_unwritten(std::uint64_t offset, std::uint64_t count) const;
  /// The index of byte i, in the order of memory, of a value of `count` bytes.
  std::uint32_t index_of(std::uint64_t i, std::uint64_t count) const noexcept {
    return static_cast<std::uint32_t>(order() == ByteOrder::Little ? i : count - 1 - i);
  }
  /// A part of a load that comes from one term: bytes [offset, end).
  std::uint64_t end_of_run(std::uint64_t offset, std::uint64_t limit) const;
  term::Term load_run(term::TermStore& terms, std::uint64_t offset, std::uint64_t end) const;

  /// Unshares for a write to the range.
  Data& prepare_write(std::uint64_t offset, std::uint64_t count);
  static void set_byte(Data& data, std::uint64_t offset, Byte byte) {
    data.chunks[offset / kChunk].writable()[offset % kChunk] = byte;
  }
  /// Bytes [begin, end) are those of the value, a constant or not.
  void set_bytes(term::TermStore& terms, Data& data, std::uint64_t begin, std::uint64_t end, term::Term value);

  // Offsets that are terms (term_bytes_symbolic.cpp)
  Choices choices(const term::TermStore& terms, term::Term offset, std::uint64_t count) const;
  void store_choice(term::TermStore& terms, const Choices& choices, term::Term offset, term::Term value,
                    term::Term when);
  void store_overlapping(term::TermStore& terms, const Choices& choices, term::Term offset, term::Term value,
                         term::Term when);

  // Arrays (term_bytes_array.cpp)
  std::uint64_t unit_for(const Choices& choices, std::uint64_t count) const;
  void make_array(term::TermStore& terms, std::uint64_t unit);
  /// The object as an array; `unit` is what is wanted, then what it has.
  term::Term snapshot(term::TermStore& terms, std::uint64_t& unit) const;
  term::Term initial_array(term::TermStore& terms, std::uint64_t& unit) const;
  term::Term load_array(term::TermStore& terms, term::Term array, std::uint64_t unit, term::Term offset,
                        std::uint64_t count) const;
  void store_array(term::TermStore& terms, term::Term offset, term::Term value, term::Term when);
  static TermBytes choice_of_arrays(term::TermStore& terms, term::Term condition, TermBytes a, TermBytes b);

  CowPointer<Data> data_;
};

}  // namespace plumb::semantics
