#include "lang/tiny/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "system/copy.h"
#include "system/simulator.h"

namespace plumb::tiny {

namespace {

using system::Value;
using term::Term;

/// A run of the interpreter on a trace's choices ends as the trace does; this is for the case that it does not.
constexpr std::uint64_t kMaxStatements = 100'000'000;

/// What a run of the system chooses, by the names that the interpreter asks for.
struct ChosenValues {
  std::map<std::string, Value> inputs;
  std::map<std::string, std::vector<Value>> choices;  ///< by occurrence
};

/// The system with further terms as wires, so that a simulator computes them.
struct Probe {
  system::System system;
  std::vector<Term> terms;

  Probe(const system::System& original, const std::vector<Term>& probed) : system(system::copy(original)) {
    system::TermCopier copier(original.store(), system.store());
    for (std::size_t i = 0; i < original.states().size(); ++i) {
      copier.declare(original.states()[i].variable, system.states()[i].variable);
    }
    for (std::size_t i = 0; i < original.inputs().size(); ++i) {
      copier.declare(original.inputs()[i], system.inputs()[i]);
    }
    for (const Term t : probed) {
      terms.push_back(copier.copy(t));
      system.add_wire(terms.back(), "");
    }
  }
};

std::uint64_t element_of(const Value& value, std::uint64_t element) {
  if (const auto* word = std::get_if<BitVector>(&value)) return word->to_uint64();
  const auto& array = std::get<term::ArrayValue>(value);
  return array.at(BitVector(array.index_width, element)).to_uint64();
}

template <typename Range, typename Projection>
std::size_t position_of(const Range& range, Term t, Projection projection) {
  const auto found = std::find_if(range.begin(), range.end(), [&](const auto& x) { return projection(x) == t; });
  INVARIANT(found != range.end(), "a lowered program's inputs should be in its graph");
  return static_cast<std::size_t>(found - range.begin());
}

void read_inputs(const Subject& subject, const system::Simulator& simulator, const system::System& system,
                 ChosenValues& chosen) {
  for (const auto& [name, variable] : subject.lowered.inputs) {
    const std::size_t position =
        position_of(subject.lowered.graph.variables, variable, [](const auto& v) { return v.term; });
    const std::optional<std::size_t> state = subject.encoding.registers[position];
    if (state) chosen.inputs.emplace(name, simulator.value(system.states()[*state].variable));
  }
}

ChosenValues read_choices(const Subject& subject, const system::Trace& trace) {
  struct Source {
    std::string name;
    std::size_t input;
  };
  std::vector<Source> sources;
  std::vector<Term> executed;
  for (const auto& [name, input] : subject.lowered.choices) {
    const std::size_t position = position_of(subject.lowered.graph.inputs, input, [](Term t) { return t; });
    const system::Encoding::Choice& choice = subject.encoding.choices[position];
    if (!choice.input) continue;
    sources.push_back({name, *choice.input});
    executed.push_back(choice.executed);
  }
  const Probe probe(subject.system(), executed);
  system::Simulator simulator(probe.system);
  ChosenValues chosen;
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    simulator.play(trace, k);
    if (k == 0) read_inputs(subject, simulator, probe.system, chosen);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (simulator.bits(probe.terms[i]).is_zero()) continue;
      chosen.choices[sources[i].name].push_back(simulator.value(probe.system.inputs()[sources[i].input]));
    }
  }
  return chosen;
}

Place place_of(const system::Encoding::CheckSite& site) { return {site.location.line, site.location.column}; }

/// The places of the checks of a property that fail in the last step of a trace.
std::vector<Place> failing_places(const Subject& subject, std::size_t bad, const system::Trace& trace) {
  std::vector<Term> fails;
  std::vector<Place> places;
  for (const system::Encoding::CheckSite& site : subject.encoding.check_sites) {
    if (site.property != bad) continue;
    fails.push_back(site.fails);
    places.push_back(place_of(site));
  }
  const Probe probe(subject.system(), fails);
  system::Simulator simulator(probe.system);
  for (std::size_t k = 0; k < trace.steps.size(); ++k) simulator.play(trace, k);
  std::vector<Place> failing;
  for (std::size_t i = 0; i < fails.size(); ++i) {
    if (!simulator.bits(probe.terms[i]).is_zero()) failing.push_back(places[i]);
  }
  return failing;
}

std::uint64_t element_count(const Variable& variable, const Options& options) {
  std::uint64_t count = 1;
  for (const std::optional<std::uint64_t>& size : variable.dimensions) count *= size.value_or(options.max_array_size());
  return count;
}

