#include "unit/lang/tiny/random_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::tiny {

std::string RandomProgram::make() {
  Scope globals;
  if (chance(30)) {
    const std::string name = fresh("c");
    line(fmt::format("const int {} = {};", name, number()));
    globals.ints.push_back(name);
  }
  // One int that can always be assigned to.
  globals.ints.push_back(fresh("g"));
  globals.assignable_ints = {globals.ints.back()};
  line(fmt::format("int {} = {};", globals.ints.back(), below(greatest() + 1)));
  for (std::uint64_t i = 1 + below(4); i-- > 0;) global(globals);
  if (chance(30)) {
    const std::string name = fresh("w");
    line(fmt::format("wire int {} = {};", name, integer(pure(globals), 2)));
    globals.ints.push_back(name);
  }
  if (shape_.has_functions) {
    for (std::uint64_t i = below(4); i-- > 0;) {
      switch (below(4)) {
        case 3:
          pure_function(globals);
          break;
        case 0:
          predicate(globals);
          break;
        case 1:
          recursive_function(globals);
          break;
        default:
          function(globals);
      }
    }
  }
  entry(globals);
  return std::move(text_);
}

// --- Expressions ---

std::string RandomProgram::number() {
  if (chance(8)) return fmt::format("-{}", below(2) + (greatest() > 1 ? 1 : 0));
  return std::to_string(chance(60) ? below(std::min<std::uint64_t>(greatest(), 3) + 1) : below(greatest() + 1));
}

RandomProgram::Scope RandomProgram::pure(const Scope& scope) const {
  Scope result = scope;
  result.is_pure = true;
  result.is_property = false;
  return result;
}

RandomProgram::Scope RandomProgram::property(const Scope& scope) const {
  Scope result = scope;
  result.is_pure = true;
  result.is_property = true;
  return result;
}

const RandomProgram::Callee* RandomProgram::callee(const Scope& scope, bool is_bool) {
  std::vector<const Callee*> found;
  const bool has_ints = array_name(scope) != nullptr;
  for (const Callee& c : scope.callees) {
    const bool is_allowed =
        !scope.is_pure || (scope.is_property ? c.is_predicate || c.is_pure : c.is_predicate && !c.calls);
    if (c.is_bool == is_bool && is_allowed && (!c.takes_array || has_ints)) found.push_back(&c);
  }
  return found.empty() ? nullptr : pick(found);
}

const RandomProgram::Array* RandomProgram::array(const Scope& scope, bool is_bool) {
  std::vector<const Array*> found;
  for (const Array& a : scope.arrays) {
    if (a.is_bool == is_bool) found.push_back(&a);
  }
  return found.empty() ? nullptr : pick(found);
}

const std::string* RandomProgram::array_name(const Scope& scope) {
  std::vector<const std::string*> found;
  for (const Array& a : scope.arrays) {
    if (!a.is_bool && a.sizes.size() == 1) found.push_back(&a.name);
  }
  return found.empty() ? nullptr : pick(found);
}

std::string RandomProgram::index(const Scope& scope, std::uint64_t size, int depth) {
  if (chance(35)) return std::to_string(below(size));
  // At the least widths the size itself is no number.
  if (chance(60) && size <= greatest()) return fmt::format("{} % {}", integer(scope, depth - 1), size);
  return integer(scope, depth - 1);
}

std::string RandomProgram::element(const Scope& scope, const Array& array, int depth) {
  std::string text = array.name;
  for (const std::uint64_t size : array.sizes) text += "[" + index(scope, size, depth) + "]";
  return text;
}

std::string RandomProgram::call(const Scope& scope, const Callee& callee, int depth) {
  std::vector<std::string> arguments;
  if (callee.takes_array) {
    arguments.push_back(*array_name(scope));
  }
  for (std::uint32_t i = 0; i < callee.ints; ++i) {
    // The first one bounds the depth of recursion.
    const bool is_small = callee.is_recursive && i == 0 && chance(80);
    arguments.push_back(is_small ? std::to_string(below(std::min<std::uint64_t>(greatest(), 3) + 1))
                                 : integer(scope, depth - 1));
  }
  return fmt::format("{}({})", callee.name, fmt::join(arguments, ", "));
}

std::string RandomProgram::integer(const Scope& scope, int depth) {
  if (depth > 0 && chance(65)) return compound_integer(scope, depth);
  if (scope.ints.empty() || chance(25)) return number();
  return pick(scope.ints);
}

