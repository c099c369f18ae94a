// Loops that are concrete while they run. A test an iteration, cheap as it is, keeps the optimiser from making vectors
// of a loop; one test for all iterations does not. Which memory a loop accesses is what scalar evolution knows:
// addresses that rise or fall by a constant, as often as the loop can run at most.
#include "instrument/shadows/shadow_loops.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>

#include "instrument/checks/loop_copy.h"
#include "instrument/shadows/shadow_operators.h"
#include "instrument/shadows/shadow_tables.h"
#include "runtime/concolic/runtime.h"

namespace plumb::instrument {
namespace {

constexpr std::size_t kMaxBlocks = 24;
constexpr std::size_t kMaxInstructions = 240;
constexpr std::size_t kMaxAccesses = 12;
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 28;
/// Loops that run so often at most are unrolled, which is better than a copy.
constexpr unsigned kUnrolled = 8;
/// Edges inside of a loop that are told at its end.
constexpr std::size_t kMaxFlags = 8;

/// `size` bytes at `start`, then at every `step` from there.
struct Access {
  const llvm::SCEV* start = nullptr;
  const llvm::SCEV* step = nullptr;
  std::uint64_t size = 0;
  bool is_behind_exit = false;  ///< not made in the pass that leaves the loop
};

struct Analyses {
  explicit Analyses(llvm::Function& function)
      : library(llvm::TargetLibraryInfoImpl(llvm::Triple(function.getParent()->getTargetTriple())), &function),
        assumptions(function),
        dominators(function),
        loops(dominators),
        evolution(function, library, assumptions, dominators, loops) {}

  llvm::TargetLibraryInfo library;
  llvm::AssumptionCache assumptions;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::ScalarEvolution evolution;
};

class LoopCopier {
 public:
  LoopCopier(PreparedModule& prepared, ShadowRuntime& runtime, Analyses& analyses, llvm::Loop& loop)
      : prepared_(prepared),
        runtime_(runtime),
        evolution_(analyses.evolution),
        analyses_(analyses),
        loop_(loop),
        layout_(runtime.module().getDataLayout()) {}

  bool is_possible() {
    if (!loop_.isLoopSimplifyForm() || loop_.getNumBlocks() > kMaxBlocks) return false;
    if (!llvm::isa<llvm::BranchInst>(loop_.getLoopLatch()->getTerminator())) return false;
    std::size_t count = 0;
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block)
        if (++count > kMaxInstructions || !is_copyable(instruction)) return false;
    if (evolution_.getSmallConstantTripCount(&loop_) - 1 < kUnrolled) return false;
    count_ = evolution_.getSymbolicMaxBackedgeTakenCount(&loop_);
    return accesses_.empty() || (is_counted() && accesses_.size() <= kMaxAccesses);
  }

  ConcreteLoop copy() {
    ConcreteLoop made;
    // The choice needs a place after all tests of the iteration.
    if (llvm::cast<llvm::BranchInst>(loop_.getLoopLatch()->getTerminator())->isConditional())
      llvm::SplitEdge(loop_.getLoopLatch(), loop_.getHeader(), &analyses_.dominators, &analyses_.loops);
    llvm::formLCSSA(loop_, analyses_.dominators, &analyses_.loops, &evolution_);
    keep_dependence();
    collect_entering(made);
    llvm::SmallPtrSet<const llvm::Instruction*, 32> old;
    for (llvm::Instruction& instruction : llvm::instructions(*loop_.getHeader()->getParent())) old.insert(&instruction);
    llvm::BasicBlock* header = loop_.getHeader();
    llvm::BasicBlock* before = loop_.getLoopPreheader();
    llvm::BasicBlock* latch = loop_.getLoopLatch();
    llvm::LLVMContext& context = header->getContext();
    const llvm::SmallVector<llvm::BasicBlock*, 16> originals(loop_.blocks());
    auto* check = llvm::BasicBlock::Create(context, "check", header->getParent(), header);
    llvm::Value* is_concrete = test_memory(*check);
    LoopCopy copied(loop_);
    made.blocks = copied.blocks();
    copied.enter(*check, *latch);
    for (llvm::PHINode& phi : header->phis()) phi.addIncoming(phi.getIncomingValueForBlock(latch), check);
    cover_exits(copied, originals);
    if (is_counted()) cover_inside_at_exits(copied, made, originals, *check);
    llvm::IRBuilder<> builder(check);
    builder.CreateCondBr(is_concrete, &copied.header(), header);
    auto* first = llvm::PHINode::Create(builder.getInt1Ty(), 3, "first", header->begin());
    first->addIncoming(builder.getTrue(), before);
    first->addIncoming(builder.getFalse(), latch);
    first->addIncoming(builder.getFalse(), check);
    old.erase(latch->getTerminator());  // what is made next may lie where it was
    latch->getTerminator()->eraseFromParent();
    made.choice = llvm::BranchInst::Create(check, header, builder.getFalse(), latch);
    made.is_first = first;
    made.blocks.push_back(check);
    // What was made to test ranges serves nothing else.
    for (llvm::Instruction& instruction : llvm::instructions(*header->getParent()))
      if (!old.contains(&instruction)) prepared_.symbolic[&instruction] = false;
    return made;
  }

