#include "lang/bip/encode/observers.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::bip {

namespace {

class ObserverMaker {
 public:
  ObserverMaker(const Model& model, Enabling& enabling, Encoding& encoding)
      : model_(model),
        enabling_(enabling),
        encoding_(encoding),
        system_(encoding.system),
        store_(system_.store()),
        visible_(encoding.visible) {}

  void add(const Property& property) {
    std::optional<Term> cover;
    const Term bad = violation(property, cover);
    system_.add_bad(store_.bit_and(visible_, bad), property.name);
    encoding_.bads.push_back(system_.bads().size() - 1);
    encoding_.covers.emplace_back();
    if (!cover) return;
    system_.add_bad(store_.bit_and(visible_, *cover), fmt::format("{}: premise", property.name));
    encoding_.covers.back() = system_.bads().size() - 1;
  }

 private:
  Term holds(const std::optional<Condition>& condition) const {
    return enabling_.values().evaluate(*condition->expression);
  }

  /// In a visible state.
  Term violation(const Property& property, std::optional<Term>& cover) {
    switch (property.kind) {
      case Property::Kind::Deadlock:
        return store_.bit_not(enabling_.some_maximal());
      case Property::Kind::Invariant:
        return store_.bit_not(holds(property.condition));
      case Property::Kind::Contract: {
        cover = started_with(property);
        return store_.bit_and(*cover, store_.bit_not(holds(property.condition)));
      }
      case Property::Kind::Response:
        cover = holds(property.premise);
        return overdue(property);
      case Property::Kind::Priorities:
        break;
    }
    std::vector<Term> cycles;
    for (const ExpressionPtr& condition : model_.priority_cycles) cycles.push_back(enabling_.values().holds(condition));
    return store_.any_of(cycles);
  }

  /// The first visible state is that of step 0 in every run.
  bool starts_visible() const {
    return std::ranges::none_of(model_.components, [](const Model::Component& component) {
      return std::ranges::any_of(component.transitions, [&](const Model::Transition& transition) {
        return transition.port == kNone && transition.from == component.initial_place;
      });
    });
  }

  /// True until the first visible state has been left.
  Term first() {
    if (!first_) {
      first_ = system_.add_state({1, 0}, "first");
      const std::size_t position = system_.states().size() - 1;
      system_.set_init(position, store_.boolean(true));
      system_.set_next(position, store_.bit_and(first_, store_.bit_not(visible_)));
    }
    return first_;
  }

  /// In a visible state: the first visible one had the premise.
  Term started_with(const Property& property) {
    const Term premise = holds(property.premise);
    const bool is_known_at_once = starts_visible();
    if (!is_known_at_once) first();
    const Term had = system_.add_state({1, 0}, fmt::format("{}.premise", property.name));
    const std::size_t position = system_.states().size() - 1;
    system_.set_init(position, is_known_at_once ? premise : store_.boolean(false));
    const Term has = is_known_at_once ? had : store_.ite(first(), premise, had);
    system_.set_next(position, is_known_at_once ? had : store_.ite(visible_, has, had));
    return has;
  }

  /// A register counts the visible states since the premise held, that one included, in which the condition did not:
  /// from 0, nothing is owed, to `within`, the next one is too many.
  Term overdue(const Property& property) {
    const Term premise = holds(property.premise);
    const Term is_owed = store_.bit_not(holds(property.condition));
    if (property.within == 0) return store_.bit_and(premise, is_owed);
    const std::uint32_t width = width_for(property.within);
    const Term age = system_.add_state({width, 0}, fmt::format("{}.age", property.name));
    const std::size_t position = system_.states().size() - 1;
    const Term zero = store_.zero(width);
    const Term is_last = store_.eq(age, store_.constant(width, property.within));
    const Term older = store_.ite(is_last, age, store_.add(age, store_.one(width)));
    const Term begun = store_.ite(store_.eq(age, zero), store_.zero_extend(premise, width), older);
    system_.set_init(position, zero);
    system_.set_next(position, store_.ite(visible_, store_.ite(is_owed, begun, zero), age));
    return store_.bit_and(is_owed, is_last);
  }

  const Model& model_;
  Enabling& enabling_;
  Encoding& encoding_;
  system::System& system_;
  TermStore& store_;
  Term visible_;
  Term first_;
};

}  // namespace

void add_observers(const Model& model, const std::vector<Property>& properties, Enabling& enabling,
                   Encoding& encoding) {
  ObserverMaker maker(model, enabling, encoding);
  for (const Property& property : properties) {
    if (property.kind == Property::Kind::Response && encoding.engine == Engine::Parallel)
      throw Unsupported(
          property.location,
          fmt::format("'{}' counts interactions, which the parallel engine fires together", property.name),
          "choose the engine two-cycle or one-cycle");
    maker.add(property);
  }
}

}  // namespace plumb::bip
