#include "program/verify.h"

#include <fmt/format.h>

#include "program/analysis/cfg.h"
#include "program/analysis/dominators.h"
#include "program/printer.h"

namespace plumb::program {
namespace {

using term::Op;

/// Checks one function; complaints carry its name and the instruction's text.
class FunctionVerifier {
 public:
  FunctionVerifier(const Program& program, FunctionId id, std::vector<std::string>& complaints)
      : program_(program), id_(id), f_(program.functions[id]), complaints_(complaints) {}

  void run() {
    if (!check_indices()) return;  // nothing below is safe to look at
    for (BlockId b = 0; b < f_.blocks.size(); ++b) check_block(b);
    check_dominance();
  }

 private:
  void complain(std::string sentence) { complaints_.push_back(fmt::format("{}: {}", f_.name, sentence)); }
  void complain(const Instruction& i, std::string_view sentence) {
    complain(fmt::format("'{}': {}", to_text(program_, id_, i), sentence));
  }
  std::uint32_t width(ValueId v) const { return f_.values[v].width; }

  bool check_indices();
  void check_block(BlockId b);
  void check_edges(const Instruction& i);
  void check_instruction(const Instruction& i);
  void check_operator(const Instruction& i);
  void check_counts(const Instruction& i);
  void check_memory(const Instruction& i);
  void check_dominance();
  void check_use(const DominatorTree& tree, BlockId at, InstructionId before, ValueId v);