 private:
  /// Phi nodes that name a value of the loop where it is left depend on input as the value does.
  void keep_dependence() {
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop_.getUniqueExitBlocks(exits);
    for (llvm::BasicBlock* exit : exits)
      for (const llvm::PHINode& phi : exit->phis()) {
        if (prepared_.symbolic.contains(&phi)) continue;
        const auto& values = phi.incoming_values();
        prepared_.symbolic[&phi] =
            llvm::any_of(values, [&](const llvm::Value* value) { return prepared_.may_be_symbolic(*value); });
        if (phi.getType()->isPointerTy())
          prepared_.symbolic_memory[&phi] =
              llvm::any_of(values, [&](const llvm::Value* value) { return prepared_.memory_may_be_symbolic(*value); });
      }
  }

  /// Bounds that come of a type's range alone say nothing about the memory that the loop accesses.
  bool is_counted() const {
    if (llvm::isa<llvm::SCEVCouldNotCompute>(count_) || !evolution_.isLoopInvariant(count_, &loop_)) return false;
    const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(count_);
    return constant == nullptr || constant->getAPInt().ule(kMaxCount);
  }

  bool is_copyable(llvm::Instruction& instruction) {
    if (instruction.isVolatile() || instruction.isAtomic() || instruction.isEHPad()) return false;
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return add_access(instruction);
    if (llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::PHINode, llvm::DbgInfoIntrinsic>(instruction)) return true;
    return OperatorCode::handles(instruction) && !instruction.isTerminator();
  }

  bool add_access(llvm::Instruction& instruction) {
    const bool is_load = llvm::isa<llvm::LoadInst>(instruction);
    if (is_load ? !prepared_.may_be_symbolic(instruction)
                : !prepared_.memory_may_be_symbolic(*llvm::getLoadStorePointerOperand(&instruction)))
      return true;
    llvm::Type* type = llvm::getLoadStoreType(&instruction);
    llvm::Type* number = llvm::Type::getInt64Ty(instruction.getContext());
    Access access{evolution_.getSCEV(llvm::getLoadStorePointerOperand(&instruction)), evolution_.getZero(number),
                  layout_.getTypeStoreSize(type).getFixedValue(), false};
    if (const auto* moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(access.start);
        moving != nullptr && moving->getLoop() == &loop_) {
      if (!moving->isAffine()) return false;
      access.step = evolution_.getTruncateOrSignExtend(moving->getStepRecurrence(evolution_), number);
      access.start = moving->getStart();
    }
    const bool is_known =
        evolution_.isLoopInvariant(access.start, &loop_) && evolution_.isLoopInvariant(access.step, &loop_);
    const llvm::BasicBlock* exiting = loop_.getExitingBlock();
    access.is_behind_exit = exiting != nullptr && exiting != instruction.getParent() &&
                            analyses_.dominators.dominates(exiting, instruction.getParent());
    if (is_known) accesses_.push_back(access);
    return is_known;
  }

