#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "semantics/memory/concrete_bytes.h"
#include "semantics/memory/cow_vector.h"
#include "term/term_store.h"

namespace plumb::semantics {

/// The bytes of a memory object over terms: the wide-value memory. A byte is concrete, or it is byte i of a wider term
/// it was stored with, so that a word written is the word read: the same handle comes back. Constants stay concrete
/// bytes. Copies share until one of them writes, all in one thread.
///
/// Offsets are numbers, or terms that are known to be in bounds under the path condition (the engine has checked); for
/// other values of theirs results are arbitrary. All terms of one object belong to one store.
class TermBytes {
 public:
  /// No bytes.
  TermBytes() = default;
  explicit TermBytes(ConcreteBytes content, ByteOrder order = ByteOrder::Little);
  static TermBytes uninitialised(std::uint64_t size) { return TermBytes(ConcreteBytes::uninitialised(size)); }
  static TermBytes zeroed(std::uint64_t size) { return TermBytes(ConcreteBytes::zeroed(size)); }

  std::uint64_t size() const noexcept { return data_ ? data_->concrete.size() : 0; }
  ByteOrder order() const noexcept { return data_ ? data_->order : ByteOrder::Little; }
  /// Byte i, in the order of memory, of a value that is stored here.
  term::Term byte_of(term::TermStore& terms, term::Term value, std::uint32_t i) const;
  /// The concrete bytes, good at those offsets where is_concrete().
  const ConcreteBytes& concrete() const noexcept;
  bool is_concrete(std::uint64_t offset, std::uint64_t count) const noexcept;

  /// `count` bytes, at least one.
  term::Term load(term::TermStore& terms, std::uint64_t offset, std::uint32_t count) const;
  /// Of a width that is a multiple of 8.
  void store(const term::TermStore& terms, std::uint64_t offset, term::Term value);
  /// With a term of 8 bits.
  void fill(const term::TermStore& terms, std::uint64_t offset, std::uint64_t count, term::Term byte);
  /// As memmove; `source` may be this object.
  void copy(term::TermStore& terms, std::uint64_t offset, const TermBytes& source, std::uint64_t source_offset,
            std::uint64_t count);

  /// At a symbolic offset of the pointer width (up to 64). Few possible offsets make a choice between them, many a read
  /// of an array term.
  term::Term load(term::TermStore& terms, term::Term offset, std::uint32_t count) const;
  /// Likewise. After a store with many possible offsets the object is an array term; what is stored later at a known
  /// offset lies over it and is read as it was stored.
  void store(term::TermStore& terms, term::Term offset, term::Term value);

  /// An access at a symbolic offset with at most so many possible offsets is a choice.
  static constexpr std::uint64_t kMaxChoices = 64;

 private:
  /// Where the value of a byte is: byte `index` of `term`, counted from its lowest, or without a term one of these.
  struct Origin {
    term::Term term;
    std::uint32_t index = kInConcrete;
  };
  static constexpr std::uint32_t kInConcrete = 0;  ///< in Data::concrete
  static constexpr std::uint32_t kInArray = 1;     ///< in Data::base
  static constexpr std::uint64_t kChunk = 64;
  using OriginChunk = std::array<Origin, kChunk>;

  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
  };
  struct Data {
    ConcreteBytes concrete;
    ByteOrder order = ByteOrder::Little;
    /// Empty or one for each kChunk bytes; where there is none, all bytes are in the array if there is one, else
    /// concrete.
    std::vector<CowPointer<OriginChunk>> origins;
    term::Term base;  ///< the array below, or none
    // A whole object as an array term is costly to make, so it is kept, with what was written since: a cache, not
    // content, so a read may fill it.
    mutable term::Term snapshot;
    mutable std::vector<Range> written;
  };
  /// The offsets first, first + step, ..., last that a term can have.
  struct Choices {
    std::uint64_t first = 0;
    std::uint64_t step = 1;
    std::uint64_t last = 0;
    std::uint64_t count() const noexcept { return (last - first) / step + 1; }
  };

  static Origin default_origin(const Data& data) noexcept { return {{}, data.base ? kInArray : kInConcrete}; }
  Origin origin(std::uint64_t offset) const noexcept;
  /// The index of byte i, in the order of memory, of a value of `count` bytes.
  static std::uint32_t index_of(ByteOrder order, std::uint32_t i, std::uint32_t count) noexcept {
    return order == ByteOrder::Little ? i : count - 1 - i;
  }
  /// The value of two parts, one after the other in memory.
  static term::Term join(term::TermStore& terms, ByteOrder order, term::Term first, term::Term second) {
    return order == ByteOrder::Little ? terms.concat(second, first) : terms.concat(first, second);
  }
  /// A part of a load that comes from one term: bytes [offset, end).
  std::uint64_t end_of_run(std::uint64_t offset, std::uint64_t limit) const noexcept;
  term::Term load_run(term::TermStore& terms, std::uint64_t offset, std::uint64_t end) const;

  /// Unshares for a write to the range.
  Data& prepare_write(std::uint64_t offset, std::uint64_t count);
  static void set_origin(Data& data, std::uint64_t offset, Origin origin);
  /// The range becomes concrete.
  static void clear_origins(Data& data, std::uint64_t offset, std::uint64_t count);

  Choices choices(term::TermStore& terms, term::Term offset, std::uint32_t count) const;
  void store_choice(term::TermStore& terms, const Choices& choices, term::Term offset, term::Term value);
  void store_choice_bytewise(term::TermStore& terms, const Choices& choices, term::Term offset, term::Term value);
  /// The object as an array with indices of this width.
  term::Term snapshot(term::TermStore& terms, std::uint32_t index_width) const;
  term::Term initial_array(term::TermStore& terms, std::uint32_t index_width) const;

  CowPointer<Data> data_;
};

}  // namespace plumb::semantics