std::string RandomProgram::compound_integer(const Scope& scope, int depth) {
  static const std::vector<std::string> kUsual = {"+", "-", "+", "-", "*", "&", "|", "^"};
  static const std::vector<std::string> kRare = {"/", "%", "<<", ">>"};
  switch (below(12)) {
    case 0:
    case 1:
    case 2:
      if (const Array* a = array(scope, false)) return element(scope, *a, depth);
      break;
    case 3:
      if (const Callee* c = callee(scope, false)) return call(scope, *c, depth);
      break;
    case 4:
      return fmt::format("({} ? {} : {})", condition(scope, depth - 1), integer(scope, depth - 1),
                         integer(scope, depth - 1));
    case 5:
      return fmt::format("({}{})", chance(50) ? "-" : "~", scope.ints.empty() ? "1" : pick(scope.ints));
    case 6:
      if (!scope.is_pure && shape_.has_choices && chance(40)) return "nondet()";
      break;
    case 7:
      return fmt::format("({} {} {})", integer(scope, depth - 1), pick(kRare), integer(scope, depth - 1));
    default:
      break;
  }
  return fmt::format("({} {} {})", integer(scope, depth - 1), pick(kUsual), integer(scope, depth - 1));
}

std::string RandomProgram::condition(const Scope& scope, int depth) {
  if (depth > 0 && chance(50)) return compound_condition(scope, depth);
  static const std::vector<std::string> kComparisons = {"<", "<=", ">", ">=", "==", "!="};
  if (!scope.bools.empty() && chance(25)) return pick(scope.bools);
  if (chance(5)) return chance(50) ? "true" : "false";
  return fmt::format("({} {} {})", integer(scope, depth - 1), pick(kComparisons), integer(scope, depth - 1));
}

std::string RandomProgram::compound_condition(const Scope& scope, int depth) {
  static const std::vector<std::string> kConnectives = {"&&", "||", "->", "&&", "||", "==", "!="};
  switch (below(10)) {
    case 0:
      return "(!" + condition(scope, depth - 1) + ")";
    case 1:
      if (const Array* a = array(scope, true)) return element(scope, *a, depth);
      break;
    case 2:
      if (const Callee* c = callee(scope, true)) return call(scope, *c, depth);
      break;
    case 3:
      if (chance(50)) return quantifier(scope, depth);
      break;
    case 4:
      return fmt::format("({} ? {} : {})", condition(scope, depth - 1), condition(scope, depth - 1),
                         condition(scope, depth - 1));
    case 5:
      if (!scope.is_pure && shape_.has_choices && chance(40)) return "nondet_bool()";
      break;
    case 6:
      // An int as a condition.
      if (!scope.ints.empty()) return fmt::format("({} && {})", pick(scope.ints), condition(scope, depth - 1));
      break;
    default:
      break;
  }
  return fmt::format("({} {} {})", condition(scope, depth - 1), pick(kConnectives), condition(scope, depth - 1));
}

std::string RandomProgram::quantifier(const Scope& scope, int depth) {
  Scope inner = scope.is_pure && !scope.is_property ? pure(scope) : property(scope);
  const std::string name = fresh("q");
  // Bounds that are constant must not be reversed.
  std::vector<std::string> variables;
  for (const std::string& v : scope.ints) {
    if (v.front() != 'c') variables.push_back(v);
  }
  std::string low = std::to_string(below(2));
  std::string high = std::to_string(1 + below(std::min<std::uint64_t>(greatest(), 4)));
  if (chance(25)) low = pick(variables);
  if (chance(60)) {
    const std::uint64_t offset = below(std::min<std::uint64_t>(greatest(), 2) + 1);
    high = fmt::format("{} {} {}", pick(variables), chance(80) ? "-" : "+", offset);
    if (chance(20)) high = fmt::format("({}) * {}", high, integer(pure(scope), 1));
  }
  if (chance(10)) high = fmt::format("({} {} {})", pick(variables), chance(50) ? "^" : "-", integer(pure(scope), 2));
  inner.ints.push_back(name);
  inner.ints.push_back(name);
  std::string body = condition(inner, depth);
  if (const Array* a = array(scope, false); a != nullptr && a->sizes.size() == 1 && chance(50)) {
    const std::string here = fmt::format("{}[{}]", a->name, name);
    body = chance(50) ? fmt::format("{} <= {}", here, integer(inner, 1))
                      : fmt::format("{} < {} -> {} != {}", name, number(), here, integer(inner, 1));
  }
  return fmt::format("({}(int {} : [{}..{}]) {{ {} }})", chance(50) ? "forall" : "exists", name, low, high, body);
}

