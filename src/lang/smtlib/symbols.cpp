#include "lang/smtlib/symbols.h"

#include <array>

#include "base/error.h"

namespace plumb::smtlib {
namespace {

constexpr std::array<std::string_view, 17> kForeignSymbols = {"+",      "-",       "*",      "/",      "div",
                                                              "mod",    "abs",     "<",      "<=",     ">",
                                                              ">=",     "to_real", "to_int", "is_int", "bv2nat",
                                                              "bv2int", "int2bv"};
constexpr std::array<std::string_view, 9> kForeignPrefixes = {"fp.",  "str.", "re.",  "seq.",   "set.",
                                                              "bag.", "int.", "rel.", "ubv_to_"};

}  // namespace

SymbolTable::SymbolTable() {
  const auto add = [&](std::string_view name, Binding::Kind kind, std::uint32_t number = 0) {
    Binding binding;
    binding.kind = kind;
    binding.number = number;
    bindings_.emplace(name, binding);
  };
  std::uint32_t number = 0;
  for (const Operator& op : operators()) add(op.name, Binding::Kind::Operator, number++);
  add("let", Binding::Kind::Let);
  add("!", Binding::Kind::Annotation);
  add("_", Binding::Kind::Underscore);
  add("as", Binding::Kind::As);
  for (const std::string_view name : {"forall", "exists", "match", "lambda"}) add(name, Binding::Kind::Quantifier);
  for (const std::string_view name : {"par", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING"})
    add(name, Binding::Kind::Reserved);
  for (const std::string_view name : kForeignSymbols) add(name, Binding::Kind::Foreign);
  add("fp", Binding::Kind::Foreign);
  add("to_fp", Binding::Kind::Foreign);
}

Binding SymbolTable::find(std::string_view name) const {
  const auto found = bindings_.find(name);
  if (found != bindings_.end() && found->second.kind != Binding::Kind::None) return found->second;
  Binding none;
  for (const std::string_view prefix : kForeignPrefixes)
    if (name.starts_with(prefix)) none.kind = Binding::Kind::Foreign;
  return none;
}

bool SymbolTable::define(std::string_view name, const Binding& binding, bool global) {
  Binding& slot = bindings_[name];
  // In the supported logics `mod` or `abs` are free names.
  if (slot.kind != Binding::Kind::None && slot.kind != Binding::Kind::Foreign) return false;
  slot = binding;
  (global ? global_names_ : names_).push_back(name);
  return true;
}

bool SymbolTable::define_sort(std::string_view name, const SortDefinition& sort, bool global) {
  if (!sort_definitions_.emplace(name, sort).second) return false;
  if (!global) sorts_.push_back(name);
  return true;
}

const SortDefinition* SymbolTable::find_sort(std::string_view name) const {
  const auto found = sort_definitions_.find(name);
  return found == sort_definitions_.end() ? nullptr : &found->second;
}

void SymbolTable::shadow(std::string_view name, const Binding& binding) {
  Binding& slot = bindings_[name];
  shadowed_.push_back({name, slot});
  slot = binding;
}

void SymbolTable::unshadow(std::size_t count) {
  INVARIANT(count <= shadowed_.size(), "a let should end what it began");
  for (; count > 0; --count) {
    bindings_[shadowed_.back().name] = shadowed_.back().binding;
    shadowed_.pop_back();
  }
}

void SymbolTable::truncate(std::size_t names, std::size_t sorts) {
  for (std::size_t i = names; i < names_.size(); ++i) bindings_[names_[i]] = {};
  for (std::size_t i = sorts; i < sorts_.size(); ++i) sort_definitions_.erase(sorts_[i]);
  names_.resize(names);
  sorts_.resize(sorts);
}

void SymbolTable::pop(std::size_t count) {
  INVARIANT(count <= scopes_.size(), "a pop should have its push");
  if (count == 0) return;
  const Scope scope = scopes_[scopes_.size() - count];
  scopes_.resize(scopes_.size() - count);
  truncate(scope.names, scope.sorts);
}

void SymbolTable::clear_scopes() {
  scopes_.clear();
  truncate(0, 0);
}

std::vector<std::pair<std::string_view, TypedTerm>> SymbolTable::declared() const {
  std::vector<std::pair<std::string_view, TypedTerm>> result;
  for (const auto* names : {&global_names_, &names_}) {
    for (const std::string_view name : *names) {
      const Binding& binding = bindings_.at(name);
      if (binding.declared) result.emplace_back(name, binding.value);
    }
  }
  return result;
}

}  // namespace plumb::smtlib
