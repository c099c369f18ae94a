#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "program/analysis/call_graph.h"
#include "program/program.h"

namespace plumb::program {

/// The values of a whole program as vertices of one graph, and where they are copied: along edges of blocks, into
/// parameters and out of returns. What instructions compute is for the analyses that build on this. Calls through
/// pointers go by way of vertices that calls with as many arguments share, so the graph is near-linear in the program.
class ValueFlow {
 public:
  using Node = std::uint32_t;

  ValueFlow(const Program& program, const CallGraph& calls);

  std::uint32_t size() const noexcept { return size_; }
  Node value(FunctionId f, ValueId v) const { return first_value_[f] + v; }
  /// What f returns; needs i < result_widths.size().
  Node result(FunctionId f, std::uint32_t i) const { return first_result_[f] + i; }
  /// Any of the arguments beyond the parameters that f is called with.
  Node variadic(FunctionId f) const { return first_variadic_ + f; }
  /// What threads end with.
  Node thread_result() const noexcept { return thread_result_; }
  /// From, to. Copies of constants are left out: nothing follows from them.
  std::span<const std::pair<Node, Node>> copies() const noexcept { return copies_; }

 private:
  /// Stands for all calls through pointers with one number of arguments.
  struct Hub {
    Node first_argument = 0;
    Node first_result = 0;
    std::uint32_t result_count = 0;
  };
  void add_nodes(const Program& program, const CallGraph& calls);
  void add_hub(const Program& program, const CallGraph& calls, std::uint32_t argument_count);
  void add_instruction(const Program& program, FunctionId f, const Instruction& instruction);
  void add_call(const Program& program, FunctionId f, const Instruction& call);
  void add_indirect_call(const Program& program, FunctionId f, const Instruction& call);
  void add_edges(const Function& function, FunctionId f, const Instruction& terminator);
  void add_copy(const Function& function, FunctionId f, ValueId v, Node to) {
    if (function.values[v].kind != ValueKind::Constant) copies_.emplace_back(value(f, v), to);
  }
  /// An argument that a caller gives, at this position, to f.
  Node receiver(const Function& function, FunctionId f, std::uint32_t position) const {
    return position < function.parameters.size() ? value(f, function.parameters[position]) : variadic(f);
  }

  std::uint32_t size_ = 0;
  std::vector<Node> first_value_, first_result_;  ///< by function
  Node first_variadic_ = 0;
  Node thread_result_ = 0;
  std::map<std::uint32_t, Hub> hubs_;
  std::vector<std::pair<Node, Node>> copies_;
};

}  // namespace plumb::program