  const Program& program_;
  FunctionId id_;
  const Function& f_;
  std::vector<std::string>& complaints_;
};

bool FunctionVerifier::check_indices() {
  const std::size_t before = complaints_.size();
  for (const ValueId v : f_.operands)
    if (v >= f_.values.size()) complain("an operand that does not exist");
  for (const Edge& e : f_.edges)
    if (e.target >= f_.blocks.size()) complain("an edge to a block that does not exist");
  for (const Value& v : f_.values) {
    const std::size_t limit = v.kind == ValueKind::Constant          ? f_.constants.size()
                              : v.kind == ValueKind::GlobalAddress   ? program_.globals.size()
                              : v.kind == ValueKind::FunctionAddress ? program_.functions.size()
                              : v.kind == ValueKind::Result          ? f_.instructions.size()
                                                                     : kNone;
    if (v.kind != ValueKind::Undefined && v.index >= limit) complain("a value whose index does not exist");
    if (v.width == 0) complain("a value of width 0");
  }
  for (const Instruction& i : f_.instructions) {
    if (i.kind == Kind::Call && i.parameter >= program_.functions.size()) complain("a call of no function");
    if (std::size_t{i.first_operand} + i.operand_count > f_.operands.size()) complain("operands out of the table");
  }
  return complaints_.size() == before;
}

void FunctionVerifier::check_block(BlockId b) {
  const auto instructions = f_.instructions_of(b);
  if (instructions.empty()) return complain(fmt::format("block {} is empty", b));
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (is_terminator(instructions[i].kind) != (i + 1 == instructions.size()))
      complain(instructions[i], "a terminator should be last, and only there");
    check_instruction(instructions[i]);
  }
  check_edges(instructions.back());
}

void FunctionVerifier::check_edges(const Instruction& i) {
  for (const Edge& e : f_.edges_of(i)) {
    const Block& target = f_.blocks[e.target];
    if (e.target == 0) complain(i, "the entry block should have no predecessor");
    const auto given = f_.arguments_of(e);
    if (given.size() != target.arguments.size()) {
      complain(i, "an edge should give each block argument a value");
      continue;
    }
    for (std::size_t a = 0; a < given.size(); ++a)
      if (width(given[a]) != width(target.arguments[a])) complain(i, "an edge gives a value of another width");
  }
}

void FunctionVerifier::check_counts(const Instruction& i) {
  struct Shape {
    int operands;  ///< -1: any
    int results;
    int edges;
  };
  const auto shape = [&]() -> Shape {
    switch (i.kind) {
      case Kind::Operator:
        return {static_cast<int>(term::arity(i.op())), 1, 0};
      case Kind::Float:
        return {static_cast<int>(arity(i.float_op())), 1, 0};
      case Kind::Load:
      case Kind::Allocate:
        return {1, 1, 0};
      case Kind::Store:
      case Kind::CheckIndex:
        return {2, 0, 0};
      case Kind::CopyMemory:
      case Kind::FillMemory:
        return {3, 0, 0};
      case Kind::Call:
      case Kind::CallIndirect:
      case Kind::Intrinsic:
        return {-1, -1, 0};
      case Kind::Jump:
        return {0, 0, 1};
      case Kind::Branch:
        return {1, 0, 2};
      case Kind::Switch:
        return {-1, 0, static_cast<int>(i.operand_count)};
      case Kind::Return:
        return {static_cast<int>(f_.result_widths.size()), 0, 0};
      case Kind::Halt:
        return {0, 0, 0};
    }
    return {};
  }();
  if ((shape.operands >= 0 && std::cmp_not_equal(i.operand_count, shape.operands)) ||
      (shape.results >= 0 && std::cmp_not_equal(i.result_count, shape.results)) ||
      std::cmp_not_equal(i.edge_count, shape.edges))
    complain(i, "a wrong number of operands, results or edges");
}

void FunctionVerifier::check_operator(const Instruction& i) {
  const auto operands = f_.operands_of(i);
  if (operands.size() != term::arity(i.op())) return;
  const std::uint32_t result = width(i.first_result);
  const std::uint32_t first = width(operands[0]);
  bool fits = true;
  switch (i.op()) {
    case Op::Concat:
      fits = result == first + width(operands[1]);
      break;
    case Op::Extract:
      fits = std::uint64_t{i.parameter} + result <= first;
      break;
    case Op::ZeroExtend:
    case Op::SignExtend:
      fits = result >= first;
      break;
    case Op::Repeat:
      fits = result % first == 0;
      break;
    case Op::Ite:
      fits = first == 1 && width(operands[1]) == result && width(operands[2]) == result;
      break;
    case Op::RotateLeft:
    case Op::RotateRight:
      fits = result == first;
      break;
    default:
      for (const ValueId v : operands) fits = fits && width(v) == first;
      fits = fits && result == (term::is_predicate(i.op()) ? 1 : first);
  }
  if (!fits) complain(i, "operand and result widths that do not fit");
}

void FunctionVerifier::check_memory(const Instruction& i) {
  const auto operands = f_.operands_of(i);
  const std::uint32_t pointer = program_.layout.pointer_width;
  const auto needs = [&](std::size_t operand, std::uint32_t expected) {
    if (operand < operands.size() && width(operands[operand]) != expected)
      complain(i, fmt::format("operand {} should have {} bits", operand, expected));
  };
  if (i.kind == Kind::Load || i.kind == Kind::Store || i.kind == Kind::Allocate || i.kind == Kind::CallIndirect ||
      i.kind == Kind::CopyMemory || i.kind == Kind::FillMemory)
    needs(0, pointer);
  if (i.kind == Kind::CopyMemory) needs(1, pointer);
  if (i.kind == Kind::FillMemory) needs(1, 8);
  if (i.kind == Kind::CopyMemory || i.kind == Kind::FillMemory) needs(2, pointer);
  if (i.kind == Kind::CheckIndex && operands.size() == 2) needs(1, width(operands[0]));
  if ((i.kind == Kind::Load && width(i.first_result) % 8 != 0) ||
      (i.kind == Kind::Store && operands.size() == 2 && width(operands[1]) % 8 != 0))
    complain(i, "only whole bytes should be loaded and stored");
}

void FunctionVerifier::check_instruction(const Instruction& i) {
  check_counts(i);
  check_memory(i);
  const auto operands = f_.operands_of(i);
  if (i.kind == Kind::Operator) check_operator(i);
  if (i.kind == Kind::Branch && !operands.empty() && width(operands[0]) != 1)
    complain(i, "a condition should have one bit");
  if (i.kind == Kind::Return)
    for (std::size_t r = 0; r < operands.size() && r < f_.result_widths.size(); ++r)
      if (width(operands[r]) != f_.result_widths[r]) complain(i, "a returned value of another width");
  if (i.kind == Kind::Switch)
    for (std::size_t c = 1; c < operands.size(); ++c)
      if (f_.values[operands[c]].kind != ValueKind::Constant || width(operands[c]) != width(operands[0]))
        complain(i, "a case should be a constant of the value's width");
  if (i.kind == Kind::Call) {
    const Function& callee = program_.functions[i.parameter];
    if (operands.size() < callee.parameters.size() ||
        (operands.size() > callee.parameters.size() && !callee.is_variadic))
      return complain(i, "a wrong number of arguments");
    for (std::size_t a = 0; a < callee.parameters.size(); ++a)
      if (width(operands[a]) != callee.values[callee.parameters[a]].width) complain(i, "an argument of another width");
    if (i.result_count != callee.result_widths.size()) complain(i, "a wrong number of results");
  }
}

void FunctionVerifier::check_use(const DominatorTree& tree, BlockId at, InstructionId before, ValueId v) {
  const Value& value = f_.values[v];
  if (value.kind != ValueKind::Result && value.kind != ValueKind::BlockArgument) return;
  const bool defined_here = value.block == at && (value.kind == ValueKind::BlockArgument || value.index < before);
  if (!defined_here && (value.block == at || !tree.dominates(value.block, at)))
    complain(f_.instructions[before], fmt::format("{} is not defined on all paths here", to_text(program_, id_, v)));
}

void FunctionVerifier::check_dominance() {
  const auto tree = DominatorTree::dominators(Cfg(f_));
  for (BlockId b = 0; b < f_.blocks.size(); ++b) {
    if (!tree.is_reachable(b)) continue;
    const Block& block = f_.blocks[b];
    for (InstructionId i = block.first_instruction; i < block.first_instruction + block.instruction_count; ++i) {
      for (const ValueId v : f_.operands_of(f_.instructions[i])) check_use(tree, b, i, v);
      for (const Edge& e : f_.edges_of(f_.instructions[i]))
        for (const ValueId v : f_.arguments_of(e)) check_use(tree, b, i, v);
    }
  }
}

}  // namespace

std::vector<std::string> verify(const Program& program) {
  std::vector<std::string> complaints;
  for (FunctionId id = 0; id < program.functions.size(); ++id)
    if (program.functions[id].has_body()) FunctionVerifier(program, id, complaints).run();
  for (const GlobalObject& global : program.globals)
    for (const Relocation& r : global.relocations) {
      const std::size_t limit = r.is_function ? program.functions.size() : program.globals.size();
      if (r.index >= limit || r.offset + program.layout.pointer_width / 8 > global.size)
        complaints.push_back(fmt::format("{}: a relocation that does not fit", global.name));
    }
  return complaints;
}

}  // namespace plumb::program
