#include "chain/check.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

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

/// Whether random walks hardly ever come back to where they were: a chain that goes one way is solved in few sweeps.
bool goes_one_way(const Chain& chain) {
  constexpr std::uint32_t kWalks = 40;
  constexpr std::uint32_t kSteps = 20'000;  // beyond the root of the number of states, where walks meet themselves
  std::mt19937_64 random(1);
  std::uint32_t came_back = 0;
  for (std::uint32_t walk = 0; walk < kWalks; ++walk) {
    auto s = static_cast<StateId>(random() % chain.states);
    absl::flat_hash_set<StateId> seen;
    for (std::uint32_t step = 0; step < kSteps; ++step) {
      const std::uint64_t row = chain.first_row(s) + random() % chain.row_count(s);
      const StateId next = chain.rows.target(chain.rows.begin(row) + random() % chain.rows.count(row));
      if (next == s) continue;  // a loop is no way back
      seen.insert(s);
      s = next;
      if (!seen.contains(s)) continue;
      ++came_back;
      break;
    }
  }
  return came_back * 10 < kWalks;
}

/// About how many sweeps over the transitions it takes to check the property.
double sweeps(const Formula& formula, const Chain& chain) {
  constexpr double kMany = 200;  // of what is iterated until it does not change
  double greatest = 0;
  for (const double weight : chain.rows.weights().distinct()) greatest = std::max(greatest, weight);
  double result = 0;
  for_each_formula(formula, [&](const Formula& part) {
    const bool is_path = part.kind >= Shape::Next && part.kind <= Shape::SteadyReward;
    if (part.kind == Shape::SteadyState || part.kind == Shape::SteadyReward) result += kMany;
    if (!is_path || part.kind == Shape::Next || part.kind == Shape::SteadyReward) return;
    const double high = part.time ? part.time->high : std::numeric_limits<double>::infinity();
    if (std::isfinite(high))
      result += chain.kind == chain::Kind::Ctmc ? high * greatest : high;
    else
      result += goes_one_way(chain) ? 2 : kMany;
  });
  return result;
}

/// A quotient that the property cannot tell from the chain, and the property's conditions on it.
struct Quotient {
  Lumped lumped;
  Checker::Atoms atoms;
};

LumpKeep kept_by(const Formula& formula, const Checker::Atoms& atoms) {
  LumpKeep keep;
  keep.moves = false;
  for_each_formula(formula, [&](const Formula& part) {
    keep.moves |= part.kind == Shape::Next;
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

/// `atoms` gets the values of conditions that were evaluated on the way.
std::optional<Quotient> quotient_for(const Formula& formula, const Chain& chain, Checker& checker, const Budget& budget,
                                     const CheckOptions& options, Checker::Atoms& atoms) {
  constexpr std::uint64_t kFewest = 20'000;  // states for which it is worth a thought
  constexpr std::uint64_t kWorthwhile = 5;   // the factor from which on it pays
  constexpr double kFewestSweeps = 60;       // that it costs itself, about
  const bool is_forced = options.lumping == CheckOptions::Lumping::On;
  if (options.lumping == CheckOptions::Lumping::Off || options.analysis.want_strategy || !is_lumpable(formula))
    return std::nullopt;
  if (chain.rows.is_exact()) return std::nullopt;  // states are told apart by doubles
  if (is_forced) require_rows(chain, "lumping");
  if (!is_forced && (chain.states < kFewest || !chain.rows.is_kept())) return std::nullopt;
  if (!is_forced && sweeps(formula, chain) < kFewestSweeps) return std::nullopt;
  for_each_formula(formula, [&](const Formula& part) {
    if (part.kind == Shape::Condition || part.kind == Shape::Label)
      atoms.emplace(&part, checker.evaluate(part, nullptr));
  });
  const LumpKeep keep = kept_by(formula, atoms);
  const std::uint64_t most = is_forced ? chain.states : chain.states / kWorthwhile;
  std::optional<Lumped> lumped =
      lump(chain, keep, most, is_forced ? LumpEffort::Thorough : LumpEffort::Quick, options.analysis.threads, budget);
  if (!lumped) return std::nullopt;
  Quotient result{std::move(*lumped), {}};
  for (const auto& [part, values] : atoms) result.atoms.emplace(part, brought_to(result.lumped, values));
  return result;
}

}  // namespace

PropertyResult check(const Model& model, const Chain& chain, const Property& property, const Budget& budget,
                     const CheckOptions& options) try {
  const auto start = std::chrono::steady_clock::now();
  PropertyResult result;
  const Formula& formula = *property.formula;
  Checker::Atoms atoms;
  Checker plain(model, chain, {}, budget, options, result);
  if (std::optional<Quotient> quotient = quotient_for(formula, chain, plain, budget, options, atoms)) {
    atoms.clear();
    result.notes.push_back(fmt::format("{} states lumped to {}", chain.states, quotient->lumped.chain.states));
    Checker(model, quotient->lumped.chain, std::move(quotient->atoms), budget, options, result).check(formula);
  } else {
    Checker(model, chain, std::move(atoms), budget, options, result).check(formula);
  }
  if (options.analysis.want_strategy && chain.kind == Kind::Mdp && result.strategy.empty())
    result.notes.emplace_back("no strategy: the best choice depends on what was before, not on the state alone");
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
} catch (const UserError& error) {
  // What only numbers tell has no place in a file of its own: it is the property's.
  if (!error.location().to_string().empty() || property.location.to_string().empty()) throw;
  throw UserError(property.location, error.message(), error.hint());
}

}  // namespace plumb::chain
