#include "concolic/region/region_template.h"

#include <iterator>

#include "base/error.h"
#include "concolic/region/region_encoder.h"
#include "concolic/region/term_recipe.h"

namespace plumb::concolic {

using term::Term;

struct RegionTemplate::State {
  State(const program::Program& program, const RegionPlan& region, term::TermStore& terms)
      : plan(region), store(terms), recipe(terms), formula(RegionEncoder(program, plan, terms).run()) {}

  /// The guards are stage 0, the outs at destination d are stage d + 1.
  void add_stages() {
    const RegionInstance& guards = formula.guards;
    std::vector<Term> roots = guards.destination_guards;
    roots.insert(roots.end(), guards.edge_guards.begin(), guards.edge_guards.end());
    roots.insert(roots.end(), guards.fault_guards.begin(), guards.fault_guards.end());
    recipe.add_stage(roots);
    for (const Outs& outs : formula.outs) {
      roots = outs.values;
      roots.insert(roots.end(), outs.cells.begin(), outs.cells.end());
      recipe.add_stage(roots);
    }
  }

  const RegionPlan plan;
  term::TermStore& store;
  TermRecipe recipe;
  RegionFormula formula;
  bool has_visit = false;
};

RegionTemplate::RegionTemplate(const program::Program& program, const RegionPlan& plan, term::TermStore& store)
    : state_(std::make_unique<State>(program, plan, store)) {
  state_->add_stages();
}

RegionTemplate::~RegionTemplate() = default;

const RegionPlan& RegionTemplate::plan() const noexcept { return state_->plan; }
std::span<const RegionFault> RegionTemplate::faults() const noexcept { return state_->formula.faults; }
std::size_t RegionTemplate::size() const noexcept { return state_->recipe.size(); }

RegionInstance RegionTemplate::instantiate(const RegionVisit& visit) {
  State& s = *state_;
  const RegionFormula& formula = s.formula;
  INVARIANT(visit.ins.size() == s.plan.ins.size() && visit.slots.size() == s.plan.slots.size() &&
                visit.slot_addresses.size() == s.plan.slots.size(),
            "a visit should give what the plan asks for");
  s.recipe.begin();
  for (std::size_t i = 0; i < visit.ins.size(); ++i) s.recipe.set(formula.ins[i], visit.ins[i]);
  for (std::size_t i = 0; i < visit.slots.size(); ++i) {
    const Term address = formula.slot_addresses[i];
    s.recipe.set(address, s.store.constant(s.store.width(address), visit.slot_addresses[i]));
  }
  for (const RegionFormula::Piece& piece : formula.pieces)
    if (s.recipe.uses(piece.variable))
      s.recipe.set(piece.variable, visit.slots[piece.slot].load(s.store, piece.offset, piece.size));
  s.has_visit = true;
  const std::vector<Term> roots = s.recipe.make(0);
  RegionInstance instance;
  auto next = roots.begin();
  const auto take = [&](std::vector<Term>& to, std::size_t count) {
    to.assign(next, next + static_cast<std::ptrdiff_t>(count));
    next += static_cast<std::ptrdiff_t>(count);
  };
  take(instance.destination_guards, formula.guards.destination_guards.size());
  take(instance.edge_guards, formula.guards.edge_guards.size());
  take(instance.fault_guards, formula.guards.fault_guards.size());
  return instance;
}

RegionTemplate::Outs RegionTemplate::outs(std::uint32_t destination) {
  State& s = *state_;
  INVARIANT(s.has_visit && destination < s.plan.destinations.size(),
            "outs should be those of a visit, at a destination");
  const std::vector<Term> roots = s.recipe.make(std::size_t{destination} + 1);
  const auto border = roots.begin() + static_cast<std::ptrdiff_t>(s.plan.outs.size());
  return {{roots.begin(), border}, {border, roots.end()}};
}

}  // namespace plumb::concolic
