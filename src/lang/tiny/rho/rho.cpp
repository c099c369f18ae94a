// The preprocessing function rho of the {P}S{Q} paper (section 3.3.1). Order: arrays that are passed by reference are
// resolved, then each function's body is flattened (calls, quantifiers, predicates, contracts), then the variables of
// recursive functions get a dimension more.
#include <fmt/format.h>

#include "lang/tiny/rho/flatten.h"
#include "lang/tiny/rho/predicates.h"
#include "lang/tiny/rho/quantifiers.h"
#include "lang/tiny/rho/recursion.h"

namespace plumb::tiny {
namespace {

std::vector<VariableId> make_stack_pointers(Program& program, const CallGraph& calls) {
  std::vector<VariableId> result(program.functions.size(), kNone);
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    VariableId& pointer = result[calls.component(f)];
    if (!calls.is_recursive(f) || !calls.is_reachable(f) || pointer != kNone) continue;
    pointer = add_variable(program, f, "sp", Type::Int);
    // It belongs to the whole component, whose functions it outlives.
    program.variables[pointer].function = kNone;
    program.variables[pointer].kind = Variable::Kind::Global;
  }
  return result;
}

/// A wire's definition is evaluated wherever the wire is read, so it has to be one expression.
void flatten_wire(Program& program, const Options& options, const ArrayReferences& arrays, VariableId wire) {
  ExpressionPtr definition = std::move(program.variables[wire].definition);
  rewrite(definition, [&](ExpressionPtr& e) {
    if (e->kind == Expression::Kind::Name || e->kind == Expression::Kind::Index) {
      e->variable = arrays.same_as[e->variable];
    }
  });
  expand_predicates(program, options, Mode::Code, definition);
  for_each_expression(*definition, [&](const Expression& e) {
    const bool is_long = e.kind == Expression::Kind::Quantified && !unrolled_size(program, options, e, Mode::Code);
    if (e.kind != Expression::Kind::Call && e.kind != Expression::Kind::Nondet && !is_long) return;
    throw Unsupported(program.location(e.place),
                      fmt::format("{} in the definition of the wire {}",
                                  is_long                              ? "a quantifier over a long range"
                                  : e.kind == Expression::Kind::Nondet ? "nondet()"
                                                                       : "a call",
                                  program.variables[wire].name),
                      "use a variable that is assigned");
  });
  program.variables[wire].definition = std::move(definition);
}

}  // namespace

Program rho(const Program& source, const Options& options) {
  Program program = copy(source);
  const CallGraph calls(program);
  const ArrayReferences arrays = resolve_arrays(program, options, calls);
  RhoContext context{program, options, calls, arrays, make_stack_pointers(program, calls)};
  const std::size_t variable_count = source.variables.size();
  for (VariableId v = 0; v < variable_count; ++v) {
    const bool is_wire = program.variables[v].kind == Variable::Kind::Wire;
    if (is_wire && program.variables[v].definition) flatten_wire(program, options, arrays, v);
  }
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (calls.is_reachable(f)) Flattener(context, f).flatten_function();
  }
  deepen_recursion(context);
  return program;
}

}  // namespace plumb::tiny
