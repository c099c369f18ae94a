// Source text. A program as parse() makes it is printed so that it parses to the same tree: parentheses where
// precedence asks for them (and around implications beside && and ||, where readers need them), globals and functions
// in the order of their variables. What rho makes has variables that no source can name; there every variable has its
// unique name, as in the figures of the {P}S{Q} paper: fact::n[fact::sp + 1].

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lang/tiny/tiny.h"

namespace plumb::tiny {

namespace {

/// Precedences as in the parser; greater binds tighter.
constexpr int kConditional = 0;
constexpr int kOr = 1;
constexpr int kAnd = 2;
constexpr int kImplies = 3;
constexpr int kUnary = 12;
constexpr int kAtom = 13;

struct Written {
  std::string_view symbol;
  int level;
};

Written written(Operator op) {
  switch (op) {
    case Operator::Negate:
      return {"-", kUnary};
    case Operator::Not:
      return {"!", kUnary};
    case Operator::Complement:
      return {"~", kUnary};
    case Operator::Add:
      return {"+", 10};
    case Operator::Subtract:
      return {"-", 10};
    case Operator::Multiply:
      return {"*", 11};
    case Operator::Divide:
      return {"/", 11};
    case Operator::Remainder:
      return {"%", 11};
    case Operator::ShiftLeft:
      return {"<<", 9};
    case Operator::ShiftRight:
      return {">>", 9};
    case Operator::BitAnd:
      return {"&", 6};
    case Operator::BitOr:
      return {"|", 4};
    case Operator::BitXor:
      return {"^", 5};
    case Operator::Less:
      return {"<", 8};
    case Operator::LessEqual:
      return {"<=", 8};
    case Operator::Greater:
      return {">", 8};
    case Operator::GreaterEqual:
      return {">=", 8};
    case Operator::Equal:
      return {"==", 7};
    case Operator::NotEqual:
      return {"!=", 7};
    case Operator::And:
      return {"&&", kAnd};
    case Operator::Or:
      return {"||", kOr};
    case Operator::Implies:
      return {"->", kImplies};
  }
  return {"", kAtom};
}

std::string_view type_name(Type type) { return type == Type::Void ? "void" : type == Type::Int ? "int" : "bool"; }

/// What no source can say: a call of rho's kind, an assignment to what a function returns.
bool has_foreign_statement(const Function& function, const Statement& statement) {
  if (statement.kind == Statement::Kind::CallFunction) return true;
  if (statement.kind == Statement::Kind::Assign && statement.target->variable == function.return_variable) return true;
  return std::any_of(statement.body.begin(), statement.body.end(),
                     [&](const StatementPtr& part) { return has_foreign_statement(function, *part); });
}

void find_declared(const Statement& statement, std::vector<bool>& is_declared) {
  if (statement.kind == Statement::Kind::Declare) is_declared[statement.variable] = true;
  for (const StatementPtr& part : statement.body) find_declared(*part, is_declared);
}

/// Whether rho made it: foreign statements, names that are no words, or locals without a declaration.
bool is_made_by_rho(const Program& program, const std::vector<bool>& is_declared) {
  for (const Function& function : program.functions)
    if (has_foreign_statement(function, *function.body)) return true;
  for (VariableId id = 0; id < program.variables.size(); ++id) {
    const Variable& variable = program.variables[id];
    if (variable.name.find(':') != std::string::npos || variable.dimensions.size() > 2) return true;
    if (variable.kind == Variable::Kind::Local && !is_declared[id] &&
        (variable.function == kNone || program.functions[variable.function].return_variable != id))
      return true;
  }
  return false;
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program), is_declared_(program.variables.size()) {
    for (const Function& function : program.functions) find_declared(*function.body, is_declared_);
    is_made_by_rho_ = is_made_by_rho(program, is_declared_);
  }

  std::string print() {
    // Functions in their order, each before the globals that were declared behind its variables.
    FunctionId next = 0;
    for (VariableId id = 0; id < program_.variables.size(); ++id) {
      const Variable& variable = program_.variables[id];
      if (variable.function != kNone && !is_made_by_rho_)
        while (next <= variable.function) print_function(program_.functions[next++]);
      else if (is_top_level(id))
        line(declaration(id) + ";");
    }
    while (next < program_.functions.size()) print_function(program_.functions[next++]);
    return std::move(text_);
  }

