#include "lang/smtlib/macro.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace plumb::smtlib {

using term::Term;

Macro::Macro(const term::TermStore& store, std::vector<TypedTerm> parameters, TypedTerm body,
             term::TermMap<std::uint32_t>& scratch)
    : parameters_(std::move(parameters)), body_(body) {
  INVARIANT(!parameters_.empty(), "a macro should have parameters");
  const Term first = parameters_.front().term;
  scratch.clear();
  term::TermMap<std::uint32_t>& local =
      scratch;  // the number of a local plus one; 0 for a term that depends on no parameter
  std::uint32_t count = 0;
  for (const TypedTerm& parameter : parameters_) local[parameter.term] = ++count;

  const auto operand = [&](Term t) {
    const std::uint32_t number = t < first ? 0 : local[t];
    return number != 0 ? Operand{true, number - 1} : Operand{false, t.id};
  };
  std::vector<std::pair<Term, bool>> stack{{body.term, false}};
  while (!stack.empty()) {
    const auto [t, expanded] = stack.back();
    stack.pop_back();
    if (t < first || (!expanded && local.contains(t))) continue;
    if (!expanded) {
      local[t] = 0;
      stack.emplace_back(t, true);
      for (unsigned i = store.arity(t); i-- > 0;) stack.emplace_back(store.child(t, i), false);
      continue;
    }
    Step step{store.op(t), static_cast<std::uint8_t>(store.arity(t)), store.width(t), store.parameter(t), {}};
    bool depends = false;
    for (unsigned i = 0; i < std::min<unsigned>(step.arity, 3); ++i) {
      step.operands[i] = operand(store.child(t, i));
      depends = depends || step.operands[i].local;
    }
    if (!depends) continue;
    steps_.push_back(step);
    local[t] = ++count;
  }
  result_ = operand(body.term);
}

Term Macro::instantiate(term::TermStore& store, std::span<const TypedTerm> arguments, const Budget& budget) const {
  std::vector<Term> locals;
  locals.reserve(arguments.size() + steps_.size());
  for (const TypedTerm& argument : arguments) locals.push_back(argument.term);
  const auto term_of = [&](Operand operand) { return operand.local ? locals[operand.number] : Term{operand.number}; };
  constexpr std::size_t kStepsBetweenChecks = 4096;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (i % kStepsBetweenChecks == kStepsBetweenChecks - 1) budget.check();
    const Step& step = steps_[i];
    std::array<Term, 3> operands{};
    for (unsigned j = 0; j < step.arity; ++j) operands[j] = term_of(step.operands[j]);
    locals.push_back(store.make(step.op, {operands.data(), step.arity}, step.width, step.parameter));
  }
  return term_of(result_);
}

}  // namespace plumb::smtlib
