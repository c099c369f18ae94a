// What an object's life is, C says by blocks: it begins where the block is entered, and ends where it is left (C17,
// 6.2.4). clang ends it where a structured statement ends, and has no markers where a jump goes past a declaration.
// But each instruction names its block of the source. So for each variable the code is divided into what is inside of
// its block, what is outside, and what does not say; a data flow over the last finds the ways in and out. A life that
// is ended once more outside harms nothing, so ends stand where the way out arrives. Lives begin at the declaration, as
// clang has it: a pointer of the round before is then still seen to be wrong in front of it. On a way in that goes past
// the declaration a life begins on that way itself, for a beginning forgets the bytes.

#include "frontend/block_lives.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace plumb::frontend {
namespace {

/// Where a run may have been last, of what says where it is.
enum Side : unsigned { kNowhere = 0, kInside = 1, kOutside = 2, kBoth = 3 };

/// It says where the run is. A branch on a condition stands where its statement does, whose block may be an outer one.
bool has_side(const llvm::Instruction& instruction) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
  if (instruction.isTerminator() && (branch == nullptr || branch->isConditional())) return false;
  if (llvm::isa<llvm::AllocaInst, llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst()) return false;
  return !instruction.isLifetimeStartOrEnd() && instruction.getDebugLoc() && instruction.getDebugLoc().getLine() != 0;
}

using Edge = std::pair<llvm::BasicBlock*, llvm::BasicBlock*>;

/// Where markers of one variable are to stand.
struct Plan {
  llvm::SmallVector<llvm::Instruction*, 4> starts, ends;  ///< in front of them
  llvm::SmallVector<Edge, 4> start_edges;
  bool is_certain = true;
};

class WaysInAndOut {
 public:
  WaysInAndOut(llvm::Function& function, const BlockVariable& variable)
      : variable_(*variable.variable), block_(variable.block), begin_(variable.begin), order_(&function) {
    settle(ends_, [&](llvm::BasicBlock& block) { return side_at_end(block); });
    settle(is_exposed_, [&](llvm::BasicBlock& block) { return is_exposed(block, block.begin()); });
    plan_.starts.push_back(begin_);
    for (llvm::BasicBlock* each : order_) look_at(*each);
  }

  Plan take() { return std::move(plan_); }

 private:
  template <typename Value, typename Step>
  void settle(llvm::DenseMap<llvm::BasicBlock*, Value>& values, Step step) {
    for (bool again = true; again;) {
      again = false;
      for (llvm::BasicBlock* each : order_) {
        const Value next = step(*each);
        again |= next != values.lookup(each);
        values[each] = next;
      }
    }
  }

  Side side_of(const llvm::Instruction& instruction) const {
    if (!has_side(instruction)) return kNowhere;
    return is_inside(block_of(instruction), block_) ? kInside : kOutside;
  }

  unsigned side_at_begin(llvm::BasicBlock& block) const {
    unsigned side = block.isEntryBlock() ? kOutside : kNowhere;
    for (llvm::BasicBlock* from : llvm::predecessors(&block)) side |= ends_.lookup(from);
    return side;
  }

  unsigned side_at_end(llvm::BasicBlock& block) const {
    for (llvm::Instruction& each : llvm::reverse(block))
      if (const Side side = side_of(each); side != kNowhere) return side;
    return side_at_begin(block);
  }

  /// A run may use the variable from there on without its declaration.
  bool is_exposed(llvm::BasicBlock& block, llvm::BasicBlock::iterator from) const {
    for (llvm::Instruction& each : llvm::make_range(from, block.end())) {
      if (&each == begin_ || side_of(each) == kOutside) return false;
      if (!each.isLifetimeStartOrEnd() && llvm::is_contained(each.operands(), &variable_)) return true;
    }
    return llvm::any_of(llvm::successors(&block), [&](llvm::BasicBlock* to) { return is_exposed_.lookup(to); });
  }

  void look_at(llvm::BasicBlock& block) {
    unsigned before = side_at_begin(block);
    bool is_first = !block.isEntryBlock();
    for (llvm::Instruction& each : block) {
      const Side side = side_of(each);
      if (side == kNowhere) continue;
      if (side == kOutside && (before & kInside) != 0) plan_.ends.push_back(&each);
      if (side == kInside && (before & kOutside) != 0 && is_exposed(block, each.getIterator())) {
        if (is_first)
          enter(block);
        else
          plan_.starts.push_back(&each);
      }
      before = side;
      is_first = false;
    }
  }

