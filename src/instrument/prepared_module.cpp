// The way from files to a module that can be instrumented. The Program is lowered from the very module that will be
// instrumented, so that a region's formula and its code are made of the same blocks; sites are numbered before
// inlining, so that a branch of the source is one branch however often it is copied.
#include "instrument/prepared_module.h"

#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "frontend/canonicalise.h"
#include "frontend/environment.h"
#include "frontend/load_module.h"
#include "frontend/module.h"
#include "instrument/checks/check_marks.h"
#include "instrument/checks/hoist_addresses.h"
#include "instrument/entry_main.h"
#include "instrument/environment_models.h"
#include "instrument/inline_leaves.h"
#include "instrument/regions/region_cloner.h"
#include "instrument/sites/assertions.h"
#include "instrument/sites/code_gaps.h"
#include "instrument/sites/external_functions.h"
#include "instrument/sites/outside_sites.h"
#include "program/analysis/input_dependence.h"
#include "program/verify.h"

namespace plumb::instrument {
namespace {

using program::BlockId;
using program::FunctionId;
using program::kNone;
using program::ValueId;

/// Blocks and values of the Program back to LLVM's. A value that several of LLVM's stand for is the one defined first.
void invert_map(PreparedModule& prepared) {
  const program::Program& program = prepared.subject.program;
  prepared.blocks.resize(program.functions.size());
  prepared.values.resize(program.functions.size());
  for (llvm::Function& function : *prepared.module) {
    const auto id = prepared.map.functions.find(&function);
    if (function.isDeclaration() || id == prepared.map.functions.end()) continue;
    auto& values = prepared.values[id->second];
    auto& blocks = prepared.blocks[id->second];
    values.resize(program.functions[id->second].values.size());
    blocks.resize(program.functions[id->second].blocks.size());
    const auto add = [&](llvm::Value& value) {
      const auto parts = prepared.map.values.find(&value);
      if (parts == prepared.map.values.end() || parts->second.size() != 1) return;
      llvm::Value*& slot = values[parts->second.front()];
      if (slot == nullptr) slot = &value;
    };
    for (llvm::Argument& argument : function.args()) add(argument);
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
      const auto range = prepared.map.blocks.find(block);
      if (range != prepared.map.blocks.end() && range->second.first == range->second.last)
        blocks[range->second.first] = block;
      for (llvm::Instruction& instruction : *block) add(instruction);
    }
  }
}

/// The conditions that a region merges paths over, the governor's first.
std::vector<ValueId> conditions(const program::Program& program, const RegionPlan& plan) {
  const program::Function& function = program.functions[plan.function];
  std::vector<ValueId> found;
  const auto add = [&](BlockId b) {
    const program::Instruction& terminator = function.terminator(b);
    if (terminator.kind == program::Kind::Branch || terminator.kind == program::Kind::Switch)
      found.push_back(function.operands_of(terminator)[0]);
  };
  add(plan.governor);
  std::ranges::for_each(plan.blocks, add);
  return found;
}

/// What a summary gives depends on every condition inside, although on one path a value may be a constant. Through the
/// governor's condition, so that the list stays linear.
std::vector<program::ImpliedDependence> dependences_of_regions(const Subject& subject) {
  std::vector<program::ImpliedDependence> implied;
  for (const RegionPlan& plan : subject.regions) {
    const std::vector<ValueId> from = conditions(subject.program, plan);
    for (const ValueId each : from) implied.push_back({plan.function, each, from.front()});
    for (const LiveOut& out : plan.outs) implied.push_back({plan.function, from.front(), out.value});
    for (const MemorySlot& slot : plan.slots)
      if (slot.is_written) implied.push_back({plan.function, from.front(), slot.base, true});
  }
  return implied;
}

/// Regions whose conditions are concrete in every run need no summary. Only what the program asks for gets shadows; the
/// models of a symbolic environment have functions of the runtime make more of them.
void find_symbolic_values(PreparedModule& prepared, bool has_environment) {
  using Sources = program::InputDependence::Sources;
  const program::Program& program = prepared.subject.program;
  const auto implied = dependences_of_regions(prepared.subject);
  const program::InputDependence dependence(program, program::CallGraph(program), implied,
                                            has_environment ? Sources::All : Sources::Controlled);
  std::erase_if(prepared.subject.regions, [&](const RegionPlan& plan) {
    return !dependence.depends(plan.function, conditions(program, plan).front());
  });
  for (const auto& [value, parts] : prepared.map.values) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    const llvm::Function* function =
        instruction != nullptr ? instruction->getFunction() : llvm::cast<llvm::Argument>(value)->getParent();
    const FunctionId f = prepared.map.functions.at(function);
    prepared.symbolic[value] = std::ranges::any_of(parts, [&](ValueId v) { return dependence.depends(f, v); });
    if (value->getType()->isPointerTy())
      prepared.symbolic_memory[value] =
          std::ranges::any_of(parts, [&](ValueId v) { return dependence.pointees_depend(f, v); });
  }
  for (const auto& [variable, index] : prepared.map.globals)
    prepared.symbolic_memory[variable] = dependence.global_depends(index);
}

