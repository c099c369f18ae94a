#include "frontend/lower/lower_module.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>

#include "frontend/lower/lower_constants.h"
#include "frontend/lower/lower_function.h"
#include "frontend/lower/mutex_kinds.h"

namespace plumb::frontend {
namespace {

bool is_address_taken(const llvm::Function& function) {
  return llvm::any_of(function.uses(), [](const llvm::Use& use) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    // As the personality of a function it serves exceptions alone.
    return (call == nullptr || !call->isCallee(&use)) && !llvm::isa<llvm::Function>(use.getUser());
  });
}

bool is_used(const llvm::Function& function) {
  return llvm::any_of(function.users(), [](const llvm::User* user) { return !llvm::isa<llvm::Function>(user); });
}

}  // namespace

Program lower(const llvm::Module& module, const LoweringOptions& options, LoweringMap* map) {
  return ModuleLowering(module, options, map).run();
}

ModuleLowering::ModuleLowering(const llvm::Module& module, const LoweringOptions& options, LoweringMap* map)
    : module_(module), options_(options), map_(map), shapes_(module.getDataLayout()), locations_(program_.files) {}

std::uint32_t ModuleLowering::message(const std::string& text) {
  const auto [it, is_new] = messages_.try_emplace(text, static_cast<std::uint32_t>(program_.messages.size()));
  if (is_new) program_.messages.push_back(text);
  return it->second;
}

FunctionId ModuleLowering::function(const llvm::Function& function) const {
  const auto it = functions_.find(&function);
  INVARIANT(it != functions_.end(), "a function that is used should have a number");
  return it->second;
}

GlobalId ModuleLowering::global(const llvm::GlobalVariable& global) const {
  const auto it = globals_.find(&global);
  if (it == globals_.end()) throw Unlowerable{fmt::format("the address of '{}'", global.getName().str())};
  return it->second;
}

std::uint64_t ModuleLowering::block_number(const llvm::BasicBlock& block) {
  return block_numbers_.try_emplace(&block, block_numbers_.size() + 1).first->second;
}

const std::optional<LibraryFunction>& ModuleLowering::library(const llvm::Function& function) const {
  static const std::optional<LibraryFunction> kNothing;
  const auto it = library_.find(&function);
  return it == library_.end() ? kNothing : it->second;
}

Program ModuleLowering::run() {
  program_.layout.pointer_width = layout().getPointerSizeInBits(0);
  program_.layout.triple = module_.getTargetTriple();
  program_.layout.is_big_endian = layout().isBigEndian();
  number_functions();
  number_globals();
  program_.functions.reserve(sources_.size());
  for (const llvm::Function* source : sources_) program_.functions.push_back(lower_function(*this, *source));
  initialise_globals();
  program_.constructors = structors("llvm.global_ctors");
  program_.destructors = structors("llvm.global_dtors");
  std::ranges::reverse(program_.destructors);
  add_mutex_kinds();
  const llvm::Function* entry = options_.entry.empty() ? nullptr : module_.getFunction(options_.entry);
  if (entry != nullptr && !entry->isDeclaration() && functions_.contains(entry)) program_.entry = functions_[entry];
  if (map_ != nullptr) {
    map_->functions.insert(functions_.begin(), functions_.end());
    map_->globals.insert(globals_.begin(), globals_.end());
  }
  return std::move(program_);
}

void ModuleLowering::number_functions() {
  for (const llvm::Function& f : module_) {
    if (f.isIntrinsic()) continue;
    const auto& library = library_[&f] = library_function(f);
    const bool is_wanted = library ? is_address_taken(f) : !f.isDeclaration() || is_used(f);
    if (!is_wanted) continue;
    functions_[&f] = static_cast<FunctionId>(sources_.size());
    sources_.push_back(&f);
  }
}

void ModuleLowering::number_globals() {
  for (const llvm::GlobalVariable& global : module_.globals())
    if (!global.getName().starts_with("llvm.")) add_global(global);
}

void ModuleLowering::add_global(const llvm::GlobalVariable& global) {
  GlobalObject made;
  made.name = global.getName().str();
  llvm::Type* type = global.getValueType();
  if (type->isSized()) made.size = layout().getTypeAllocSize(type).getFixedValue();
  made.alignment = static_cast<std::uint32_t>(type->isSized() ? layout().getPreferredAlign(&global).value()
                                                              : global.getAlign().valueOrOne().value());
  if (is_relative_table(global)) {
    made.size = made.size / kRelativeEntrySize * (pointer_width() / 8);
    made.alignment = pointer_width() / 8;
  }
  made.is_constant = global.isConstant();
  made.is_internal = global.hasLocalLinkage();
  made.is_external = global.isDeclaration();
  made.is_thread_local = global.isThreadLocal();
  made.is_model = global.hasAttribute(kModelAttribute);
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
  global.getDebugInfo(debug);
  if (!debug.empty()) {
    const llvm::DIGlobalVariable* variable = debug.front()->getVariable();
    made.location = locations_.at(variable->getFile(), variable->getLine());
  }
  globals_[&global] = static_cast<GlobalId>(program_.globals.size());
  program_.globals.push_back(std::move(made));
}

void ModuleLowering::initialise_globals() {
  for (const llvm::GlobalVariable& global : module_.globals()) {
    const auto it = globals_.find(&global);
    if (it == globals_.end() || !global.hasInitializer()) continue;
    GlobalObject& object = program_.globals[it->second];
    try {
      write_initialiser(*this, global, object);
    } catch (const Unlowerable& reason) {
      throw Unsupported(program_.describe(object.location),
                        fmt::format("the initial value of '{}' has no representation: {}", object.name, reason.what),
                        "compile without -fPIC if the compiler made it position-independent");
    }
  }
}

void ModuleLowering::add_mutex_kinds() {
  std::vector<InitialMutexKind> kinds;
  for (const llvm::GlobalVariable& global : module_.globals()) {
    const auto it = globals_.find(&global);
    if (it == globals_.end() || !global.hasInitializer() || global.isThreadLocal()) continue;
    const std::vector<InitialMutexKind> found =
        mutex_kinds(global.getValueType(), layout(), it->second, program_.globals[it->second].bytes);
    kinds.insert(kinds.end(), found.begin(), found.end());
  }
  if (kinds.empty()) return;
  program_.constructors.insert(program_.constructors.begin(), static_cast<FunctionId>(program_.functions.size()));
  program_.functions.push_back(mutex_kinds_function(kinds, pointer_width()));
}

std::vector<FunctionId> ModuleLowering::structors(const char* array) const {
  struct Entry {
    std::uint64_t priority;
    FunctionId function;
  };
  std::vector<Entry> entries;
  const llvm::GlobalVariable* global = module_.getNamedGlobal(array);
  const auto* list = global != nullptr && global->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantArray>(global->getInitializer())
                         : nullptr;
  if (list == nullptr) return {};
  for (const llvm::Use& use : list->operands()) {
    const auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(use.get());
    const auto* function = entry == nullptr
                               ? nullptr
                               : llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCastsAndAliases());
    if (function == nullptr) continue;
    entries.push_back({llvm::cast<llvm::ConstantInt>(entry->getOperand(0))->getZExtValue(), this->function(*function)});
  }
  std::ranges::stable_sort(entries, {}, &Entry::priority);
  std::vector<FunctionId> functions;
  for (const Entry& entry : entries) functions.push_back(entry.function);
  return functions;
}

}  // namespace plumb::frontend