// --- Statements ---

void RandomProgram::block(Scope scope, std::uint32_t statements) {
  ++indent_;
  while (statements > 0) {
    const std::uint32_t part = 1 + static_cast<std::uint32_t>(below(statements));
    statement(scope, part);
    statements -= part;
  }
  --indent_;
}

void RandomProgram::statement(Scope& scope, std::uint32_t budget) {
  if (budget > 1 && chance(75)) {
    if (chance(45)) return branch(scope, budget - 1);
    return loop(scope, budget - 1);
  }
  simple_statement(scope);
}

void RandomProgram::simple_statement(Scope& scope) {
  switch (below(16)) {
    case 0:
    case 1:
    case 2:
      return declaration(scope);
    case 3:
      return together(scope);
    case 4:
      return line(fmt::format("assert({});", condition(scope, 2)));
    case 5:
      if (chance(20)) return line(fmt::format("assume({});", condition(scope, 2)));
      break;
    case 6:
      if (scope.is_in_loop)
        return line(fmt::format("if ({}) {};", condition(scope, 2), chance(50) ? "break" : "continue"));
      break;
    case 7:
      if (chance(40)) {
        line(fmt::format("if ({}) {{", condition(scope, 2)));
        ++indent_;
        return_statement(scope);
        --indent_;
        return line("}");
      }
      break;
    case 8:
      if (const Callee* c = callee(scope, chance(30)); c != nullptr && !c->is_predicate) {
        return line(call(scope, *c, 2) + ";");
      }
      break;
    case 9:
      if (!scope.assignable_ints.empty()) {
        return line(fmt::format("{}{};", pick(scope.assignable_ints), chance(50) ? "++" : "--"));
      }
      break;
    case 10:
      if (!scope.assignable_ints.empty()) {
        static const std::vector<std::string> kSigns = {"+=", "-=", "*=", "&=", "|=", "^=", "/=", "%=", "<<=", ">>="};
        return line(fmt::format("{} {} {};", pick(scope.assignable_ints), pick(kSigns), integer(scope, 2)));
      }
      break;
    default:
      break;
  }
  assignment(scope);
}

std::string RandomProgram::assignment(const Scope& scope) {
  const bool is_bool = chance(25);
  const Array* a = chance(45) ? array(scope, is_bool) : nullptr;
  const std::vector<std::string>& names = is_bool ? scope.assignable_bools : scope.assignable_ints;
  if (a == nullptr && names.empty()) return "";
  const std::string target = a != nullptr ? element(scope, *a, 2) : pick(names);
  line(fmt::format("{} = {};", target, is_bool ? condition(scope, 3) : integer(scope, 3)));
  return a != nullptr ? "" : target;
}

void RandomProgram::declaration(Scope& scope) {
  const bool is_free = shape_.has_choices && chance(30);
  if (shape_.has_choices && chance(15)) {
    Array local{fresh("l"), chance(30), {}};
    local.sizes = {local.is_bool ? size() : shape_.array_size};
    line(fmt::format("{} {}[{}];", local.is_bool ? "bool" : "int", local.name, local.sizes[0]));
    scope.arrays.push_back(local);
    return;
  }
  const std::string name = fresh("l");
  const bool is_bool = chance(30);
  if (!is_free && chance(10)) {
    line(fmt::format("wire int {} = {};", name, integer(pure(scope), 2)));
    scope.ints.push_back(name);
    return;
  }
  const std::string value = is_bool ? condition(scope, 2) : integer(scope, 2);
  line(fmt::format("{} {}{};", is_bool ? "bool" : "int", name, is_free ? "" : " = " + value));
  (is_bool ? scope.bools : scope.ints).push_back(name);
  (is_bool ? scope.assignable_bools : scope.assignable_ints).push_back(name);
}

void RandomProgram::branch(const Scope& scope, std::uint32_t budget) {
  line(fmt::format("if ({}) {{", condition(scope, 3)));
  const std::uint32_t first = 1 + static_cast<std::uint32_t>(below(budget));
  block(scope, first);
  if (budget > first) {
    line("} else {");
    block(scope, budget - first);
  }
  line("}");
}

