// Which ends of statements control can come to. The rule for conditions is that of the Java language for reachability:
// only a loop whose condition is the constant true never ends by itself; all other conditions may go either way.

#include <algorithm>

#include "lang/tiny/syntax/checker.h"

namespace plumb::tiny {

namespace {

/// How a statement can be left (without a call of the functions that one asks about).
struct Exits {
  bool end = false;
  bool breaks = false;
  bool continues = false;
  bool returns = false;
  bool stays = false;  ///< in a loop that never ends

  static Exits at_end() { return {.end = true}; }
  void add(const Exits& other) {
    end = end || other.end;
    breaks = breaks || other.breaks;
    continues = continues || other.continues;
    returns = returns || other.returns;
    stays = stays || other.stays;
  }
  /// This, then `next` where this comes to its end.
  Exits then(const Exits& next) const {
    Exits both = *this;
    both.end = false;
    if (end) both.add(next);
    return both;
  }
};

class Flow {
 public:
  /// Control does not pass calls of `barred`.
  explicit Flow(const std::set<FunctionId>& barred) : barred_(barred) {}

  Exits exits(const Statement& statement) const {
    switch (statement.kind) {
      case Statement::Kind::Block:
      case Statement::Kind::Together:
        return sequence(statement);
      case Statement::Kind::If:
        return branches(statement);
      case Statement::Kind::While:
      case Statement::Kind::DoWhile:
      case Statement::Kind::For:
        return loop(statement);
      case Statement::Kind::Break:
        return {.breaks = true};
      case Statement::Kind::Continue:
        return {.continues = true};
      case Statement::Kind::Return:
        return evaluated(statement.value.get()).then({.returns = true});
      case Statement::Kind::Assign:
        return evaluated(statement.target.get()).then(evaluated(statement.value.get()));
      default:
        return evaluated(statement.value.get());
    }
  }

  /// Whether a function with this body can return, or stay in a loop, without a barred call. Postconditions at its end
  /// stand behind all its returns.
  bool can_be_avoided(const Statement& body) const {
    std::size_t end = body.body.size();
    bool posts_pass = true;
    for (; end > 0 && body.body[end - 1]->kind == Statement::Kind::Post; --end)
      posts_pass = posts_pass && passes(*body.body[end - 1]->value);
    Exits all = Exits::at_end();
    for (std::size_t i = 0; i < end; ++i) all = all.then(exits(*body.body[i]));
    return all.stays || (posts_pass && (all.end || all.returns));
  }

 private:
  Exits sequence(const Statement& block) const {
    Exits all = Exits::at_end();
    for (const StatementPtr& statement : block.body) all = all.then(exits(*statement));
    return all;
  }

  Exits branches(const Statement& statement) const {
    Exits both = exits(*statement.body[0]);
    both.add(statement.body.size() > 1 ? exits(*statement.body[1]) : Exits::at_end());
    return evaluated(statement.value.get()).then(both);
  }

  static bool is_true(const Expression* condition) {
    if (condition == nullptr) return true;
    if (condition->kind == Expression::Kind::ToBool) condition = condition->operands[0].get();
    return (condition->kind == Expression::Kind::Boolean || condition->kind == Expression::Kind::Number) &&
           condition->number != 0;
  }

  Exits loop(const Statement& statement) const {
    const bool is_for = statement.kind == Statement::Kind::For;
    const Exits start = is_for ? exits(*statement.body[0]) : Exits::at_end();
    const Exits condition = evaluated(statement.value.get());
    const Exits body = exits(*statement.body[is_for ? 2 : 0]);
    const bool ends = !is_true(statement.value.get());
    const bool body_comes_back = body.end || body.continues;
    const bool goes_round = body_comes_back && condition.end && (!is_for || exits(*statement.body[1]).end);
    Exits round;
    round.returns = body.returns;
    round.end =
        body.breaks || (ends && (statement.kind == Statement::Kind::DoWhile ? body_comes_back && condition.end : true));
    round.stays = body.stays || (!ends && goes_round);
    return start.then(statement.kind == Statement::Kind::DoWhile ? round : condition.then(round));
  }

  /// Whether the evaluation of an expression comes to its end.
  Exits evaluated(const Expression* expression) const {
    return expression == nullptr || passes(*expression) ? Exits::at_end() : Exits{};
  }

  /// Right sides that may not be evaluated are no obstacle.
  bool passes(const Expression& expression) const {
    const auto& parts = expression.operands;
    if (expression.kind == Expression::Kind::Binary &&
        (expression.op == Operator::And || expression.op == Operator::Or || expression.op == Operator::Implies))
      return passes(*parts[0]);
    if (expression.kind == Expression::Kind::Conditional)
      return passes(*parts[0]) && (passes(*parts[1]) || passes(*parts[2]));
    if (expression.kind == Expression::Kind::Quantified) return passes(*parts[0]) && passes(*parts[1]);
    if (expression.kind == Expression::Kind::Call && barred_.contains(expression.function)) return false;
    return std::all_of(parts.begin(), parts.end(), [&](const ExpressionPtr& part) { return passes(*part); });
  }

  const std::set<FunctionId>& barred_;
};

}  // namespace

bool can_fall_through(const Function& function) {
  const std::set<FunctionId> none;
  return Flow(none).exits(*function.body).end;
}

/// The greatest set each of whose members has to call a member.
std::set<FunctionId> endless_recursion(const Program& program) {
  std::set<FunctionId> endless;
  for (FunctionId id = 0; id < program.functions.size(); ++id)
    if (program.functions[id].is_recursive && !program.functions[id].is_predicate) endless.insert(id);
  for (bool changes = true; changes;) {
    changes = false;
    for (auto id = endless.begin(); id != endless.end();) {
      const bool avoids = Flow(endless).can_be_avoided(*program.functions[*id].body);
      changes = changes || avoids;
      id = avoids ? endless.erase(id) : std::next(id);
    }
  }
  return endless;
}

}  // namespace plumb::tiny
