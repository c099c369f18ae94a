// Code that comes straight from the source computes an address anew for each use of it, so addresses are compared by
// what they are made of. That an access comes first on every way since the last call is a forward analysis over sets;
// one that does dominates the other, so what both are made of has the same values at both.
#include "instrument/checks/check_repeats.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <tuple>
#include <vector>

#include "instrument/checks/check_access.h"
#include "instrument/checks/check_marks.h"
#include "instrument/sites/sites.h"

namespace plumb::instrument {
namespace {

constexpr std::size_t kMostAccesses = 4000;

/// Equal numbers: made by the same operations of the same values.
class ValueNumbers {
 public:
  unsigned of(const llvm::Value* value) {
    if (const auto it = numbers_.find(value); it != numbers_.end()) return it->second;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    unsigned number = next_;
    if (instruction != nullptr && is_pure(*instruction)) {
      std::vector<const void*> key{instruction->getType(), nullptr};
      if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
        key[1] = address->getSourceElementType();
      key.push_back(reinterpret_cast<const void*>(std::uintptr_t{instruction->getOpcode()}));
      for (const llvm::Value* operand : instruction->operands())
        key.push_back(reinterpret_cast<const void*>(std::uintptr_t{of(operand)}));
      number = by_key_.try_emplace(std::move(key), next_).first->second;
    }
    if (number == next_) ++next_;
    return numbers_[value] = number;
  }

 private:
  static bool is_pure(const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
      case llvm::Instruction::GetElementPtr:
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Mul:
        return true;
      default:
        return false;
    }
  }

  llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
  std::map<std::vector<const void*>, unsigned> by_key_;
  unsigned next_ = 1;
};

struct Candidate {
  const llvm::Instruction* instruction = nullptr;
  std::uint64_t size = 0;  ///< 0: an address with checked indices
  std::size_t group = 0;
};

class RepeatFinder {
 public:
  explicit RepeatFinder(llvm::Function& function) : function_(function) {
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::DILocation* place = instruction.getDebugLoc();
      if (site_of(instruction) == 0 || place == nullptr) continue;
      if (const auto access = access_of(instruction, layout)) {
        add(instruction, access->address(), access->size, *place);
      } else if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
                 address != nullptr && !marked_indices(llvm::cast<llvm::GEPOperator>(*address)).empty()) {
        add(instruction, address, 0, *place);
      }
    }
  }

  void run(llvm::DenseMap<const llvm::Instruction*, const llvm::Instruction*>& before) {
    if (groups_.size() == candidates_.size() || candidates_.size() > kMostAccesses) return;
    solve();
    for (llvm::BasicBlock* block : order_) {
      llvm::BitVector available = entering(*block);
      for (llvm::Instruction& instruction : *block) {
        if (const auto it = index_.find(&instruction); it != index_.end())
          if (const Candidate* first = find(available, candidates_[it->second]))
            before[&instruction] = first->instruction;
        apply(instruction, available);
      }
    }
  }

 private:
  void add(const llvm::Instruction& instruction, const llvm::Value* address, std::uint64_t size,
           const llvm::DILocation& place) {
    const auto key = std::tuple(numbers_.of(address), size == 0, place.getLine(), place.getScope());
    const std::size_t group = groups_.try_emplace(key, groups_.size()).first->second;
    index_[&instruction] = candidates_.size();
    candidates_.push_back({&instruction, size, group});
  }

  /// The earliest in the list, so that all that follow have the same.
  const Candidate* find(const llvm::BitVector& available, const Candidate& candidate) const {
    for (const unsigned i : available.set_bits())
      if (candidates_[i].group == candidate.group && candidates_[i].size >= candidate.size) return &candidates_[i];
    return nullptr;
  }

  void apply(const llvm::Instruction& instruction, llvm::BitVector& available) const {
    const bool is_plain = llvm::isa<llvm::IntrinsicInst>(instruction) && !instruction.isLifetimeStartOrEnd();
    if (llvm::isa<llvm::CallBase>(instruction) && !is_plain) available.reset();
    if (const auto it = index_.find(&instruction); it != index_.end()) available.set(static_cast<unsigned>(it->second));
  }

  llvm::BitVector entering(const llvm::BasicBlock& block) const {
    llvm::BitVector all(static_cast<unsigned>(candidates_.size()), !llvm::pred_empty(&block));
    for (const llvm::BasicBlock* from : llvm::predecessors(&block))
      if (const auto it = leaving_.find(from); it != leaving_.end()) all &= it->second;
    return all;
  }

  void solve() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    order_.assign(order.begin(), order.end());
    // Blocks that were not looked at yet have everything: the greatest solution.
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const llvm::BasicBlock* block : order_) {
        llvm::BitVector available = entering(*block);
        for (const llvm::Instruction& instruction : *block) apply(instruction, available);
        const auto [it, is_new] = leaving_.try_emplace(block, available);
        if (!is_new && it->second == available) continue;
        it->second = std::move(available);
        is_changed = true;
      }
    }
  }

  llvm::Function& function_;
  ValueNumbers numbers_;
  std::vector<Candidate> candidates_;
  std::map<std::tuple<unsigned, bool, unsigned, const llvm::DIScope*>, std::size_t> groups_;
  llvm::DenseMap<const llvm::Instruction*, std::size_t> index_;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> leaving_;
};

}  // namespace

RepeatedChecks::RepeatedChecks(llvm::Function& function) { RepeatFinder(function).run(before_); }

}  // namespace plumb::instrument
