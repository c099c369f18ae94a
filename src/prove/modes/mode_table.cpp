#include "prove/modes/mode_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace plumb::prove {
namespace {

/// The name without its digits: what generated machines of one kind have in common.
std::string kind_of(const std::string& name) {
  std::string kind;
  for (const char c : name)
    if (c < '0' || c > '9') kind += c;
  return kind;
}

Term term_of(const System& system, term::TermStore& store, const ModeTable::Literal& literal) {
  const Term variable = system.states()[literal.position].variable;
  return store.eq(variable, store.constant(store.width(variable), literal.value));
}

}  // namespace

bool ModeTable::Relation::holds(const State& state) const {
  if (condition.position != kAlways && !condition.holds(state)) return true;
  if (is_exclusion) return !excluded.holds(state);
  if (choices.empty()) return state[first] == state[second];
  return std::ranges::any_of(choices, [&](const Literal& choice) { return choice.holds(state); });
}

Term ModeTable::Relation::term(const System& system, term::TermStore& store) const {
  Term then;
  if (is_exclusion) {
    then = store.bit_not(term_of(system, store, excluded));
  } else if (choices.empty()) {
    then = store.eq(system.states()[first].variable, system.states()[second].variable);
  } else {
    std::vector<Term> terms;
    for (const Literal& choice : choices) terms.push_back(term_of(system, store, choice));
    then = store.any_of(terms);
  }
  return condition.position == kAlways ? then : store.implies(term_of(system, store, condition), then);
}

ModeTable::ModeTable(const System& system, std::span<const State> states, const Budget& budget)
    : system_(system), states_(states) {
  find_modes();
  budget.check();
  find_pairs();
  find_families();
  together_.assign(literals_.size(), Bits(literals_.size()));
  different_.assign(literals_.size(), Bits(pairs_.size()));
  for (const State& state : states_) {
    budget.check();
    look(state);
  }
}

std::uint32_t ModeTable::width(std::size_t position) const {
  return system_.store().width(system_.states()[position].variable);
}

bool ModeTable::is_word(std::size_t position) const {
  return !system_.store().is_array(system_.states()[position].variable) && width(position) <= 64;
}

void ModeTable::find_modes() {
  for (std::size_t i = 0; i < system_.states().size(); ++i) {
    if (!is_word(i)) continue;
    Mode mode{i, {}, literals_.size()};
    for (std::uint64_t value = 0; width(i) <= kNarrow && value < std::uint64_t{1} << width(i); ++value)
      mode.values.push_back(value);
    for (const State& state : states_) {
      const auto at = std::ranges::lower_bound(mode.values, state[i]);
      if (at == mode.values.end() || *at != state[i]) mode.values.insert(at, state[i]);
      if (mode.values.size() > kMaxValues) break;
    }
    if (mode.values.size() > kMaxValues || literals_.size() + mode.values.size() > kMaxLiterals) continue;
    for (const std::uint64_t value : mode.values) literals_.push_back({i, value});
    mode_of_.resize(literals_.size(), modes_.size());
    modes_.push_back(std::move(mode));
  }
}

void ModeTable::find_pairs() {
  const auto changes = [&](std::size_t i) {
    return std::ranges::any_of(states_, [&](const State& state) { return state[i] != states_.front()[i]; });
  };
  std::map<std::uint32_t, std::vector<std::size_t>> by_width;
  for (std::size_t i = 0; i < system_.states().size(); ++i)
    if (is_word(i) && width(i) > 1 && changes(i)) by_width[width(i)].push_back(i);
  for (const auto& [width, positions] : by_width)
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (std::size_t j = i + 1; j < positions.size() && pairs_.size() < kMaxPairs; ++j)
        pairs_.push_back({positions[i], positions[j]});
}

void ModeTable::find_families() {
  std::map<std::pair<std::uint32_t, std::string>, Family> alike;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const std::size_t position = modes_[i].position;
    alike[{width(position), kind_of(system_.state_name(position))}].push_back(i);
  }
  for (auto& [kind, family] : alike)
    if (family.size() > 1) families_.push_back(std::move(family));
}

/// The number of the literal that holds in the state.
std::size_t ModeTable::literal(const Mode& mode, const State& state) {
  const auto at = std::ranges::lower_bound(mode.values, state[mode.position]);
  return mode.first + static_cast<std::size_t>(at - mode.values.begin());
}

