// Properties that stand in no call of the source. They are put into LLVM's code rather than into a Program, so that
// whatever is made of the program (the instrumented subject, native replays) has them too.
//
// A run does not end if and only if it goes round loops or round calls without end. Every cycle of a control flow graph
// has an edge that leads back to a block that a depth-first search still has open, and every cycle of calls lies in a
// strongly connected component of the call graph; so a counter at these edges and at the calls inside of components
// counts without bound in each such run. One counter for all of them keeps the property one number.
#include "frontend/lower/marks.h"

#include <fmt/format.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "program/analysis/components.h"
#include "program/goal.h"
#include "program/intrinsic.h"

namespace plumb::frontend {

using program::Cfg;
using program::Components;
using program::Function;
using program::Instruction;
using program::Intrinsic;
using program::intrinsic_of;
using program::kTerminationCheck;
using program::kTerminationCounter;
using program::Value;
namespace {

/// The name in the source: linking makes names of static functions distinct by a number behind a dot.
llvm::StringRef source_name(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  const auto [before, number] = name.rsplit('.');
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == llvm::StringRef::npos;
  return function.hasLocalLinkage() && is_number ? before : name;
}

const llvm::Function* called_function(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call == nullptr ? nullptr
                         : llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCastsAndAliases());
}

bool is_call_of(const llvm::Instruction& instruction, Intrinsic intrinsic) {
  const llvm::Function* callee = called_function(instruction);
  return callee != nullptr && callee->isDeclaration() && intrinsic_of(std::string_view(callee->getName())) == intrinsic;
}

/// Whatever body a program gives it.
bool is_property_function(std::string_view name) {
  return intrinsic_of(name) == Intrinsic::Error || name == "__VERIFIER_assume";
}

// --- Labels ---

struct LabelledPlace {
  llvm::Instruction* before;
  llvm::DebugLoc place;
};

/// Both forms in which LLVM has them.
std::vector<LabelledPlace> labelled_places(llvm::Function& function, const std::vector<std::string>& names) {
  std::vector<LabelledPlace> places;
  const auto add = [&](const llvm::DILabel& label, llvm::Instruction& before, const llvm::DebugLoc& place) {
    if (std::ranges::find(names, label.getName().str()) != names.end()) places.push_back({&before, place});
  };
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    for (llvm::DbgRecord& record : instruction.getDbgRecordRange())
      if (const auto* label = llvm::dyn_cast<llvm::DbgLabelRecord>(&record))
        add(*label->getLabel(), instruction, label->getDebugLoc());
    if (const auto* label = llvm::dyn_cast<llvm::DbgLabelInst>(&instruction))
      add(*label->getLabel(), instruction, label->getDebugLoc());
  }
  return places;
}

bool is_error_call(const llvm::Instruction* instruction) {
  while (instruction != nullptr && instruction->isDebugOrPseudoInst()) instruction = instruction->getNextNode();
  return instruction != nullptr && is_call_of(*instruction, Intrinsic::Error);
}

// --- Termination ---

/// Those of the C library that call what they are given; others that come without a body do not.
bool takes_callbacks(llvm::StringRef name) {
  constexpr std::array<std::string_view, 10> kNames = {"bsearch", "qsort", "qsort_r", "lfind", "lsearch",
                                                       "tsearch", "tfind", "tdelete", "twalk", "pthread_once"};
  return std::ranges::find(kNames, std::string_view(name)) != kNames.end();
}

/// Which functions call each other in a circle. One more vertex stands for all whose address is taken, so that calls
/// through pointers cost an edge each.
class Circles {
 public:
  explicit Circles(const llvm::Module& module) {
    for (const llvm::Function& function : module) number_[&function] = static_cast<std::uint32_t>(number_.size());
    const auto anybody = static_cast<std::uint32_t>(number_.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> calls;
    for (const llvm::Function& function : module) {
      if (!function.isDeclaration() && function.hasAddressTaken()) calls.emplace_back(anybody, number_.at(&function));
      for (const llvm::Instruction& instruction : llvm::instructions(function))
        if (const std::optional<std::uint32_t> callee = callee_of(instruction, anybody))
          calls.emplace_back(number_.at(&function), *callee);
    }
    components_.emplace(Cfg(anybody + 1, calls));
  }

  /// The call may enter a function that is open already.
  bool is_in_circle(const llvm::Instruction& call) const {
    const std::optional<std::uint32_t> callee = callee_of(call, static_cast<std::uint32_t>(number_.size()));
    return callee && components_->component_of(*callee) == components_->component_of(number_.at(call.getFunction()));
  }

 private:
  std::optional<std::uint32_t> callee_of(const llvm::Instruction& instruction, std::uint32_t anybody) const {
    if (!llvm::isa<llvm::CallBase>(instruction)) return std::nullopt;
    const llvm::Function* direct = called_function(instruction);
    if (direct != nullptr && !direct->isDeclaration()) return number_.at(direct);
    if (direct == nullptr || takes_callbacks(direct->getName())) return anybody;
    return std::nullopt;
  }

  std::map<const llvm::Function*, std::uint32_t> number_;
  std::optional<Components> components_;
};

/// The counter and the checks of it.
class StepCounter {
 public:
  StepCounter(llvm::Module& module, std::uint64_t bound) : bound_(bound) {
    unsigned width = 8;
    while (width < 64 && bound >= (std::uint64_t{1} << width) - 1) width *= 2;
    llvm::LLVMContext& context = module.getContext();
    type_ = llvm::IntegerType::get(context, width);
    counter_ = new llvm::GlobalVariable(module, type_, false, llvm::GlobalValue::InternalLinkage,
                                        llvm::ConstantInt::get(type_, 0), llvm::StringRef(kTerminationCounter));
    check_ = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::Type::getInt32Ty(context)}, false),
        llvm::GlobalValue::ExternalLinkage, "plumb_check_termination", module);
    check_->addFnAttr(kCheckAttribute, fmt::format("{}{}", kTerminationCheck, bound));
  }

  void count_before(llvm::Instruction& instruction, const llvm::DebugLoc& place) {
    llvm::IRBuilder<> builder(&instruction);
    builder.SetCurrentDebugLocation(place);
    llvm::Value* next = builder.CreateAdd(builder.CreateLoad(type_, counter_), llvm::ConstantInt::get(type_, 1));
    builder.CreateStore(next, counter_);
    llvm::Value* is_within = builder.CreateICmpULE(next, llvm::ConstantInt::get(type_, bound_));
    builder.CreateCall(check_, {builder.CreateZExt(is_within, builder.getInt32Ty())});
  }

 private:
  std::uint64_t bound_;
  llvm::IntegerType* type_;
  llvm::GlobalVariable* counter_;
  llvm::Function* check_;
};