void RandomProgram::loop(const Scope& scope, std::uint32_t budget) {
  const std::string name = fresh("i");
  const std::uint64_t rounds = 1 + below(std::min<std::uint64_t>(greatest(), 3));
  Scope inner = scope;
  inner.ints.push_back(name);
  inner.is_in_loop = true;
  switch (below(3)) {
    case 0:
      line(fmt::format("for (int {0} = 0; {0} < {1}; {0}++) {{", name, rounds));
      block(inner, budget);
      line("}");
      break;
    case 1:
      line(fmt::format("int {} = 0;", name));
      line(fmt::format("while ({} < {} && {}) {{", name, rounds, condition(scope, 2)));
      line(fmt::format("  {} += 1;", name));
      block(inner, budget);
      line("}");
      break;
    default:
      line(fmt::format("int {} = {};", name, rounds));
      line("do {");
      line(fmt::format("  {0} = {0} - 1;", name));
      block(inner, budget);
      line(fmt::format("}} while ({} != 0 && {});", name, condition(scope, 2)));
  }
}

void RandomProgram::together(const Scope& scope) {
  Scope inner = pure(scope);
  // A scalar is assigned to once in a block.
  const auto assign = [&] {
    const std::string name = assignment(inner);
    std::erase(inner.assignable_ints, name);
    std::erase(inner.assignable_bools, name);
  };
  line(chance(50) ? "@do_together {" : "@dotogether {");
  ++indent_;
  for (std::uint64_t i = 1 + below(3); i-- > 0;) {
    if (chance(25)) {
      line(fmt::format("if ({}) {{", condition(inner, 2)));
      ++indent_;
      assign();
      --indent_;
      line("}");
    } else {
      assign();
    }
  }
  --indent_;
  line("}");
}

void RandomProgram::return_statement(const Scope& scope) {
  if (scope.is_void) return line("return;");
  line(fmt::format("return {};", scope.returns_bool ? condition(scope, 2) : integer(scope, 2)));
}

// --- Declarations ---

void RandomProgram::global(Scope& scope) {
  const bool is_bool = chance(25);
  const std::string name = fresh("g");
  const std::string type = is_bool ? "bool" : "int";
  const std::uint32_t width = is_bool ? 1 : shape_.int_width;
  if (chance(40)) {
    Array a{name, is_bool, {is_bool ? size() : shape_.array_size}};
    if (chance(30)) a.sizes = {size(), 2};
    std::uint64_t elements = 1;
    for (const std::uint64_t s : a.sizes) elements *= s;
    if (elements * width <= bits_left_) {
      bits_left_ -= static_cast<std::uint32_t>(elements * width);
      line(fmt::format("{} {}[{}];", type, name, fmt::join(a.sizes, "][")));
      scope.arrays.push_back(a);
      return;
    }
  }
  const bool is_free = width <= bits_left_ && chance(75);
  if (is_free) bits_left_ -= width;
  const std::string value = is_bool ? (chance(50) ? "true" : "false") : std::to_string(below(greatest() + 1));
  line(fmt::format("{} {}{};", type, name, is_free ? "" : " = " + value));
  (is_bool ? scope.bools : scope.ints).push_back(name);
  (is_bool ? scope.assignable_bools : scope.assignable_ints).push_back(name);
}

void RandomProgram::function(Scope& scope) {
  Callee callee{fresh("f"), chance(30), false, chance(35), static_cast<std::uint32_t>(below(3)), false};
  Scope inner = scope;
  inner.is_void = false;
  inner.returns_bool = callee.is_bool;
  std::vector<std::string> parameters;
  if (callee.takes_array) {
    // Names its parameter alone: a global array may be the argument.
    const std::string name = fresh("a");
    parameters.push_back(chance(50) ? "int [] " + name : "int " + name + "[]");
    inner.arrays = {{name, false, {shape_.array_size}}};
    inner.callees.clear();
    inner.ints = inner.assignable_ints = scope.assignable_ints;
  }
  for (std::uint32_t i = 0; i < callee.ints; ++i) {
    const std::string name = fresh("p");
    parameters.push_back("int " + name);
    inner.ints.push_back(name);
    inner.assignable_ints.push_back(name);
  }
  line(fmt::format("{} {}({}) {{", callee.is_bool ? "bool" : "int", callee.name, fmt::join(parameters, ", ")));
  const bool has_contract = chance(40);
  const Scope at_start = inner;
  if (has_contract && chance(70)) line(fmt::format("  @pre {} {{ {} }}", callee.name, condition(property(inner), 2)));
  block(inner, 1 + static_cast<std::uint32_t>(below(4)));
  ++indent_;
  return_statement(inner);
  Scope contract = property(at_start);
  (callee.is_bool ? contract.bools : contract.ints).push_back("rv");
  if (has_contract) line(fmt::format("@post {} {{ {} }}", callee.name, condition(contract, 2)));
  --indent_;
  line("}");
  scope.callees.push_back(callee);
}

