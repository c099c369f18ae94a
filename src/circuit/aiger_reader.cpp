#include <fmt/format.h>

#include "base/error.h"
#include "circuit/aiger.h"
#include "circuit/aiger_text.h"

namespace plumb::circuit {

namespace {

/// Makes the circuit of a parsed file. ASCII files define ands in any order, so an and is built after a depth-first
/// walk over its operands, with a stack of our own as chains may be as long as the file.
class Builder {
 public:
  Builder(AigerText text, const std::string& file)
      : text_(std::move(text)), file_(file), variables_(std::size_t{text_.max_variable} + 1) {}

  Aig build() {
    variables_[0] = {State::Built, kFalse, 0};
    build_leaves();
    for (std::uint32_t i = 0; i < text_.ands.size(); ++i)
      variables_[text_.ands[i].literal / 2] = {State::Declared, kFalse, i};
    for (const AigerText::AndLine& line : text_.ands) build_and(line.literal / 2);
    build_roots();
    return std::move(aig_);
  }

 private:
  enum class State : std::uint8_t { Undefined, Declared, Open, Built };
  struct Variable {
    State state = State::Undefined;
    Lit lit = kFalse;             ///< once built
    std::uint32_t and_index = 0;  ///< of an and: into the file's ands
  };

  // Only ASCII files have undefined or cyclic literals; they have a line for each item of each section, in this order.
  std::size_t latch_line(std::size_t i) const { return 2 + text_.inputs.size() + i; }
  std::size_t root_line(std::size_t i) const { return latch_line(text_.latches.size() + i); }
  std::size_t and_line(std::size_t i) const {
    return root_line(text_.outputs.size() + text_.bads.size() + text_.constraints.size() + i);
  }
  [[noreturn]] void fail(std::size_t line, const std::string& message, const std::string& hint) const {
    throw UserError(SourceLocation{file_, static_cast<std::uint32_t>(line), 0}, message, hint);
  }
  [[noreturn]] void fail_undefined(std::size_t line, std::uint32_t literal) const {
    fail(line, fmt::format("literal {} is not defined", literal), "it should be an input, a latch or an and");
  }

  std::string take_name(AigerText::Section section, std::size_t i) {
    std::vector<std::string>& names = text_.names[section];
    return names.empty() ? std::string() : std::move(names[i]);
  }

  void build_leaves() {
    for (std::size_t i = 0; i < text_.inputs.size(); ++i)
      variables_[text_.inputs[i] / 2] = {State::Built, aig_.add_input(take_name(AigerText::Inputs, i)), 0};
    for (std::size_t i = 0; i < text_.latches.size(); ++i) {
      const AigerText::LatchLine& line = text_.latches[i];
      const Lit latch = aig_.add_latch(line.init, take_name(AigerText::Latches, i));
      variables_[line.literal / 2] = {State::Built, latch, 0};
    }
  }

  void build_and(std::uint32_t root) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      Variable& variable = variables_[stack_.back()];
      const AigerText::AndLine& line = text_.ands[variable.and_index];
      if (variable.state == State::Built) {
        stack_.pop_back();
        continue;
      }
      variable.state = State::Open;
      if (!push_open_operand(variable, line)) {
        variable.lit = aig_.and_(resolved(line.operands[0]), resolved(line.operands[1]));
        variable.state = State::Built;
        stack_.pop_back();
      }
    }
  }

  /// True if an operand has to be built first; it is on top of the stack then.
  bool push_open_operand(const Variable& variable, const AigerText::AndLine& line) {
    for (const std::uint32_t operand : line.operands) {
      const State state = variables_[operand / 2].state;
      if (state == State::Undefined) fail_undefined(and_line(variable.and_index), operand);
      if (state == State::Open)
        fail(and_line(variable.and_index),
             fmt::format("and {} depends on itself, through its operand {}", line.literal, operand),
             "a cycle needs a latch on it");
      if (state == State::Declared) {
        stack_.push_back(operand / 2);
        return true;
      }
    }
    return false;
  }

  Lit resolved(std::uint32_t literal) const { return variables_[literal / 2].lit ^ (literal % 2 != 0); }
  Lit checked(std::uint32_t literal, std::size_t line) const {
    if (variables_[literal / 2].state == State::Undefined) fail_undefined(line, literal);
    return resolved(literal);
  }

  void build_roots() {
    for (std::size_t i = 0; i < text_.latches.size(); ++i) {
      const Lit next = checked(text_.latches[i].next, latch_line(i));
      aig_.set_next(resolved(text_.latches[i].literal), next);
    }
    std::size_t root = 0;
    for (std::size_t i = 0; i < text_.outputs.size(); ++i)
      aig_.add_output(checked(text_.outputs[i], root_line(root++)), take_name(AigerText::Outputs, i));
    for (std::size_t i = 0; i < text_.bads.size(); ++i)
      aig_.add_bad(checked(text_.bads[i], root_line(root++)), take_name(AigerText::Bads, i));
    for (std::size_t i = 0; i < text_.constraints.size(); ++i)
      aig_.add_constraint(checked(text_.constraints[i], root_line(root++)), take_name(AigerText::Constraints, i));
  }

  AigerText text_;
  const std::string& file_;
  std::vector<Variable> variables_;
  std::vector<std::uint32_t> stack_;
  Aig aig_;
};

}  // namespace

Aig read_aiger(std::string_view text, const std::string& file) {
  return Builder(parse_aiger(text, file), file).build();
}

}  // namespace plumb::circuit
