#include "lang/tiny/rho/recursion.h"

#include <utility>

#include "lang/tiny/rho/liveness.h"

namespace plumb::tiny {
namespace {

class Deepening {
 public:
  explicit Deepening(RhoContext& context)
      : context_(context), program_(context.program), is_deep_(live_across_recursion(program_, context.calls)) {
    for (VariableId v = 0; v < program_.variables.size(); ++v) {
      is_deep_[v] = is_deep_[v] && has_rows(program_.variables[v], v);
    }
  }

  void apply() {
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      if (context_.calls.is_reachable(f)) {
        rewrite(*program_.functions[f].body, [&](ExpressionPtr& e) { refer(e); });
      }
    }
    for (Variable& v : program_.variables) {
      if (v.kind == Variable::Kind::Wire && v.definition) {
        rewrite(v.definition, [&](ExpressionPtr& e) { refer(e); });
      }
    }
    for (VariableId v = 0; v < program_.variables.size(); ++v) {
      auto& dimensions = program_.variables[v].dimensions;
      if (is_deep_[v]) dimensions.insert(dimensions.begin(), context_.options.max_stack_size());
    }
  }

 private:
  bool has_rows(const Variable& v, VariableId id) const {
    if (v.function == kNone || !context_.calls.is_reachable(v.function) || !context_.calls.is_recursive(v.function)) {
      return false;
    }
    if (v.kind == Variable::Kind::Wire || v.kind == Variable::Kind::Constant) return false;
    if (id >= context_.arrays.same_as.size()) return true;   // of rho's making
    if (v.kind == Variable::Kind::Quantified) return false;  // those that became loops have been replaced
    return context_.arrays.same_as[id] == id && !context_.arrays.is_passed_on[id];
  }

  void refer(ExpressionPtr& e) const {
    if (e->kind == Expression::Kind::Quantified) return;
    if (e->variable == kNone) return;
    if (is_in_callees_row(*e)) {
      if (is_deep_[e->variable]) return;
      e->operands.erase(e->operands.begin());
      if (e->operands.empty()) e->kind = Expression::Kind::Name;
      return;
    }
    if (!is_deep_[e->variable]) return;
    const FunctionId owner = program_.variables[e->variable].function;
    const VariableId sp = context_.stack_pointers[context_.calls.component(owner)];
    e->kind = Expression::Kind::Index;
    e->operands.insert(e->operands.begin(), make_name(program_, sp));
  }

  RhoContext& context_;
  Program& program_;
  std::vector<bool> is_deep_;
};

}  // namespace

void deepen_recursion(RhoContext& context) { Deepening(context).apply(); }

}  // namespace plumb::tiny
