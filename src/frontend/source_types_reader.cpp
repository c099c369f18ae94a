// Variables, their types and scopes, and loops, from LLVM's debug information.
#include <llvm/Analysis/CFG.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "frontend/load_module.h"
#include "frontend/lower/lower_locations.h"
#include "frontend/source_types.h"

namespace plumb::frontend {

using program::Function;
using program::Instruction;
using program::Value;
namespace {

class TypeReader {
 public:
  explicit TypeReader(SourceTypes& out) : out_(out) {}

  std::uint32_t read(const llvm::DIType* of) {
    const llvm::DIType* type = without_qualifiers(of);
    if (type == nullptr) return kNone;
    if (const auto known = known_.find(type); known != known_.end()) return known->second;
    const auto id = static_cast<std::uint32_t>(out_.types.size());
    known_[type] = id;
    out_.types.emplace_back();
    SourceType made;
    made.size = type->getSizeInBits() / 8;
    if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(type)) {
      made.kind = kind_of(*basic);
    } else if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
      made.kind = SourceType::Kind::Pointer;
      made.element = read(derived->getBaseType());
    } else if (const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type)) {
      read_composite(*composite, made);
    }
    out_.types[id] = std::move(made);
    return id;
  }

 private:
  static const llvm::DIType* without_qualifiers(const llvm::DIType* type) {
    while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
      switch (derived->getTag()) {
        case llvm::dwarf::DW_TAG_typedef:
        case llvm::dwarf::DW_TAG_const_type:
        case llvm::dwarf::DW_TAG_volatile_type:
        case llvm::dwarf::DW_TAG_restrict_type:
        case llvm::dwarf::DW_TAG_atomic_type:
          type = derived->getBaseType();
          continue;
        default:
          return type;
      }
    }
    return type;
  }

  static SourceType::Kind kind_of(const llvm::DIBasicType& type) {
    switch (type.getEncoding()) {
      case llvm::dwarf::DW_ATE_boolean:
        return SourceType::Kind::Boolean;
      case llvm::dwarf::DW_ATE_signed:
      case llvm::dwarf::DW_ATE_signed_char:
        return SourceType::Kind::Signed;
      case llvm::dwarf::DW_ATE_unsigned:
      case llvm::dwarf::DW_ATE_unsigned_char:
      case llvm::dwarf::DW_ATE_UTF:
        return SourceType::Kind::Unsigned;
      case llvm::dwarf::DW_ATE_float:
        return SourceType::Kind::Float;
      default:
        return SourceType::Kind::Other;
    }
  }

  void read_composite(const llvm::DICompositeType& type, SourceType& made) {
    switch (type.getTag()) {
      case llvm::dwarf::DW_TAG_enumeration_type: {
        const llvm::DIType* base = without_qualifiers(type.getBaseType());
        const auto* number = llvm::dyn_cast_or_null<llvm::DIBasicType>(base);
        made.kind = number != nullptr ? kind_of(*number) : SourceType::Kind::Unsigned;
        return;
      }
      case llvm::dwarf::DW_TAG_array_type:
        return read_array(type, made);
      case llvm::dwarf::DW_TAG_structure_type:
      case llvm::dwarf::DW_TAG_class_type:
        made.kind = SourceType::Kind::Record;
        for (const llvm::DINode* element : type.getElements()) {
          const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
          if (member == nullptr || member->isStaticMember() || member->isBitField()) continue;
          made.fields.push_back({member->getName().str(), member->getOffsetInBits() / 8, read(member->getBaseType())});
        }
        return;
      default:  // a union: which member counts is not known
        return;
    }
  }

  /// Dimensions stand in one node: each but the first becomes an array of its own.
  void read_array(const llvm::DICompositeType& type, SourceType& made) {
    std::vector<std::uint64_t> counts;
    for (const llvm::DINode* element : type.getElements()) {
      const auto* range = llvm::dyn_cast<llvm::DISubrange>(element);
      const auto* count = range == nullptr ? nullptr : llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
      if (count == nullptr || count->getSExtValue() < 0) return;
      counts.push_back(count->getZExtValue());
    }
    std::uint32_t element = read(type.getBaseType());
    if (counts.empty() || element == kNone) return;
    for (std::size_t i = counts.size(); i-- > 1;) {
      const std::uint64_t size = out_.types[element].size * counts[i];
      out_.types.push_back({SourceType::Kind::Array, size, element});
      element = static_cast<std::uint32_t>(out_.types.size() - 1);
    }
    made.kind = SourceType::Kind::Array;
    made.element = element;
  }

  SourceTypes& out_;
  std::map<const llvm::DIType*, std::uint32_t> known_;
};