  void collect_entering(ConcreteLoop& made) const {
    llvm::SmallPtrSet<llvm::Value*, 16> seen;
    const auto add = [&](llvm::Value* value) {
      if (llvm::isa<llvm::Instruction, llvm::Argument>(value) && prepared_.may_be_symbolic(*value) &&
          seen.insert(value).second)
        made.entering.push_back(value);
    };
    for (llvm::PHINode& phi : loop_.getHeader()->phis()) add(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        if (llvm::isa<llvm::PHINode>(instruction) && block == loop_.getHeader()) continue;
        for (llvm::Value* operand : instruction.operands())
          if (loop_.isLoopInvariant(operand)) add(operand);
      }
  }

  /// An i1 at the end of the block: the filter is clear for all that the loop accesses.
  llvm::Value* test_memory(llvm::BasicBlock& check) {
    llvm::IRBuilder<> builder(&check);
    if (accesses_.empty()) return builder.getTrue();
    // The expander wants a place before an instruction, and a block that the analyses know.
    llvm::Instruction* end = builder.CreateUnreachable();
    analyses_.dominators.addNewBlock(&check, loop_.getLoopLatch());
    if (llvm::Loop* outer = loop_.getParentLoop()) outer->addBasicBlockToLoop(&check, analyses_.loops);
    llvm::SCEVExpander expander(evolution_, layout_, "range");
    const llvm::SCEV* wide = evolution_.getTruncateOrZeroExtend(count_, builder.getInt64Ty());
    llvm::Value* count = expander.expandCodeFor(wide, builder.getInt64Ty(), end->getIterator());
    builder.SetInsertPoint(end);
    llvm::Value* fewer = builder.CreateSub(count, builder.getInt64(1));
    llvm::Value* all = builder.getTrue();
    for (const Access& access : accesses_) {
      llvm::Value* start = expander.expandCodeFor(access.start, builder.getPtrTy(), end->getIterator());
      builder.SetInsertPoint(end);
      llvm::Value* step = expander.expandCodeFor(access.step, builder.getInt64Ty(), end->getIterator());
      builder.SetInsertPoint(end);
      llvm::Value* one =
          runtime_.call(builder, RuntimeFunction::IsConcrete,
                        {start, step, access.is_behind_exit ? fewer : count, builder.getInt64(access.size)});
      one = builder.CreateIsNotNull(one);
      all = builder.CreateAnd(all, one);
    }
    end->eraseFromParent();
    return all;
  }

  /// A test that every iteration makes has covered the way on in the first: only the way out is news.
  void cover_exits(const LoopCopy& copied, llvm::ArrayRef<llvm::BasicBlock*> originals) {
    for (llvm::BasicBlock* block : originals) {
      llvm::Instruction* end = copied.of(*block).getTerminator();
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end);
      if (branch == nullptr || !branch->isConditional() || site_of(*end) == 0) continue;
      const bool is_inside[] = {loop_.contains(block->getTerminator()->getSuccessor(0)),
                                loop_.contains(block->getTerminator()->getSuccessor(1))};
      if (is_inside[0] == is_inside[1] || !analyses_.dominators.dominates(block, loop_.getLoopLatch())) continue;
      cover_edge(prepared_, *end, is_inside[0] ? 1 : 0);
      end->setMetadata(kSiteMetadata, nullptr);
    }
  }

