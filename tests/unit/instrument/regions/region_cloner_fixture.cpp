#include "unit/instrument/regions/region_cloner_fixture.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/subprocess.h"
#include "frontend/canonicalise.h"
#include "program/verify.h"
#include "runtime/concolic/runtime.h"

namespace plumb::instrument::test {
namespace {

using program::BlockId;
using program::FunctionId;
using program::kNone;
using program::ValueId;
using program::ValueKind;

void invert_map(PreparedModule& prepared) {
  for (const program::Function& function : prepared.subject.program.functions) {
    prepared.values.emplace_back(function.values.size());
    prepared.blocks.emplace_back(function.blocks.size());
  }
  for (llvm::Function& function : *prepared.module) {
    if (function.isDeclaration()) continue;
    const FunctionId id = prepared.map.functions.at(&function);
    const auto add = [&](llvm::Value& value) {
      const auto parts = prepared.map.values.find(&value);
      if (parts == prepared.map.values.end() || parts->second.size() != 1) return;
      llvm::Value*& place = prepared.values[id][parts->second.front()];
      if (place == nullptr) place = &value;
    };
    for (llvm::Argument& argument : function.args()) add(argument);
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
      const auto range = prepared.map.blocks.at(block);
      if (range.first == range.last) prepared.blocks[id][range.first] = block;
      for (llvm::Instruction& instruction : *block) add(instruction);
    }
  }
}

struct RegionBlocks {
  explicit RegionBlocks(const RegionPlan& plan) : blocks(plan.blocks.begin(), plan.blocks.end()) {}
  bool defines(const program::Value& value) const {
    return (value.kind == ValueKind::Result || value.kind == ValueKind::BlockArgument) && blocks.contains(value.block);
  }
  std::set<BlockId> blocks;
};

/// The values that a block uses: operands, and arguments of its edges where `takes` allows.
template <typename Takes>
void add_uses(const program::Function& function, BlockId block, Takes takes, std::set<ValueId>& uses) {
  for (const program::Instruction& instruction : function.instructions_of(block))
    for (const ValueId v : function.operands_of(instruction)) uses.insert(v);
  for (const program::Edge& edge : function.successors(block))
    if (takes(edge.target))
      for (const ValueId v : function.arguments_of(edge)) uses.insert(v);
}

void add_values(const program::Function& function, RegionPlan& plan) {
  const RegionBlocks region(plan);
  std::set<ValueId> inside;
  const auto any = [](BlockId) { return true; };
  for (const program::Edge& edge : function.successors(plan.governor))
    for (const ValueId v : function.arguments_of(edge)) inside.insert(v);
  const program::Instruction& branch = function.terminator(plan.governor);
  for (const ValueId v : function.operands_of(branch)) inside.insert(v);
  for (const BlockId b : plan.blocks) add_uses(function, b, any, inside);
  for (const ValueId v : inside) {
    const ValueKind kind = function.values[v].kind;
    if (!region.defines(function.values[v]) && function.values[v].width <= 64 &&
        (kind == ValueKind::Parameter || kind == ValueKind::BlockArgument || kind == ValueKind::Result))
      plan.ins.push_back(v);
  }
  std::set<ValueId> outside;
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    if (!region.blocks.contains(b)) add_uses(function, b, any, outside);
  for (const ValueId v : outside)
    if (region.defines(function.values[v])) plan.outs.push_back({v, kNone});
  for (std::uint32_t d = 0; d < plan.destinations.size(); ++d)
    for (const ValueId v : function.blocks[plan.destinations[d]].arguments) plan.outs.push_back({v, d});
}

bool chooses_plain(std::uint32_t region) {
  Choices& now = choices();
  if (region >= now.visits.size()) now.visits.resize(region + 1);
  ++now.visits[region];
  if (now.way != Choices::Way::Random) return now.way == Choices::Way::Plain;
  now.state = now.state * 6364136223846793005u + 1442695040888963407u;
  return ((now.state >> 60) & 1) != 0;
}

extern "C" {
std::uint32_t choose(const plumb_region* region, const plumb_id*, const std::uint64_t*, const void* const*,
                     const plumb_id*) {
  return chooses_plain(region->index) ? PLUMB_PLAIN : PLUMB_PATH;
}
plumb_id leave(const plumb_region*, std::uint32_t) { return 1; }
}

}  // namespace

Choices& choices() {
  static Choices shared;
  return shared;
}

