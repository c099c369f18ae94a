// Statements of a rho'd program as statements of the control graph.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/tiny/lower/graph.h"

namespace plumb::tiny {

Label GraphBuilder::lower_sequence(const std::vector<StatementPtr>& statements, std::size_t begin, std::size_t end,
                                   Label next) {
  for (std::size_t i = end; i > begin; --i) next = lower(*statements[i - 1], next);
  return next;
}

Label GraphBuilder::lower(const Statement& s, Label next) {
  switch (s.kind) {
    case Statement::Kind::Block:
      return lower_block(s, next);
    case Statement::Kind::Declare:
      return lower_declare(s, next);
    case Statement::Kind::Assign:
      return lower_assign(s, next);
    case Statement::Kind::If:
    case Statement::Kind::Assume:
      return lower_branch(s, next);
    case Statement::Kind::While:
      return lower_while(s, next);
    case Statement::Kind::DoWhile:
      return lower_do_while(s, next);
    case Statement::Kind::For:
      return lower_for(s, next);
    case Statement::Kind::Break:
      return loops_.back().leave;
    case Statement::Kind::Continue:
      return loops_.back().go_on;
    case Statement::Kind::Return:
      return return_label_;
    case Statement::Kind::Together:
      return lower_together(s, next);
    case Statement::Kind::Assert:
      return lower_assert(s, next);
    case Statement::Kind::CallFunction:
      return lower_call(s, next);
    case Statement::Kind::Call:
    case Statement::Kind::Pre:
    case Statement::Kind::Post:
      break;
  }
  INVARIANT(false, "rho should have been applied");
}

Label GraphBuilder::lower_block(const Statement& s, Label next) {
  if (is_pre_block(s)) {
    pre_variable_ = s.variable;
    const Memory::Cell& cell = memory_.cell(s.variable);
    const Term failed = cell.sizes.empty()
                            ? store_.boolean(false)
                            : store_.store(cell.term, memory_.cell(row_of(s)).term, store_.boolean(false));
    terms_.begin(Mode::Pre);
    mode_ = Mode::Code;
    pre_failed_ = emit(s.place, {{cell.term, failed}}, go(next));
    mode_ = Mode::Pre;
  } else if (is_post_block(s)) {
    mode_ = Mode::Post;
  }
  const Label result = lower_sequence(s.body, 0, s.body.size(), next);
  if (is_pre_block(s) || is_post_block(s)) mode_ = Mode::Code;
  return result;
}

VariableId GraphBuilder::row_of(const Statement& pre) const {
  // The last statement assigns x_P[sp].
  return pre.body.back()->target->operands[0]->variable;
}

Label GraphBuilder::lower_declare(const Statement& s, Label next) {
  const Variable& v = program_.variables[s.variable];
  const Memory::Cell& cell = memory_.cell(s.variable);
  if (!cell.term) return next;
  const bool is_once = function_ == program_.entry && sites_[function_].count == 1 && loops_.empty();
  if (is_once) {
    memory_.make_free(s.variable);
    result_.inputs.emplace(v.unique_name, cell.term);
    return next;
  }
  terms_.begin(mode_);
  const bool has_rows = !s.target->operands.empty();
  std::uint64_t count = 1;
  for (std::size_t d = has_rows ? 1 : 0; d < cell.sizes.size(); ++d) count *= cell.sizes[d];
  const bool is_array = cell.sizes.size() > (has_rows ? 1U : 0U);
  const Term input = store_.variable(Sort{cell.width, is_array ? bits_for(count) : 0}, v.unique_name);
  graph_.inputs.push_back(input);
  result_.choices.emplace(v.unique_name, input);
  Term value = input;
  if (has_rows) {
    std::vector<Term> elements;
    for (std::uint64_t i = 0; is_array && i < count; ++i) {
      elements.push_back(store_.select(input, store_.constant(bits_for(count), i)));
    }
    if (!is_array) elements.push_back(input);
    value = terms_.stored(cell.term, *s.target, elements);
  }
  return emit(s.place, {{cell.term, value}}, go(next));
}

Label GraphBuilder::lower_assign(const Statement& s, Label next) {
  if (s.target->kind == Expression::Kind::Name && is_stack_pointer(program_.variables[s.target->variable])) {
    return lower_stack_move(s, next);
  }
  terms_.begin(mode_);
  const Term value = assigned(s);
  return emit(s.place, {{memory_.cell(s.target->variable).term, value}}, go(next));
}

Label GraphBuilder::lower_stack_move(const Statement& s, Label next) {
  terms_.begin(Mode::Code);
  const Term pointer = memory_.cell(s.target->variable).term;
  const std::uint32_t width = store_.width(pointer);
  const Term moved = terms_.row_index(*s.value, width);
  Targets targets = go(next);
  if (s.value->op == Operator::Add) {
    const Term has_room = store_.ult(pointer, store_.constant(width, options_.max_stack_size() - 1));
    terms_.add_check(CheckKind::Recursion, has_room, s.place);
    // Without a row for it the call cannot be followed.
    targets = branch(has_room, next, halt_);
  }
  const Mode mode = std::exchange(mode_, Mode::Code);
  const Label label = emit(s.place, {{pointer, moved}}, std::move(targets));
  mode_ = mode;
  return label;
}

Term GraphBuilder::assigned(const Statement& s) {
  const Expression& target = *s.target;
  const Memory::Cell& cell = memory_.cell(target.variable);
  const Expression& source = *s.value;
  const bool is_row = target.operands.size() < cell.sizes.size();
  if (is_row) {
    const Memory::Cell& from = memory_.cell(source.variable);
    const bool is_whole = target.operands.empty() && source.operands.empty();
    if (is_whole && store_.sort(cell.term) == store_.sort(from.term)) return from.term;
    return terms_.stored(cell.term, target, terms_.row(source));
  }
  const Variable& v = program_.variables[target.variable];
  const Term value = v.kind == Variable::Kind::Quantified ? assigned_quantified(s) : terms_.value(source);
  return target.operands.empty() ? value : terms_.stored(cell.term, target, {value});
}

Term GraphBuilder::assigned_quantified(const Statement& s) {
  const Expression& source = *s.value;
  const bool is_step = source.kind == Expression::Kind::Binary && source.op == Operator::Add &&
                       source.place.line == 0 && source.operands[0]->variable == s.target->variable;
  if (is_step) return terms_.loop_step(*source.operands[0]);
  const bool is_bound = program_.variables[s.target->variable].name.ends_with("::high");
  return is_bound ? terms_.loop_bound(source) : terms_.loop_start(source);
}

Label GraphBuilder::lower_branch(const Statement& s, Label next) {
  const bool is_if = s.kind == Statement::Kind::If;
  const Label then_label = is_if ? lower(*s.body[0], next) : next;
  const Label else_label = !is_if ? halt_ : s.body.size() > 1 ? lower(*s.body[1], next) : next;
  terms_.begin(mode_);
  const Term condition = terms_.value(*s.value);
  return emit(s.place, {}, branch(condition, then_label, else_label));
}

Label GraphBuilder::lower_while(const Statement& s, Label next) {
  const Label head = fresh();
  loops_.push_back({next, head});
  const Label body = lower(*s.body[0], head);
  loops_.pop_back();
  terms_.begin(mode_);
  const Term condition = terms_.value(*s.value);
  emit_at(head, s.place, {}, branch(condition, body, next));
  return head;
}

Label GraphBuilder::lower_do_while(const Statement& s, Label next) {
  const Label test = fresh();
  loops_.push_back({next, test});
  const Label body = lower(*s.body[0], test);
  loops_.pop_back();
  terms_.begin(mode_);
  const Term condition = terms_.value(*s.value);
  emit_at(test, s.value->place, {}, branch(condition, body, next));
  return body;
}

Label GraphBuilder::lower_for(const Statement& s, Label next) {
  const Label head = fresh();
  loops_.push_back({next, head});
  const Label step = lower(*s.body[1], head);
  loops_.back().go_on = step;
  const Label body = lower(*s.body[2], step);
  loops_.pop_back();
  terms_.begin(mode_);
  const Term condition = s.value ? terms_.value(*s.value) : store_.boolean(true);
  emit_at(head, s.place, {}, branch(condition, body, next));
  return lower(*s.body[0], head);
}

Label GraphBuilder::lower_together(const Statement& s, Label next) {
  terms_.begin(mode_);
  Assignments assignments;
  for (const StatementPtr& part : s.body) assign_together(*part, store_.boolean(true), assignments);
  return emit(s.place, std::move(assignments), go(next));
}

void GraphBuilder::assign_together(const Statement& s, Term condition, Assignments& assignments) {
  if (s.kind == Statement::Kind::Block) {
    for (const StatementPtr& part : s.body) assign_together(*part, condition, assignments);
    return;
  }
  if (s.kind == Statement::Kind::If) {
    const Term test = terms_.value_under(condition, *s.value);
    assign_together(*s.body[0], store_.bit_and(condition, test), assignments);
    if (s.body.size() > 1) assign_together(*s.body[1], store_.bit_and(condition, store_.bit_not(test)), assignments);
    return;
  }
  INVARIANT(s.kind == Statement::Kind::Assign, "a do_together block should have assignments and ifs alone");
  const Term variable = memory_.cell(s.target->variable).term;
  auto found = std::find_if(assignments.begin(), assignments.end(),
                            [&](const ControlGraph::Assignment& a) { return a.variable == variable; });
  const Term before = found == assignments.end() ? variable : found->value;
  const Term value = terms_.value_under(condition, *s.value);
  const Term after = s.target->operands.empty() ? value : terms_.stored_under(condition, before, *s.target, {value});
  const Term merged = store_.ite(condition, after, before);
  if (found == assignments.end()) {
    assignments.push_back({variable, merged});
  } else {
    found->value = merged;
  }
}

Label GraphBuilder::lower_assert(const Statement& s, Label next) {
  const bool is_post = mode_ == Mode::Post;
  const std::string name =
      is_post ? fmt::format("postcondition {}", s.name) : fmt::format("assertion at line {}", s.place.line);
  const std::size_t number = property(name, is_post ? "postcondition" : "assertion", s.place);
  terms_.begin(mode_);
  Term condition = terms_.value(*s.value);
  const Label label = emit(s.place, {}, go(next));
  // The entry's own postconditions depend on the precondition of their name alone.
  if (!is_post || function_ != program_.entry) condition = store_.implies(precondition_, condition);
  graph_.statements[label].checks.push_back({condition, number, program_.location(s.place)});
  return label;
}

}  // namespace plumb::tiny
