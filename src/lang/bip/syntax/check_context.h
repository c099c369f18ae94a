#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/bip/ast.h"
#include "lang/bip/model.h"
#include "lang/bip/syntax/types.h"

namespace plumb::bip {

/// Names of one kind, or of several that must differ.
class Names {
 public:
  /// Throws UserError if it is taken. `what`: "place".
  void declare(const Package& package, std::string_view what, const Name& name);
  bool contains(std::string_view name) const { return places_.contains(name); }
  /// In the order of the alphabet, for nearest_name().
  std::vector<std::string_view> all() const;

 private:
  std::map<std::string, Place, std::less<>> places_;
};

/// What can be read and written by a simple name.
struct Variable {
  enum class Kind : std::uint8_t { Data, Parameter, Constant };
  Kind kind = Kind::Data;
  Type type = Type::Int;
};

/// What is reached from outside of a component type.
struct Interface {
  std::map<std::string, std::string, std::less<>> ports;  ///< to port types
  std::map<std::string, Type, std::less<>> data;
  std::unordered_set<std::string> hidden;  ///< ports and data that are not exported
  const std::vector<Parameter>* parameters = nullptr;
};

/// Variables by simple names: constants of the package first, then what a definition declares.
class Scope {
 public:
  explicit Scope(const Package& package) : package_(package) {}

  /// Throws UserError if the name is taken.
  void declare(Variable::Kind kind, Type type, const Name& name);
  const Variable* find(std::string_view name) const;
  /// Throws UserError if there is none.
  const Variable& get(const Expression& name) const;
  void declare(const std::vector<Parameter>& parameters);
  /// Only constants and parameters can be used in it.
  TypeOfName constant_lookup() const;

 private:
  const Package& package_;
  Names names_;
  std::map<std::string, Variable, std::less<>> variables_;
};

/// What the checks of all definitions share. The package must outlive it.
struct CheckContext {
  CheckContext(Package& checked_package, std::vector<Warning>& all_warnings);

  [[noreturn]] void fail(Place place, const std::string& message, const std::string& hint = {}) const;
  /// "unknown place 'S'", with the nearest of the names that there are. `owner`: " of component 'a'".
  [[noreturn]] void fail_unknown(std::string_view what, const Name& name, const std::vector<std::string_view>& names,
                                 const std::string& owner = {}) const;
  const PortType& port_type(const Name& name) const;
  void check_guard(const ExpressionPtr& guard, const TypeOfName& type_of_name) const;
  /// `type_of_target` gives the type of what is assigned; it throws UserError for what cannot be.
  void check_block(const Block& block, const TypeOfName& type_of_name, const TypeOfName& type_of_target) const;
  /// The variables that a port shows, against its type.
  void check_port_data(const PortDeclaration& port, const Scope& scope) const;
  void check_data(std::vector<DataDeclaration>& data, Scope& scope) const;

  Package& package;
  std::vector<Warning>& warnings;
  Locate locate;
  Scope constants;
  std::unordered_map<std::string, const PortType*> port_types;
  std::unordered_map<std::string, const ConnectorType*> connector_types;
  std::unordered_map<std::string, Interface> interfaces;  ///< of atom types and compound types that were checked
};

void check_atom(CheckContext& context, AtomType& atom);
void check_connector(const CheckContext& context, ConnectorType& connector);
/// All of them, those inside before those that contain them.
void check_compounds(CheckContext& context);

}  // namespace plumb::bip