/// Of the instruction, or else of the next before it that has one.
llvm::DebugLoc place_of(const llvm::Instruction& instruction) {
  for (const llvm::Instruction* at = &instruction; at != nullptr; at = at->getPrevNode())
    if (at->getDebugLoc()) return at->getDebugLoc();
  llvm::DISubprogram* function = instruction.getFunction()->getSubprogram();
  if (function == nullptr) return {};
  return llvm::DILocation::get(instruction.getContext(), function->getLine(), 0, function);
}

void mark_loops(llvm::Function& function, StepCounter& counter) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 16> edges;
  llvm::FindFunctionBackedges(function, edges);
  std::set<llvm::Instruction*> counted;  // edges that cannot be told apart, or that lead to the same block
  for (const auto& [from, to] : edges) {
    llvm::Instruction* end = const_cast<llvm::BasicBlock*>(from)->getTerminator();
    const llvm::DebugLoc place = place_of(*end);
    if (llvm::isa<llvm::BranchInst, llvm::SwitchInst>(end) && end->getNumSuccessors() > 1) {
      llvm::BasicBlock* middle = llvm::SplitEdge(end->getParent(), const_cast<llvm::BasicBlock*>(to));
      counter.count_before(*middle->getTerminator(), place);
    } else if (counted.insert(end).second) {
      counter.count_before(*end, place);
    }
  }
}

}  // namespace

void take_property_functions(llvm::Module& module) {
  std::vector<llvm::Function*> taken;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && is_property_function(source_name(function))) taken.push_back(&function);
  for (llvm::Function* function : taken) {
    const std::string name = source_name(*function).str();
    function->deleteBody();
    function->setComdat(nullptr);
    if (function->getName() == name) continue;
    llvm::Function* known = module.getFunction(name);
    if (known == nullptr) {
      function->setName(name);
    } else {
      function->replaceAllUsesWith(known);
      function->eraseFromParent();
    }
  }
}

void mark_labels(llvm::Module& module, const std::vector<std::string>& names) {
  std::vector<LabelledPlace> places;
  for (llvm::Function& function : module) {
    std::vector<LabelledPlace> more = labelled_places(function, names);
    places.insert(places.end(), more.begin(), more.end());
  }
  if (places.empty()) return;
  llvm::Type* none = llvm::Type::getVoidTy(module.getContext());
  const llvm::FunctionCallee error = module.getOrInsertFunction("reach_error", llvm::FunctionType::get(none, false));
  for (const LabelledPlace& at : places) {
    if (is_error_call(at.before)) continue;
    llvm::IRBuilder<> builder(at.before);
    builder.SetCurrentDebugLocation(at.place);
    builder.CreateCall(error);
  }
}

void mark_places(llvm::Module& module) {
  // The places first: marks are instructions.
  std::vector<std::pair<LabelledPlace, llvm::Function*>> all;
  for (llvm::Function& stands_for : module) {
    llvm::StringRef name = stands_for.getName();
    std::size_t length = 0;
    if (!name.consume_front(kPlacePrefix) || !name.consume_front("_") || name.consumeInteger(10, length)) continue;
    const llvm::StringRef function = name.substr(1, length);
    const std::string label = name.drop_front(std::min(name.size(), length + 2)).str();
    for (llvm::Function& in : module)
      if (!in.isDeclaration() && source_name(in) == function)
        for (const LabelledPlace& place : labelled_places(in, {label})) all.emplace_back(place, &stands_for);
  }
  for (const auto& [at, stands_for] : all) {
    llvm::IRBuilder<> builder(at.before);
    builder.SetCurrentDebugLocation(at.place);
    for (int i = 0; i < 2; ++i)
      builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
    builder.CreateCall(stands_for);
  }
}

void mark_termination(llvm::Module& module, std::uint64_t bound) {
  const Circles circles(module);
  std::vector<llvm::Instruction*> calls;
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) functions.push_back(&function);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (is_call_of(instruction, Intrinsic::LongJump) || circles.is_in_circle(instruction))
        calls.push_back(&instruction);
  }
  StepCounter counter(module, bound);
  for (llvm::Instruction* call : calls) counter.count_before(*call, place_of(*call));
  for (llvm::Function* function : functions) mark_loops(*function, counter);
}

}  // namespace plumb::frontend
