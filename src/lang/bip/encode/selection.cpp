// Interactions are fired together if one after the other, in any order, does the same. An interaction writes the
// components that take part in it. Whether it is maximal depends on these, and on the components of all that it or a
// part of it gives way to and on those that conditions of priorities look at. So two may go together if neither writes
// what the other depends on. Instead of a relation between all pairs, each component has two flags, "written" and
// "depended on", that go through the interactions in their order: the size is linear in what interactions depend on.

#include "lang/bip/encode/selection.h"

#include <algorithm>

namespace plumb::bip {

namespace {

/// By interaction: the components that its being maximal depends on, sorted.
class Dependences {
 public:
  explicit Dependences(const Model& model)
      : model_(model),
        gives_way_(model.interactions.size()),
        enabled_(model.interactions.size()),
        maximal_(model.interactions.size()) {
    for (const Model::Priority& priority : model.priorities) gives_way_[priority.low].push_back(&priority);
  }

  using Components = std::vector<ComponentId>;

  const Components& of_maximal(InteractionId id) {
    Components& all = maximal_[id];
    if (!all.empty()) return all;
    Components found = of_enabled(id);
    for (const Model::Priority* priority : gives_way_[id]) {
      append(found, of_enabled(priority->high));
      if (priority->condition) append_variables(found, *priority->condition);
    }
    normalise(found);
    return maximal_[id] = std::move(found);
  }

 private:
  const Components& of_enabled(InteractionId id) {
    Components& all = enabled_[id];
    if (!all.empty()) return all;
    Components found;
    for (const Model::PortUse& use : model_.interactions[id].ports) found.push_back(use.component);
    for (const InteractionId inside : model_.interactions[id].maximal_inside) append(found, of_maximal(inside));
    normalise(found);
    return enabled_[id] = std::move(found);
  }
  static void append(Components& to, const Components& from) { to.insert(to.end(), from.begin(), from.end()); }
  void append_variables(Components& to, const Expression& expression) const {
    if (expression.kind == Expression::Kind::Name) to.push_back(model_.variables[expression.variable].component);
    for (const ExpressionPtr& operand : expression.operands) append_variables(to, *operand);
  }
  static void normalise(Components& components) {
    std::ranges::sort(components);
    const auto rest = std::ranges::unique(components);
    components.erase(rest.begin(), rest.end());
  }

  const Model& model_;
  std::vector<std::vector<const Model::Priority*>> gives_way_;
  std::vector<Components> enabled_;
  std::vector<Components> maximal_;
};

}  // namespace

std::vector<Term> select_one(TermStore& store, std::span<const Term> possible, Term number) {
  if (possible.size() == 1) return {possible.front()};
  std::vector<Term> asked;
  for (std::size_t j = 0; j < possible.size(); ++j)
    asked.push_back(store.bit_and(possible[j], store.eq(number, store.constant(store.width(number), j))));
  const Term some_asked = store.any_of(asked);
  std::vector<Term> selected(possible.size());
  Term later = store.boolean(false);
  for (std::size_t j = possible.size(); j-- > 0;) {
    const Term is_last = store.bit_and(possible[j], store.bit_not(store.bit_or(some_asked, later)));
    selected[j] = store.bit_or(asked[j], is_last);
    later = store.bit_or(later, possible[j]);
  }
  return selected;
}

std::vector<Term> select_together(TermStore& store, const Model& model, std::span<const InteractionId> interactions,
                                  std::span<const Term> possible, std::span<const Term> asked) {
  Dependences dependences(model);
  const Term no = store.boolean(false);
  std::vector<Term> written(model.components.size(), no);
  std::vector<Term> depended_on(model.components.size(), no);
  std::vector<Term> selected;
  for (std::size_t j = 0; j < interactions.size(); ++j) {
    const std::vector<ComponentId>& depends_on = dependences.of_maximal(interactions[j]);
    const std::vector<Model::PortUse>& ports = model.interactions[interactions[j]].ports;
    std::vector<Term> against;
    for (const ComponentId c : depends_on) against.push_back(written[c]);
    for (const Model::PortUse& use : ports) against.push_back(depended_on[use.component]);
    selected.push_back(store.bit_and(store.bit_and(possible[j], asked[j]), store.bit_not(store.any_of(against))));
    for (const ComponentId c : depends_on) depended_on[c] = store.bit_or(depended_on[c], selected.back());
    for (const Model::PortUse& use : ports)
      written[use.component] = store.bit_or(written[use.component], selected.back());
  }
  return selected;
}

}  // namespace plumb::bip
