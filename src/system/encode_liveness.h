#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "system/encode_cut_points.h"
#include "term/traverse.h"

namespace plumb::system {

/// By position in ControlGraph::variables.
using VariableSet = std::vector<bool>;

/// What each statement reads and writes, by positions of variables.
class Accesses {
 public:
  /// Throws OutOfBudget.
  Accesses(const ControlGraph& graph, const Budget& budget);

  struct Write {
    std::uint32_t variable;
    std::vector<std::uint32_t> reads;  ///< of the value
  };
  struct Statement {
    std::vector<std::uint32_t> reads;  ///< of checks and of the conditions of targets
    std::vector<Write> writes;
  };
  const Statement& operator[](ControlGraph::Label label) const { return statements_[label]; }
  /// The position of a variable of the graph; nothing for an input.
  std::optional<std::uint32_t> position(Term variable) const;

 private:
  std::vector<std::uint32_t> positions_of(std::span<const Term> terms);

  const ControlGraph& graph_;
  term::TermMap<std::uint32_t> positions_;
  term::TermSet seen_;
  std::vector<Statement> statements_;
};

/// By label: the variables whose value when control comes there matters. A value matters if a check, a branch or a
/// value that matters itself depends on it, or if it is that of a variable of `kept` anywhere, after the end as well.
/// Throws OutOfBudget.
std::vector<VariableSet> live_variables(const ControlGraph& graph, const ControlFlow& flow, const Accesses& accesses,
                                        const VariableSet& kept, const Budget& budget);

}  // namespace plumb::system
