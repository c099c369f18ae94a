// Initial actions are executed on variables that stand for the values before them. A value that comes out as it went in
// is one that the register may start with, and needs no init. Where an action changes a variable whose first value
// something depends on, that value has a state of its own, without init and, since nothing reads it later, without
// next.

#include "lang/bip/encode/registers.h"

#include <fmt/format.h>

#include "term/substitution.h"

namespace plumb::bip {

namespace {

using system::System;

class RegisterMaker {
 public:
  RegisterMaker(const Model& model, Encoding& encoding)
      : model_(model), encoding_(encoding), system_(encoding.system), store_(system_.store()) {}

  std::vector<Term> make() {
    execute_initial_actions();
    choose_variables();
    add_sources();
    add_states();
    return std::move(base_);
  }

 private:
  const Model::Variable& variable(std::size_t v) const { return model_.variables[v]; }
  std::size_t position_of_last() const { return system_.states().size() - 1; }

  /// before_, after_: by variable of a component.
  void execute_initial_actions() {
    const std::size_t count = model_.component_variables();
    for (std::size_t v = 0; v < count; ++v) {
      const std::uint32_t width = width_of(model_, variable(v).type);
      before_.push_back(model_.initialize_variables
                            ? store_.zero(width)
                            : store_.variable(width, fmt::format("{}.initial", variable(v).name)));
    }
    Symbolic values(store_, model_, before_);
    for (const Model::Component& component : model_.components) values.execute(component.initial_action);
    for (std::size_t v = 0; v < count; ++v) after_.push_back(values.value(static_cast<VariableId>(v)));
  }

  bool is_free(std::size_t v) const { return after_[v] == before_[v] && store_.is_variable(before_[v]); }

  void choose_variables() {
    term::Substitution start(store_);
    for (std::size_t v = 0; v < after_.size(); ++v) {
      base_.push_back(store_.variable(width_of(model_, variable(v).type), variable(v).name));
      if (is_free(v)) start.add(before_[v], base_[v]);
    }
    for (std::size_t v = 0; v < after_.size(); ++v) inits_.push_back(is_free(v) ? Term{} : start.apply(after_[v]));
    for (std::size_t v = after_.size(); v < model_.variables.size(); ++v)
      base_.push_back(store_.zero(width_of(model_, variable(v).type)));
  }

  /// What an init refers to has to stand before it.
  void add_sources() {
    encoding_.initial.resize(after_.size());
    encoding_.values.resize(after_.size());
    std::vector<Term> roots;
    for (const Term init : inits_)
      if (init) roots.push_back(init);
    const std::vector<Term> sources = term::support(store_, roots);
    const auto is_source = [&](Term t) { return std::ranges::binary_search(sources, t); };
    for (std::size_t v = 0; v < after_.size(); ++v) {
      if (is_free(v) ? !is_source(base_[v]) : !is_source(before_[v])) continue;
      system_.add_state(is_free(v) ? base_[v] : before_[v]);
      encoding_.initial[v] = position_of_last();
    }
  }

  void add_states() {
    for (ComponentId c = 0; c < model_.components.size(); ++c) {
      const Model::Component& component = model_.components[c];
      add_place(component);
      for (const VariableId v : component.variables) {
        if (is_free(v) && encoding_.initial[v]) {
          encoding_.values[v] = *encoding_.initial[v];
          continue;
        }
        system_.add_state(base_[v]);
        encoding_.values[v] = position_of_last();
        if (inits_[v])
          system_.set_init(position_of_last(), inits_[v]);
        else
          encoding_.initial[v] = position_of_last();
      }
    }
  }

  void add_place(const Model::Component& component) {
    const std::uint32_t width = width_for(component.places.size() - 1);
    const Term place = system_.add_state({width, 0}, fmt::format("{}.place", component.name));
    encoding_.places.push_back(position_of_last());
    system_.set_init(position_of_last(), store_.constant(width, component.initial_place));
    system::Annotation names{fmt::format("{}.place name", component.name), place, {}};
    for (std::size_t i = 0; i < component.places.size(); ++i) names.texts[BitVector(width, i)] = component.places[i];
    system_.add_annotation(std::move(names));
    // Where there is no choice, nothing needs to depend on a register.
    base_.push_back(component.places.size() == 1 ? store_.zero(width) : place);
  }

  const Model& model_;
  Encoding& encoding_;
  System& system_;
  TermStore& store_;
  std::vector<Term> before_;  ///< by variable of a component, as the next two
  std::vector<Term> after_;
  std::vector<Term> inits_;  ///< null for any value
  std::vector<Term> base_;
};

}  // namespace

std::vector<Term> add_registers(const Model& model, Encoding& encoding) {
  return RegisterMaker(model, encoding).make();
}

}  // namespace plumb::bip
