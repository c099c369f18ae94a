#include "concolic/region/term_recipe.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace plumb::concolic {

using term::Op;
using term::Term;

namespace {

constexpr std::uint32_t kNoStep = ~std::uint32_t{0};
/// Results start anew at this many, so that a long campaign does not fill the memory.
constexpr std::size_t kMaxKnown = 10'000;

}  // namespace

void TermRecipe::add_stage(std::span<const Term> roots) {
  std::vector<std::uint32_t>& stage = stages_.emplace_back();
  for (const Term root : roots) {
    if (root) collect(root);
    stage.push_back(root ? index_.at(root) : kNoStep);
  }
  made_.resize(steps_.size());
}

void TermRecipe::collect(Term root) {
  std::vector<std::pair<Term, bool>> stack{{root, false}};
  while (!stack.empty()) {
    const auto [t, is_expanded] = stack.back();
    stack.pop_back();
    if (index_.contains(t)) continue;
    if (!is_expanded) {
      stack.emplace_back(t, true);
      for (unsigned i = store_.arity(t); i-- > 0;) stack.emplace_back(store_.child(t, i), false);
      continue;
    }
    index_.emplace(t, static_cast<std::uint32_t>(steps_.size()));
    Step step{t, {}};
    for (unsigned i = 0; i < store_.arity(t); ++i) step.operands[i] = index_.at(store_.child(t, i));
    steps_.push_back(step);
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

bool TermRecipe::is_made(std::uint32_t step) {
  if (made_[step]) return true;
  stack_.push_back(step);
  return false;
}

const TermRecipe::Chain& TermRecipe::chain_of(std::uint32_t array) {
  const auto [entry, is_new] = chains_.try_emplace(array);
  Chain& chain = entry->second;
  for (chain.below = array; is_new;) {
    const Step& step = steps_[chain.below];
    if (store_.op(step.original) != Op::Store) break;
    const Term place = store_.child(step.original, 1);
    if (!store_.is_constant(place)) break;
    chain.elements.try_emplace(store_.value(place).to_uint64(), step.operands[2]);
    chain.below = step.operands[0];
  }
  return chain;
}

std::uint32_t TermRecipe::element_of(std::uint32_t array, std::uint32_t place) {
  const std::uint64_t at = store_.value(made_[place]).to_uint64();
  for (;;) {
    const Chain& chain = chain_of(array);
    if (const auto found = chain.elements.find(at); found != chain.elements.end()) return found->second;
    array = chain.below;
    const Step& step = steps_[array];
    switch (store_.op(step.original)) {
      case Op::Store:  // at a place that an operand decides, if any
        if (!is_made(step.operands[1])) return kNoStep;
        if (!store_.is_constant(made_[step.operands[1]])) return kNoStep;
        if (store_.value(made_[step.operands[1]]).to_uint64() == at) return step.operands[2];
        array = step.operands[0];
        break;
      case Op::ConstantArray:
        return step.operands[0];
      default:
        return kNoStep;
    }
  }
}

std::uint32_t TermRecipe::shortcut(std::uint32_t index) {
  const Step& step = steps_[index];
  switch (store_.op(step.original)) {
    case Op::Ite:
      if (!is_made(step.operands[0]) || !store_.is_constant(made_[step.operands[0]])) return kNoStep;
      return step.operands[store_.is_true(made_[step.operands[0]]) ? 1 : 2];
    case Op::Select:
      if (!is_made(step.operands[1]) || !store_.is_constant(made_[step.operands[1]])) return kNoStep;
      return element_of(step.operands[0], step.operands[1]);
    default:
      return kNoStep;
  }
}

void TermRecipe::try_make(std::uint32_t index) {
  const std::size_t before = stack_.size();
  const std::uint32_t same = shortcut(index);
  if (stack_.size() != before) return;
  if (same != kNoStep) {
    if (is_made(same)) made_[index] = made_[same];
    return;
  }
  const Step& step = steps_[index];
  for (unsigned i = 0; i < store_.arity(step.original); ++i) is_made(step.operands[i]);
  if (stack_.size() == before) make_step(index);
}

void TermRecipe::demand(std::uint32_t root) {
  stack_.assign(1, root);
  while (!stack_.empty()) {
    if (made_[stack_.back()])
      stack_.pop_back();
    else
      try_make(stack_.back());
  }
}

std::vector<Term> TermRecipe::make(std::size_t stage) {
  std::vector<std::uint32_t> key = operands_;
  key.push_back(static_cast<std::uint32_t>(stage));
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= kMaxKnown) known_.clear();
  std::vector<Term> roots;
  for (const std::uint32_t root : stages_[stage]) {
    if (root != kNoStep) demand(root);
    roots.push_back(root == kNoStep ? Term{} : made_[root]);
  }
  known_.emplace(std::move(key), roots);
  return roots;
}

}  // namespace plumb::concolic
