// Loops over bytes look at the map of addressability once a byte, although it says the same of eight at least. Where
// addresses rise from one base, one limit, kept in a register, stands for all that was looked at: [base, limit) may be
// accessed. The limit is extended by the test that it spares (check_function.cpp). Unlike loop versioning with a test
// of the whole range this needs no bound of the loop, and gains from strings and lists of tokens as well.
#include "instrument/checks/check_streams.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <map>

#include "instrument/sites/sites.h"

namespace plumb::instrument {
namespace {

/// In bytes. With larger steps the limit would soon be left behind, as it grows without gaps.
constexpr std::int64_t kLargestStep = 8;
/// Between the base and what the stream begins with.
constexpr std::int64_t kLargestOffset = 64;
constexpr unsigned kMostVisited = 64;

/// Follows an address back to where it comes from, in one loop.
class BaseFinder {
 public:
  BaseFinder(const llvm::Loop& loop, const llvm::DataLayout& layout) : loop_(loop), layout_(layout) {}

  /// The one value outside of the loop that the address is made from by small steps upwards, or the phi node at the
  /// loop's head that has such values; null if there is none.
  llvm::Value* find(llvm::Value* address) {
    llvm::Value* found = find(address, false);
    return found != nullptr ? found : find(address, true);
  }

 private:
  llvm::Value* find(llvm::Value* address, bool stops_at_header) {
    seen_.clear();
    base_ = nullptr;
    llvm::SmallVector<llvm::Value*, 8> open{address};
    while (!open.empty()) {
      llvm::Value* value = open.pop_back_val();
      if (!seen_.insert(value).second) continue;
      if (seen_.size() > kMostVisited) return nullptr;
      auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
      const bool is_entry = stops_at_header && phi != nullptr && phi->getParent() == loop_.getHeader();
      if (is_entry || loop_.isLoopInvariant(value)) {
        if (base_ != nullptr && base_ != value) return nullptr;
        base_ = value;
      }
      if (phi != nullptr && loop_.contains(phi)) {
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          if (!is_entry || loop_.contains(phi->getIncomingBlock(i))) open.push_back(phi->getIncomingValue(i));
      } else if (loop_.isLoopInvariant(value)) {
        continue;
      } else if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(value); step != nullptr && is_small(*step)) {
        open.push_back(step->getPointerOperand());
      } else {
        return nullptr;
      }
    }
    return base_;
  }

  bool is_small(const llvm::GetElementPtrInst& step) {
    if (step.getType()->isVectorTy()) return false;
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(step.getType()), 0);
    if (step.accumulateConstantOffset(layout_, offset)) {
      const std::int64_t bytes = offset.getSExtValue();
      return bytes >= 0 && bytes <= (loop_.isLoopInvariant(step.getPointerOperand()) ? kLargestOffset : kLargestStep);
    }
    // An index, from something that does not move itself.
    if (!loop_.isLoopInvariant(step.getPointerOperand()) || step.getNumIndices() != 1) return false;
    const auto size = static_cast<std::int64_t>(layout_.getTypeAllocSize(step.getSourceElementType()).getFixedValue());
    return size > 0 && size <= kLargestStep && rises(step.getOperand(1), kLargestStep / size);
  }

  /// A number that begins with a constant and is never made less. That it wraps takes more steps than any object has
  /// bytes, and the first behind the object is told.
  bool rises(llvm::Value* index, std::int64_t most) const {
    llvm::SmallPtrSet<llvm::Value*, 8> seen;
    llvm::SmallVector<llvm::Value*, 8> open{index};
    while (!open.empty()) {
      llvm::Value* value = open.pop_back_val();
      if (!seen.insert(value).second) continue;
      if (seen.size() > kMostVisited) return false;
      if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        if (constant->getValue().slt(0) || constant->getValue().sgt(kLargestOffset)) return false;
      } else if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value); phi != nullptr) {
        open.append(phi->op_begin(), phi->op_end());
      } else if (auto* wide = llvm::dyn_cast<llvm::CastInst>(value); wide != nullptr && wide->isIntegerCast()) {
        if (wide->getOpcode() == llvm::Instruction::Trunc) return false;
        open.push_back(wide->getOperand(0));
      } else if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
                 sum != nullptr && sum->getOpcode() == llvm::Instruction::Add) {
        const auto* step = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
        if (step == nullptr || step->getValue().slt(0) || step->getValue().sgt(most)) return false;
        open.push_back(sum->getOperand(0));
      } else {
        return false;
      }
    }
    return true;
  }

  const llvm::Loop& loop_;
  const llvm::DataLayout& layout_;
  llvm::SmallPtrSet<llvm::Value*, 16> seen_;
  llvm::Value* base_ = nullptr;
};

