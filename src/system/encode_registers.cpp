// Registers by liveness. A variable needs a register if it is live at a cut point; two that are live at no cut point
// together can have the same one. Colouring is greedy, temporaries first, so that variables of users are the last to
// lose a register of their own. A user's variable that is alone in its register shows in waveforms under its name, so
// it is kept right also where nothing depends on it. What its values are computed from is then live in turn, which may
// part others: they are coloured again until nothing changes.

#include "system/encode_registers.h"

#include <algorithm>

namespace plumb::system {

namespace {

using CutSet = std::vector<bool>;

class Colouring {
 public:
  Colouring(const ControlGraph& graph, const CutPoints& cuts, const std::vector<VariableSet>& live,
            const VariableSet& kept)
      : graph_(graph), cuts_(cuts), live_(live), kept_(kept) {}

  void colour(bool share, Registers& registers, const Budget& budget) {
    registers.of.assign(graph_.variables.size(), std::nullopt);
    registers.members.clear();
    std::vector<std::size_t> order;
    for (const bool hidden : {true, false})
      for (std::size_t v = 0; v < graph_.variables.size(); ++v)
        if (graph_.variables[v].is_hidden == hidden) order.push_back(v);
    for (const std::size_t v : order) {
      budget.check();
      CutSet alive = cuts_of(v);
      if (std::find(alive.begin(), alive.end(), true) == alive.end() && !kept_[v]) continue;
      const std::size_t place = share && !kept_[v] ? free_register(v, alive, registers) : registers.members.size();
      if (place == registers.members.size()) {
        registers.members.emplace_back();
        taken_.emplace_back(alive.size(), false);
      }
      registers.of[v] = place;
      registers.members[place].push_back(v);
      for (std::size_t i = 0; i < alive.size(); ++i)
        if (alive[i]) taken_[place][i] = true;
    }
    sort(registers);
  }

 private:
  CutSet cuts_of(std::size_t variable) const {
    CutSet alive;
    for (const ControlGraph::Label label : cuts_.labels) alive.push_back(live_[label][variable]);
    return alive;
  }

  std::size_t free_register(std::size_t variable, const CutSet& alive, const Registers& registers) const {
    const TermStore& store = graph_.store();
    for (std::size_t r = 0; r < registers.members.size(); ++r) {
      const std::size_t member = registers.members[r].front();
      if (kept_[member] || store.sort(graph_.variables[member].term) != store.sort(graph_.variables[variable].term))
        continue;
      bool is_free = true;
      for (std::size_t i = 0; i < alive.size() && is_free; ++i) is_free = !(alive[i] && taken_[r][i]);
      if (is_free) return r;
    }
    return registers.members.size();
  }

  /// In the order of the variables.
  static void sort(Registers& registers) {
    for (std::vector<std::size_t>& members : registers.members) std::sort(members.begin(), members.end());
    std::sort(registers.members.begin(), registers.members.end());
    for (std::size_t r = 0; r < registers.members.size(); ++r)
      for (const std::size_t v : registers.members[r]) registers.of[v] = r;
  }

  const ControlGraph& graph_;
  const CutPoints& cuts_;
  const std::vector<VariableSet>& live_;
  const VariableSet& kept_;
  std::vector<CutSet> taken_;  ///< by register
};

}  // namespace

Registers assign_registers(const ControlGraph& graph, const ControlFlow& flow, const CutPoints& cuts,
                           const Accesses& accesses, bool share, const Budget& budget) {
  Registers registers;
  registers.kept.assign(graph.variables.size(), false);
  registers.decides_at_entry = live_variables(graph, flow, accesses, registers.kept, budget)[graph.entry];
  if (!share)
    for (std::size_t v = 0; v < graph.variables.size(); ++v) registers.kept[v] = !graph.variables[v].is_hidden;
  for (;;) {
    registers.live = live_variables(graph, flow, accesses, registers.kept, budget);
    Colouring(graph, cuts, registers.live, registers.kept).colour(share, registers, budget);
    bool is_done = true;
    for (const std::vector<std::size_t>& members : registers.members) {
      const std::size_t v = members.front();
      if (members.size() > 1 || graph.variables[v].is_hidden || registers.kept[v]) continue;
      registers.kept[v] = true;
      is_done = false;
    }
    if (is_done) return registers;
  }
}

}  // namespace plumb::system