  void enter(llvm::BasicBlock& block) {
    for (llvm::BasicBlock* from : llvm::predecessors(&block)) {
      const unsigned side = ends_.lookup(from);
      plan_.is_certain &= side != kBoth;
      if (side == kOutside) plan_.start_edges.emplace_back(from, &block);
    }
  }

  llvm::AllocaInst& variable_;
  const llvm::DILocalScope* block_;
  llvm::Instruction* begin_;
  llvm::ReversePostOrderTraversal<llvm::Function*> order_;
  llvm::DenseMap<llvm::BasicBlock*, unsigned> ends_;
  llvm::DenseMap<llvm::BasicBlock*, bool> is_exposed_;
  Plan plan_;
};

bool can_split(const Edge& edge) {
  return llvm::isa<llvm::BranchInst, llvm::SwitchInst>(edge.first->getTerminator()) ||
         edge.second->getUniquePredecessor() != nullptr;
}

/// A place that a run passes on this edge and on no other.
llvm::Instruction* place_on(const Edge& edge) {
  const auto [from, to] = edge;
  if (from->getUniqueSuccessor() != nullptr) return from->getTerminator();
  if (to->getUniquePredecessor() != nullptr) return &*to->getFirstNonPHIOrDbgOrAlloca();
  const auto options = llvm::CriticalEdgeSplittingOptions().setMergeIdenticalEdges();
  const unsigned number = llvm::GetSuccessorNumber(from, to);
  llvm::BasicBlock* middle = llvm::SplitCriticalEdge(from->getTerminator(), number, options);
  return middle->getTerminator();
}

llvm::ConstantInt* size_of(llvm::AllocaInst& variable, llvm::IRBuilder<>& builder) {
  return builder.getInt64(variable.getAllocationSize(variable.getDataLayout())->getFixedValue());
}

void mark_start(llvm::AllocaInst& variable, llvm::Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  builder.CreateLifetimeStart(&variable, size_of(variable, builder));
}

}  // namespace

const llvm::DILocalScope* block_of(const llvm::DILocalScope* scope) {
  return scope != nullptr ? scope->getNonLexicalBlockFileScope() : nullptr;
}

const llvm::DILocalScope* block_of(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& place = instruction.getDebugLoc();
  return place ? block_of(place->getScope()) : nullptr;
}

bool is_inside(const llvm::DILocalScope* inner, const llvm::DILocalScope* outer) {
  while (inner != outer) {
    const auto* block = llvm::dyn_cast_or_null<llvm::DILexicalBlockBase>(inner);
    if (block == nullptr) return false;
    inner = block_of(block->getScope());
  }
  return true;
}

const llvm::DILocalScope* common_block(const llvm::DILocalScope* a, const llvm::DILocalScope* b) {
  while (a != nullptr && !is_inside(b, a)) {
    const auto* block = llvm::dyn_cast<llvm::DILexicalBlockBase>(a);
    a = block != nullptr ? block_of(block->getScope()) : nullptr;
  }
  return a;
}

void mark_end(llvm::AllocaInst& variable, llvm::Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  builder.CreateLifetimeEnd(&variable, size_of(variable, builder));
}

std::vector<llvm::AllocaInst*> mark_lives(llvm::Function& function, std::span<const BlockVariable> variables) {
  std::vector<llvm::AllocaInst*> left;
  std::vector<std::pair<llvm::AllocaInst*, Plan>> plans;
  for (const BlockVariable& each : variables) {
    Plan plan = each.begin != nullptr ? WaysInAndOut(function, each).take() : Plan{.is_certain = false};
    if (plan.is_certain && llvm::all_of(plan.start_edges, can_split))
      plans.emplace_back(each.variable, std::move(plan));
    else
      left.push_back(each.variable);
  }
  // Of the edges, as they are before any is split.
  llvm::MapVector<Edge, llvm::Instruction*> places;
  for (const auto& [variable, plan] : plans)
    for (const Edge& edge : plan.start_edges) places[edge] = nullptr;
  for (auto& [edge, place] : places) place = place_on(edge);
  for (const auto& [variable, plan] : plans) {
    for (llvm::Instruction* before : plan.ends) mark_end(*variable, *before);
    for (llvm::Instruction* before : plan.starts) mark_start(*variable, *before);
    for (const Edge& edge : plan.start_edges) mark_start(*variable, *places[edge]);
  }
  return left;
}

}  // namespace plumb::frontend
