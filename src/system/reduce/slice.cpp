#include <algorithm>

#include "program/analysis/components.h"
#include "program/analysis/control_dependence.h"
#include "program/analysis/dominators.h"
#include "system/encode_liveness.h"
#include "system/reduce/simplify.h"

namespace plumb::system {

using Label = ControlGraph::Label;

namespace {

/// What the checks of a graph depend on: variables, and the statements whose branches decide. Variables are told apart
/// by name, not by place: a value matters wherever its variable does.
class Slicer {
 public:
  Slicer(ControlGraph& graph, const Budget& budget)
      : graph_(graph),
        flow_(control_flow(graph)),
        accesses_(graph, budget),
        block_of_(graph.statements.size(), program::kNone),
        writers_(graph.variables.size()),
        decides_(graph.statements.size(), false),
        is_needed_(graph.statements.size(), false),
        is_relevant_(graph.variables.size(), false) {
    for (std::size_t i = 0; i < flow_.order.size(); ++i) block_of_[flow_.order[i]] = static_cast<std::uint32_t>(i);
    for (const Label label : flow_.order)
      for (const Accesses::Write& write : accesses_[label].writes) writers_[write.variable].push_back(label);
  }

  void slice(Loops loops, const Budget& budget) {
    const program::Cfg cfg = with_end(loops);
    mark(program::ControlDependence(cfg), budget);
    cut(program::DominatorTree::post_dominators(cfg));
  }

 private:
  /// Blocks by position in the order, and one more, the end, which all of them lead to. A loop that may not end leads
  /// there from its head as well, so that what stands behind it depends on its exits; with loops taken to end, one
  /// statement does where there is no way out at all, so that the others have their order.
  program::Cfg with_end(Loops loops) const {
    const auto end = static_cast<program::BlockId>(flow_.order.size());
    program::Cfg::EdgeList edges;
    for (program::BlockId block = 0; block < end; ++block) {
      const Label label = flow_.order[block];
      const std::vector<ControlGraph::Target> targets = live_targets(graph_, label);
      for (const ControlGraph::Target& target : targets) edges.emplace_back(block, block_of_[target.label]);
      if (targets.empty() || (loops == Loops::MayBeEndless && flow_.is_loop_head[label]))
        edges.emplace_back(block, end);
    }
    if (loops == Loops::End) lead_out(edges, end);
    return {end + 1, edges};
  }

  static void lead_out(program::Cfg::EdgeList& edges, program::BlockId end) {
    const program::Cfg closed(end + 1, edges);
    const program::Components components(closed);
    for (std::uint32_t c = 0; c < components.size(); ++c) {
      const std::span<const std::uint32_t> members = components.members(c);
      const bool is_left = std::ranges::any_of(members, [&](std::uint32_t block) {
        return std::ranges::any_of(closed.successors(block),
                                   [&](std::uint32_t to) { return components.component_of(to) != c; });
      });
      if (!is_left && members.front() != end) edges.emplace_back(std::ranges::min(members), end);
    }
  }

  void need(Label label) {
    if (is_needed_[label]) return;
    is_needed_[label] = true;
    labels_.push_back(label);
  }
  void need_variable(std::uint32_t variable) {
    if (is_relevant_[variable]) return;
    is_relevant_[variable] = true;
    for (const Label label : writers_[variable]) {
      need(label);
      for (const Accesses::Write& write : accesses_[label].writes)
        if (write.variable == variable) pending_.insert(pending_.end(), write.reads.begin(), write.reads.end());
    }
  }

  void mark(const program::ControlDependence& dependence, const Budget& budget) {
    for (const Label label : flow_.order) {
      if (graph_.statements[label].checks.empty()) continue;
      need(label);
      pending_.insert(pending_.end(), accesses_[label].reads.begin(), accesses_[label].reads.end());
    }
    while (!labels_.empty() || !pending_.empty()) {
      budget.check();
      if (!pending_.empty()) {
        const std::uint32_t variable = pending_.back();
        pending_.pop_back();
        need_variable(variable);
        continue;
      }
      const Label label = labels_.back();
      labels_.pop_back();
      for (const program::BlockId controller : dependence.controllers(block_of_[label])) {
        const Label branch = flow_.order[controller];
        if (decides_[branch]) continue;
        decides_[branch] = true;
        need(branch);
        // Of its checks too, if it has any; they are needed anyway.
        pending_.insert(pending_.end(), accesses_[branch].reads.begin(), accesses_[branch].reads.end());
      }
    }
  }

  void cut(const program::DominatorTree& behind) {
    term::TermMap<std::uint32_t> position;
    for (std::size_t v = 0; v < graph_.variables.size(); ++v)
      position[graph_.variables[v].term] = static_cast<std::uint32_t>(v);
    for (const Label label : flow_.order) {
      ControlGraph::Statement& statement = graph_.statements[label];
      std::erase_if(statement.assignments, [&](const ControlGraph::Assignment& assignment) {
        return !is_relevant_[position.at(assignment.variable)];
      });
      if (decides_[label] || live_targets(graph_, label).size() < 2) continue;
      statement.targets.clear();
      const program::BlockId next = behind.immediate(block_of_[label]);
      if (next < flow_.order.size()) statement.targets.push_back({graph_.store().boolean(true), flow_.order[next]});
    }
  }

  ControlGraph& graph_;
  ControlFlow flow_;
  Accesses accesses_;
  std::vector<std::uint32_t> block_of_;      ///< by label: its position in the order
  std::vector<std::vector<Label>> writers_;  ///< by variable
  std::vector<bool> decides_;                ///< by label: where its branch leads to matters
  std::vector<bool> is_needed_;              ///< by label
  std::vector<bool> is_relevant_;            ///< by variable
  std::vector<Label> labels_;
  std::vector<std::uint32_t> pending_;  ///< variables
};

}  // namespace

void slice(ControlGraph& graph, Loops loops, const Budget& budget) { Slicer(graph, budget).slice(loops, budget); }

}  // namespace plumb::system
