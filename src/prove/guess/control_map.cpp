#include "prove/guess/control_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "term/traverse.h"

namespace plumb::prove {

ControlMap::ControlMap(System& system) : system_(system) {
  Locations locations(system, true);
  state_ = locations.state();
  if (!state_ || !explore(locations)) be_one_place(locations);
  find_live();
}

bool ControlMap::explore(Locations& locations) {
  const auto add_place = [&](const BitVector& value) {
    if (const auto known = place_of(value)) return *known;
    const LocationStep& step = locations.step(value);
    places_.push_back({value, step.bad, step.constraints, step.is_at_rest, {}});
    return places_.size() - 1;
  };
  add_place(system_.store().value(system_.states()[*state_].init));
  for (std::size_t from = 0; from < places_.size(); ++from) {
    for (const LocationStep::Edge& edge : locations.step(places_[from].value).edges) {
      if (!edge.target) return false;
      add_way(from, add_place(*edge.target), edge);
    }
  }
  return true;
}

void ControlMap::be_one_place(Locations& locations) {
  state_.reset();
  places_.clear();
  ways_.clear();
  const LocationStep& step = locations.step(std::nullopt);
  places_.push_back({std::nullopt, step.bad, step.constraints, step.is_at_rest, {}});
  add_way(0, 0, step.edges.front());
}

void ControlMap::add_way(std::size_t from, std::size_t to, const LocationStep::Edge& edge) {
  term::TermStore& store = system_.store();
  Way way{from, to, edge.condition, edge.nexts, {}};
  for (std::size_t i = 0; i < way.nexts.size(); ++i)
    if (!way.nexts[i])
      way.nexts[i] = store.variable(store.sort(system_.states()[i].variable), system_.state_name(i) + "'");
  for (const Term input : system_.inputs()) way.inputs.push_back(store.variable(store.sort(input), "input'"));
  ways_.push_back(std::move(way));
}

std::optional<std::size_t> ControlMap::place_of(const BitVector& control) const {
  if (!state_) return 0;
  const auto found = std::ranges::find(places_, control, &Place::value);
  if (found == places_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - places_.begin());
}

Term ControlMap::at(std::size_t place, Term t) const {
  if (!state_) return t;
  term::TermStore& store = system_.store();
  const Term control = system_.states()[*state_].variable;
  return store.implies(store.eq(control, store.constant(*places_[place].value)), t);
}

Term ControlMap::within(const std::vector<bool>& is_reached) const {
  term::TermStore& store = system_.store();
  if (!state_) return store.boolean(true);
  std::vector<Term> values;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (is_reached[i])
      values.push_back(store.eq(system_.states()[*state_].variable, store.constant(*places_[i].value)));
  return store.any_of(values);
}

term::Substitution ControlMap::behind(const Way& way) const {
  term::Substitution next(system_.store());
  for (std::size_t i = 0; i < way.nexts.size(); ++i) next.add(system_.states()[i].variable, way.nexts[i]);
  for (std::size_t i = 0; i < way.inputs.size(); ++i) next.add(system_.inputs()[i], way.inputs[i]);
  return next;
}

/// Backwards to a fixed point: a register matters where it is read on the way to something that matters.
void ControlMap::find_live() {
  const term::TermStore& store = system_.store();
  term::TermMap<std::size_t> positions;
  for (std::size_t i = 0; i < system_.states().size(); ++i) positions[system_.states()[i].variable] = i;
  term::TermSet seen;
  const auto mark = [&](Place& place, std::span<const Term> roots) {
    bool is_new = false;
    for (const Term variable : term::support(store, roots, seen)) {
      const std::size_t* position = positions.find(variable);
      if (position == nullptr || place.is_live[*position]) continue;
      place.is_live[*position] = true;
      is_new = true;
    }
    seen.clear();
    return is_new;
  };
  for (Place& place : places_) {
    place.is_live.assign(system_.states().size(), false);
    mark(place, std::vector<Term>{place.bad, place.constraints});
  }
  for (const Way& way : ways_) mark(places_[way.from], std::vector<Term>{way.condition});
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (const Way& way : ways_) {
      std::vector<Term> needed;
      for (std::size_t i = 0; i < way.nexts.size(); ++i)
        if (places_[way.to].is_live[i]) needed.push_back(way.nexts[i]);
      is_changed = mark(places_[way.from], needed) || is_changed;
    }
  }
}

}  // namespace plumb::prove
