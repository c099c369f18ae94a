// Arrays are passed by reference. A parameter that every call passes the same array for is that array, so most programs
// have no copies at all; one that stands for several is an array of its own that is copied in before and out behind
// each call, which is the same as a reference because aliasing is refused.
#include "lang/tiny/rho/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace plumb::tiny {
namespace {

class Resolver {
 public:
  Resolver(Program& program, const Options& options, const CallGraph& calls)
      : program_(program), options_(options), calls_(calls), bases_(program.variables.size()) {}

  ArrayReferences resolve() {
    collect_calls();
    find_bases();
    ArrayReferences result;
    result.same_as.resize(program_.variables.size());
    result.is_copied.resize(program_.variables.size());
    result.is_passed_on.resize(program_.variables.size());
    for (VariableId v = 0; v < program_.variables.size(); ++v) {
      result.same_as[v] = v;
      if (is_parameter(v) && !bases_[v].empty()) decide(v, result);
    }
    for (const CallSite& site : sites_) check_aliasing(site, result);
    for (VariableId v = 0; v < program_.variables.size(); ++v) {
      if (result.is_copied[v]) fit_size(v, result);
    }
    return result;
  }

 private:
  struct CallSite {
    FunctionId caller;
    const Expression* call;
  };

  bool is_parameter(VariableId v) const {
    const Variable& variable = program_.variables[v];
    return variable.kind == Variable::Kind::Parameter && variable.is_array() &&
           !program_.functions[variable.function].is_predicate && calls_.is_reachable(variable.function);
  }

  void collect_calls() {
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      if (!calls_.is_reachable(f)) continue;
      for_each_root(*program_.functions[f].body, [&](const Expression& root) {
        for_each_expression(root, [&](const Expression& e) {
          if (e.kind == Expression::Kind::Call) sites_.push_back({f, &e});
        });
      });
    }
  }

  void find_bases() {
    for (const VariableId v : program_.functions[program_.entry].parameters) {
      if (is_parameter(v)) bases_[v].insert(v);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const CallSite& site : sites_) {
        const Function& callee = program_.functions[site.call->function];
        if (callee.is_predicate) continue;
        for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
          if (is_parameter(callee.parameters[i])) {
            changed |= join(bases_[callee.parameters[i]], site.call->operands[i]->variable);
          }
        }
      }
    }
  }

  bool join(std::set<VariableId>& bases, VariableId argument) const {
    const std::size_t before = bases.size();
    if (is_parameter(argument)) {
      const std::set<VariableId> added = bases_[argument];
      bases.insert(added.begin(), added.end());
    } else {
      bases.insert(argument);
    }
    return bases.size() != before;
  }

  void decide(VariableId parameter, ArrayReferences& result) const {
    const FunctionId function = program_.variables[parameter].function;
    const VariableId base = *bases_[parameter].begin();
    if (bases_[parameter].size() > 1) {
      result.is_copied[parameter] = true;
    } else if (base == parameter) {
      result.is_passed_on[parameter] = true;
    } else {
      const FunctionId owner = program_.variables[base].function;
      // A local of a recursion is another array in each activation.
      const bool varies = owner != kNone && calls_.is_same_recursion(owner, function) && !is_entry_parameter(base);
      result.is_copied[parameter] = varies;
      if (!varies) result.same_as[parameter] = base;
    }
  }

  bool is_entry_parameter(VariableId v) const {
    return program_.variables[v].kind == Variable::Kind::Parameter &&
           program_.variables[v].function == program_.entry && bases_[v].size() == 1;
  }

  void check_aliasing(const CallSite& site, const ArrayReferences& references) const {
    std::set<VariableId> passed;
    for (const ExpressionPtr& argument : site.call->operands) {
      if (argument->kind != Expression::Kind::Name || !program_.variables[argument->variable].is_array()) continue;
      const Variable& array = program_.variables[argument->variable];
      const Function& callee = program_.functions[site.call->function];
      if (callee.is_predicate) continue;  // reads alone
      if (!passed.insert(references.same_as[argument->variable]).second) {
        throw Unsupported(program_.location(argument->place),
                          fmt::format("the array {} is passed to {} twice", array.name, callee.name),
                          "the two parameters would be one array; pass different arrays");
      }
      if (array.kind == Variable::Kind::Global && names_directly(site.call->function, argument->variable)) {
        throw Unsupported(
            program_.location(argument->place),
            fmt::format("{} is passed the array {} and also uses it by its name", callee.name, array.name),
            "use either the parameter or the global array");
      }
    }
  }

  bool names_directly(FunctionId function, VariableId array) const {
    const std::vector<bool> running = calls_.reachable_from(function);
    bool found = false;
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      if (!running[f]) continue;
      for_each_root(*program_.functions[f].body, [&](const Expression& root) {
        for_each_expression(root, [&](const Expression& e) {
          found =
              found || ((e.kind == Expression::Kind::Name || e.kind == Expression::Kind::Index) && e.variable == array);
        });
      });
    }
    return found;
  }

  /// A parameter that is copied has the size of the arrays that are passed for it.
  void fit_size(VariableId parameter, const ArrayReferences& references) {
    Variable& p = program_.variables[parameter];
    bool first = !bases_[parameter].contains(parameter);
    for (const CallSite& site : sites_) {
      const Function& callee = program_.functions[site.call->function];
      for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
        if (callee.parameters[i] != parameter) continue;
        const VariableId argument = references.same_as[site.call->operands[i]->variable];
        if (argument == parameter) continue;
        if (first && !references.is_copied[argument]) {
          p.dimensions = program_.variables[argument].dimensions;
          first = false;
        }
        if (sizes_of(program_.variables[argument], options_) != sizes_of(p, options_)) {
          throw Unsupported(program_.location(site.call->operands[i]->place),
                            fmt::format("arrays of different sizes are passed for {}", p.unique_name),
                            "a parameter that stands for several arrays needs them to be of one size");
        }
      }
    }
  }

  Program& program_;
  const Options& options_;
  const CallGraph& calls_;
  std::vector<CallSite> sites_;
  std::vector<std::set<VariableId>> bases_;
};

}  // namespace

ArrayReferences resolve_arrays(Program& program, const Options& options, const CallGraph& calls) {
  return Resolver(program, options, calls).resolve();
}

}  // namespace plumb::tiny
