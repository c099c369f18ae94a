#include "lang/bip/emit/cpp_expression.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::bip {

namespace {

constexpr std::size_t kDeepest = 40;

/// The function of the engine, or the operator of C++ for those that cannot leave the range of an int and that
/// compilers do not warn of (they do of comparisons whose outcome they see).
struct Spelling {
  const char* text;
  bool is_function = false;
};

Spelling spelling(Operator op) {
  switch (op) {
    case Operator::Negate:
      return {"negate", true};
    case Operator::Not:
      return {"!"};
    case Operator::Complement:
      return {"~"};
    case Operator::Add:
      return {"add", true};
    case Operator::Subtract:
      return {"subtract", true};
    case Operator::Multiply:
      return {"multiply", true};
    case Operator::Divide:
      return {"divide", true};
    case Operator::Remainder:
      return {"remainder", true};
    case Operator::ShiftLeft:
      return {"shift_left", true};
    case Operator::ShiftRight:
      return {"shift_right", true};
    case Operator::BitAnd:
      return {"both_bits", true};
    case Operator::BitOr:
      return {"any_bits", true};
    case Operator::BitXor:
      return {"other_bits", true};
    case Operator::Less:
      return {"is_less", true};
    case Operator::LessEqual:
      return {"is_at_most", true};
    case Operator::Greater:
      return {"is_greater", true};
    case Operator::GreaterEqual:
      return {"is_at_least", true};
    case Operator::Equal:
      return {"is_equal", true};
    case Operator::NotEqual:
      return {"is_different", true};
    case Operator::And:
      return {"&&"};
    case Operator::Or:
      return {"||"};
    case Operator::Implies:
      return {"implies", true};
  }
  return {""};
}

std::string bracketed(const std::string& text, bool is_operand) { return is_operand ? text : "(" + text + ")"; }

}  // namespace

void CppBody::add_line(std::size_t indentation, const std::string& line) {
  text_.append(2 * indentation, ' ');
  text_ += line;
  text_ += '\n';
}

void CppBody::add_return(const Expression& condition) {
  const std::string text = write(condition, 1).text;
  add_line(1, fmt::format("return {};", text));
}

void CppBody::add(const Block& block, std::size_t indentation) {
  for (const StatementPtr& statement : block) {
    if (statement->kind == Statement::Kind::Assign)
      add_assignment(*statement, indentation);
    else
      add_if(*statement, indentation);
  }
}

void CppBody::add_assignment(const Statement& statement, std::size_t indentation) {
  const Written value = write(*statement.value, indentation);
  uses_values_ = true;
  const std::string text = statement.value->type == Type::Bool
                               ? fmt::format("{} ? 1 : 0", bracketed(value.text, value.is_operand))
                               : value.text;
  add_line(indentation, fmt::format("v[{}] = {};", names_.variable(statement.target->variable), text));
}

// A chain of else-ifs is a statement in the else branch of another; it goes on at the same depth, or long chains would
// nest too deep.
void CppBody::add_if(const Statement& statement, std::size_t indentation) {
  std::vector<std::string> conditions;
  const Statement* last = &statement;
  for (const Statement* s = &statement; s != nullptr;) {
    conditions.push_back(write(*s->value, indentation).text);
    last = s;
    const bool is_chain = s->else_branch.size() == 1 && s->else_branch[0]->kind == Statement::Kind::If;
    // The conditions behind are on the values before the branches too: nothing is executed between them.
    s = is_chain ? s->else_branch[0].get() : nullptr;
  }
  const Statement* current = &statement;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    add_line(indentation, fmt::format("{}if ({}) {{", i == 0 ? "" : "} else ", conditions[i]));
    add(current->then_branch, indentation + 1);
    if (current != last) current = current->else_branch[0].get();
  }
  if (!last->else_branch.empty()) {
    add_line(indentation, "} else {");
    add(last->else_branch, indentation + 1);
  }
  add_line(indentation, "}");
}

CppBody::Written CppBody::write(const Expression& expression, std::size_t indentation) {
  Written written = write_whole(expression, indentation);
  if (written.depth < kDeepest) return written;
  const std::string constant = fmt::format("t{}", ++constants_);
  add_line(indentation,
           fmt::format("const {} {} = {};", expression.type == Type::Bool ? "bool" : "Int", constant, written.text));
  return {constant};
}

CppBody::Written CppBody::write_whole(const Expression& expression, std::size_t indentation) {
  switch (expression.kind) {
    case Expression::Kind::Number:
      return {std::to_string(expression.number), 0, expression.number >= 0};
    case Expression::Kind::Boolean:
      return {expression.number != 0 ? "true" : "false"};
    case Expression::Kind::Name: {
      uses_values_ = true;
      const std::string value = fmt::format("v[{}]", names_.variable(expression.variable));
      if (expression.type == Type::Int) return {value};
      return {value + " != 0", 0, false, Operator::NotEqual};
    }
    case Expression::Kind::Unary:
      return write_unary(expression, indentation);
    case Expression::Kind::Binary:
      return write_binary(expression, indentation);
    case Expression::Kind::Conditional:
      return write_conditional(expression, indentation);
  }
  return {};
}

CppBody::Written CppBody::write_unary(const Expression& expression, std::size_t indentation) {
  const Written operand = write(*expression.operands[0], indentation);
  const Spelling s = spelling(expression.op);
  if (s.is_function) return {fmt::format("{}({})", s.text, operand.text), operand.depth + 1};
  return {s.text + bracketed(operand.text, operand.is_operand), operand.depth + 1};
}

CppBody::Written CppBody::write_binary(const Expression& expression, std::size_t indentation) {
  const Written left = write(*expression.operands[0], indentation);
  const Written right = write(*expression.operands[1], indentation);
  const Spelling s = spelling(expression.op);
  const std::size_t depth = std::max(left.depth, right.depth) + 1;
  if (s.is_function) return {fmt::format("{}({}, {})", s.text, left.text, right.text), depth};
  const bool is_chain =
      (expression.op == Operator::And || expression.op == Operator::Or) && !left.is_operand && left.op == expression.op;
  return {fmt::format("{} {} {}", bracketed(left.text, left.is_operand || is_chain), s.text,
                      bracketed(right.text, right.is_operand)),
          is_chain ? std::max(left.depth, right.depth + 1) : depth, false, expression.op};
}

CppBody::Written CppBody::write_conditional(const Expression& expression, std::size_t indentation) {
  const Written condition = write(*expression.operands[0], indentation);
  const Written yes = write(*expression.operands[1], indentation);
  const Written no = write(*expression.operands[2], indentation);
  return {fmt::format("{} ? {} : {}", bracketed(condition.text, condition.is_operand),
                      bracketed(yes.text, yes.is_operand), bracketed(no.text, no.is_operand)),
          std::max({condition.depth, yes.depth, no.depth}) + 1, false, Operator::Add};
}

}  // namespace plumb::bip
