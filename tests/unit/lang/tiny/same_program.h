#pragma once

#include <string>

#include "lang/tiny/ast.h"

namespace plumb::tiny {

/// Where two trees differ first, in a few words; empty if they are equal. Places and the texts of assertions do not
/// count.
inline std::string difference(const Expression& a, const Expression& b) {
  if (a.kind != b.kind) return "kind of expression";
  if (a.type != b.type) return "type of " + a.name;
  if (a.number != b.number) return "number";
  if (a.op != b.op) return "operator";
  if (a.variable != b.variable) return "variable " + a.name;
  if (a.function != b.function) return "function " + a.name;
  if (a.is_forall != b.is_forall) return "quantifier";
  if (a.name != b.name) return "name " + a.name;
  if (a.operands.size() != b.operands.size()) return "operands of " + a.name;
  for (std::size_t i = 0; i < a.operands.size(); ++i)
    if (auto found = difference(*a.operands[i], *b.operands[i]); !found.empty()) return found;
  return {};
}

template <typename Tree>
std::string difference(const std::unique_ptr<Tree>& a, const std::unique_ptr<Tree>& b) {
  if ((a == nullptr) != (b == nullptr)) return "a part that is missing";
  return a == nullptr ? std::string() : difference(*a, *b);
}

inline std::string difference(const Statement& a, const Statement& b) {
  if (a.kind != b.kind) return "kind of statement";
  if (a.name != b.name && a.kind != Statement::Kind::Assert && a.kind != Statement::Kind::Assume)
    return "name " + a.name;
  if (a.variable != b.variable) return "variable";
  if (a.function != b.function) return "function";
  if (auto found = difference(a.target, b.target); !found.empty()) return found;
  if (auto found = difference(a.value, b.value); !found.empty()) return found;
  if (a.body.size() != b.body.size()) return "number of statements";
  for (std::size_t i = 0; i < a.body.size(); ++i)
    if (auto found = difference(a.body[i], b.body[i]); !found.empty()) return found;
  return {};
}

inline std::string difference(const Program& a, const Program& b) {
  if (a.variables.size() != b.variables.size()) return "number of variables";
  for (std::size_t i = 0; i < a.variables.size(); ++i) {
    const Variable& x = a.variables[i];
    const Variable& y = b.variables[i];
    if (x.name != y.name || x.unique_name != y.unique_name || x.kind != y.kind || x.type != y.type ||
        x.dimensions != y.dimensions || x.function != y.function || x.is_free != y.is_free)
      return "variable " + x.unique_name + " and " + y.unique_name;
    if (auto found = difference(x.definition, y.definition); !found.empty()) return x.name + ": " + found;
  }
  if (a.functions.size() != b.functions.size()) return "number of functions";
  for (std::size_t i = 0; i < a.functions.size(); ++i) {
    const Function& f = a.functions[i];
    const Function& g = b.functions[i];
    if (f.name != g.name || f.result != g.result || f.parameters != g.parameters ||
        f.return_variable != g.return_variable || f.is_predicate != g.is_predicate || f.is_recursive != g.is_recursive)
      return "function " + f.name;
    if (auto found = difference(f.body, g.body); !found.empty()) return f.name + ": " + found;
  }
  return a.entry == b.entry ? "" : "entry";
}

}  // namespace plumb::tiny
