// Reachability in one graph. Its vertices are those of ValueFlow and the memory classes of PointsTo; its edges say "if
// this depends on input, so does that": from operands to results, from a class to what is loaded from it, from what is
// stored to the class, and from an address to both, since with an address that depends on input it is not known which
// object or element is meant.
#include "program/analysis/input_dependence.h"

#include "program/analysis/cfg.h"
#include "program/analysis/points_to.h"
#include "program/analysis/value_flow.h"

namespace plumb::program {
namespace {

class DependenceGraph {
 public:
  DependenceGraph(const Program& program, const CallGraph& calls, std::span<const ImpliedDependence> implied,
                  InputDependence::Sources kind)
      : program_(program), kind_(kind), flow_(program, calls), points_to_(program, flow_) {
    edges_.assign(flow_.copies().begin(), flow_.copies().end());
    for (FunctionId f = 0; f < program.functions.size(); ++f) add_function(f);
    for (const ImpliedDependence& each : implied) {
      const PointsTo::ClassId pointees = points_to_.pointees(each.function, each.to);
      if (each.is_memory && pointees == kNone) continue;
      edges_.emplace_back(flow_.value(each.function, each.from),
                          each.is_memory ? memory(pointees) : flow_.value(each.function, each.to));
    }
    add_outside_root(memory(points_to_.outside()));
    find_dependent();
  }

  bool depends(FunctionId f, ValueId v) const { return dependent_[flow_.value(f, v)]; }
  bool pointees_depend(FunctionId f, ValueId v) const { return class_depends(points_to_.pointees(f, v)); }
  bool global_depends(GlobalId g) const { return class_depends(points_to_.of_global(g)); }
  std::vector<CodePoint>& sources() noexcept { return sources_; }

 private:
  using Node = std::uint32_t;

  Node memory(PointsTo::ClassId id) const { return flow_.size() + id; }
  bool class_depends(PointsTo::ClassId id) const { return id != kNone && dependent_[memory(id)]; }

  void add_function(FunctionId f) {
    const Function& function = program_.functions[f];
    for (ValueId v = 0; v < function.values.size(); ++v)
      if (function.values[v].kind == ValueKind::Undefined) add_outside_root(flow_.value(f, v));
    if (f == program_.entry)
      for (const ValueId v : function.parameters) add_outside_root(flow_.value(f, v));
    if (!function.has_body())
      for (std::uint32_t i = 0; i < function.result_widths.size(); ++i) add_outside_root(flow_.result(f, i));
    if (points_to_.of_variadic(f) != kNone) edges_.emplace_back(flow_.variadic(f), memory(points_to_.of_variadic(f)));
    for (InstructionId i = 0; i < function.instructions.size(); ++i) add_instruction(f, i);
  }

  void add_instruction(FunctionId f, InstructionId id) {
    const Instruction& instruction = program_.functions[f].instructions[id];
    switch (instruction.kind) {
      case Kind::Load:
        operands_to_results(f, instruction);
        edges_.emplace_back(pointed_to(f, instruction, 0), flow_.value(f, instruction.first_result));
        break;
      case Kind::CopyMemory:
        edges_.emplace_back(pointed_to(f, instruction, 1), pointed_to(f, instruction, 0));
        [[fallthrough]];
      case Kind::Store:
      case Kind::FillMemory:
        operands_to(f, instruction, pointed_to(f, instruction, 0));
        break;
      case Kind::Call:
        break;
      case Kind::CallIndirect:
        // Which function was called depends on the address; arguments and results are copies.
        for (std::uint32_t r = 0; r < instruction.result_count; ++r)
          edges_.emplace_back(flow_.value(f, program_.functions[f].operands_of(instruction)[0]),
                              flow_.value(f, instruction.first_result + r));
        break;
      case Kind::Intrinsic:
        add_intrinsic(f, id);
        break;
      default:
        operands_to_results(f, instruction);
    }
  }