bool may_free(const llvm::Instruction& instruction, const QuietFunctions& quiet) {
  // Who waits for others sees what they do.
  if (instruction.isAtomic() || (instruction.isVolatile() && llvm::isa<llvm::LoadInst>(instruction))) return true;
  if (instruction.isLifetimeStartOrEnd()) return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && !quiet.is_quiet(*call);
}

/// The outermost loop around the block in which nothing is freed.
const llvm::Loop* quiet_nest(const llvm::Loop* loop, const llvm::DenseMap<const llvm::Loop*, bool>& is_quiet) {
  const llvm::Loop* nest = nullptr;
  for (; loop != nullptr && is_quiet.lookup(loop); loop = loop->getParentLoop()) nest = loop;
  return nest;
}

/// Where code can be added that runs before the loop, each time anew. What the loop takes from outside is known there.
llvm::SmallVector<llvm::WeakVH, 2> entries(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::WeakVH, 2> found;
  for (llvm::BasicBlock* block : llvm::predecessors(loop.getHeader()))
    if (!loop.contains(block)) found.emplace_back(block->getTerminator());
  return found;
}

}  // namespace

// --- Functions ---

QuietFunctions::QuietFunctions(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (!function.isDeclaration() && !function.isInterposable()) quiet_.insert(&function);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (const llvm::Function& function : module) {
      if (!quiet_.contains(&function)) continue;
      const bool is_quiet = llvm::none_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
        return may_free(instruction, *this);
      });
      if (!is_quiet) is_changed = quiet_.erase(&function);
    }
  }
}

bool QuietFunctions::is_quiet(const llvm::CallBase& call) const {
  if (llvm::isa<llvm::IntrinsicInst>(call)) return true;
  return call.getCalledFunction() != nullptr && quiet_.contains(call.getCalledFunction());
}

// --- Streams ---

bool PointerStream::is_usable() const {
  if (limit != nullptr) return true;
  return base && !entries.empty() && llvm::all_of(entries, [](const llvm::WeakVH& entry) { return entry; });
}

llvm::AllocaInst& PointerStream::variable(llvm::IntegerType& size_type, std::uint64_t unit) {
  // A pointer, as numbers made of pointers would be counted in registers of their own.
  if (limit != nullptr) return *limit;
  for (const llvm::WeakVH& entry : entries) {
    auto* position = llvm::cast<llvm::Instruction>(entry);
    if (limit == nullptr) {
      llvm::IRBuilder<> top(&*position->getFunction()->getEntryBlock().begin());
      limit = top.CreateAlloca(top.getPtrTy(), nullptr, "limit");
    }
    llvm::IRBuilder<> builder(position);
    llvm::Value* first = base;
    if (is_head) first = llvm::cast<llvm::PHINode>(first)->getIncomingValueForBlock(position->getParent());
    llvm::Value* number = builder.CreatePtrToInt(first, &size_type);
    llvm::Value* start = builder.CreateAnd(number, llvm::ConstantInt::get(&size_type, ~(unit - 1)));
    builder.CreateStore(builder.CreateIntToPtr(start, builder.getPtrTy()), limit);
  }
  return *limit;
}

PointerStreams::PointerStreams(llvm::Function& function, const QuietFunctions& quiet) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  if (loops.empty()) return;
  llvm::DenseMap<const llvm::Loop*, bool> is_quiet;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    is_quiet[loop] = llvm::none_of(loop->blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const llvm::Instruction& each) { return may_free(each, quiet); });
    });
  std::map<std::pair<const llvm::Loop*, const llvm::Value*>, PointerStream*> made;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
    if (address == nullptr || site_of(instruction) == 0) continue;
    const llvm::Loop* nest = quiet_nest(loops.getLoopFor(instruction.getParent()), is_quiet);
    llvm::Value* base =
        nest != nullptr ? BaseFinder(*nest, function.getParent()->getDataLayout()).find(address) : nullptr;
    if (base == nullptr) continue;
    PointerStream*& stream = made[{nest, base}];
    if (stream == nullptr) {
      stream = &streams_.emplace_back();
      stream->base = base;
      stream->is_head = !nest->isLoopInvariant(base);
      stream->entries = entries(*nest);
    }
    of_[&instruction] = stream;
  }
}

PointerStream* PointerStreams::of(const llvm::Instruction& access) {
  PointerStream* stream = of_.lookup(&access);
  return stream != nullptr && stream->is_usable() ? stream : nullptr;
}

}  // namespace plumb::instrument