void ModeTable::look(const State& state) {
  std::vector<std::size_t> here;
  for (const Mode& mode : modes_) here.push_back(literal(mode, state));
  std::vector<std::size_t> unequal;
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    if (state[pairs_[i].a] != state[pairs_[i].b]) unequal.push_back(i);
  for (const std::size_t a : here) {
    for (const std::size_t b : here) together_[a][b] = true;
    for (const std::size_t pair : unequal) different_[a][pair] = true;
  }
}

std::vector<ModeTable::Relation> ModeTable::relations(Scope scope, const Budget& budget) const {
  std::vector<Relation> result;
  add_single_values(result);
  add_exclusions(scope == Scope::Wide, budget, result);
  add_equations(budget, result);
  add_families(scope, budget, result);
  return result;
}

/// Values that a mode does not have: each by itself where all are listed, or one of the others.
void ModeTable::add_single_values(std::vector<Relation>& result) const {
  for (const Mode& mode : modes_) {
    Relation one;
    for (std::size_t a = mode.first; a < mode.first + mode.values.size(); ++a) {
      one.choices.push_back(literals_[a]);
      if (!is_seen(a)) result.push_back({.is_exclusion = true, .excluded = literals_[a]});
    }
    if (width(mode.position) > kNarrow) result.push_back(std::move(one));
  }
}

void ModeTable::add_exclusions(bool with_unseen, const Budget& budget, std::vector<Relation>& result) const {
  const auto is_of_use = [&](std::size_t literal) { return with_unseen || is_seen(literal); };
  for (std::size_t a = 0; a < literals_.size() && result.size() < kMaxRelations; ++a) {
    budget.check();
    for (std::size_t b = a + 1; is_of_use(a) && b < literals_.size(); ++b)
      if (mode_of_[a] != mode_of_[b] && !together_[a][b] && is_of_use(b))
        result.push_back({.condition = literals_[a], .is_exclusion = true, .excluded = literals_[b]});
  }
}

void ModeTable::add_equations(const Budget& budget, std::vector<Relation>& result) const {
  for (std::size_t i = 0; i < pairs_.size() && result.size() < kMaxRelations; ++i) {
    budget.check();
    for (std::size_t a = 0; a < literals_.size(); ++a) {
      const std::size_t position = literals_[a].position;
      if (is_seen(a) && !different_[a][i] && position != pairs_[i].a && position != pairs_[i].b)
        result.push_back({.condition = literals_[a], .first = pairs_[i].a, .second = pairs_[i].b});
    }
  }
}

void ModeTable::add_families(Scope scope, const Budget& budget, std::vector<Relation>& result) const {
  for (const Family& family : families_) {
    std::set<std::uint64_t> seen;
    for (const std::size_t m : family)
      for (std::size_t i = 0; i < modes_[m].values.size(); ++i)
        if (is_seen(modes_[m].first + i)) seen.insert(modes_[m].values[i]);
    const std::vector<std::uint64_t> values(seen.begin(), seen.end());
    for (std::size_t i = 0; i < values.size() && result.size() < kMaxRelations; ++i) {
      budget.check();
      if (scope == Scope::Narrow) add_choices(family, {values[i]}, result);
      for (std::size_t j = i + 1; scope == Scope::Wide && j < values.size(); ++j)
        add_choices(family, {values[i], values[j]}, result);
    }
  }
}

/// Where a literal holds, one of the family has one of the values `among`.
void ModeTable::add_choices(const Family& family, const std::vector<std::uint64_t>& among,
                            std::vector<Relation>& result) const {
  Relation one;
  for (const std::size_t m : family)
    for (const std::uint64_t value : among) one.choices.push_back({modes_[m].position, value});
  Bits is_refuted(literals_.size());
  bool is_always = true;
  for (const State& state : states_) {
    if (one.holds(state)) continue;
    is_always = false;
    for (const Mode& mode : modes_) is_refuted[literal(mode, state)] = true;
  }
  if (is_always) {
    result.push_back(std::move(one));
    return;
  }
  for (std::size_t a = 0; a < literals_.size(); ++a) {
    const bool is_own = std::ranges::find(family, mode_of_[a]) != family.end() &&
                        std::ranges::find(among, literals_[a].value) != among.end();
    if (!is_seen(a) || is_refuted[a] || is_own) continue;
    one.condition = literals_[a];
    result.push_back(one);
  }
}

}  // namespace plumb::prove
