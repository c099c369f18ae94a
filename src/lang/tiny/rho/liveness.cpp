// Liveness on the statements of a function, backwards, with a fixpoint for loops. The paper gives every variable of a
// recursive function a dimension more; here those have one that are live where another activation may overwrite them:
// behind a call of the same recursion, or behind an assignment to a callee's parameter.
#include "lang/tiny/rho/liveness.h"

#include <utility>

namespace plumb::tiny {
namespace {

using Variables = std::set<VariableId>;

class FunctionLiveness {
 public:
  FunctionLiveness(const Program& program, const CallGraph& calls, FunctionId function, std::vector<bool>& needs_row)
      : program_(program), calls_(calls), function_(function), needs_row_(needs_row) {}

  void run() {
    const Statement& body = *program_.functions[function_].body;
    const std::size_t epilogue = epilogue_begin(body);
    Variables live;
    at_return_ = {};
    // The callee's return value and the arrays that are copied out are read in the caller, as those of a callee.
    for (std::size_t i = body.body.size(); i > epilogue; --i) live = before(*body.body[i - 1], std::move(live));
    at_return_ = live;
    for (std::size_t i = epilogue; i > 0; --i) live = before(*body.body[i - 1], std::move(live));
  }

 private:
  struct Loop {
    Variables leave;
    Variables go_on;
  };

  static void join(Variables& into, const Variables& from) { into.insert(from.begin(), from.end()); }

  void use(Variables& live, const Expression& expression) const {
    for_each_expression(expression, [&](const Expression& e) {
      if (e.variable == kNone || e.kind == Expression::Kind::Quantified || is_in_callees_row(e)) return;
      const Variable& v = program_.variables[e.variable];
      if (v.kind == Variable::Kind::Wire && v.definition) {
        use(live, *v.definition);
      } else if (v.function == function_) {
        live.insert(e.variable);
      } else if (v.function != kNone) {
        needs_row_[e.variable] = true;  // an array that was passed from a recursion
      }
    });
  }

  void overwritten(const Variables& live, VariableId variable) const {
    if (live.contains(variable)) needs_row_[variable] = true;
  }

  Variables before(const Statement& s, Variables live) {
    switch (s.kind) {
      case Statement::Kind::Declare:
        live.erase(s.variable);
        return live;
      case Statement::Kind::Assign:
        return before_assign(s, std::move(live));
      case Statement::Kind::CallFunction:
        if (calls_.is_same_recursion(s.function, function_)) {
          for (const VariableId v : live) needs_row_[v] = true;
        }
        return live;
      case Statement::Kind::Break:
        return loops_.back().leave;
      case Statement::Kind::Continue:
        return loops_.back().go_on;
      case Statement::Kind::Return:
        return at_return_;
      case Statement::Kind::While:
      case Statement::Kind::DoWhile:
      case Statement::Kind::For:
        return before_loop(s, std::move(live));
      default:
        return before_parts(s, std::move(live));
    }
  }

  Variables before_assign(const Statement& s, Variables live) {
    const Expression& target = *s.target;
    if (is_in_callees_row(target)) {
      overwritten(live, target.variable);
    } else if (target.kind == Expression::Kind::Name) {
      live.erase(target.variable);
    }
    for (const ExpressionPtr& index : target.operands) use(live, *index);
    use(live, *s.value);
    return live;
  }

  /// Blocks, branches, assertions, and blocks that are done together.
  Variables before_parts(const Statement& s, Variables live) {
    if (s.kind == Statement::Kind::Block) {
      for (auto it = s.body.rbegin(); it != s.body.rend(); ++it) live = before(**it, std::move(live));
      return live;
    }
    if (s.kind == Statement::Kind::If) {
      Variables result = before(*s.body[0], live);
      join(result, s.body.size() > 1 ? before(*s.body[1], live) : live);
      use(result, *s.value);
      return result;
    }
    if (s.kind == Statement::Kind::Together) {
      for_each_statement(s, [&](const Statement& part) {
        if (part.target) {
          for (const ExpressionPtr& index : part.target->operands) use(live, *index);
        }
        if (part.value) use(live, *part.value);
      });
      return live;
    }
    if (s.value) use(live, *s.value);
    return live;
  }

  Variables before_loop(const Statement& s, const Variables& behind) {
    const bool is_for = s.kind == Statement::Kind::For;
    const Statement& body = *s.body[is_for ? 2 : 0];
    Variables head = behind;  // before the condition
    if (s.value) use(head, *s.value);
    loops_.push_back({behind, head});
    for (std::size_t size = 0; size != head.size();) {
      size = head.size();
      loops_.back().go_on = head;
      Variables step = is_for ? before(*s.body[1], head) : head;
      loops_.back().go_on = step;
      join(head, before(body, std::move(step)));
    }
    loops_.pop_back();
    // A do-while begins with its body, whose needs are among those of the head by now.
    return is_for ? before(*s.body[0], std::move(head)) : head;
  }

  const Program& program_;
  const CallGraph& calls_;
  FunctionId function_;
  std::vector<bool>& needs_row_;
  Variables at_return_;
  std::vector<Loop> loops_;
};

/// The preconditions of an entry that has several are looked at during the whole run.
void keep_preconditions(const Program& program, std::vector<bool>& needs_row) {
  std::vector<VariableId> preconditions;
  for_each_statement(*program.functions[program.entry].body, [&](const Statement& s) {
    if (is_pre_block(s)) preconditions.push_back(s.variable);
  });
  if (preconditions.size() < 2) return;
  for (const VariableId v : preconditions) needs_row[v] = true;
}

}  // namespace

bool is_in_callees_row(const Expression& expression) {
  return expression.kind == Expression::Kind::Index && expression.place.line == 0 &&
         expression.operands[0]->place.line == 0;
}

std::vector<bool> live_across_recursion(const Program& program, const CallGraph& calls) {
  std::vector<bool> needs_row(program.variables.size());
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (calls.is_reachable(f)) FunctionLiveness(program, calls, f, needs_row).run();
  }
  keep_preconditions(program, needs_row);
  return needs_row;
}

}  // namespace plumb::tiny