/// All that a region's code needs from outside exists in the module too.
bool has_code(const PreparedModule& prepared, const RegionPlan& plan) {
  const program::Function& function = prepared.subject.program.functions[plan.function];
  const auto exists = [&](ValueId v) {
    const program::ValueKind kind = function.values[v].kind;
    return kind == program::ValueKind::GlobalAddress || prepared.values[plan.function][v] != nullptr;
  };
  return std::ranges::all_of(plan.ins, exists) &&
         std::ranges::all_of(plan.slots, [&](const MemorySlot& slot) { return exists(slot.base); }) &&
         std::ranges::all_of(plan.outs, [&](const LiveOut& out) { return exists(out.value); });
}

void find_regions(PreparedModule& prepared) {
  const program::Program& program = prepared.subject.program;
  std::vector<bool> is_path_only(program.functions.size());
  for (const auto& [function, f] : prepared.map.functions)
    is_path_only[f] = function->hasFnAttribute(kPathOnlyAttribute);
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (!program.functions[f].has_body() || is_path_only[f]) continue;
    std::vector<bool> excluded(program.functions[f].blocks.size());
    for (BlockId b = 0; b < excluded.size(); ++b)
      excluded[b] = b >= prepared.blocks[f].size() || prepared.blocks[f][b] == nullptr;
    for (RegionPlan& plan : plan_regions(program, f, excluded))
      if (!excluded[plan.governor] && has_code(prepared, plan) && is_clonable(prepared, plan))
        prepared.subject.regions.push_back(std::move(plan));
  }
}

/// What the source leaves undefined shall do natively what the Program says: sums wrap, a store to address zero is a
/// store. Otherwise the optimiser may drop it, and the run would differ from its formula.
void make_behaviour_defined(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr(llvm::Attribute::NullPointerIsValid);
    for (llvm::Instruction& instruction : llvm::instructions(function)) instruction.dropPoisonGeneratingAnnotations();
  }
}

/// The optimiser calls library functions of its own accord; it must not find the models. A model calls the function
/// that it has the place of as plumb_library_NAME (runtime/models/library.h).
void hide_models(llvm::Module& module) {
  constexpr llvm::StringRef kLibrary = "plumb_library_";
  for (llvm::Function& function : module)
    if (function.hasFnAttribute(frontend::kModelAttribute)) function.setName("plumb.model." + function.getName());
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(kLibrary)) continue;
    const std::string name = function.getName().drop_front(kLibrary.size()).str();
    if (llvm::Function* named = module.getFunction(name); named != nullptr) {
      function.replaceAllUsesWith(named);
      function.eraseFromParent();
    } else {
      function.setName(name);
    }
  }
}

void name_externals(PreparedModule& prepared) {
  for (const llvm::Function& function : *prepared.module)
    if (function.isDeclaration() && !function.isIntrinsic())
      prepared.subject.externals.push_back(function.getName().str());
}

}  // namespace

bool PreparedModule::may_be_symbolic(const llvm::Value& value) const {
  if (llvm::isa<llvm::Constant>(value)) return false;
  const auto it = symbolic.find(&value);
  return it == symbolic.end() || it->second;
}

bool PreparedModule::memory_may_be_symbolic(const llvm::Value& address) const {
  const llvm::Value* base = &address;
  if (llvm::isa<llvm::Constant>(base)) base = llvm::getUnderlyingObject(base);
  const auto it = symbolic_memory.find(base);
  return it == symbolic_memory.end() || it->second;
}

