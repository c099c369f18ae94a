// What only the whole program shows: who calls whom, which definitions go in circles, which arrays have two names.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "lang/tiny/syntax/checker.h"

namespace plumb::tiny {

namespace {

/// Wires, constants and predicates by what their definitions refer to, in one numbering: variables first.
class Circles {
 public:
  Circles(const Program& program, const std::vector<FunctionFacts>& facts, const DefinitionFacts& definitions,
          std::vector<UserError>& errors)
      : program_(program), errors_(errors), successors_(program.variables.size() + program.functions.size()) {
    for (const auto& [id, one] : definitions) add(id, one);
    for (FunctionId id = 0; id < program.functions.size(); ++id)
      if (program.functions[id].is_predicate) add(node(id), facts[id]);
  }

  void report() {
    state_.assign(successors_.size(), State::New);
    for (std::size_t start = 0; start < successors_.size(); ++start)
      if (state_[start] == State::New) search(start);
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };
  struct Frame {
    std::size_t node;
    std::size_t next = 0;
  };

  std::size_t node(FunctionId id) const { return program_.variables.size() + id; }
  void add(std::size_t from, const FunctionFacts& facts) {
    for (const VariableId id : facts.named)
      if (program_.variables[id].definition && program_.variables[id].kind != Variable::Kind::Global)
        successors_[from].push_back(id);
    for (const CallSite& call : facts.calls)
      if (program_.functions[call.callee].is_predicate) successors_[from].push_back(node(call.callee));
  }

  /// Depth first with a stack of its own: definitions may follow each other over the whole file.
  void search(std::size_t start) {
    std::vector<Frame> stack{{start}};
    state_[start] = State::Open;
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == successors_[top.node].size()) {
        state_[top.node] = State::Done;
        stack.pop_back();
        continue;
      }
      const std::size_t next = successors_[top.node][top.next++];
      if (state_[next] == State::Open) report_circle(stack, next);
      if (state_[next] != State::New || is_too_deep(stack, next)) continue;
      state_[next] = State::Open;
      stack.push_back({next});
    }
  }

  bool is_too_deep(const std::vector<Frame>& stack, std::size_t next) {
    if (stack.size() < kMaxDepth || next >= program_.variables.size()) return false;
    errors_.emplace_back(program_.location(program_.variables[next].place),
                         fmt::format("nested too deeply: more than {} definitions refer to each other", kMaxDepth));
    state_[next] = State::Done;
    return true;
  }

  std::string name(std::size_t node) const {
    return node < program_.variables.size() ? program_.variables[node].name
                                            : program_.functions[node - program_.variables.size()].name;
  }

  void report_circle(const std::vector<Frame>& stack, std::size_t back_to) {
    auto first = std::find_if(stack.begin(), stack.end(), [&](const Frame& frame) { return frame.node == back_to; });
    std::vector<std::string> names;
    for (auto frame = first; frame != stack.end(); ++frame) names.push_back(name(frame->node));
    names.push_back(name(back_to));
    const bool is_variable = back_to < program_.variables.size();
    const Place place =
        is_variable ? program_.variables[back_to].place : program_.functions[back_to - program_.variables.size()].place;
    std::string what = fmt::format("the predicate '{}' calls itself", names.front());
    if (is_variable)
      what = fmt::format("the {} '{}' is defined by itself",
                         program_.variables[back_to].kind == Variable::Kind::Wire ? "wire" : "constant", names.front());
    errors_.emplace_back(program_.location(place), fmt::format("{}: {}", what, fmt::join(names, " -> ")),
                         "a definition in a circle has no value; use a variable for what changes step by step");
  }

  const Program& program_;
  std::vector<UserError>& errors_;
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<State> state_;
};

/// The checks on the call graph.
class CallChecks {
 public:
  CallChecks(Program& program, std::vector<FunctionFacts> facts, std::vector<UserError>& errors)
      : program_(program), facts_(std::move(facts)), errors_(errors) {}

  void run(const DefinitionFacts& definitions) {
    find_recursion();
    for (const FunctionId id : endless_recursion(program_))
      report(program_.functions[id].place, fmt::format("recursion of {} never ends", program_.functions[id].name),
             "every path through it calls it again; return before the call on one of them");
    spread_facts();
    for (FunctionId id = 0; id < facts_.size(); ++id) {
      if (program_.functions[id].is_predicate && program_.functions[id].is_recursive)
        report(program_.functions[id].place,
               fmt::format("the predicate '{}' calls itself", program_.functions[id].name),
               "write a recursive function that returns a bool");
      for (const CallSite& site : facts_[id].calls) check_site(site);
    }
    for (const auto& [id, facts] : definitions)
      for (const CallSite& site : facts.calls) check_wire_call(program_.variables[id], site);
    if (errors_.empty()) find_entry();
  }

 private:
  void report(Place place, std::string message, std::string hint = {}) {
    errors_.emplace_back(program_.location(place), std::move(message), std::move(hint));
  }

  /// The functions that are called by `start`, directly or not.
  std::set<FunctionId> called_by(FunctionId start) const {
    std::set<FunctionId> reached;
    std::vector<FunctionId> open{start};
    while (!open.empty()) {
      const FunctionId id = open.back();
      open.pop_back();
      for (const CallSite& site : facts_[id].calls)
        if (reached.insert(site.callee).second) open.push_back(site.callee);
    }
    return reached;
  }

  void find_recursion() {
    for (FunctionId id = 0; id < facts_.size(); ++id) program_.functions[id].is_recursive = called_by(id).contains(id);
  }