std::vector<VariableValue> input_values(const Subject& subject, const Choices& choices) {
  std::vector<VariableValue> values;
  for (const Variable& variable : subject.program.variables) {
    if (variable.kind != Variable::Kind::Global && variable.kind != Variable::Kind::Parameter &&
        variable.kind != Variable::Kind::Local) {
      continue;
    }
    if (!subject.lowered.inputs.contains(variable.unique_name)) continue;
    VariableValue value{variable.unique_name, variable.type == Type::Bool, variable.is_array(), {}};
    const std::uint64_t count = element_count(variable, subject.options);
    for (std::uint64_t e = 0; e < count; ++e) value.values.push_back(choices(variable.unique_name, 0, e));
    values.push_back(std::move(value));
  }
  return values;
}

std::string describe(const Outcome& outcome) {
  switch (outcome.end) {
    case Outcome::End::Finished:
      return "finishes";
    case Outcome::End::Failed:
      return fmt::format("fails by {} at {}:{}", outcome.failure->kind, outcome.failure->place.line,
                         outcome.failure->place.column);
    case Outcome::End::PreconditionFalse:
      return "ends at a precondition";
    case Outcome::End::Assumption:
      return "ends at an assumption";
    case Outcome::End::OutOfSteps:
      return "does not end";
    case Outcome::End::OutOfStack:
      return "ends at a call beyond the stack";
  }
  return "";
}

/// The run of the program that ends where the property fails for the first time; other properties may fail before.
Outcome run_to_failure(const Subject& subject, std::size_t bad, const Choices& choices) {
  const std::string& kind = subject.lowered.properties[bad].kind;
  Limits limits;
  limits.statements = kMaxStatements;
  limits.ends_at = [&](const Failure& failure) {
    return failure.kind == kind &&
           std::any_of(subject.encoding.check_sites.begin(), subject.encoding.check_sites.end(),
                       [&](const auto& site) { return site.property == bad && place_of(site) == failure.place; });
  };
  return interpret(subject.program, subject.options, choices, limits);
}

void require_same_failure(const Subject& subject, std::size_t bad, const system::Trace& trace, const Outcome& outcome) {
  bool agrees = false;
  if (subject.lowered.cover == bad) {
    agrees = outcome.end == Outcome::End::Finished;
  } else if (outcome.end == Outcome::End::Failed) {
    const std::vector<Place> places = failing_places(subject, bad, trace);
    agrees = std::find(places.begin(), places.end(), outcome.failure->place) != places.end();
  }
  INVARIANT(agrees, fmt::format("a counterexample to '{}' should fail in the program too, where the run {}",
                                subject.property_name(bad), describe(outcome)));
}

}  // namespace

std::vector<std::size_t> Subject::properties() const {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < system().bads().size(); ++i) {
    if (lowered.cover != i) positions.push_back(i);
  }
  return positions;
}

std::string Subject::property_name(std::size_t bad) const {
  return bad < lowered.properties.size() ? lowered.properties[bad].name : system().bads()[bad].name;
}

Subject make_subject(std::string_view text, const std::string& file, const Options& options) {
  std::vector<Warning> warnings;
  Program program = parse(text, file, warnings);
  check_sizes(program, options);
  Lowered lowered = lower(rho(program, options), options);
  system::Encoding encoding = system::encode(lowered.graph, options.encoding);
  return {options, std::move(program), std::move(warnings), std::move(lowered), std::move(encoding)};
}

Choices choices_of(const Subject& subject, const system::Trace& trace) {
  // std::function copies what it holds; the values are many.
  const auto chosen = std::make_shared<const ChosenValues>(read_choices(subject, trace));
  return [chosen](const std::string& name, std::uint64_t occurrence, std::uint64_t element) -> std::uint64_t {
    if (const auto input = chosen->inputs.find(name); input != chosen->inputs.end()) {
      return element_of(input->second, element);
    }
    const auto choice = chosen->choices.find(name);
    if (choice == chosen->choices.end() || occurrence >= choice->second.size()) return 0;
    return element_of(choice->second[occurrence], element);
  };
}

Counterexample explain(const Subject& subject, std::size_t bad, const system::Trace& trace) {
  const system::Replay replay = system::replay(subject.system(), trace);
  const auto reached = std::find_if(replay.reached.begin(), replay.reached.end(),
                                    [&](const system::Replay::Reached& r) { return r.bad == bad; });
  INVARIANT(reached != replay.reached.end(), "a counterexample should reach its bad when it is replayed");
  system::Trace shortest = trace;
  shortest.steps.resize(reached->step + 1);

  const Choices choices = choices_of(subject, shortest);
  Counterexample result;
  result.step = reached->step;
  result.inputs = input_values(subject, choices);
  if (bad >= subject.lowered.properties.size()) {
    result.failure = {"termination", subject.property_name(bad), {}, subject.property_name(bad) + " is false"};
    result.outcome = interpret(subject.program, subject.options, choices);
    return result;
  }
  result.outcome = run_to_failure(subject, bad, choices);
  require_same_failure(subject, bad, shortest, result.outcome);
  if (result.outcome.failure) {
    result.failure = *result.outcome.failure;
  } else {
    result.failure = {"cover", subject.property_name(bad), {}, "the end is reached under the precondition"};
  }
  return result;
}

}  // namespace plumb::tiny
