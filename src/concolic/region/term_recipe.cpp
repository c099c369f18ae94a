#include "concolic/region/term_recipe.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace plumb::concolic {

using term::Term;

namespace {

constexpr std::uint32_t kNoRoot = ~std::uint32_t{0};
/// Results start anew at this many, so that a long campaign does not fill the memory.
constexpr std::size_t kMaxKnown = 10'000;

}  // namespace

void TermRecipe::add_stage(std::span<const Term> roots) {
  Stage& stage = stages_.emplace_back();
  for (const Term root : roots) {
    if (root) collect(root, stage);
    stage.roots.push_back(root ? index_.at(root) : kNoRoot);
  }
  made_.resize(steps_.size());
}

void TermRecipe::collect(Term root, Stage& stage) {
  const auto number = static_cast<std::uint32_t>(stages_.size());
  const auto is_done = [&](Term t) {
    const auto found = index_.find(t);
    return found != index_.end() && in_stage_[found->second] == number;
  };
  std::vector<std::pair<Term, bool>> stack{{root, false}};
  while (!stack.empty()) {
    const auto [t, is_expanded] = stack.back();
    stack.pop_back();
    if (is_done(t)) continue;
    if (!is_expanded) {
      stack.emplace_back(t, true);
      for (unsigned i = store_.arity(t); i-- > 0;)
        if (!is_done(store_.child(t, i))) stack.emplace_back(store_.child(t, i), false);
      continue;
    }
    const auto [entry, is_new] = index_.try_emplace(t, static_cast<std::uint32_t>(steps_.size()));
    if (is_new) {
      Step step{t, {}};
      for (unsigned i = 0; i < store_.arity(t); ++i) step.operands[i] = index_.at(store_.child(t, i));
      steps_.push_back(step);
      in_stage_.push_back(0);
    }
    in_stage_[entry->second] = number;
    stage.steps.push_back(entry->second);
  }
}

void TermRecipe::begin() {
  std::fill(made_.begin(), made_.end(), Term{});
  operands_.clear();
}

void TermRecipe::set(Term parameter, Term operand) {
  INVARIANT(store_.sort(parameter) == store_.sort(operand), "an operand should have the sort of its parameter");
  const auto found = index_.find(parameter);
  if (found == index_.end()) return;
  made_[found->second] = operand;
  operands_.push_back(found->second);
  operands_.push_back(operand.id);
}

void TermRecipe::make_step(std::uint32_t index) {
  const Step& step = steps_[index];
  const unsigned arity = store_.arity(step.original);
  if (arity == 0) {
    INVARIANT(store_.is_constant(step.original), "every parameter should have an operand");
    made_[index] = step.original;
    return;
  }
  std::array<Term, 3> operands{};
  bool is_same = true;
  for (unsigned i = 0; i < arity; ++i) {
    operands[i] = made_[step.operands[i]];
    is_same = is_same && operands[i] == store_.child(step.original, i);
  }
  made_[index] = is_same ? step.original
                         : store_.make(store_.op(step.original), std::span(operands).first(arity),
                                       store_.width(step.original), store_.parameter(step.original));
}

std::vector<Term> TermRecipe::make(std::size_t stage) {
  std::vector<std::uint32_t> key = operands_;
  key.push_back(static_cast<std::uint32_t>(stage));
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= kMaxKnown) known_.clear();
  std::vector<Term> roots;
  for (const std::uint32_t step : stages_[stage].steps)
    if (!made_[step]) make_step(step);
  for (const std::uint32_t root : stages_[stage].roots) roots.push_back(root == kNoRoot ? Term{} : made_[root]);
  known_.emplace(std::move(key), roots);
  return roots;
}

}  // namespace plumb::concolic