void RandomProgram::pure_function(Scope& scope) {
  Callee callee{fresh("f"), chance(40), false, false, 1 + static_cast<std::uint32_t>(below(2)),
                chance(40), true,       false};
  Scope inner = property(scope);
  std::vector<std::string> parameters;
  for (std::uint32_t i = 0; i < callee.ints; ++i) {
    const std::string name = fresh("p");
    parameters.push_back("int " + name);
    inner.ints.push_back(name);
  }
  const std::string first = inner.ints[inner.ints.size() - callee.ints];
  const auto value = [&](int depth) { return callee.is_bool ? condition(inner, depth) : integer(inner, depth); };
  line(fmt::format("{} {}({}) {{", callee.is_bool ? "bool" : "int", callee.name, fmt::join(parameters, ", ")));
  const std::string local = fresh("l");
  line(fmt::format("  int {} = {};", local, integer(inner, 2)));
  inner.ints.push_back(local);
  line(fmt::format("  if ({} <= 0) return {};", first, value(1)));
  if (callee.is_recursive) {
    const std::string again = fmt::format("{}({} - 1{})", callee.name, first, callee.ints > 1 ? ", " + local : "");
    line(fmt::format("  return {} {} {};", again, callee.is_bool ? "||" : "+", value(1)));
  } else {
    line(fmt::format("  return {};", value(2)));
  }
  line("}");
  scope.callees.push_back(callee);
}

void RandomProgram::predicate(Scope& scope) {
  Callee callee{fresh("r"), true, true, chance(50), static_cast<std::uint32_t>(below(3)), false};
  callee.calls = chance(30);
  Scope inner = callee.calls ? property(scope) : pure(scope);
  std::vector<std::string> parameters;
  if (callee.takes_array) {
    const std::string name = fresh("a");
    parameters.push_back("int [] " + name);
    inner.arrays = {{name, false, {shape_.array_size}}};
    inner.callees.clear();
    inner.ints = scope.assignable_ints;
  }
  for (std::uint32_t i = 0; i < callee.ints; ++i) {
    const std::string name = fresh("p");
    parameters.push_back("int " + name);
    inner.ints.push_back(name);
  }
  line(fmt::format("{}({}) = {}", callee.name, fmt::join(parameters, ", "),
                   chance(60) ? quantifier(inner, 2) : condition(inner, 3)));
  scope.callees.push_back(callee);
}

/// Ends when the first parameter has come down to zero. Now and then two that call each other.
void RandomProgram::recursive_function(Scope& scope) {
  Callee callee{fresh("f"), false, false, chance(30), 1 + static_cast<std::uint32_t>(below(2)), true};
  if (chance(30)) {
    Callee partner = callee;
    partner.name = fresh("f");
    recursive_body(scope, partner, callee.name);
    recursive_body(scope, callee, partner.name);
  } else {
    recursive_body(scope, callee, callee.name);
  }
  scope.callees.push_back(callee);
}