/// Variables, scopes and loops.
class DebugReader {
 public:
  explicit DebugReader(SourceTypes& out) : out_(out), types_(out), places_(program_.files) {}

  void read(const llvm::GlobalVariable& variable) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
    variable.getDebugInfo(infos);
    if (infos.size() != 1) return;
    const llvm::DIGlobalVariable& info = *infos.front()->getVariable();
    const bool is_local = llvm::isa_and_nonnull<llvm::DILocalScope>(info.getScope());
    out_.globals[variable.getName().str()] = {info.getName().str(), types_.read(info.getType()),
                                              program_.describe(places_.at(info.getFile(), info.getLine())), is_local};
  }

  void read(const llvm::Function& function) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        add(function, *record.getVariable(), record.getVariableLocationOp(0));
      if (const auto* old = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&instruction))
        add(function, *old->getVariable(), old->getVariableLocationOp(0));
    }
    if (function.isDeclaration()) return;
    llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 16> edges;
    llvm::FindFunctionBackedges(function, edges);
    for (const auto& [latch, head] : edges) add_loop(function, *latch, *head);
  }

 private:
  std::uint32_t scope(const llvm::DILocalScope* of) {
    // Chains are as long as blocks are nested; parents come first.
    std::vector<const llvm::DILocalScope*> chain;
    for (const auto* at = of; at != nullptr && !scopes_.contains(at);
         at = llvm::dyn_cast_or_null<llvm::DILocalScope>(at->getScope()))
      chain.push_back(at);
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      SourceTypes::Scope made;
      if (const auto* parent = llvm::dyn_cast_or_null<llvm::DILocalScope>((*at)->getScope()))
        made.parent = scopes_.at(parent);
      if (const auto* block = llvm::dyn_cast<llvm::DILexicalBlock>(*at)) {
        made.line = block->getLine();
        made.column = block->getColumn();
      }
      scopes_[*at] = static_cast<std::uint32_t>(out_.scopes.size());
      out_.scopes.push_back(made);
    }
    return of == nullptr ? kNone : scopes_.at(of);
  }

  void add(const llvm::Function& function, const llvm::DILocalVariable& variable, const llvm::Value* object) {
    SourceTypes::Local made{types_.read(variable.getType()), scope(variable.getScope()),
                            variable.isParameter() ? 0 : variable.getLine()};
    if (object != nullptr)
      for (const llvm::User* user : object->users())
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
            store != nullptr && store->getPointerOperand() == object)
          made.written_in.push_back(store->getParent()->getName().str());
    const std::pair key(function.getName().str(), variable.getName().str());
    const auto [known, is_new] = out_.locals.try_emplace(key, made);
    if (is_new || (known->second.scope == made.scope && known->second.line == made.line)) return;
    known->second.scope = kNone;
    if (known->second.type != made.type) known->second.type = kNone;
  }

  /// Those whose condition stands at their head: `while` and `for`.
  void add_loop(const llvm::Function& function, const llvm::BasicBlock& latch, const llvm::BasicBlock& head) {
    const llvm::MDNode* node = latch.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop);
    if (node == nullptr || node->getNumOperands() < 2 || latch.getTerminator()->getNumSuccessors() != 1) return;
    const auto* start = llvm::dyn_cast<llvm::DILocation>(node->getOperand(1));
    if (start == nullptr) return;
    const SourceTypes::Loop made{function.getName().str(), program_.describe(places_.at(start)),
                                 scope(start->getScope())};
    for (const llvm::Instruction& instruction : head) {
      const Location place = places_.at(instruction.getDebugLoc().get());
      if (!place.is_known()) continue;
      const auto [known, is_new] = out_.loops.try_emplace(program_.describe(place).to_string(), made);
      if (!is_new && known->second.start.to_string() != made.start.to_string()) known->second.scope = kNone;
    }
  }

  SourceTypes& out_;
  TypeReader types_;
  Program program_;  ///< of files alone, for the names of places
  LocationTable places_;
  std::map<const llvm::DILocalScope*, std::uint32_t> scopes_;
};

void read_types(const llvm::Module& module, SourceTypes& types) {
  DebugReader reader(types);
  for (const llvm::GlobalVariable& variable : module.globals()) reader.read(variable);
  for (const llvm::Function& function : module) reader.read(function);
}

}  // namespace

TypedProgram load_typed_program(const LoadOptions& options, const Budget& budget) {
  SourceTypes types;
  Program program = load_program(options, budget, [&](const llvm::Module& module) { read_types(module, types); });
  return {std::move(program), std::move(types)};
}

}  // namespace plumb::frontend
