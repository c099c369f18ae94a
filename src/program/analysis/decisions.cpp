// Most goals are decided at their instruction. The two that nothing but their place says are not:
//  - assert() fails at the end of a chain of branches, one for each part of its condition. It is decided where the
//  first
//    of them stands: the branches above it in the dominator tree that are of its line.
//  - reach_error() may stand behind any number of tests, and that none of them leads there is what is to be shown. What
//    would make that worthless is an assumption that cannot hold, so it is decided as far up as there is none in
//    between: in its function, then in the callers. An `if` whose other branch ends the run is an assumption too.

#include "program/analysis/decisions.h"

#include <algorithm>

namespace plumb::program {

namespace {

bool ends_quietly(const Instruction& instruction) {
  if (instruction.kind != Kind::Intrinsic) return false;
  const Intrinsic intrinsic = instruction.intrinsic();
  return intrinsic == Intrinsic::Abort || intrinsic == Intrinsic::Exit || intrinsic == Intrinsic::QuickExit;
}

BlockId block_of(const Function& function, InstructionId instruction) {
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    if (instruction - function.blocks[b].first_instruction < function.blocks[b].instruction_count) return b;
  INVARIANT(false, "an instruction should be in a block");
}

InstructionId end_of(const Function& function, BlockId b) {
  return function.blocks[b].first_instruction + function.blocks[b].instruction_count - 1;
}

bool add(std::vector<CodePoint>& places, CodePoint place) {
  if (std::find(places.begin(), places.end(), place) != places.end()) return false;
  places.push_back(place);
  return true;
}

}  // namespace

Decisions::Decisions(const Program& program, const CallGraph& calls)
    : program_(program), calls_(calls), may_filter_(program.functions.size()), callers_(program.functions.size()) {
  for (const std::vector<FunctionId>& component : calls.components()) {
    bool is_found = false;
    for (const FunctionId f : component) {
      const Function& function = program.functions[f];
      for (InstructionId i = 0; i < function.instructions.size(); ++i) {
        const Instruction& instruction = function.instructions[i];
        is_found = is_found || is_filter(instruction);
        if (instruction.kind == Kind::Call) callers_[instruction.parameter].push_back({f, i});
      }
    }
    for (const FunctionId f : component) may_filter_[f] = is_found;
  }
}

bool Decisions::is_filter(const Instruction& instruction) const {
  if (instruction.kind == Kind::Call) return may_filter_[instruction.parameter];
  return (instruction.kind == Kind::Intrinsic && instruction.intrinsic() == Intrinsic::Assume) ||
         ends_quietly(instruction);
}

bool Decisions::has_filter(const Function& function, BlockId b) const {
  const auto instructions = function.instructions_of(b);
  return std::any_of(instructions.begin(), instructions.end(), [&](const Instruction& i) { return is_filter(i); });
}

/// One of the branches of the block ends the run.
bool Decisions::leads_to_end(const Function& function, BlockId b) const {
  const auto edges = function.successors(b);
  return edges.size() > 1 && std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
           const auto instructions = function.instructions_of(edge.target);
           const auto final = std::find_if(instructions.begin(), instructions.end(), [](const Instruction& i) {
             return i.kind == Kind::Intrinsic && is_final(i.intrinsic());
           });
           return final != instructions.end() && ends_quietly(*final);
         });
}

const DominatorTree& Decisions::dominators(FunctionId f) const {
  std::unique_ptr<DominatorTree>& tree = trees_[f];
  if (!tree) tree = std::make_unique<DominatorTree>(DominatorTree::dominators(Cfg(program_.functions[f])));
  return *tree;
}

std::vector<CodePoint> Decisions::of(const Goal& goal) const {
  std::vector<CodePoint> found;
  const Instruction& instruction = program_.functions[goal.at.function].instructions[goal.at.instruction];
  const bool is_intrinsic = instruction.kind == Kind::Intrinsic;
  if (is_intrinsic && instruction.intrinsic() == Intrinsic::AssertFail)
    of_assertion(goal.at, found);
  else if (is_intrinsic && instruction.intrinsic() == Intrinsic::Error)
    of_error(goal.at, found);
  else
    found.push_back(goal.at);
  return found;
}

void Decisions::go_to_callers(FunctionId f, std::vector<CodePoint>& places, std::vector<CodePoint>& found) const {
  if (callers_[f].empty() || calls_.is_address_taken(f) || f == program_.entry)
    add(found, {f, program_.functions[f].blocks[0].first_instruction});
  for (const CodePoint call : callers_[f]) add(places, call);
}

void Decisions::of_assertion(CodePoint at, std::vector<CodePoint>& found) const {
  std::vector<CodePoint> places = {at};
  for (std::size_t next = 0; next < places.size(); ++next) {
    const CodePoint place = places[next];
    const Function& function = program_.functions[place.function];
    const DominatorTree& tree = dominators(place.function);
    const Location own = function.instructions[place.instruction].location;
    BlockId decided = kNone;
    for (BlockId b = tree.immediate(block_of(function, place.instruction)); b != kNone; b = tree.immediate(b)) {
      const Instruction& branch = function.terminator(b);
      if (branch.edge_count < 2) continue;
      if (decided != kNone && (branch.location.line != own.line || branch.location.file != own.file)) break;
      decided = b;
    }
    if (decided != kNone)
      add(found, {place.function, end_of(function, decided)});
    else if (place.function == program_.entry)
      add(found, place);  // it would fail in every run that comes there
    else
      go_to_callers(place.function, places, found);
  }
}

void Decisions::of_error(CodePoint at, std::vector<CodePoint>& found) const {
  std::vector<CodePoint> places = {at};
  for (std::size_t next = 0; next < places.size(); ++next) {
    const CodePoint place = places[next];
    const Function& function = program_.functions[place.function];
    const DominatorTree& tree = dominators(place.function);
    const BlockId own = block_of(function, place.instruction);
    bool is_filtered = false;
    for (InstructionId i = function.blocks[own].first_instruction; next > 0 && i < place.instruction; ++i)
      is_filtered = is_filtered || is_filter(function.instructions[i]);
    CodePoint last = place;  // that control certainly comes to if it comes to `b` and the assumptions there hold
    for (BlockId b = tree.immediate(own); b != kNone && !is_filtered; b = tree.immediate(b)) {
      if (leads_to_end(function, b)) {
        is_filtered = true;
        break;
      }
      last = {place.function, end_of(function, b)};
      is_filtered = has_filter(function, b);
    }
    if (is_filtered)
      add(found, last);
    else
      go_to_callers(place.function, places, found);
  }
}

}  // namespace plumb::program
