#include "system/system.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "term/traverse.h"

namespace plumb::system {

namespace {

/// Collects what is wrong with a system.
class Checker {
 public:
  explicit Checker(const System& system) : system_(system), store_(system.store()) {}

  std::vector<std::string> run() {
    declare();
    for (std::size_t i = 0; i < system_.states().size(); ++i) check_state(i);
    for (const NamedTerm& wire : system_.wires()) check_term(wire.term, "wire", wire.name);
    for (const NamedTerm& bad : system_.bads()) check_property(bad, "bad");
    for (const NamedTerm& constraint : system_.constraints()) check_property(constraint, "constraint");
    for (const Annotation& annotation : system_.annotations()) check_annotation(annotation);
    return std::move(problems_);
  }

 private:
  void declare() {
    const auto add = [&](Term variable, const char* kind) {
      if (!exists(variable) || !store_.is_variable(variable))
        problems_.push_back(fmt::format("an {} should be a variable", kind));
      else if (declared_.contains(variable))
        problems_.push_back(fmt::format("variable '{}' is declared twice", store_.name(variable)));
      else
        declared_[variable] = {};
    };
    for (const State& state : system_.states()) add(state.variable, "state");
    for (const Term input : system_.inputs()) add(input, "input");
    leaves_ = declared_;
  }

  bool exists(Term t) const { return t.id != 0 && t.id < store_.size(); }

  /// Every variable below `t` is declared; terms found right before are not looked at again.
  void check_term(Term t, const char* kind, const std::string& name) {
    if (!exists(t)) {
      problems_.push_back(fmt::format("{} '{}' has no term", kind, name));
      return;
    }
    term::post_order(store_, std::array{t}, seen_, [&](Term below) {
      if (store_.is_variable(below) && !leaves_.contains(below))
        problems_.push_back(
            fmt::format("{} '{}' refers to '{}', which is neither state nor input", kind, name, store_.name(below)));
    });
  }

  void check_property(const NamedTerm& property, const char* kind) {
    check_term(property.term, kind, property.name);
    if (exists(property.term) && store_.sort(property.term) != Sort{1, 0})
      problems_.push_back(fmt::format("{} '{}' should be a single bit", kind, property.name));
  }

  void check_annotation(const Annotation& annotation) {
    check_term(annotation.term, "annotation", annotation.name);
    if (!exists(annotation.term)) return;
    if (store_.is_array(annotation.term))
      problems_.push_back(fmt::format("annotation '{}' should be of a bit-vector", annotation.name));
    for (const auto& [value, text] : annotation.texts)
      if (value.width() != store_.width(annotation.term))
        problems_.push_back(fmt::format("annotation '{}' has a value of another width", annotation.name));
  }

  void check_state(std::size_t position) {
    const State& state = system_.states()[position];
    if (!exists(state.variable)) return;
    const std::string name = system_.state_name(position);
    if (state.next) {
      check_term(state.next, "the next value of", name);
      if (exists(state.next) && store_.sort(state.next) != store_.sort(state.variable))
        problems_.push_back(fmt::format("the next value of '{}' should have its sort", name));
    }
    if (state.init) {
      check_init(state, name);
      if (exists(state.init) && store_.sort(state.init) != store_.sort(state.variable))
        problems_.push_back(fmt::format("the initial value of '{}' should have its sort", name));
    }
    initialised_[state.variable] = {};
  }

  void check_init(const State& state, const std::string& name) {
    if (!exists(state.init)) {
      problems_.push_back(fmt::format("the initial value of '{}' has no term", name));
      return;
    }
    // The states that an init may refer to grow with the position, so a term that was right stays right.
    term::post_order(store_, std::array{state.init}, seen_in_init_, [&](Term below) {
      if (store_.is_variable(below) && !initialised_.contains(below))
        problems_.push_back(fmt::format("the initial value of '{}' refers to '{}', which is not a state before it",
                                        name, store_.name(below)));
    });
  }

  const System& system_;
  const TermStore& store_;
  std::vector<std::string> problems_;
  term::TermSet declared_;
  term::TermSet leaves_;
  term::TermSet initialised_;
  term::TermSet seen_;
  term::TermSet seen_in_init_;
};

}  // namespace

Term System::add_state(Sort sort, std::string name) {
  const Term variable = store_->variable(sort, std::move(name));
  add_state(variable);
  return variable;
}

Term System::add_input(Sort sort, std::string name) {
  const Term variable = store_->variable(sort, std::move(name));
  add_input(variable);
  return variable;
}

void System::add_state(Term variable) {
  INVARIANT(store_->is_variable(variable), "a state should be a variable");
  states_.push_back({variable, {}, {}});
}

void System::add_input(Term variable) {
  INVARIANT(store_->is_variable(variable), "an input should be a variable");
  inputs_.push_back(variable);
}

void System::set_init(std::size_t position, Term init) {
  INVARIANT(position < states_.size() && !states_[position].init, "a state should be initialised once");
  INVARIANT(store_->sort(init) == store_->sort(states_[position].variable),
            "an initial value should have the sort of its state");
  states_[position].init = init;
}

void System::set_next(std::size_t position, Term next) {
  INVARIANT(position < states_.size() && !states_[position].next, "a state should have one next value");
  INVARIANT(store_->sort(next) == store_->sort(states_[position].variable),
            "a next value should have the sort of its state");
  states_[position].next = next;
}

std::string System::state_name(std::size_t position) const {
  const std::string& name = store_->name(states_[position].variable);
  return name.empty() ? fmt::format("state{}", position) : name;
}

std::string System::input_name(std::size_t position) const {
  const std::string& name = store_->name(inputs_[position]);
  return name.empty() ? fmt::format("input{}", position) : name;
}

std::vector<std::string> System::problems() const { return Checker(*this).run(); }

void System::check() const {
  const std::vector<std::string> found = problems();
  if (!found.empty()) fail_invariant("a system should be well-formed", found.front(), __FILE__, __LINE__);
}

}  // namespace plumb::system
