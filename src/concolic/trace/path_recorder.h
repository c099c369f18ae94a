#pragma once

#include <cstdint>
#include <vector>

#include "concolic/trace/stream_reader.h"
#include "concolic/trace/trace.h"
#include "instrument/subject.h"

namespace plumb::concolic {

/// Appends nodes with their alternatives to a trace. Conditions that contradict the run fail the reader: what the
/// target did is not what its records say.
class PathRecorder {
 public:
  PathRecorder(term::TermStore& store, StreamReader& reader, Trace& trace)
      : store_(store), reader_(reader), trace_(trace) {}

  /// For the node that comes next. What can never be is left out.
  void alternative(Alternative::Kind kind, std::uint32_t index, term::Term condition, EdgeId edge = program::kNone);
  void alternative(const Alternative& alternative);
  /// With the alternatives given since the last one. Left out if its condition is constant, unless `is_kept`.
  void node(PathNode::Kind kind, std::uint32_t site, std::uint32_t taken, term::Term condition, bool is_kept = false,
            PathNode::Checked checked = {});

 private:
  term::TermStore& store_;
  StreamReader& reader_;
  Trace& trace_;
  std::uint64_t prefix_ = 0;
  std::size_t first_alternative_ = 0;
};

}  // namespace plumb::concolic
