#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <optional>

#include "concolic/trace/path_recorder.h"
#include "concolic/trace/stream_reader.h"
#include "concolic/trace/term_table.h"
#include "concolic/trace/trace.h"
#include "instrument/subject.h"
#include "program/platform.h"

namespace plumb::concolic {

/// Checks of what depends on input, and defects: reads their records and makes nodes of those checks that could come
/// out otherwise. What surely holds, or was checked on the same path before, leaves none. Not thread-safe.
class CheckTracer {
 public:
  /// Both must outlive it.
  CheckTracer(const Subject& subject, term::TermStore& store)
      : subject_(subject), platform_(program::platform_of(subject.program.layout)), store_(store) {}

  /// For a new stream.
  void clear();

  void range(StreamReader& reader, const RecordHead& head, TermTable& terms, PathRecorder& path);
  void overflow(StreamReader& reader, const RecordHead& head, TermTable& terms, PathRecorder& path);
  void defect(StreamReader& reader, const RecordHead& head, Trace& trace) const;

  /// A check before says that it holds.
  bool is_implied(term::Term condition) const { return known_.contains(condition); }
  /// The address with this id and value as a place in the object that it was last checked against: the same on every
  /// run of a path, which an address on the heap is not. Nothing if it was not the last to be checked.
  std::optional<std::uint64_t> place_of(std::uint32_t id, std::uint64_t address) const;

 private:
  /// A range as its record has it; all values are of `width` bits.
  struct Range {
    std::uint32_t site = 0;
    bool held = true;
    std::uint32_t object = 0;
    std::uint32_t value_id = 0;
    std::uint64_t value = 0;
    std::uint64_t base = 0;
    std::uint32_t limit_id = 0;
    std::uint64_t limit = 0;
  };

  std::uint32_t site(StreamReader& reader) const;
  static bool held(StreamReader& reader);
  Range read_range(StreamReader& reader, const RecordHead& head) const;
  /// `near` may be null.
  void check(StreamReader& reader, PathRecorder& path, std::uint32_t site, bool held, term::Term condition,
             term::Term near, PathNode::Checked what);
  /// Holds on this path; on others the object is another one.
  void constrain(PathRecorder& path, const Range& range, term::Term condition);
  /// Just before or behind what is allowed.
  term::Term near(term::Term offset, term::Term limit);

  const Subject& subject_;
  program::Platform platform_;
  term::TermStore& store_;
  absl::flat_hash_set<term::Term> known_;  ///< conditions that held on this path
  Range last_;
};

}  // namespace plumb::concolic
