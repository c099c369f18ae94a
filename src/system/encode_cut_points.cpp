// Cut points: the statements at which a step may begin. With a step a statement that is all of them (Algorithm 1 of the
// paper). With a step a block they are the entry and the targets of back edges, so that every cycle is cut and the body
// of a loop without inner loops is one step on all of its paths: runs that branch differently stay in lockstep, and
// when they are unrolled loop counters stay constant. A function that is called from several places one after the other
// is such a cycle of the graph. A loop head that leads straight to another cut point, as the entry of a function that
// begins with a loop, cuts nothing that the other does not. What is reached from several cut points would be executed
// once for each of them; it becomes a cut point itself unless it is short.

#include "system/encode_cut_points.h"

#include <algorithm>
#include <tuple>

namespace plumb::system {

using Label = ControlGraph::Label;

namespace {

/// Assignments, checks and branches that may be made once more for each further cut point that leads to them.
constexpr std::size_t kDuplicated = 8;

bool only_ends(const ControlGraph::Statement& statement) {
  return statement.targets.empty() && statement.checks.empty() && statement.assignments.empty();
}

std::size_t weight(const ControlGraph::Statement& statement) {
  const std::size_t branches = statement.targets.empty() ? 0 : statement.targets.size() - 1;
  return statement.checks.size() + statement.assignments.size() + branches;
}

/// A depth-first search from `roots`, in this order, that does not follow edges to what is_barrier says. Reverse
/// postorder; back edges are told to `note_back_edge`.
template <typename IsBarrier, typename NoteBackEdge>
std::vector<Label> depth_first(const ControlGraph& graph, const std::vector<Label>& roots, const IsBarrier& is_barrier,
                               const NoteBackEdge& note_back_edge) {
  struct Frame {
    Label label;
    std::vector<ControlGraph::Target> targets;  ///< those not yet followed
  };
  std::vector<bool> is_open(graph.statements.size(), false);
  std::vector<bool> is_seen(graph.statements.size(), false);
  std::vector<Frame> stack;
  std::vector<Label> order;
  const auto enter = [&](Label label) {
    is_seen[label] = is_open[label] = true;
    stack.push_back({label, live_targets(graph, label)});
  };
  for (const Label root : roots) {
    if (!is_seen[root]) enter(root);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.targets.empty()) {
        is_open[frame.label] = false;
        order.push_back(frame.label);
        stack.pop_back();
        continue;
      }
      // The last target first, so that the reversed order has the first one first.
      const Label to = frame.targets.back().label;
      frame.targets.pop_back();
      if (is_barrier(to)) continue;
      if (is_open[to]) note_back_edge(to);
      if (!is_seen[to]) enter(to);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

class BlockCuts {
 public:
  BlockCuts(const ControlGraph& graph, const ControlFlow& flow)
      : graph_(graph), flow_(flow), is_cut_(flow.is_loop_head), owners_(graph.statements.size()) {}

  std::vector<bool> find() {
    is_cut_[graph_.entry] = true;
    for (const Label label : flow_.order)
      if (is_cut_[label] && label != graph_.entry && leads_straight_on(label)) is_cut_[label] = false;
    for (const Label label : order_between(graph_, flow_, is_cut_)) {
      if (!is_cut_[label] && copies(label) > kDuplicated) is_cut_[label] = true;
      const std::vector<Label> own = is_cut_[label] ? std::vector<Label>{label} : std::move(owners_[label]);
      for (const ControlGraph::Target& target : live_targets(graph_, label)) add_owners(target.label, own);
      owners_[label].clear();
    }
    return is_cut_;
  }

  /// Each reachable statement behind all that lead to it without passing a cut point.
  static std::vector<Label> order_between(const ControlGraph& graph, const ControlFlow& flow,
                                          const std::vector<bool>& is_cut) {
    std::vector<Label> roots;
    for (const Label label : flow.order)
      if (is_cut[label]) roots.push_back(label);
    std::reverse(roots.begin(), roots.end());
    return depth_first(
        graph, roots, [&](Label label) { return is_cut[label]; },
        [](Label) { INVARIANT(false, "every cycle should have a cut point"); });
  }

 private:
  void add_owners(Label label, const std::vector<Label>& added) {
    if (is_cut_[label]) return;
    std::vector<Label> both;
    std::set_union(owners_[label].begin(), owners_[label].end(), added.begin(), added.end(), std::back_inserter(both));
    owners_[label] = std::move(both);
  }

  /// To another cut point, by a short way without branches.
  bool leads_straight_on(Label from) const {
    std::size_t sum = 0;
    for (Label at = from;;) {
      sum += weight(graph_.statements[at]);
      const std::vector<ControlGraph::Target> targets = live_targets(graph_, at);
      if (targets.size() != 1 || sum > kDuplicated) return false;
      at = targets.front().label;
      if (is_cut_[at]) return at != from;
    }
  }

  /// The weight of what executing the statement and what follows it for each of its owners makes more than once; not
  /// exact above kDuplicated.
  std::size_t copies(Label from) {
    const std::size_t further = owners_[from].size() - 1;
    if (further == 0) return 0;
    std::vector<Label> seen = {from};
    std::size_t sum = 0;
    for (std::size_t i = 0; i < seen.size() && sum * further <= kDuplicated && i <= 4 * kDuplicated; ++i) {
      sum += weight(graph_.statements[seen[i]]);
      for (const ControlGraph::Target& target : live_targets(graph_, seen[i]))
        if (!is_cut_[target.label] && std::find(seen.begin(), seen.end(), target.label) == seen.end())
          seen.push_back(target.label);
    }
    return seen.size() > 4 * kDuplicated ? kDuplicated + 1 : sum * further;
  }

  const ControlGraph& graph_;
  const ControlFlow& flow_;
  std::vector<bool> is_cut_;
  std::vector<std::vector<Label>> owners_;  ///< by label: the cut points from which a step comes there
};

}  // namespace

std::vector<ControlGraph::Target> live_targets(const ControlGraph& graph, Label label) {
  std::vector<ControlGraph::Target> live;
  for (const ControlGraph::Target& target : graph.statements[label].targets) {
    if (!graph.store().is_false(target.condition)) live.push_back(target);
    if (graph.store().is_true(target.condition)) break;
  }
  return live;
}

ControlFlow control_flow(const ControlGraph& graph) {
  const std::size_t size = graph.statements.size();
  ControlFlow flow{{}, std::vector<bool>(size, false), std::vector<bool>(size, false)};
  flow.order =
      depth_first(graph, {graph.entry}, [](Label) { return false; }, [&](Label to) { flow.is_loop_head[to] = true; });
  for (const Label label : flow.order) flow.is_reachable[label] = true;
  return flow;
}

CutPoints cut_points(const ControlGraph& graph, const ControlFlow& flow, EncodingOptions::Steps steps) {
  const std::vector<bool> is_cut =
      steps == EncodingOptions::Steps::Statement ? flow.is_reachable : BlockCuts(graph, flow).find();
  CutPoints cuts;
  cuts.order = BlockCuts::order_between(graph, flow, is_cut);
  cuts.ranks.resize(graph.statements.size());
  for (std::size_t i = 0; i < cuts.order.size(); ++i) cuts.ranks[cuts.order[i]] = static_cast<std::uint32_t>(i);
  for (const Label label : flow.order)
    if (is_cut[label] && (label == graph.entry || !only_ends(graph.statements[label]))) cuts.labels.push_back(label);
  const auto place = [&](Label label) {
    const SourceLocation& location = graph.statements[label].location;
    return std::tuple(label != graph.entry, location.line, location.column, label);
  };
  std::sort(cuts.labels.begin(), cuts.labels.end(), [&](Label a, Label b) { return place(a) < place(b); });
  cuts.end_value = cuts.labels.size();
  cuts.values.resize(graph.statements.size());
  for (const Label label : flow.order)
    if (only_ends(graph.statements[label])) cuts.values[label] = cuts.end_value;
  for (std::size_t i = 0; i < cuts.labels.size(); ++i) cuts.values[cuts.labels[i]] = i;
  return cuts;
}

}  // namespace plumb::system
