#include "system/expand_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "system/array_expansion.h"

namespace plumb::system {
namespace {

using Choices = std::vector<std::optional<Value>>;

class CellBuilder {
 public:
  CellBuilder(const System& from, std::uint64_t max_elements)
      : from_(from), expansion_(from.store(), result_.system.store(), max_elements) {}

  CellSystem build() {
    for (std::size_t i = 0; i < from_.states().size(); ++i) {
      first_.push_back(result_.states.size());
      declare(from_.states()[i].variable, from_.state_name(i), i, result_.states,
              [&](Term made) { result_.system.add_state(made); });
    }
    for (std::size_t i = 0; i < from_.inputs().size(); ++i)
      declare(from_.inputs()[i], from_.input_name(i), i, result_.inputs,
              [&](Term made) { result_.system.add_input(made); });
    for (std::size_t i = 0; i < from_.states().size(); ++i) connect(i);
    for (const NamedTerm& bad : from_.bads()) result_.system.add_bad(expansion_.expand(bad.term).front(), bad.name);
    for (const NamedTerm& constraint : from_.constraints())
      result_.system.add_constraint(expansion_.expand(constraint.term).front(), constraint.name);
    for (const NamedTerm& wire : from_.wires()) add_wire(wire);
    for (const Annotation& annotation : from_.annotations())
      result_.system.add_annotation({annotation.name, expansion_.expand(annotation.term).front(), annotation.texts});
    return std::move(result_);
  }

 private:
  template <typename Add>
  void declare(Term variable, const std::string& name, std::size_t position, std::vector<CellSystem::Place>& places,
               const Add& add) {
    const bool is_array = from_.store().is_array(variable);
    std::uint64_t element = 0;
    for (const Term made : expansion_.declare(variable, name)) {
      add(made);
      places.push_back({position, is_array ? std::optional(element++) : std::nullopt});
    }
  }

  void connect(std::size_t position) {
    const State& state = from_.states()[position];
    std::size_t to = first_[position];
    if (state.init)
      for (const Term init : expansion_.expand(state.init)) result_.system.set_init(to++, init);
    to = first_[position];
    if (state.next)
      for (const Term next : expansion_.expand(state.next)) result_.system.set_next(to++, next);
  }

  void add_wire(const NamedTerm& wire) {
    const bool is_array = from_.store().is_array(wire.term);
    std::uint64_t element = 0;
    for (const Term cell : expansion_.expand(wire.term)) {
      const bool has_index = is_array && !wire.name.empty();
      result_.system.add_wire(cell, has_index ? fmt::format("{}[{}]", wire.name, element) : wire.name);
      ++element;
    }
  }

  const System& from_;
  CellSystem result_;
  ArrayExpansion expansion_;
  std::vector<std::size_t> first_;  ///< by state of from_: where its elements begin
};

/// Choices for words and elements as choices for words and arrays.
Choices gathered(const Choices& choices, const std::vector<CellSystem::Place>& places,
                 const std::function<Sort(std::size_t)>& sort_of) {
  Choices result;
  for (std::size_t i = 0; i < std::min(choices.size(), places.size()); ++i) {
    if (!choices[i]) continue;
    const auto& [position, element] = places[i];
    if (result.size() <= position) result.resize(position + 1);
    if (!element) {
      result[position] = choices[i];
      continue;
    }
    const Sort sort = sort_of(position);
    if (!result[position]) result[position] = term::zero_value(sort);
    std::get<term::ArrayValue>(*result[position])
        .elements.insert_or_assign(BitVector(sort.index_width, *element), std::get<BitVector>(*choices[i]));
  }
  return result;
}

}  // namespace

Trace CellSystem::to_arrays(const System& with_arrays, const Trace& trace) const {
  const TermStore& store = with_arrays.store();
  const auto state_sort = [&](std::size_t i) { return store.sort(with_arrays.states()[i].variable); };
  const auto input_sort = [&](std::size_t i) { return store.sort(with_arrays.inputs()[i]); };
  Trace result;
  result.initial = gathered(trace.initial, states, state_sort);
  for (const Trace::Step& step : trace.steps)
    result.steps.push_back({gathered(step.inputs, inputs, input_sort), gathered(step.states, states, state_sort)});
  return result;
}

CellSystem expand_arrays(const System& system, std::uint64_t max_elements) {
  return CellBuilder(system, max_elements).build();
}

std::uint64_t cell_count(const System& system) {
  std::uint64_t count = 0;
  const auto add = [&](Term variable) {
    count += std::uint64_t{1} << std::min(system.store().sort(variable).index_width, 32U);
  };
  for (const State& state : system.states()) add(state.variable);
  std::ranges::for_each(system.inputs(), add);
  return count;
}

bool has_arrays(const System& system) {
  const auto is_array = [&](Term variable) { return system.store().is_array(variable); };
  return std::ranges::any_of(system.states(), [&](const State& state) { return is_array(state.variable); }) ||
         std::ranges::any_of(system.inputs(), is_array);
}

}  // namespace plumb::system
