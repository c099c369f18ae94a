// A store an edge keeps the optimiser from turning short branches into selections, and from putting tests together. A
// run covers most edges of a loop in its first iterations, and coverage only grows; so one test an iteration finds out
// when the rest of the loop can do without.
#include "instrument/checks/covered_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

#include "instrument/checks/loop_copy.h"
#include "instrument/shadows/shadow_tables.h"
#include "instrument/sites/sites.h"

namespace plumb::instrument {
namespace {

constexpr std::size_t kMaxInstructions = 160;
/// Numbers that are compared to find out whether all is covered.
constexpr std::size_t kMaxTests = 3;

/// `size` edges that follow each other.
struct EdgeRun {
  EdgeId first = 0;
  unsigned size = 1;  ///< 1, 2, 4 or 8
};

std::vector<EdgeRun> runs_of(const std::set<EdgeId>& edges) {
  std::vector<EdgeRun> runs;
  for (auto it = edges.begin(); it != edges.end();) {
    unsigned length = 0;
    const EdgeId first = *it;
    while (it != edges.end() && *it == first + length && length < 8) {
      ++length;
      ++it;
    }
    // Sizes of numbers only; what is left begins the next.
    const unsigned size = std::bit_floor(length);
    runs.push_back({first, size});
    it = edges.lower_bound(first + size);
  }
  return runs;
}

class CoveredLoop {
 public:
  CoveredLoop(PreparedModule& prepared, llvm::DominatorTree& dominators, llvm::LoopInfo& loops, llvm::Loop& loop)
      : prepared_(prepared), dominators_(dominators), loops_(loops), loop_(loop) {}

  bool is_possible() {
    if (!loop_.isLoopSimplifyForm()) return false;
    if (!llvm::isa<llvm::BranchInst>(loop_.getLoopLatch()->getTerminator())) return false;
    std::size_t count = 0;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      for (llvm::Instruction& instruction : *block)
        if (++count > kMaxInstructions || !is_concrete(instruction)) return false;
      collect_edges(*block->getTerminator());
    }
    if (edges_.empty()) return false;
    runs_ = runs_of(edges_);
    return runs_.size() <= kMaxTests;
  }

  /// Gives the blocks that were made.
  std::vector<llvm::BasicBlock*> copy() {
    Instructions old;
    for (llvm::Instruction& instruction : llvm::instructions(*loop_.getHeader()->getParent())) old.insert(&instruction);
    if (llvm::cast<llvm::BranchInst>(loop_.getLoopLatch()->getTerminator())->isConditional())
      llvm::SplitEdge(loop_.getLoopLatch(), loop_.getHeader(), &dominators_, &loops_);
    llvm::formLCSSARecursively(loop_, dominators_, &loops_, nullptr);
    LoopCopy made(loop_);
    keep_dependence(made);
    cover_exits(made);
    for (llvm::BasicBlock* from : {loop_.getLoopPreheader(), loop_.getLoopLatch()}) choose(made, *from, old);
    for (llvm::Instruction& instruction : llvm::instructions(*loop_.getHeader()->getParent()))
      if (!old.contains(&instruction)) prepared_.symbolic[&instruction] = false;
    return made.blocks();
  }

 private:
  using Instructions = llvm::SmallPtrSet<const llvm::Instruction*, 32>;

  bool is_concrete(llvm::Instruction& instruction) const {
    if (prepared_.may_be_symbolic(instruction) && !instruction.getType()->isVoidTy()) return false;
    if (instruction.isVolatile() || instruction.isAtomic() || instruction.isEHPad()) return false;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return !prepared_.memory_may_be_symbolic(*store->getPointerOperand());
    if (llvm::isa<llvm::CallBase>(instruction)) return llvm::isa<llvm::DbgInfoIntrinsic>(instruction);
    return !instruction.isTerminator() || llvm::isa<llvm::BranchInst, llvm::SwitchInst>(instruction);
  }

  void collect_edges(llvm::Instruction& end) {
    if (end.getNumSuccessors() < 2 || site_of(end) == 0) return;
    const EdgeId first = prepared_.subject.sites[site_of(end)].first_edge;
    for (unsigned i = 0; i < end.getNumSuccessors(); ++i)
      if (loop_.contains(end.getSuccessor(i))) edges_.insert(first + i);
  }

  void cover_exits(const LoopCopy& made) {
    for (llvm::BasicBlock* block : loop_.blocks()) {
      llvm::Instruction* end = made.of(*block).getTerminator();
      if (end->getNumSuccessors() < 2 || site_of(*end) == 0) continue;
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
        if (!loop_.contains(block->getTerminator()->getSuccessor(i))) cover_edge(prepared_, *end, i);
      end->setMetadata(kSiteMetadata, nullptr);
    }
  }

  /// The block leads to the loop's header, and into the copy if all is covered. What it removes is taken out of `old`:
  /// what is made next may lie where that was.
  void choose(LoopCopy& made, llvm::BasicBlock& from, Instructions& old) {
    llvm::Instruction* end = from.getTerminator();
    llvm::IRBuilder<> builder(end);
    llvm::Value* all = builder.getTrue();
    for (const EdgeRun& run : runs_) {
      llvm::Type* type = builder.getIntNTy(8 * run.size);
      llvm::Value* bytes = builder.CreateAlignedLoad(type, coverage_of(prepared_, builder, run.first), llvm::Align(1));
      const llvm::APInt ones = llvm::APInt::getSplat(8 * run.size, llvm::APInt(8, 1));
      all = builder.CreateAnd(all, builder.CreateICmpEQ(bytes, llvm::ConstantInt::get(type, ones)));
    }
    builder.CreateCondBr(all, &made.header(), loop_.getHeader());
    old.erase(end);
    end->eraseFromParent();
    made.enter(from, from);
  }

  /// What a pointer leads to may depend on input, though the loop does not look at it.
  void keep_dependence(const LoopCopy& made) {
    const auto set = [&](const llvm::Value& of, bool is_symbolic) {
      if (of.getType()->isPointerTy()) prepared_.symbolic_memory[&of] = is_symbolic;
    };
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop_.getUniqueExitBlocks(exits);
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block)
        set(made.of(instruction), prepared_.memory_may_be_symbolic(instruction));
    for (llvm::BasicBlock* exit : exits)
      for (llvm::PHINode& phi : exit->phis())
        if (!prepared_.symbolic_memory.contains(&phi))
          set(phi, llvm::any_of(phi.incoming_values(),
                                [&](const llvm::Value* value) { return prepared_.memory_may_be_symbolic(*value); }));
  }

  PreparedModule& prepared_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::Loop& loop_;
  std::set<EdgeId> edges_;
  std::vector<EdgeRun> runs_;
};

}  // namespace

void copy_covered_loops(PreparedModule& prepared, llvm::Function& function, const std::vector<PlainRegion*>& regions) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> done;
  // Each copy changes what is known about the others, so all is looked at again after one.
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (!done.insert(loop->getHeader()).second || is_used_by_regions(*loop, regions)) continue;
      CoveredLoop copier(prepared, dominators, loops, *loop);
      if (!copier.is_possible()) continue;
      // What is inside has its copy with this one.
      for (const llvm::BasicBlock* block : loop->blocks()) done.insert(block);
      for (const llvm::BasicBlock* block : copier.copy()) done.insert(block);
      is_changed = true;
      break;
    }
  }
}

}  // namespace plumb::instrument
