#include "flatten/follow.h"

#include <algorithm>
#include <deque>

#include "system/graph_run.h"
#include "system/simulator.h"
#include "term/evaluator.h"

namespace plumb::flatten {

using term::Value;

namespace {

/// By input of the graph: its values in the order in which a run of the system reads them. A step reads each at most
/// once, so the order of the steps is all that there is to know.
std::vector<std::deque<Value>> values_read(const system::Encoding& encoding, const system::Trace& trace) {
  const system::System& system = encoding.system;
  std::vector<std::deque<Value>> read(encoding.choices.size());
  system::Simulator simulator(system);
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    simulator.play(trace, k);
    term::Assignment now;
    for (const system::State& state : system.states()) now[state.variable] = simulator.value(state.variable);
    for (const Term input : system.inputs()) now[input] = simulator.value(input);
    term::Evaluator evaluator(system.store(), now);
    for (std::size_t i = 0; i < encoding.choices.size(); ++i) {
      const system::Encoding::Choice& choice = encoding.choices[i];
      if (choice.input && evaluator.is_true(choice.executed)) read[i].push_back(now.at(system.inputs()[*choice.input]));
    }
  }
  return read;
}

/// By variable of the graph, as the run starts. A register may have the lowest bits of its variable alone: the others
/// are zero then.
std::vector<std::optional<Value>> initial_values(const Flattened& program, const system::Encoding& encoding,
                                                 const system::Trace& trace) {
  std::vector<std::optional<Value>> initial(program.graph.variables.size());
  for (std::size_t v = 0; v < initial.size(); ++v) {
    const std::optional<std::size_t> held = encoding.registers[v];
    if (!held || *held >= trace.initial.size() || !trace.initial[*held]) continue;
    initial[v] = trace.initial[*held];
    const term::Sort sort = program.graph.store().sort(program.graph.variables[v].term);
    if (BitVector* bits = std::get_if<BitVector>(&*initial[v]); bits != nullptr && bits->width() < sort.width)
      *bits = bits->zero_extend(sort.width);
  }
  return initial;
}

result::TestInput test_input(const Flattened::Input& input, const BitVector& value) {
  result::TestInput made{input.name, {}};
  for (std::uint32_t at = 0; at < value.width(); at += 8) {
    const std::uint32_t high = std::min(at + 7, value.width() - 1);
    made.bytes.push_back(static_cast<std::uint8_t>(value.extract(high, at).to_uint64()));
  }
  return made;
}

}  // namespace

std::optional<result::TestCase> follow(const Flattened& program, const system::Encoding& encoding,
                                       const system::Trace& trace, std::size_t property, const Budget& budget) {
  std::vector<std::deque<Value>> values = values_read(encoding, trace);
  result::TestCase test;
  const auto next = [&](std::size_t input) {
    Value value = term::zero_value(program.graph.store().sort(program.graph.inputs[input]));
    if (!values[input].empty()) {
      value = std::move(values[input].front());
      values[input].pop_front();
    }
    if (program.inputs[input].is_asked)
      test.inputs.push_back(test_input(program.inputs[input], std::get<BitVector>(value)));
    return value;
  };
  system::GraphRun run(program.graph, next, initial_values(program, encoding, trace));
  std::vector<bool> wanted(program.graph.properties.size(), false);
  wanted[property] = true;
  if (!run.run(wanted, budget)) return std::nullopt;
  return test;
}

}  // namespace plumb::flatten
