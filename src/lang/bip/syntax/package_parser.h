#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/ast.h"
#include "lang/bip/syntax/statement_parser.h"

namespace plumb::bip {

/// A package as it is written; what names stand for is not looked at. Declarations of a type may come in any order.
class PackageParser {
 public:
  /// Both must outlive it; adds to the package.
  PackageParser(Tokens& tokens, Package& package) : tokens_(tokens), package_(package), statements_(tokens) {}

  /// Up to the end of the text. Throws UserError, Unsupported.
  void parse();

 private:
  void definition();
  void constants();
  void port_type();

  void atom_type();
  void atom_item(AtomType& atom);
  void places(AtomType& atom);
  void initial(AtomType& atom);
  void transition(AtomType& atom);
  void atom_priority(AtomType& atom);
  void optional_guard(ExpressionPtr& guard);
  void fail_petri_net();

  void connector_type();
  void connector_item(ConnectorType& connector);
  void define(ConnectorType& connector);
  PortExpression port_group();
  void interaction(ConnectorType& connector);

  void compound_type();
  void compound_item(CompoundType& compound);
  void components(CompoundType& compound);
  std::vector<ExpressionPtr> arguments(const Name& component);
  void connectors(CompoundType& compound);
  void compound_priority(CompoundType& compound);
  void exports(CompoundType& compound);
  InteractionPattern pattern();

  /// `data int x = 1, y`, behind `export` if it was there.
  void data(std::vector<DataDeclaration>& declarations, bool is_exported);
  /// `port T p(x), q(y) as r`.
  void ports(std::vector<PortDeclaration>& declarations, bool is_exported);
  std::vector<Parameter> parameters();
  Type type();
  Name type_name(std::string_view what);
  void skip_annotations();
  /// Takes the `end` of a definition, or is false where one more of its declarations begins.
  bool is_ended(std::string_view kind, const Name& name);
  /// The next token begins nothing that there may be inside such a definition.
  [[noreturn]] void fail_item(std::string_view kind, const Name& name);

  Tokens& tokens_;
  Package& package_;
  StatementParser statements_;
  std::uint32_t groups_ = 0;  ///< of ports, inside each other
};

}  // namespace plumb::bip
