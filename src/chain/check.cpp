#include "chain/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "chain/check/checker.h"
#include "chain/lump.h"

namespace plumb::chain {
namespace {

using Shape = Formula::Kind;

template <typename F>
void for_each_formula(const Formula& formula, F&& f) {
  f(formula);
  for (const FormulaPtr& operand : formula.operands) for_each_formula(*operand, f);
}

/// Whether the quotient gives the same answer: filters that count or name states want the states themselves.
bool is_lumpable(const Formula& formula) {
  using FilterKind = Formula::FilterKind;
  bool result = true;
  bool has_numbers = false;
  for_each_formula(formula, [&](const Formula& part) {
    has_numbers |= part.kind == Shape::Probability || part.kind == Shape::SteadyState || part.kind == Shape::Reward;
    if (part.kind != Shape::Filter) return;
    result &= part.filter == FilterKind::Min || part.filter == FilterKind::Max || part.filter == FilterKind::ForAll ||
              part.filter == FilterKind::Exists || part.filter == FilterKind::Range;
  });
  return result && has_numbers;
}

/// A quotient that the property cannot tell from the chain, and the property's conditions on it.
struct Quotient {
  Lumped lumped;
  Checker::Atoms atoms;
};

LumpKeep kept_by(const Formula& formula, const Checker::Atoms& atoms) {
  LumpKeep keep;
  for_each_formula(formula, [&](const Formula& part) {
    if (part.kind == Shape::Reward && std::ranges::find(keep.rewards, part.reward) == keep.rewards.end())
      keep.rewards.push_back(part.reward);
  });
  for (const auto& [part, values] : atoms) {
    if (const Truth* truth = std::get_if<Truth>(&values))
      keep.sets.push_back(&truth->yes);
    else
      keep.numbers.push_back(&std::get<Numbers>(values).low);
  }
  return keep;
}

Values brought_to(const Lumped& lumped, const Values& values) {
  if (const Truth* truth = std::get_if<Truth>(&values)) {
    StateSet set(lumped.chain.states);
    truth->yes.for_each([&](StateId s) { set.insert(lumped.block_of[s]); });
    return Truth::of(std::move(set));
  }
  Numbers numbers;
  numbers.low.resize(lumped.chain.states);
  const std::vector<double>& all = std::get<Numbers>(values).low;
  for (std::size_t s = 0; s < all.size(); ++s) numbers.low[lumped.block_of[s]] = all[s];
  return numbers;
}

std::optional<Quotient> quotient_for(const Formula& formula, const Chain& chain, Checker& checker, const Budget& budget,
                                     const CheckOptions& options) {
  constexpr std::uint64_t kFewest = 20'000;     // states for which it is worth a thought
  constexpr std::uint64_t kMost = 200'000'000;  // transitions, for its memory of some twenty bytes each
  constexpr std::uint64_t kWorthwhile = 5;      // the factor from which on it pays
  const bool is_forced = options.lumping == CheckOptions::Lumping::On;
  if (options.lumping == CheckOptions::Lumping::Off || options.analysis.want_strategy || !is_lumpable(formula))
    return std::nullopt;
  if (!is_forced && (chain.states < kFewest || chain.rows.transitions() > kMost)) return std::nullopt;
  Checker::Atoms atoms;
  for_each_formula(formula, [&](const Formula& part) {
    if (part.kind == Shape::Condition || part.kind == Shape::Label)
      atoms.emplace(&part, checker.evaluate(part, nullptr));
  });
  const LumpKeep keep = kept_by(formula, atoms);
  const std::uint64_t most = is_forced ? chain.states : chain.states / kWorthwhile;
  if (!is_forced && !may_lump_to(chain, keep, most, budget)) return std::nullopt;
  std::optional<Lumped> lumped = lump(chain, keep, most, budget);
  if (!lumped) return std::nullopt;
  Quotient result{std::move(*lumped), {}};
  for (const auto& [part, values] : atoms) result.atoms.emplace(part, brought_to(result.lumped, values));
  return result;
}

}  // namespace

PropertyResult check(const Model& model, const Chain& chain, const Property& property, const Budget& budget,
                     const CheckOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  PropertyResult result;
  const Formula& formula = *property.formula;
  Checker plain(model, chain, {}, budget, options, result);
  if (std::optional<Quotient> quotient = quotient_for(formula, chain, plain, budget, options)) {
    result.notes.push_back(fmt::format("{} states lumped to {}", chain.states, quotient->lumped.chain.states));
    Checker(model, quotient->lumped.chain, std::move(quotient->atoms), budget, options, result).check(formula);
  } else {
    plain.check(formula);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace plumb::chain
