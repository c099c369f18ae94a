#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/tiny/interpret/interpreter.h"
#include "lang/tiny/interpret/words.h"

namespace plumb::tiny {

/// One run of interpret(): plain recursion over statements and expressions. Variables live in one stack of words; a
/// call puts those of its function on top and gives the names of the function new addresses, and takes both back at the
/// end. An array parameter gets the address of its argument.
class InterpreterRun {
 public:
  InterpreterRun(const Program& program, const Options& options, const Choices& choices, const Limits& limits);

  Outcome run();

 private:
  enum class Flow : std::uint8_t { Next, Break, Continue, Return };
  /// What surrounds an expression decides which of its checks are reported.
  enum class Context : std::uint8_t { Code, Pre, Post, Constant };
  /// Thrown through all active calls.
  struct EndOfRun {
    Outcome::End end;
  };
  /// Thrown where a check fails in a precondition, which is false then.
  struct BrokenPrecondition {};
  /// Where a variable's words are, and whose dimensions they have: a parameter's are those of its argument.
  struct Binding {
    std::size_t address = 0;
    VariableId shape = kNone;
  };
  struct Activation {
    FunctionId function = kNone;
    std::map<std::string, bool> preconditions;  ///< that were evaluated, by name
  };
  /// An assignment of a do-together block that waits for its end.
  struct Store {
    std::optional<std::size_t> address;  ///< nothing if it is dropped
    std::uint64_t value = 0;
  };

  // interpreter.cpp
  void start();
  void bind(VariableId variable);
  void choose_cells(VariableId variable);
  std::uint64_t choose(const std::string& name, std::uint64_t& occurrence, std::uint64_t element, Type type);
  std::uint64_t element_count(VariableId variable) const;
  std::uint64_t dimension(VariableId shape, std::size_t position) const;
  Flow execute(const Statement& statement);
  Flow execute_simple(const Statement& statement);
  Flow execute_loop(const Statement& statement);
  Flow execute_all(const std::vector<StatementPtr>& body, std::size_t end);
  void declare(const Statement& statement);
  void assign(const Statement& statement);
  void execute_return(const Statement& statement);
  void collect_stores(const Statement& statement, std::vector<Store>& stores);
  void execute_pre(const Statement& statement);
  void execute_post(const Statement& statement);
  void run_body(FunctionId function, Activation& activation);
  std::vector<VariableValue> final_values() const;
  void count_step();

  // interpreter_expressions.cpp
  std::uint64_t evaluate(const Expression& expression);
  bool is_true(const Expression& expression) { return evaluate(expression) != 0; }
  std::uint64_t evaluate_in(Context context, const Expression& expression);
  std::uint64_t evaluate_name(const Expression& expression);
  std::uint64_t evaluate_unary(const Expression& expression);
  std::uint64_t evaluate_binary(const Expression& expression);
  std::uint64_t evaluate_quantifier(const Expression& expression);
  Words::Integer evaluate_bound(const Expression& expression);
  std::uint64_t nondet(const Expression& expression);
  using Indices = std::vector<std::uint64_t>;
  Indices evaluate_indices(const Expression& expression);
  /// The address of an element; of the one that is read instead if an index is out of bounds. Checks the indices.
  struct Element {
    std::size_t address = 0;
    bool is_inside = true;
  };
  Element element(const Expression& expression, const Indices& indices);
  /// Where a name or an element is written to; nothing if an index is out of bounds.
  std::optional<std::size_t> target_address(const Expression& target, const Indices& indices);
  std::uint64_t call(const Expression& expression);
  std::uint64_t run_function(FunctionId id);
  void bind_call(const Expression& expression, const Function& function);
  void check_depth(const Expression& expression);

  // Checks.
  bool counts() const;
  void report(const std::string& kind, const std::string& name, Place place, std::string message);
  void check_overflow(const Expression& expression, bool overflows, const std::string& text);
  void check_division(const Expression& expression, std::uint64_t dividend, std::uint64_t divisor);
  void check_index(const Expression& expression, std::size_t position, std::uint64_t index, std::uint64_t size);

  const Program& program_;
  const Options& options_;
  const Choices& choices_;
  const Limits& limits_;
  Words words_;
  std::vector<std::vector<VariableId>> variables_of_;  ///< by function
  std::size_t entry_preconditions_ = 0;
  std::vector<FunctionId> groups_;  ///< by function: the first of those that recursion shares a stack with

  std::vector<std::uint64_t> memory_;
  std::vector<Binding> bindings_;           ///< by variable
  std::vector<Binding> entry_bindings_;     ///< as the entry function's activation has them
  std::vector<std::uint64_t> active_;       ///< by group: how many calls of its functions are active
  std::vector<std::uint64_t> occurrences_;  ///< by variable: how often it was chosen
  std::unordered_map<const Expression*, std::uint64_t> nondet_occurrences_;
  Activation* activation_ = nullptr;
  Activation entry_activation_;
  Context context_ = Context::Code;
  const char* stack_bottom_ = nullptr;
  std::uint64_t steps_ = 0;
  Outcome outcome_;
};

}  // namespace plumb::tiny