  /// A store an iteration would keep the optimiser from making vectors of a loop with branches inside. The loop is
  /// bounded, so the end comes soon enough to tell which ways were taken.
  void cover_inside_at_exits(const LoopCopy& copied, ConcreteLoop& made, llvm::ArrayRef<llvm::BasicBlock*> originals,
                             llvm::BasicBlock& check) {
    llvm::SmallVector<std::pair<llvm::Instruction*, unsigned>, 8> edges;
    llvm::SmallVector<std::pair<llvm::Instruction*, unsigned>, 8> exits;
    for (llvm::BasicBlock* block : originals) {
      llvm::Instruction* end = copied.of(*block).getTerminator();
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
        if (!loop_.contains(block->getTerminator()->getSuccessor(i))) {
          exits.emplace_back(end, i);
        } else if (end->getNumSuccessors() > 1 && site_of(*end) != 0) {
          edges.emplace_back(end, i);
        }
      }
    }
    if (edges.empty() || edges.size() > kMaxFlags || edges.size() * exits.size() > 4 * kMaxFlags) return;
    if (std::ranges::any_of(exits, [](const auto& exit) { return site_of(*exit.first) != 0; })) return;
    llvm::SmallVector<llvm::AllocaInst*, 8> flags;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      llvm::IRBuilder<> entry(&*check.getParent()->getEntryBlock().begin());
      flags.push_back(entry.CreateAlloca(entry.getInt8Ty(), nullptr, "taken"));
      llvm::IRBuilder<>(&check).CreateStore(entry.getInt8(0), flags.back());
    }
    for (const auto& [end, edge] : exits) {
      llvm::BasicBlock* out = block_of_edge(*end, edge);
      made.blocks.push_back(out);
      for (std::size_t i = 0; i < edges.size(); ++i) {
        llvm::IRBuilder<> builder(out->getTerminator());
        llvm::Value* flag = builder.CreateLoad(builder.getInt8Ty(), flags[i]);
        cover_edge_before(prepared_, *edges[i].first, edges[i].second, *out->getTerminator(), flag);
      }
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      llvm::BasicBlock* on = block_of_edge(*edges[i].first, edges[i].second);
      if (!llvm::is_contained(made.blocks, on)) made.blocks.push_back(on);
      llvm::IRBuilder<> builder(&*on->getFirstInsertionPt());
      builder.CreateStore(builder.getInt8(1), flags[i]);
    }
    for (const auto& edge : edges) edge.first->setMetadata(kSiteMetadata, nullptr);
  }

  PreparedModule& prepared_;
  ShadowRuntime& runtime_;
  llvm::ScalarEvolution& evolution_;
  Analyses& analyses_;
  llvm::Loop& loop_;
  const llvm::DataLayout& layout_;
  const llvm::SCEV* count_ = nullptr;
  llvm::SmallVector<Access, 8> accesses_;
};

/// In a loop that writes nothing, what its head loads from one address is always the same. Bounds that lie in memory
/// are known before the loop then.
void hoist_loads(llvm::Loop& loop) {
  llvm::SmallVector<llvm::Instruction*, 4> loads;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block) {
      if (instruction.mayWriteToMemory() || instruction.isVolatile() || llvm::isa<llvm::CallBase>(instruction)) return;
      if (block == loop.getHeader() && llvm::isa<llvm::LoadInst>(instruction) &&
          loop.isLoopInvariant(instruction.getOperand(0)))
        loads.push_back(&instruction);
    }
  for (llvm::Instruction* load : loads) load->moveBefore(loop.getLoopPreheader()->getTerminator());
}

/// A loop that is to be unrolled takes its way inside for certain: one store tells.
void cover_early(PreparedModule& prepared, llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::Instruction* end = loop.getHeader()->getTerminator();
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  if (count < 2 || count > kUnrolled || loop.getExitingBlock() != loop.getHeader() || site_of(*end) == 0) return;
  const unsigned inside = loop.contains(end->getSuccessor(0)) ? 0 : 1;
  if (end->getNumSuccessors() != 2 || !loop.contains(end->getSuccessor(inside))) return;
  cover_edge_before(prepared, *end, inside, *loop.getLoopPreheader()->getTerminator());
  cover_edge(prepared, *end, 1 - inside);
  end->setMetadata(kSiteMetadata, nullptr);
}

}  // namespace

std::vector<ConcreteLoop> copy_concrete_loops(PreparedModule& prepared, ShadowRuntime& runtime,
                                              llvm::Function& function, const std::vector<PlainRegion*>& regions) {
  std::vector<ConcreteLoop> made;
  // Each copy changes what is known about the others, so all is looked at again after one.
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> done;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    Analyses analyses(function);
    for (llvm::Loop* loop : analyses.loops.getLoopsInPreorder()) {
      if (!loop->isInnermost() || !done.insert(loop->getHeader()).second || is_used_by_regions(*loop, regions))
        continue;
      if (loop->isLoopSimplifyForm()) {
        hoist_loads(*loop);
        cover_early(prepared, *loop, analyses.evolution);
      }
      LoopCopier copier(prepared, runtime, analyses, *loop);
      if (!copier.is_possible()) continue;
      made.push_back(copier.copy());
      done.insert(made.back().blocks.begin(), made.back().blocks.end());
      is_changed = true;
      break;
    }
  }
  return made;
}

}  // namespace plumb::instrument