namespace {

/// The code that a Program is lowered from.
struct Code {
  frontend::LoadedModule loaded;
  llvm::Function* entry = nullptr;
  std::vector<Site> sites;
  std::vector<const llvm::Function*> origins;  ///< by SiteId
  std::vector<result::Gap> gaps;               ///< of how the entry is called
};

/// A run has one of the environments that there may be.
std::vector<result::Gap> gaps_of_environment(llvm::Module& module, const std::string& entry) {
  std::vector<result::Gap> gaps;
  for (const llvm::Instruction* use : frontend::uses_of_environment(module, entry)) {
    result::Gap gap{.kind = result::GapKind::Pinned,
                    .function = use->getFunction()->getName().str(),
                    .text = frontend::kEnvironment};
    if (const llvm::DILocation* place = use->getDebugLoc())
      gap.place = {place->getFilename().str(), place->getLine(), place->getColumn()};
    result::add_gaps(gaps, std::array{gap});
  }
  return gaps;
}

/// What the entry is given is less than what callers may give it.
std::vector<result::Gap> gaps_of_entry(const llvm::Function& entry, bool has_arguments) {
  std::vector<result::Gap> gaps;
  const std::string name = entry.getName().str();
  for (const llvm::Argument& parameter : entry.args()) {
    if (name == "main" && !has_arguments && frontend::is_read(parameter))
      return {{.kind = result::GapKind::Pinned, .function = name, .text = "the program was run without arguments"}};
    if (name != "main" && parameter.getType()->isPointerTy())
      gaps.push_back({.kind = result::GapKind::Unsupported,
                      .function = name,
                      .text = fmt::format("the pointer '{}' is a number, and no object was made for it to point to",
                                          parameter.getName().str())});
  }
  return gaps;
}

Code prepare_code(const frontend::LoadOptions& options, const SymbolicEnvironment& environment,
                  llvm::LLVMContext& context, const Budget& budget) {
  Code code;
  code.loaded = load_module(options, frontend::ModelSet::Pure, context, budget);
  llvm::Module& module = *code.loaded.module;
  unify_assertions(module);
  if (const llvm::Function* entry = module.getFunction(code.loaded.entry))
    code.gaps = gaps_of_entry(*entry, !environment.arguments.empty());
  if (environment.variables.empty()) result::add_gaps(code.gaps, gaps_of_environment(module, code.loaded.entry));
  if (options.link_models) frontend::link_models(module, std::move(code.loaded.models));
  code.entry = make_entry_main(module, code.loaded.entry);
  if (!environment.is_empty())
    code.entry = add_environment(module, code.entry, environment,
                                 std::filesystem::path(options.files.front()).stem().string(), code.loaded.word_size);
  frontend::canonicalise(module);
  code.sites = number_sites(module, options.checks);
  code.origins = functions_of_sites(module, code.sites.size());
  inline_leaf_functions(module);
  frontend::canonicalise(module);  // variables whose address went to a helper alone
  hoist_addresses(module);
  mark_checked(module, options.checks, code.loaded.is_unoptimised);
  budget.check();
  return code;
}

}  // namespace

PreparedModule prepare_module(const frontend::LoadOptions& options, const SymbolicEnvironment& environment,
                              const Budget& budget) {
  PreparedModule prepared;
  prepared.context = std::make_unique<llvm::LLVMContext>();
  const frontend::Diagnostics silence(*prepared.context);
  Code code = prepare_code(options, environment, *prepared.context, budget);
  prepared.module = std::move(code.loaded.module);
  prepared.needs = std::move(code.loaded.needs);
  prepared.entry = code.entry;
  prepared.checks = options.checks;
  if (options.is_board)
    prepared.build.kind = is_for_bare_metal(*prepared.module) ? BuildKind::BareMetal : BuildKind::Board;
  prepared.subject.sites = std::move(code.sites);
  llvm::Module& module = *prepared.module;
  prepared.subject.program =
      frontend::lower(module, {prepared.entry->getName().str(), code.loaded.is_unoptimised}, &prepared.map);
  prepared.subject.program.checks = options.checks;
  const std::vector<std::string> problems = program::verify(prepared.subject.program);
  INVARIANT(problems.empty(), fmt::format("a lowered program should be well formed: {}", problems.front()));
  for (program::Function& function : prepared.subject.program.functions)
    function.is_inert = !function.has_body() && is_inert(external_function(function.name));
  complete_sites(prepared.subject, module, prepared.map, code.origins);
  invert_map(prepared);
  find_regions(prepared);
  budget.check();
  find_symbolic_values(prepared, !environment.is_empty());
  mark_outside_sites(prepared.subject);
  prepared.subject.gaps = std::move(code.gaps);
  result::add_gaps(prepared.subject.gaps, code_gaps(prepared.subject.program));
  make_behaviour_defined(module);
  hide_models(module);
  name_externals(prepared);
  if (code.loaded.entry == "main")
    for (program::Function& function : prepared.subject.program.functions)
      if (function.name == kBareEntry) function.name = "main";
  // What was set aside for main's sake is the program's main to people.
  if (!environment.is_empty())
    for (program::Function& function : prepared.subject.program.functions)
      function.name = function.name == "main" ? "plumb.start" : function.name == "plumb.main" ? "main" : function.name;
  return prepared;
}

PlainModule prepare_plain_module(const frontend::LoadOptions& options, const Budget& budget) {
  PlainModule plain;
  plain.context = std::make_unique<llvm::LLVMContext>();
  const frontend::Diagnostics silence(*plain.context);
  Code code = prepare_code(options, SymbolicEnvironment{}, *plain.context, budget);
  plain.module = std::move(code.loaded.module);
  plain.needs = std::move(code.loaded.needs);
  plain.entry = code.entry;
  plain.word_size = code.loaded.word_size;
  make_behaviour_defined(*plain.module);
  hide_models(*plain.module);
  return plain;
}

}  // namespace plumb::instrument
