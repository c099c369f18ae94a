#include "instrument/sites/sites.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <optional>

#include "frontend/models.h"
#include "program/analysis/call_graph.h"
#include "program/intrinsic.h"

namespace plumb::instrument {
namespace {

using program::BlockId;
using program::FunctionId;
using program::kNone;

SiteKind kind_of_call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) return SiteKind::CallTarget;
  const auto intrinsic = program::intrinsic_of(callee->getName());
  if (!intrinsic) return SiteKind::Call;
  switch (*intrinsic) {
    case program::Intrinsic::Assume:
      return SiteKind::Assume;
    case program::Intrinsic::Check:
      return SiteKind::Check;
    case program::Intrinsic::AssertFail:
    case program::Intrinsic::Error:
    case program::Intrinsic::Abort:
      return SiteKind::Error;
    default:
      return SiteKind::Call;
  }
}

/// Something about it may be checked besides what is recorded of it anyway.
bool may_be_checked(const llvm::Instruction& instruction, program::CheckSet checks) {
  if (llvm::isa<llvm::AllocaInst>(instruction)) return !checks.is_empty();
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return checks.has(program::Check::Bounds) && address->getNumIndices() > 1 && !address->getType()->isVectorTy();
  if (instruction.isShift()) return checks.has(program::Check::Shift);
  return llvm::isa<llvm::OverflowingBinaryOperator>(instruction) && checks.has(program::Check::Overflow);
}

std::optional<Site> make_site(const llvm::Instruction& instruction, program::CheckSet checks) {
  Site site;
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (!branch->isConditional()) return std::nullopt;
    site.edge_count = 2;
    return site;
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    if (choice->getNumCases() == 0) return std::nullopt;
    site.kind = SiteKind::Switch;
    site.width = choice->getCondition()->getType()->getIntegerBitWidth();
    site.edge_count = choice->getNumCases() + 1;
    if (site.width <= 64)
      for (const auto& each : choice->cases()) site.cases.push_back(each.getCaseValue()->getZExtValue());
    return site;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    site.kind = kind_of_call(*call);
  } else if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) ||
             may_be_checked(instruction, checks)) {
    site.kind = SiteKind::Access;
  } else if (instruction.isIntDivRem()) {
    site.kind = SiteKind::Division;
  } else if (instruction.isBinaryOp() || instruction.isCast() || instruction.isUnaryOp()) {
    // Operations on floating point numbers and wide values may be where precision is lost.
    if (instruction.getType()->isIntegerTy() && instruction.getType()->getIntegerBitWidth() <= 64 &&
        instruction.getOperand(0)->getType()->isIntOrPtrTy())
      return std::nullopt;
    site.kind = SiteKind::Access;
  } else {
    return std::nullopt;
  }
  return site;
}

}  // namespace

SiteId site_of(const llvm::Instruction& instruction) {
  const llvm::MDNode* node = instruction.getMetadata(kSiteMetadata);
  if (node == nullptr) return 0;
  return static_cast<SiteId>(llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue());
}

namespace {

void place_at_declaration(llvm::AllocaInst& variable) {
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&variable))
    if (record->getDebugLoc()) variable.setDebugLoc(record->getDebugLoc());
  for (const llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(&variable))
    if (declare->getDebugLoc()) variable.setDebugLoc(declare->getDebugLoc());
}

}  // namespace

std::vector<Site> number_sites(llvm::Module& module, program::CheckSet checks) {
  std::vector<Site> sites(1);
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* integer = llvm::Type::getInt32Ty(context);
  EdgeId edges = 0;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) continue;
      std::optional<Site> site = make_site(instruction, checks);
      if (!site) continue;
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) place_at_declaration(*variable);
      if (site->edge_count > 0) site->first_edge = edges;
      edges += site->edge_count;
      llvm::Metadata* number = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(integer, sites.size()));
      instruction.setMetadata(kSiteMetadata, llvm::MDNode::get(context, number));
      sites.push_back(std::move(*site));
    }
  }
  return sites;
}

std::vector<const llvm::Function*> functions_of_sites(const llvm::Module& module, std::size_t count) {
  std::vector<const llvm::Function*> functions(count);
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      functions[site_of(instruction)] = &function;
  return functions;
}

namespace {

/// In a header of ours, which are not what the user wants to test.
bool is_in_own_header(const program::Program& program, const program::Location& location) {
  return location.is_known() && std::ranges::any_of(frontend::headers(), [&](const frontend::Header& header) {
           return program.files[location.file].ends_with("/" + std::string(header.name));
         });
}

/// Clang's own choice of where a variadic argument lies.
bool is_made_by_compiler(const llvm::Instruction& terminator) {
  return llvm::any_of(llvm::successors(&terminator),
                      [](const llvm::BasicBlock* next) { return next->getName().starts_with("vaarg."); });
}

}  // namespace

void complete_sites(Subject& subject, llvm::Module& module, const frontend::LoweringMap& map,
                    const std::vector<const llvm::Function*>& origins) {
  const program::Program& program = subject.program;
  for (SiteId id = 1; id < subject.sites.size(); ++id) {
    const auto function = map.functions.find(origins[id]);
    if (function != map.functions.end()) subject.sites[id].function = function->second;
    if (subject.sites[id].edge_count > 0)
      subject.edge_count = subject.sites[id].first_edge + subject.sites[id].edge_count;
  }
  std::vector<FunctionId> roots = program.constructors;
  roots.push_back(program.entry);
  const std::vector<bool> reachable = program::CallGraph(program).reachable_from(roots);
  subject.terminator_sites.resize(program.functions.size());
  for (FunctionId f = 0; f < program.functions.size(); ++f)
    subject.terminator_sites[f].resize(program.functions[f].blocks.size());
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const SiteId id = site_of(instruction);
      if (id == 0) continue;
      Site& site = subject.sites[id];
      if (const auto place = map.locations.find(&instruction); place != map.locations.end())
        site.location = place->second;
      const auto block = map.blocks.find(instruction.getParent());
      if (site.edge_count == 0 || block == map.blocks.end()) continue;
      const FunctionId f = map.functions.at(&function);
      subject.terminator_sites[f][block->second.last] = id;
      site.is_counted |= reachable[f] && site.function != kNone && !program.functions[site.function].is_model &&
                         !is_in_own_header(program, site.location) && !is_made_by_compiler(instruction);
    }
  }
}

}  // namespace plumb::instrument
