#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "flatten/flatten.h"
#include "program/analysis/call_graph.h"

namespace plumb::flatten {

/// The properties of a graph while it is made. How many limits there are is known at the end only, so checks carry
/// provisional numbers until finish().
class Properties {
 public:
  /// All arguments must outlive it.
  Properties(const Program& program, const program::CallGraph& calls, std::span<const Goal> goals, Flattened& result);

  /// The goal of this kind at the instruction.
  std::optional<std::size_t> goal(CodePoint at, program::GoalKind kind) const;
  /// The goals that are decided at the instruction, when control comes there.
  std::span<const std::size_t> covers_at(CodePoint at) const;

  static std::size_t of_goal(std::size_t goal) { return goal; }
  std::size_t of_cover(std::size_t goal) const { return goals_.size() + goal; }
  /// One a kind and place; the text of the first call counts.
  std::size_t of_limit(Limit::Kind kind, CodePoint at, std::string text);

  /// Gives the checks of all statements their final numbers, and the graph the names of its properties.
  void finish();

 private:
  const Program& program_;
  std::span<const Goal> goals_;
  Flattened& result_;
  absl::flat_hash_map<std::uint64_t, std::vector<std::size_t>> goals_at_;   ///< by place
  absl::flat_hash_map<std::uint64_t, std::vector<std::size_t>> covers_at_;  ///< by place
  absl::flat_hash_map<std::pair<std::uint64_t, Limit::Kind>, std::size_t> limits_;
};

}  // namespace plumb::flatten
