#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "lang/smtlib/operators.h"
#include "lang/smtlib/type.h"

namespace plumb::smtlib {

/// What a symbol stands for.
struct Binding {
  enum class Kind : std::uint8_t {
    None,
    Value,       ///< a term: declared, defined without parameters, named, or bound by let
    Macro,       ///< defined with parameters; `number` of the macro
    Operator,    ///< of a theory; `number` in operators()
    Let,         ///< reserved words that start a term
    Annotation,  ///< !
    Underscore,  ///< _
    As,          ///< as
    Quantifier,  ///< forall, exists, match: words with a syntax of their own
    Reserved,    ///< words that stand for nothing
    Foreign,     ///< of a theory that is not supported
  };
  Kind kind = Kind::None;
  bool declared = false;  ///< a Value that belongs to the model
  std::uint32_t number = 0;
  TypedTerm value;
};

/// A sort by define-sort: its body with Type::Kind::Parameter where arguments go.
struct SortDefinition {
  std::uint32_t parameters = 0;
  Type body;
};

/// Symbols and sorts in scope: one hash lookup a symbol. Names are parts of the text that is read. Not thread-safe.
class SymbolTable {
 public:
  SymbolTable();

  /// Nothing (Kind::None) for an unknown symbol; theories that are known by their prefix ("fp.", "str.") give Foreign.
  Binding find(std::string_view name) const;
  /// In the innermost scope of push(), or for good. False if the name is in use.
  bool define(std::string_view name, const Binding& binding, bool global);
  bool define_sort(std::string_view name, const SortDefinition& sort, bool global);
  const SortDefinition* find_sort(std::string_view name) const;

  /// Hides what `name` stood for, until unshadow.
  void shadow(std::string_view name, const Binding& binding);
  /// Takes back the last `count` shadows.
  void unshadow(std::size_t count);

  void push() { scopes_.push_back({names_.size(), sorts_.size()}); }
  void pop(std::size_t count);
  /// Forgets all that is not defined for good.
  void clear_scopes();

  /// Declared symbols in scope in the order of their declaration.
  std::vector<std::pair<std::string_view, TypedTerm>> declared() const;

 private:
  struct Scope {
    std::size_t names;
    std::size_t sorts;
  };
  struct Shadowed {
    std::string_view name;
    Binding binding;
  };
  void truncate(std::size_t names, std::size_t sorts);

  // Entries are never erased: None marks a name that went out of scope, which makes let cheap.
  absl::flat_hash_map<std::string_view, Binding> bindings_;
  absl::flat_hash_map<std::string_view, SortDefinition> sort_definitions_;
  std::vector<std::string_view> global_names_;
  std::vector<std::string_view> names_;  ///< defined in scopes, in order
  std::vector<std::string_view> sorts_;
  std::vector<Scope> scopes_;
  std::vector<Shadowed> shadowed_;
};

}  // namespace plumb::smtlib
