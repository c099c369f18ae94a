#include "frontend/carried_module.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include <algorithm>
#include <unordered_set>

#include "frontend/module.h"
#include "frontend/toolchain/object_file.h"

namespace plumb::frontend {
namespace {

bool is_shared_definition(const llvm::GlobalValue& symbol) {
  return !symbol.isDeclarationForLinker() && !symbol.hasLocalLinkage() && !symbol.hasAppendingLinkage();
}

void make_declaration(llvm::GlobalValue& symbol) {
  if (auto* function = llvm::dyn_cast<llvm::Function>(&symbol)) {
    function->deleteBody();
    function->setComdat(nullptr);
    return;
  }
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&symbol)) {
    variable->setInitializer(nullptr);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable->setComdat(nullptr);
    return;
  }
  // An alias or a resolved function: its users refer to a name from now on.
  llvm::Module& module = *symbol.getParent();
  const std::string name = symbol.getName().str();
  symbol.setName("");
  llvm::GlobalValue* declared = nullptr;
  if (auto* type = llvm::dyn_cast<llvm::FunctionType>(symbol.getValueType()))
    declared = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  else
    declared = new llvm::GlobalVariable(module, symbol.getValueType(), false, llvm::GlobalValue::ExternalLinkage,
                                        nullptr, name);
  symbol.replaceAllUsesWith(declared);
  symbol.eraseFromParent();
}

/// Strong definitions after the first: the user's linker was told to take the first.
void weaken_repeated(std::vector<Unit>& units) {
  std::unordered_set<std::string> defined;
  for (Unit& unit : units)
    for (llvm::GlobalValue& symbol : unit.module->global_values())
      if (is_shared_definition(symbol) && symbol.hasExternalLinkage() && !defined.insert(symbol.getName().str()).second)
        symbol.setLinkage(llvm::GlobalValue::WeakAnyLinkage);
}

/// Of a shared library, beside what was loaded before it.
void settle_names(llvm::Module& module, const std::vector<std::string>& exported,
                  std::unordered_set<std::string>& defined) {
  const std::unordered_set<std::string> visible(exported.begin(), exported.end());
  std::vector<llvm::GlobalValue*> symbols;
  for (llvm::GlobalValue& symbol : module.global_values())
    if (is_shared_definition(symbol) && !symbol.getName().starts_with("llvm.")) symbols.push_back(&symbol);
  for (llvm::GlobalValue* symbol : symbols) {
    const std::string name = symbol->getName().str();
    if (!visible.contains(name)) {
      symbol->setLinkage(llvm::GlobalValue::InternalLinkage);
      if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(symbol)) object->setComdat(nullptr);
    } else if (!defined.insert(name).second) {
      make_declaration(*symbol);
    }
  }
}

/// A function whose unit did not have to define it is the library's if the program took it from there; otherwise all
/// its calls were inlined.
void settle_inline_bodies(llvm::Module& module, const std::set<std::string>& imported) {
  for (llvm::Function& function : module) {
    if (!function.hasAvailableExternallyLinkage()) continue;
    if (imported.contains(function.getName().str())) {
      function.deleteBody();
    } else {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
  }
}

std::unique_ptr<llvm::Module> link_component(const CarriedCode& code, std::size_t component, llvm::LLVMContext& context,
                                             Machines machines, const Budget& budget) {
  std::vector<Unit> units;
  for (const CarriedCode::Unit& unit : code.units) {
    if (unit.component != component) continue;
    budget.check();
    units.push_back({read_bitcode(unit.bitcode, unit.source, context, machines), unit.source});
    units.back().module->setModuleIdentifier(unit.source);
  }
  if (units.empty()) return nullptr;
  weaken_repeated(units);
  return link(std::move(units));
}

}  // namespace

std::unique_ptr<llvm::Module> link_carried_code(const CarriedCode& code, llvm::LLVMContext& context, Machines machines,
                                                const Budget& budget) {
  std::vector<Unit> parts;
  std::unordered_set<std::string> defined;
  for (std::size_t i = 0; i < code.components.size(); ++i) {
    std::unique_ptr<llvm::Module> part = link_component(code, i, context, machines, budget);
    if (!part) continue;
    const CarriedCode::Component& component = code.components[i];
    if (i > 0 && component.is_linked) {
      settle_names(*part, component.exported, defined);
    } else {
      for (const llvm::GlobalValue& symbol : part->global_values())
        if (is_shared_definition(symbol)) defined.insert(symbol.getName().str());
    }
    parts.push_back({std::move(part), component.file.string()});
  }
  std::unique_ptr<llvm::Module> module = link(std::move(parts));
  settle_inline_bodies(*module, imported_names(code));
  return module;
}

std::set<std::string> imported_names(const CarriedCode& code) {
  std::set<std::string> names;
  for (const CarriedCode::Component& component : code.components)
    names.insert(component.imported.begin(), component.imported.end());
  return names;
}

std::set<std::string> outside_references(const CarriedCode& code) {
  std::set<std::string> names;
  for (const CarriedCode::Component& component : code.components)
    names.insert(component.exported.begin(), component.exported.end());
  const auto add = [&](const ObjectFile& object) { names.insert(object.undefined.begin(), object.undefined.end()); };
  for (const CarriedCode::Native& native : code.natives)
    add(read_object(native.object, native.source, kCarriedSection));
  for (const std::string& word : code.link_words)
    if (word.starts_with('/') && is_native(word)) std::ranges::for_each(read_objects(word, kCarriedSection), add);
  return names;
}

void drop_unreachable(llvm::Module& module, const std::string& entry, const std::set<std::string>& roots) {
  struct Kept {
    llvm::WeakTrackingVH symbol;
    llvm::GlobalValue::LinkageTypes linkage;
    llvm::GlobalValue::VisibilityTypes visibility;
  };
  std::vector<Kept> changed;
  for (llvm::GlobalValue& symbol : module.global_values()) {
    if (symbol.isDeclarationForLinker() || symbol.hasAppendingLinkage()) continue;
    const bool is_root = symbol.getName() == entry || roots.contains(symbol.getName().str());
    if (is_root ? !symbol.hasLocalLinkage() || symbol.getName() != entry : symbol.hasLocalLinkage()) continue;
    changed.push_back({&symbol, symbol.getLinkage(), symbol.getVisibility()});
    symbol.setLinkage(is_root ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage);
  }
  llvm::ModuleAnalysisManager analyses;
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  builder.registerModuleAnalyses(analyses);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, analyses);
  llvm::GlobalDCEPass().run(module, analyses);
  for (Kept& kept : changed) {
    auto* symbol = llvm::cast_or_null<llvm::GlobalValue>(static_cast<llvm::Value*>(kept.symbol));
    if (symbol == nullptr) continue;
    symbol->setLinkage(kept.linkage);
    symbol->setVisibility(kept.visibility);
  }
}

}  // namespace plumb::frontend