 private:
  /// What has no declaration inside a function. Of rho's that are parameters and return values too.
  bool is_top_level(VariableId id) const {
    const Variable& variable = program_.variables[id];
    if (variable.kind == Variable::Kind::Quantified || is_declared_[id]) return false;
    return is_made_by_rho_ || variable.function == kNone;
  }

  void line(const std::string& content) { text_ += std::string(indent_, ' ') + content + "\n"; }
  const std::string& name(VariableId id) const {
    const Variable& variable = program_.variables[id];
    return is_made_by_rho_ ? variable.unique_name : variable.name;
  }

  // --- Expressions ---

  /// In a place that needs at least this precedence.
  std::string expression(const Expression& e, int least = kConditional) const {
    const auto enclosed = [&](int level, std::string content) {
      return level < least ? "(" + std::move(content) + ")" : std::move(content);
    };
    switch (e.kind) {
      case Expression::Kind::Number:
        return std::to_string(e.number);
      case Expression::Kind::Boolean:
        return e.number != 0 ? "true" : "false";
      case Expression::Kind::Name:
        return name(e.variable);
      case Expression::Kind::Index:
        return fmt::format("{}{}", name(e.variable), indices(e));
      case Expression::Kind::Unary:
        return enclosed(kUnary, unary(e));
      case Expression::Kind::Binary:
        return enclosed(written(e.op).level, binary(e));
      case Expression::Kind::Conditional:
        return enclosed(kConditional, fmt::format("{} ? {} : {}", expression(*e.operands[0], kOr),
                                                  expression(*e.operands[1]), expression(*e.operands[2])));
      case Expression::Kind::Call:
        return fmt::format("{}({})", program_.functions[e.function].name, list(e.operands));
      case Expression::Kind::Quantified:
        return fmt::format("{} (int {} : [{} .. {}]) {{ {} }}", e.is_forall ? "forall" : "exists", name(e.variable),
                           expression(*e.operands[0]), expression(*e.operands[1]), expression(*e.operands[2]));
      case Expression::Kind::Nondet:
        return e.type == Type::Bool ? "nondet_bool()" : "nondet()";
      case Expression::Kind::ToBool:
        return expression(*e.operands[0], least);
      case Expression::Kind::MaxArraySize:
        return "MAX_ARRAY_SIZE";
    }
    return {};
  }

  std::string unary(const Expression& e) const {
    const std::string operand = expression(*e.operands[0], kUnary);
    // Two minus signs in a row would be one symbol.
    const bool would_merge = e.op == Operator::Negate && operand.front() == '-';
    return fmt::format(fmt::runtime(would_merge ? "{}({})" : "{}{}"), written(e.op).symbol, operand);
  }

  std::string binary(const Expression& e) const {
    const auto [symbol, level] = written(e.op);
    const bool is_right_associative = e.op == Operator::Implies;
    int left = is_right_associative ? level + 1 : level;
    int right = is_right_associative ? level : level + 1;
    const auto is_implication = [](const Expression& side) {
      return side.kind == Expression::Kind::Binary && side.op == Operator::Implies;
    };
    if (level <= kAnd && is_implication(*e.operands[0])) left = kImplies + 1;
    if (level <= kAnd && is_implication(*e.operands[1])) right = kImplies + 1;
    return fmt::format("{} {} {}", expression(*e.operands[0], left), symbol, expression(*e.operands[1], right));
  }

  std::string indices(const Expression& e) const {
    std::string all;
    for (const ExpressionPtr& index : e.operands) all += fmt::format("[{}]", expression(*index));
    return all;
  }

