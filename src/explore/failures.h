#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "program/goal.h"
#include "program/program.h"

namespace plumb::explore {

/// Where control is bound to violate an assertion, or to come to an error call, that is asked about.
class Failures {
 public:
  Failures(const program::Program& program, std::span<const program::Goal> goals);

  bool has_goal(program::FunctionId f, const program::Instruction& i) const;
  /// Nothing else comes of taking the edge, whatever other threads do.
  bool are_bound_to_come(program::FunctionId f, const program::Edge& taken) const;

 private:
  /// What is known of a function's values.
  using Known = absl::flat_hash_map<program::ValueId, std::uint64_t>;

  std::optional<std::uint64_t> known(const program::Function& f, const Known& values, program::ValueId v) const;
  void take(const program::Function& f, const program::Edge& edge, Known& values) const;
  void evaluate(const program::Function& f, const program::Instruction& i, Known& values) const;
  bool come_from(program::FunctionId f, program::BlockId b, Known values, int calls) const;
  bool come_of_call(const program::Function& f, const program::Instruction& i, const Known& values, int calls) const;

  const program::Program& program_;
  std::vector<program::CodePoint> goals_;
};

}  // namespace plumb::explore