  /// Globals that a function names or writes through those that it calls, and parameters that these write for it.
  void spread_facts() {
    for (bool changes = true; changes;) {
      changes = false;
      for (FunctionFacts& facts : facts_) {
        const std::size_t before = facts.named.size() + facts.written.size();
        for (const CallSite& site : facts.calls) spread(facts_[site.callee], *site.call, facts);
        changes = changes || facts.named.size() + facts.written.size() != before;
      }
    }
  }

  void spread(const FunctionFacts& callee, const Expression& call, FunctionFacts& caller) const {
    const Function& function = program_.functions[call.function];
    std::vector<VariableId> written;
    for (const VariableId id : callee.named)
      if (is_global(id)) caller.named.insert(id);
    for (const VariableId id : callee.written) {
      if (is_global(id)) {
        written.push_back(id);
        continue;
      }
      const auto parameter = std::find(function.parameters.begin(), function.parameters.end(), id);
      if (parameter == function.parameters.end()) continue;
      const VariableId argument =
          call.operands[static_cast<std::size_t>(parameter - function.parameters.begin())]->variable;
      if (program_.variables[argument].kind != Variable::Kind::Local) written.push_back(argument);
    }
    caller.written.insert(written.begin(), written.end());
  }

  bool is_global(VariableId id) const { return program_.variables[id].function == kNone; }

  void check_site(const CallSite& site) {
    const Function& callee = program_.functions[site.callee];
    const std::set<VariableId>& written = facts_[site.callee].written;
    if (site.is_in_property && !written.empty())
      report(site.call->place,
             fmt::format("'{}' changes '{}' and cannot be called in a property", callee.name,
                         program_.variables[*written.begin()].name),
             "a property only looks at the program's variables");
    if (callee.is_predicate) return;
    std::set<VariableId> passed;
    for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
      if (!program_.variables[callee.parameters[i]].is_array()) continue;
      const VariableId array = site.call->operands[i]->variable;
      const Place place = site.call->operands[i]->place;
      const std::string& name = program_.variables[array].name;
      if (!passed.insert(array).second)
        report(place, fmt::format("the array '{}' is passed to '{}' twice", name, callee.name),
               "arrays are passed by reference, and each has one name inside the function");
      else if (is_global(array) && facts_[site.callee].named.contains(array))
        report(place,
               fmt::format("the array '{}' is passed to '{}', which also uses it by its own name", name, callee.name),
               "arrays are passed by reference, and each has one name inside the function");
    }
  }

  /// A wire has a value at every point and so cannot wait for a function, also not inside a predicate.
  void check_wire_call(const Variable& wire, const CallSite& site) {
    for (const FunctionId id : called_by(site.callee))
      if (!program_.functions[id].is_predicate)
        return report(site.call->place,
                      fmt::format("the wire '{}' calls the function '{}' through the predicate '{}'", wire.name,
                                  program_.functions[id].name, program_.functions[site.callee].name));
  }

  static bool has_contract(const Statement& statement) {
    if (statement.kind == Statement::Kind::Pre || statement.kind == Statement::Kind::Post) return true;
    return std::any_of(statement.body.begin(), statement.body.end(),
                       [](const auto& part) { return has_contract(*part); });
  }

  /// `main`; or the only function that no other calls; or the only one with a contract.
  void find_entry() {
    std::set<FunctionId> called;
    for (FunctionId id = 0; id < facts_.size(); ++id)
      for (const CallSite& site : facts_[id].calls)
        if (site.callee != id) called.insert(site.callee);
    std::vector<FunctionId> functions;
    std::vector<FunctionId> not_called;
    std::vector<FunctionId> with_contract;
    for (FunctionId id = 0; id < facts_.size(); ++id) {
      const Function& function = program_.functions[id];
      if (function.is_predicate) continue;
      if (function.name == "main") program_.entry = id;
      functions.push_back(id);
      if (!called.contains(id)) not_called.push_back(id);
      if (has_contract(*function.body)) with_contract.push_back(id);
    }
    if (program_.entry != kNone) return;
    if (not_called.size() == 1 || with_contract.size() == 1) {
      program_.entry = not_called.size() == 1 ? not_called[0] : with_contract[0];
      return;
    }
    if (functions.empty())
      return report({}, "there is no function in this file, only predicates",
                    "a program is at least 'void main() { }'");
    std::vector<std::string> names;
    for (const FunctionId id : not_called.empty() ? functions : not_called)
      names.push_back(fmt::format("'{}' (line {})", program_.functions[id].name, program_.functions[id].place.line));
    report(program_.functions[functions[0]].place,
           fmt::format("which function is the entry? There is no main, and it could be {}", fmt::join(names, " or ")),
           "name one of them main, call the others from it, or give one of them a @pre and a @post");
  }

  Program& program_;
  std::vector<FunctionFacts> facts_;
  std::vector<UserError>& errors_;
};

}  // namespace

void check_circles(const Program& program, const std::vector<FunctionFacts>& facts, const DefinitionFacts& definitions,
                   std::vector<UserError>& errors) {
  Circles(program, facts, definitions, errors).report();
}

void check_calls(Program& program, const std::vector<FunctionFacts>& facts, const DefinitionFacts& definitions,
                 std::vector<UserError>& errors) {
  check_circles(program, facts, definitions, errors);
  if (errors.empty()) CallChecks(program, facts, errors).run(definitions);
}

}  // namespace plumb::tiny