  void add_intrinsic(FunctionId f, InstructionId id) {
    const Instruction& instruction = program_.functions[f].instructions[id];
    operands_to_results(f, instruction);
    // Through whatever address memory is written, an address that depends on input leaves open where.
    for (const std::uint32_t i : address_operands(instruction))
      if (instruction.intrinsic() != Intrinsic::HostOpen) operands_to(f, instruction, pointed_to(f, instruction, i));
    switch (instruction.intrinsic()) {
      case Intrinsic::Nondet:
        add_source(f, id);
        break;
      case Intrinsic::MakeSymbolic:
        add_source(f, id);
        add_root(pointed_to(f, instruction, 0));
        break;
      case Intrinsic::HostRead:
        if (!may_be_standard_input(f, instruction)) break;
        add_source(f, id);
        add_root(pointed_to(f, instruction, 1));
        break;
      case Intrinsic::HostSeek:
        if (may_be_standard_input(f, instruction)) add_source(f, id);
        break;
      case Intrinsic::HostOpen:
        edges_.emplace_back(pointed_to(f, instruction, 0), flow_.value(f, instruction.first_result));
        break;
      case Intrinsic::Realloc:
        operands_to(f, instruction, memory(points_to_.pointees(f, instruction.first_result)));
        break;
      case Intrinsic::ThreadJoin:
        edges_.emplace_back(flow_.thread_result(), pointed_to(f, instruction, 1));
        break;
      default:
        break;
    }
  }

  /// The results are input, and the instruction is told as a source.
  void add_source(FunctionId f, InstructionId id) {
    const Instruction& instruction = program_.functions[f].instructions[id];
    sources_.push_back({f, id});
    for (std::uint32_t r = 0; r < instruction.result_count; ++r) add_root(flow_.value(f, instruction.first_result + r));
  }
  /// Of an input that engines control.
  void add_root(Node n) {
    if (kind_ != InputDependence::Sources::Outside) roots_.push_back(n);
  }
  void add_outside_root(Node n) {
    if (kind_ != InputDependence::Sources::Controlled) roots_.push_back(n);
  }

  bool may_be_standard_input(FunctionId f, const Instruction& instruction) const {
    const Function& function = program_.functions[f];
    const ValueId descriptor = function.operands_of(instruction)[0];
    return function.values[descriptor].kind != ValueKind::Constant || function.constant(descriptor).is_zero();
  }

  Node pointed_to(FunctionId f, const Instruction& instruction, std::size_t operand) const {
    return memory(points_to_.pointees(f, program_.functions[f].operands_of(instruction)[operand]));
  }

  void operands_to(FunctionId f, const Instruction& instruction, Node to) {
    const Function& function = program_.functions[f];
    for (const ValueId v : function.operands_of(instruction))
      if (function.values[v].kind != ValueKind::Constant) edges_.emplace_back(flow_.value(f, v), to);
  }
  void operands_to_results(FunctionId f, const Instruction& instruction) {
    for (std::uint32_t r = 0; r < instruction.result_count; ++r)
      operands_to(f, instruction, flow_.value(f, instruction.first_result + r));
  }

  void find_dependent() {
    const Cfg graph(flow_.size() + points_to_.class_count(), edges_);
    dependent_.assign(graph.size(), false);
    std::vector<Node> work;
    const auto visit = [&](Node n) {
      if (dependent_[n]) return;
      dependent_[n] = true;
      work.push_back(n);
    };
    for (const Node root : roots_) visit(root);
    while (!work.empty()) {
      const Node n = work.back();
      work.pop_back();
      for (const Node target : graph.successors(n)) visit(target);
    }
  }

  const Program& program_;
  InputDependence::Sources kind_;
  ValueFlow flow_;
  PointsTo points_to_;
  Cfg::EdgeList edges_;
  std::vector<Node> roots_;
  std::vector<CodePoint> sources_;
  std::vector<bool> dependent_;
};

}  // namespace

InputDependence::InputDependence(const Program& program, const CallGraph& calls,
                                 std::span<const ImpliedDependence> implied, Sources sources) {
  DependenceGraph graph(program, calls, implied, sources);
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    first_value_.push_back(static_cast<std::uint32_t>(value_.size()));
    for (ValueId v = 0; v < program.functions[f].values.size(); ++v) {
      value_.push_back(graph.depends(f, v));
      pointees_.push_back(graph.pointees_depend(f, v));
    }
  }
  for (GlobalId g = 0; g < program.globals.size(); ++g) global_.push_back(graph.global_depends(g));
  sources_ = std::move(graph.sources());
}

}  // namespace plumb::program
