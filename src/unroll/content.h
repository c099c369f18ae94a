#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "semantics/memory/cow_vector.h"
#include "term/term_store.h"

namespace plumb::unroll {

using term::Term;
using term::TermStore;

using ObjectId = std::uint32_t;

/// Values that the program never set, the same whenever they are asked for.
class Unknowns {
 public:
  explicit Unknowns(TermStore& terms) : terms_(terms) {}
  TermStore& terms() const noexcept { return terms_; }
  Term bytes(ObjectId object, std::uint64_t offset, std::uint64_t count);
  Term array(ObjectId object, term::Sort sort);
  /// All that were made, in their order: an array for an object that is read at offsets that are not known.
  std::span<const Term> all() const noexcept { return all_; }

 private:
  TermStore& terms_;
  absl::flat_hash_map<std::tuple<ObjectId, std::uint64_t, std::uint64_t>, Term> known_;
  std::vector<Term> all_;
};

/// The bytes of an object, little-endian: each is a number, a byte of a wider term that was stored, or never written.
/// A word that was written is the word that is read. Copies share until one of them writes.
///
/// Offsets that are terms need to be in bounds for the value to mean something; others give any value. Up to
/// kMaxChoices possible offsets make a choice between elements; with more of them the object becomes an array term, of
/// elements as wide as the access if its offsets are multiples of that.
class Content {
 public:
  /// No bytes.
  Content() = default;
  static Content unwritten(ObjectId object, std::uint64_t size);
  /// `bytes`, then zeros.
  static Content of(ObjectId object, std::span<const std::uint8_t> bytes, std::uint64_t size);

  std::uint64_t size() const noexcept { return data_ ? data_->size : 0; }
  /// Surely equal.
  bool is_same(const Content& other) const noexcept;

  Term load(Unknowns& unknowns, std::uint64_t offset, std::uint64_t count) const;
  Term load(Unknowns& unknowns, Term offset, std::uint64_t count) const;
  /// Of a width that is a multiple of 8.
  void store(Unknowns& unknowns, std::uint64_t offset, Term value);
  /// If `when` holds.
  void store(Unknowns& unknowns, Term offset, Term value, Term when);
  /// As memmove; the source may be this object.
  void copy(Unknowns& unknowns, std::uint64_t offset, const Content& source, std::uint64_t source_offset,
            std::uint64_t count);
  /// The first where the condition holds, the second elsewhere. Of equal sizes.
  static Content choice(Unknowns& unknowns, Term condition, const Content& a, const Content& b);

  /// The number that the byte is, if it is one.
  std::optional<std::uint8_t> number(std::uint64_t offset) const;
  /// Terms that hold whole words of memory, each once: what pointers may be among. Arrays are left out.
  void collect_words(Unknowns& unknowns, std::uint64_t word, std::vector<Term>& words) const;
  bool is_array() const noexcept { return data_ && data_->array; }

  static constexpr std::uint64_t kMaxChoices = 256;
  /// Elements to choose between if not more than kMaxChoices of them are different.
  static constexpr std::uint64_t kMaxReads = 8192;

 private:
  /// Byte `index` of `term`; without a term the number itself, or one of these.
  struct Byte {
    Term term;
    std::uint32_t index = kUnwritten;
    friend bool operator==(const Byte&, const Byte&) = default;
  };
  static constexpr std::uint32_t kUnwritten = 256;
  static constexpr std::uint64_t kChunk = 64;
  using Chunk = std::array<Byte, kChunk>;

  struct Data {
    ObjectId object = 0;
    std::uint64_t size = 0;
    std::vector<semantics::CowPointer<Chunk>> chunks;  ///< of none if there is an array
    Term array;                                        ///< all bytes, or no term
    std::uint64_t unit = 1;                            ///< of the array: bytes an element, a power of two
  };
  /// The offsets first, first + step, … of which there are `count`; step is a power of two.
  struct Choices {
    std::uint64_t first = 0;
    std::uint64_t step = 1;
    std::uint64_t count = 0;
  };

  const Byte& byte(std::uint64_t offset) const { return (*data_->chunks[offset / kChunk])[offset % kChunk]; }
  static void set_byte(Data& data, std::uint64_t offset, Byte byte) {
    data.chunks[offset / kChunk].writable()[offset % kChunk] = byte;
  }
  std::uint64_t end_of_run(std::uint64_t offset, std::uint64_t limit) const;
  Term load_run(Unknowns& unknowns, std::uint64_t offset, std::uint64_t end) const;
  std::vector<Term> elements(Unknowns& unknowns, const Choices& choices, std::uint64_t count) const;
  Choices choices(TermStore& terms, Term offset, std::uint64_t count) const;
  void store_choice(Unknowns& unknowns, const Choices& choices, Term offset, Term value, Term when);
  void make_array(Unknowns& unknowns, std::uint64_t unit);
  std::uint64_t unit_for(const Choices& choices, std::uint64_t count) const;
  Term load_array(TermStore& terms, Term offset, std::uint64_t count) const;
  void store_array(TermStore& terms, Term offset, Term value, Term when);
  static Content choice_of_arrays(Unknowns& unknowns, Term condition, Content a, Content b);

  semantics::CowPointer<Data> data_;
};

}  // namespace plumb::unroll