  std::string list(const std::vector<ExpressionPtr>& operands) const {
    std::vector<std::string> parts;
    for (const ExpressionPtr& operand : operands) parts.push_back(expression(*operand));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  // --- Declarations ---

  std::string head(VariableId id) const {
    const Variable& variable = program_.variables[id];
    return fmt::format("{}{}",
                       variable.kind == Variable::Kind::Wire       ? "wire "
                       : variable.kind == Variable::Kind::Constant ? "const "
                                                                   : "",
                       type_name(variable.type));
  }

  /// The name with its sizes and its value.
  std::string declarator(VariableId id, const Expression* value) const {
    const Variable& variable = program_.variables[id];
    std::string text = name(id);
    for (const auto& size : variable.dimensions) text += size ? fmt::format("[{}]", *size) : "[]";
    if (variable.definition) value = variable.definition.get();
    return value != nullptr ? fmt::format("{} = {}", text, expression(*value)) : text;
  }

  std::string declaration(VariableId id, const Expression* value = nullptr) const {
    return fmt::format("{} {}", head(id), declarator(id, value));
  }

  void print_function(const Function& function) {
    std::vector<std::string> parameters;
    if (!is_made_by_rho_)
      for (const VariableId id : function.parameters) parameters.push_back(declaration(id));
    if (!text_.empty()) text_ += "\n";
    const std::string signature = fmt::format("{}({})", function.name, fmt::join(parameters, ", "));
    if (function.is_predicate)
      return line(fmt::format("{} = {};", signature, expression(*function.body->body.at(0)->value)));
    // Of rho's, values go through variables and nothing is returned.
    line(fmt::format("{} {} {{", type_name(is_made_by_rho_ ? Type::Void : function.result), signature));
    print_inside(*function.body);
    line("}");
  }

  // --- Statements ---

  void print_inside(const Statement& block) {
    indent_ += 2;
    if (block.kind == Statement::Kind::Block || block.kind == Statement::Kind::Together)
      for (const StatementPtr& statement : block.body) print_statement(*statement);
    else
      print_statement(block);
    indent_ -= 2;
  }

  void print_compound(const std::string& start, const Statement& body, const std::string& end = "}") {
    line(start + " {");
    print_inside(body);
    line(end);
  }

  void print_statement(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::Block:
        line("{");
        print_inside(s);
        return line("}");
      case Statement::Kind::If:
        return print_if(s, "if");
      case Statement::Kind::While:
        return print_compound(fmt::format("while ({})", expression(*s.value)), *s.body[0]);
      case Statement::Kind::DoWhile:
        return print_compound("do", *s.body[0], fmt::format("}} while ({});", expression(*s.value)));
      case Statement::Kind::For:
        return print_compound(fmt::format("for ({}; {}; {})", for_part(*s.body[0]), s.value ? expression(*s.value) : "",
                                          for_part(*s.body[1])),
                              *s.body[2]);
      case Statement::Kind::Together:
        return print_compound("@do_together", s);
      case Statement::Kind::Pre:
        return line(fmt::format("@pre {} {{ {} }}", s.name, expression(*s.value)));
      case Statement::Kind::Post:
        return line(fmt::format("@post {} {{ {} }}", s.name, expression(*s.value)));
      default:
        return line(simple(s) + ";");
    }
  }

  void print_if(const Statement& s, const std::string& word) {
    line(fmt::format("{} ({}) {{", word, expression(*s.value)));
    print_inside(*s.body[0]);
    if (s.body.size() > 1 && s.body[1]->kind == Statement::Kind::If) return print_if(*s.body[1], "} else if");
    if (s.body.size() > 1) {
      line("} else {");
      print_inside(*s.body[1]);
    }
    line("}");
  }

  /// Statements that end in ';', without it.
  std::string simple(const Statement& s) const {
    switch (s.kind) {
      case Statement::Kind::Declare:
        return declaration(s.variable, s.value.get());
      case Statement::Kind::Assign:
        return fmt::format("{} = {}", expression(*s.target), expression(*s.value));
      case Statement::Kind::Call:
        return expression(*s.value);
      case Statement::Kind::Break:
        return "break";
      case Statement::Kind::Continue:
        return "continue";
      case Statement::Kind::Return:
        return s.value ? fmt::format("return {}", expression(*s.value)) : "return";
      case Statement::Kind::Assert:
        return fmt::format("assert({})", expression(*s.value));
      case Statement::Kind::Assume:
        return fmt::format("assume({})", expression(*s.value));
      case Statement::Kind::CallFunction:
        return fmt::format("call_func({})", program_.functions[s.function].name);
      default:
        break;
    }
    INVARIANT(false, "a statement of another kind should be printed by print_statement");
    return {};
  }

  /// The start or the step of a for: several declarations share their type.
  std::string for_part(const Statement& s) const {
    if (s.kind != Statement::Kind::Block) return simple(s);
    std::vector<std::string> parts;
    for (const StatementPtr& one : s.body) {
      const bool is_further = one->kind == Statement::Kind::Declare && !parts.empty();
      parts.push_back(is_further ? declarator(one->variable, one->value.get()) : simple(*one));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  const Program& program_;
  std::vector<bool> is_declared_;
  bool is_made_by_rho_ = false;
  std::string text_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string print(const Program& program) { return Printer(program).print(); }

}  // namespace plumb::tiny
