#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "explore/value.h"
#include "semantics/memory/term_bytes.h"

namespace plumb::explore {

/// The bytes of a memory object: numbers while that is enough, terms (semantics::TermBytes) once one was stored that is
/// none, and bytes that were never written, which are told apart. Numbers are little-endian.
class Content {
 public:
  Content() = default;
  static Content zeroed(std::uint64_t size) { return from({}, size); }
  /// `bytes`, then zeros.
  static Content from(std::span<const std::uint8_t> bytes, std::uint64_t size);
  static Content unwritten(std::uint64_t size);

  std::uint64_t size() const noexcept { return size_; }
  bool has_terms() const noexcept { return terms_.has_value(); }

  /// Runs of at most eight bytes in the range that were never written: whoever reads gives them a value first.
  struct Run {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
  };
  std::vector<Run> unwritten_in(std::uint64_t offset, std::uint64_t count) const;

  /// Of bytes that were written, at least one.
  Value load(TermStore& terms, std::uint64_t offset, std::uint64_t count) const;
  void store(TermStore& terms, std::uint64_t offset, const Value& value, std::uint32_t width);
  void fill(TermStore& terms, std::uint64_t offset, std::uint64_t count, const Value& byte);
  /// As memmove, with what was never written.
  void copy(TermStore& terms, std::uint64_t offset, const Content& source, std::uint64_t source_offset,
            std::uint64_t count);

  /// At an offset that is a term. All bytes must have been written.
  Value load(TermStore& terms, Term offset, std::uint64_t count) const;
  void store(TermStore& terms, Term offset, const Value& value, std::uint32_t width);

  /// Aligned words of so many bytes, as far as they were written.
  void for_each_word(TermStore& terms, std::uint32_t bytes, const std::function<void(const Value&)>& visit) const;

  /// As bytes in which terms are left out, and the terms in order. The first four bytes say how many there are.
  void encode(std::vector<std::uint8_t>& out, std::vector<Term>& holes) const;
  static Content decode(TermStore& terms, std::span<const std::uint8_t> in, std::span<const Term> holes);
  /// The plain bytes of an encoded content without terms, all of them written; nothing of others.
  static std::optional<std::span<const std::uint8_t>> plain(std::span<const std::uint8_t> encoded);

 private:
  bool is_unwritten(std::uint64_t i) const { return !unwritten_.empty() && (unwritten_[i / 8] >> (i % 8) & 1) != 0; }
  void set_written(std::uint64_t offset, std::uint64_t count);
  /// From numbers to terms.
  semantics::TermBytes& as_terms(TermStore& terms);
  /// Back to numbers where there are no terms left.
  void settle(TermStore& terms);

  std::uint64_t size_ = 0;
  std::vector<std::uint8_t> bytes_;      ///< without terms
  std::vector<std::uint8_t> unwritten_;  ///< a bit a byte; empty if all were written
  std::optional<semantics::TermBytes> terms_;
};

}  // namespace plumb::explore