std::vector<std::pair<std::string, void*>> runtime_symbols() {
  static std::vector<std::uint8_t> modes(1 << 16, 1);
  return {{"__plumb_region_enter", reinterpret_cast<void*>(&choose)},
          {"__plumb_region_exit", reinterpret_cast<void*>(&leave)},
          {"__plumb_modes", modes.data()}};
}

std::string compile_c(const std::string& source, unsigned word_size) {
  const ProcessResult result =
      run_process({"clang-19", word_size == 32 ? "-m32" : "-m64", "-x", "c", "-O0", "-Xclang", "-disable-O0-optnone",
                   "-g", "-fno-discard-value-names", "-w", "-S", "-emit-llvm", "-", "-o", "-"},
                  source, Budget());
  INVARIANT(result.end == ProcessResult::End::Exited && result.code == 0,
            "the program should compile: " + result.error);
  return result.output;
}

PreparedModule prepare_text(const std::string& text) {
  PreparedModule prepared;
  prepared.context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  prepared.module = llvm::parseAssemblyString(text, diagnostic, *prepared.context);
  INVARIANT(prepared.module != nullptr, "the text should be a module: " + diagnostic.getMessage().str());
  frontend::canonicalise(*prepared.module);
  prepared.subject.program = frontend::lower(*prepared.module, {"", true}, &prepared.map);
  INVARIANT(program::verify(prepared.subject.program).empty(), "the program should be well formed");
  invert_map(prepared);
  for (RegionPlan& plan : plan_all(prepared.subject.program))
    if (is_clonable(prepared, plan)) prepared.subject.regions.push_back(std::move(plan));
  return prepared;
}

std::vector<RegionPlan> plan_all(const program::Program& program) {
  std::vector<RegionPlan> plans;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    const program::Function& function = program.functions[f];
    if (!function.has_body()) continue;
    program::GovernorInput input = program::governor_input(function);
    input.rule = program::GovernorRule::Wide;
    for (BlockId b = 0; b < function.blocks.size(); ++b)
      input.ends_in_branch[b] = input.ends_in_branch[b] || function.terminator(b).kind == program::Kind::Switch;
    const program::Governors governors(program::Cfg(function), input);
    for (const program::Governor& governor : governors.all()) {
      RegionPlan& plan = plans.emplace_back();
      plan.function = f;
      plan.governor = governor.block;
      plan.blocks = governor.region;
      plan.destinations = governor.destinations;
      add_values(function, plan);
      for (std::uint32_t i = 0; i < plan.ins.size(); ++i) plan.marks.push_back({kNone, i, 1});
    }
  }
  return plans;
}

std::string problems(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool is_debug_broken = false;
  if (llvm::verifyModule(module, &stream, &is_debug_broken)) stream << "module broken\n";
  if (is_debug_broken) stream << "debug information broken\n";
  return text;
}

void ask_host(PreparedModule& prepared, std::vector<PlainRegion>& regions) {
  llvm::IRBuilder<> builder(*prepared.context);
  for (PlainRegion& region : regions) {
    builder.SetInsertPoint(region.choice);
    region.choice->setCondition(
        emit_region_enter(builder, prepared, region, [&](llvm::Value*) { return builder.getInt32(1); }));
    for (const RegionExit& exit : region.exits) {
      builder.SetInsertPoint(exit.block->getTerminator());
      emit_region_exit(builder, prepared, region, exit);
    }
  }
}

Native::Native(const llvm::Module& module, const std::vector<std::pair<std::string, void*>>& symbols) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  auto context = std::make_unique<llvm::LLVMContext>();
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bitcode.data(), bitcode.size()), "test");
  auto copy = llvm::cantFail(llvm::parseBitcodeFile(buffer, *context));
  llvm::StripDebugInfo(*copy);

  auto target = llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
  target.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  copy->setDataLayout(llvm::cantFail(target.getDefaultDataLayoutForTarget()));
  copy->setTargetTriple(target.getTargetTriple().str());
  jit_ = llvm::cantFail(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(target)).create());
  llvm::orc::SymbolMap map;
  for (const auto& [name, place] : symbols)
    map[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(place), llvm::JITSymbolFlags::Exported};
  llvm::cantFail(jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(map)));
  llvm::cantFail(jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(copy), std::move(context))));
}

std::uintptr_t Native::address(const std::string& name) const { return llvm::cantFail(jit_->lookup(name)).getValue(); }

}  // namespace plumb::instrument::test