void RandomProgram::recursive_body(const Scope& scope, const Callee& callee, const std::string& next) {
  Scope inner = scope;
  inner.is_void = false;
  std::vector<std::string> parameters;
  std::vector<std::string> arguments;
  if (callee.takes_array) {
    const std::string name = fresh("a");
    parameters.push_back("int " + name + "[]");
    arguments.push_back(name);
    inner.arrays = {{name, false, {shape_.array_size}}};
    inner.callees.clear();
    inner.ints = inner.assignable_ints = scope.assignable_ints;
  }
  const std::string depth = fresh("p");
  parameters.push_back("int " + depth);
  arguments.push_back(depth + " - 1");
  inner.ints.push_back(depth);
  if (callee.ints > 1) {
    const std::string name = fresh("p");
    parameters.push_back("int " + name);
    inner.ints.push_back(name);
    inner.assignable_ints.push_back(name);
    arguments.push_back(integer(inner, 1));
  }
  line(fmt::format("int {}({}) {{", callee.name, fmt::join(parameters, ", ")));
  const bool has_contract = chance(30);
  Scope contract = property(inner);
  if (has_contract) line(fmt::format("  @pre {} {{ {} }}", callee.name, condition(contract, 2)));
  line(fmt::format("  if ({} <= 0) return {};", depth, integer(inner, 1)));
  block(inner, 1 + static_cast<std::uint32_t>(below(3)));
  const std::string again = fmt::format("{}({})", next, fmt::join(arguments, ", "));
  const std::string other = integer(pure(inner), 1);
  if (chance(50)) {
    line(fmt::format("  return {} {} {};", other, chance(50) ? "+" : "^", again));
  } else {
    line(fmt::format("  return {} + {};", again, other));
  }
  contract.ints.push_back("rv");
  if (has_contract) line(fmt::format("  @post {} {{ {} }}", callee.name, condition(contract, 2)));
  line("}");
}

void RandomProgram::observe(const Scope& globals) {
  const auto bits = [&](const std::string& name) {
    for (std::uint64_t bit = 1; bit <= greatest(); bit *= 2) line(fmt::format("assert(({} & {}) == 0);", name, bit));
    if (shape_.is_signed) line(fmt::format("assert({} >= 0);", name));
  };
  for (const std::string& name : globals.assignable_ints) bits(name);
  for (const std::string& name : globals.assignable_bools) line(fmt::format("assert({});", name));
  for (const Array& a : globals.arrays) {
    for (std::uint64_t i = 0; i < a.sizes[0]; ++i) {
      for (std::uint64_t j = 0; j < (a.sizes.size() == 2 ? a.sizes[1] : 1); ++j) {
        const std::string name = fmt::format("{}[{}]{}", a.name, i, a.sizes.size() == 2 ? fmt::format("[{}]", j) : "");
        if (a.is_bool) {
          line(fmt::format("assert({});", name));
        } else {
          bits(name);
        }
      }
    }
  }
}

void RandomProgram::entry(const Scope& globals) {
  Scope scope = globals;
  const bool takes_array = std::any_of(scope.callees.begin(), scope.callees.end(),
                                       [](const Callee& c) { return c.takes_array && !c.is_predicate; });
  scope.is_void = chance(50) || (takes_array && array_name(scope) == nullptr);
  const std::string name = scope.is_void ? "main" : fresh("entry");
  std::vector<std::string> parameters;
  if (!scope.is_void && bits_left_ >= shape_.int_width) {
    bits_left_ -= shape_.int_width;
    parameters.push_back("int n");
    scope.ints.push_back("n");
    scope.assignable_ints.push_back("n");
  }
  if (!scope.is_void && chance(30) && bits_left_ >= shape_.array_size * shape_.int_width) {
    bits_left_ -= static_cast<std::uint32_t>(shape_.array_size) * shape_.int_width;
    parameters.push_back("int [] e");
    scope.arrays.push_back({"e", false, {shape_.array_size}});
  }
  line(fmt::format("{} {}({}) {{", scope.is_void ? "void" : "int", name, fmt::join(parameters, ", ")));
  Scope contract = property(scope);
  const std::uint64_t preconditions = below(3);
  for (std::uint64_t i = 0; i < preconditions; ++i) {
    line(fmt::format("  @pre p{} {{ {} }}", i, condition(contract, 2)));
  }
  ++indent_;
  // Without a main, the entry is the one function that no other calls.
  for (const Callee& c : scope.callees) {
    if (!c.is_predicate && (!scope.is_void || chance(30)) && (!c.takes_array || array_name(scope) != nullptr)) {
      line(call(scope, c, 1) + ";");
    }
  }
  --indent_;
  block(scope, shape_.statements);
  ++indent_;
  if (shape_.observes_all) observe(globals);
  if (!scope.is_void) {
    return_statement(scope);
    contract.ints.push_back("rv");
  }
  for (std::uint64_t i = 0; i < below(4); ++i) line(fmt::format("@post p{} {{ {} }}", i, condition(contract, 3)));
  --indent_;
  line("}");
}

}  // namespace plumb::tiny
