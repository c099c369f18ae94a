#include "concolic/trace/trace_check.h"

#include <fmt/format.h>

#include "concolic/trace/trace_builder.h"
#include "term/evaluator.h"

namespace plumb::concolic {
namespace {

std::string text(const Subject& subject, const Trace& trace, std::size_t index) {
  const PathNode& node = trace.nodes[index];
  std::string place = "region";
  if (node.kind != PathNode::Kind::Region && node.site < subject.sites.size())
    place = subject.program.describe(subject.sites[node.site].location).to_string();
  return fmt::format("node {} of {} (kind {}, site {}, {}, taken {})", index, trace.nodes.size(),
                     static_cast<int>(node.kind), node.site, place, node.taken);
}

/// Where a call through a pointer leads and what a fault does natively is not for a formula to say.
bool is_decided(const PathNode& node, const Alternative& alternative) {
  return alternative.kind != Alternative::Kind::Target &&
         (node.kind != PathNode::Kind::Region || node.taken != program::kNone);
}

}  // namespace

std::string contradiction_of(const Subject& subject, const term::TermStore& store, const Trace& trace,
                             std::span<const std::uint8_t> coverage) {
  if (!trace.is_complete) return trace.problem;
  const term::Assignment inputs = assignment_of(store, trace);
  term::Evaluator evaluator(store, inputs);
  for (std::size_t i = 0; i < trace.nodes.size(); ++i) {
    const PathNode& node = trace.nodes[i];
    if (!evaluator.is_true(node.condition)) return text(subject, trace, i) + ": its condition is false";
    for (const Alternative& alternative : trace.alternatives_of(node)) {
      if (!is_decided(node, alternative) || !evaluator.is_true(alternative.condition)) continue;
      const bool is_taken = alternative.kind == Alternative::Kind::InnerEdge && alternative.edge < coverage.size() &&
                            coverage[alternative.edge] != 0;
      if (!is_taken)
        return fmt::format("{}: alternative {} of kind {} is true", text(subject, trace, i), alternative.index,
                           static_cast<int>(alternative.kind));
    }
  }
  return {};
}

}  // namespace plumb::concolic
