#include "instrument/shadows/shadow_tables.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "instrument/shadows/shadow_types.h"

namespace plumb::instrument {
namespace {

constexpr const char* kCoverage = "__plumb_coverage";
constexpr const char* kModes = "__plumb_modes";

/// As the runtime sees it before it is defined: bytes without end.
llvm::GlobalVariable* byte_table(llvm::Module& module, const char* name) {
  llvm::Type* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  return llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, type));
}

void define_bytes(llvm::Module& module, const char* name, std::uint64_t count, std::uint64_t page) {
  llvm::GlobalVariable* declared = byte_table(module, name);
  const std::uint64_t size = std::max<std::uint64_t>(1, (count + page - 1) / page) * page;
  llvm::Type* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), size);
  declared->setName("");
  auto* table = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, type));
  table->setInitializer(llvm::ConstantAggregateZero::get(type));
  table->setAlignment(llvm::Align(page));
  declared->replaceAllUsesWith(table);
  declared->eraseFromParent();
  llvm::Type* word = llvm::Type::getInt32Ty(module.getContext());
  auto* told = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(std::string(name) + "_size", word));
  told->setInitializer(llvm::ConstantInt::get(word, size));
  told->setConstant(true);
}

/// Objects that pointers can lead to: accesses to all others show themselves which object they are to.
std::vector<llvm::GlobalVariable*> reachable_globals(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> found;
  for (llvm::GlobalVariable& variable : module.globals()) {
    const llvm::StringRef name = variable.getName();
    if (name.starts_with("llvm.") || name.starts_with("__plumb_") || name.starts_with("plumb.")) continue;
    if (variable.isThreadLocal() || variable.hasExternalWeakLinkage() || !variable.getValueType()->isSized()) continue;
    if (variable.getAddressSpace() != 0 || variable.hasAvailableExternallyLinkage()) continue;
    if (!variable.hasLocalLinkage() || escapes(variable)) found.push_back(&variable);
  }
  return found;
}

}  // namespace

llvm::BasicBlock* block_of_edge(llvm::Instruction& terminator, unsigned edge) {
  llvm::BasicBlock* from = terminator.getParent();
  llvm::BasicBlock* to = terminator.getSuccessor(edge);
  if (to->getSinglePredecessor() == from) return to;
  llvm::BasicBlock* between = llvm::BasicBlock::Create(from->getContext(), "edge", from->getParent(), to);
  llvm::BranchInst::Create(to, between)->setDebugLoc(terminator.getDebugLoc());
  terminator.setSuccessor(edge, between);
  for (llvm::PHINode& phi : to->phis())
    phi.setIncomingBlock(static_cast<unsigned>(phi.getBasicBlockIndex(from)), between);
  return between;
}

llvm::Value* coverage_of(PreparedModule& prepared, llvm::IRBuilder<>& builder, EdgeId edge) {
  llvm::GlobalVariable* table = byte_table(*prepared.module, kCoverage);
  prepared.symbolic_memory[table] = false;
  return builder.CreateConstInBoundsGEP2_64(table->getValueType(), table, 0, edge);
}

void cover_edge_before(PreparedModule& prepared, const llvm::Instruction& terminator, unsigned edge,
                       llvm::Instruction& position, llvm::Value* covered) {
  const Site& site = prepared.subject.sites[site_of(terminator)];
  INVARIANT(site.edge_count == terminator.getNumSuccessors(), "a site should have its terminator's edges");
  llvm::IRBuilder<> builder(&position);
  llvm::Value* address = coverage_of(prepared, builder, site.first_edge + edge);
  llvm::Value* value = builder.getInt8(1);
  if (covered != nullptr) value = builder.CreateOr(builder.CreateLoad(builder.getInt8Ty(), address), covered);
  // Volatile, or the optimiser would put it off to the end of a loop that may crash or never end.
  builder.CreateStore(value, address, true);
}

void cover_edge(PreparedModule& prepared, llvm::Instruction& terminator, unsigned edge) {
  cover_edge_before(prepared, terminator, edge, *block_of_edge(terminator, edge)->getFirstInsertionPt());
}

void add_coverage(PreparedModule& prepared, llvm::Function& function) {
  std::vector<llvm::Instruction*> terminators;
  for (llvm::BasicBlock& block : function)
    if (llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block.getTerminator()) && site_of(*block.getTerminator()) != 0)
      terminators.push_back(block.getTerminator());
  for (llvm::Instruction* terminator : terminators)
    for (unsigned edge = 0; edge < terminator->getNumSuccessors() && terminator->getNumSuccessors() > 1; ++edge)
      cover_edge(prepared, *terminator, edge);
}

void add_tables(PreparedModule& prepared, ShadowRuntime& runtime) {
  llvm::Module& module = *prepared.module;
  llvm::Type* word = llvm::Type::getInt32Ty(module.getContext());
  llvm::Type* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::StructType* entry = llvm::StructType::get(pointer, runtime.size_type());
  std::vector<llvm::Constant*> entries;
  for (llvm::GlobalVariable* variable : reachable_globals(module)) {
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
    entries.push_back(llvm::ConstantStruct::get(entry, variable, runtime.size(size)));
  }
  llvm::ArrayType* type = llvm::ArrayType::get(entry, entries.size());
  auto* globals = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal("__plumb_globals", type));
  globals->setInitializer(llvm::ConstantArray::get(type, entries));
  globals->setConstant(true);
  auto* count = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal("__plumb_global_count", word));
  count->setInitializer(llvm::ConstantInt::get(word, entries.size()));
  count->setConstant(true);
  define_bytes(module, kCoverage, prepared.subject.edge_count, prepared.build.page_size());
  define_bytes(module, kModes, prepared.subject.regions.size(), prepared.build.page_size());
}

}  // namespace plumb::instrument
