#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "instrument/subject.h"

namespace plumb::concolic {

using instrument::Subject;

/// The first word of a record, taken apart.
struct RecordHead {
  std::uint32_t kind = 0;  ///< enum plumb_record
  std::uint32_t code = 0;
  std::uint32_t width = 0;
};

/// Bytes of an object that are those of an expression, or of several if `total` is 0: the ids from `id` on, of a byte
/// each.
struct ObjectRun {
  std::uint32_t offset = 0;
  std::uint32_t id = 0;
  std::uint32_t first = 0;
  std::uint32_t total = 0;
  std::uint32_t length = 0;
};

/// A memory object as a record has it. Runs rise, do not overlap and lie inside.
struct ObjectRecord {
  std::uint64_t address = 0;
  std::uint32_t size = 0;                  ///< 0 if it is known
  std::optional<program::GlobalId> known;  ///< the constant global that it is: no bytes, no runs
  std::vector<std::uint8_t> bytes;
  std::vector<ObjectRun> runs;
};

/// A checked cursor over the words of a stream (protocol.h). Whatever the words are, nothing is read past their end: a
/// record that is cut off or makes no sense fails the reader, and from then on every word is 0 and next() gives
/// nothing.
class StreamReader {
 public:
  /// Both must outlive it.
  StreamReader(const Subject& subject, std::span<const std::uint32_t> words) : subject_(subject), words_(words) {}

  /// The head of the next record; nothing at the end, after an END record and after a failure. The record before must
  /// have been read or skipped in full.
  std::optional<RecordHead> next();
  std::uint32_t word();
  std::uint64_t value();  ///< two words
  /// Replaces the content of `to` by so many packed bytes.
  void bytes(std::uint32_t size, std::vector<std::uint8_t>& to);
  void object(ObjectRecord& to);
  /// The index of a region of the subject; fails otherwise, and gives 0.
  std::uint32_t region();
  /// Without reading on: are these the next two words?
  bool is_followed_by(std::uint32_t first, std::uint32_t second) const noexcept {
    return words_.size() - at_ >= 2 && words_[at_] == first && words_[at_ + 1] == second;
  }
  /// Reads over what follows the head.
  void skip(const RecordHead& head);

  void fail(std::string why);
  bool has_failed() const noexcept { return !problem_.empty(); }
  /// With the place of the record in the stream.
  const std::string& problem() const noexcept { return problem_; }

 private:
  bool need(std::uint64_t words);
  void skip_input();
  void skip_region_enter();
  bool check_run(const ObjectRun& run, std::uint64_t end_of_last, std::uint32_t size);

  const Subject& subject_;
  std::span<const std::uint32_t> words_;
  std::size_t at_ = 0;
  std::size_t record_ = 0;  ///< where the last head was
  bool has_ended_ = false;
  std::string problem_;
  ObjectRecord skipped_;
};

}  // namespace plumb::concolic
