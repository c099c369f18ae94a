#include "concolic/trace/path_recorder.h"

namespace plumb::concolic {

namespace {

/// Without a fixed point that a real path could meet: equal nodes in a row have different prefixes.
std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h += v + 0x9e3779b97f4a7c15U;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
  return h ^ (h >> 27);
}

}  // namespace

void PathRecorder::alternative(Alternative::Kind kind, std::uint32_t index, term::Term condition, EdgeId edge) {
  this->alternative({.kind = kind, .index = index, .condition = condition, .edge = edge, .near = {}});
}

void PathRecorder::alternative(const Alternative& alternative) {
  if (!store_.is_false(alternative.condition)) trace_.alternatives.push_back(alternative);
}

void PathRecorder::node(PathNode::Kind kind, std::uint32_t site, std::uint32_t taken, term::Term condition,
                        bool is_kept, PathNode::Checked checked) {
  const std::size_t first = first_alternative_;
  const std::size_t count = trace_.alternatives.size() - first;
  if (store_.is_false(condition)) reader_.fail("the run did what its own expressions rule out");
  if (store_.is_false(condition) || (store_.is_true(condition) && !is_kept)) {
    trace_.alternatives.resize(first);
    return;
  }
  prefix_ = mix(mix(mix(prefix_ + 1, static_cast<std::uint64_t>(kind)), site), taken);
  if (checked.defect != 0) prefix_ = mix(mix(prefix_, checked.defect), checked.object);
  trace_.nodes.push_back({kind, site, taken, condition, static_cast<std::uint32_t>(first),
                          static_cast<std::uint32_t>(count), prefix_, checked});
  first_alternative_ = trace_.alternatives.size();
}

}  // namespace plumb::concolic
