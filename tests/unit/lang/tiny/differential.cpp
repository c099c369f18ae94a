#include "unit/lang/tiny/differential.h"

#include <fmt/format.h>

#include <algorithm>

#include "circuit/simulator.h"
#include "system/copy.h"
#include "system/to_circuit.h"

namespace plumb::tiny {

namespace {

using system::Value;
using term::Term;

Value random_value(term::Sort sort, std::mt19937_64& random) {
  if (!sort.is_array()) return BitVector(sort.width, random());
  term::ArrayValue value{sort.index_width, BitVector(sort.width, 0), {}};
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(64, std::uint64_t{1} << sort.index_width); ++i) {
    value.elements.emplace(BitVector(sort.index_width, i), BitVector(sort.width, random()));
  }
  return value;
}

std::string text(const FailedCheck& check) { return fmt::format("{} at {}:{}", check.kind, check.line, check.column); }

std::string text(const std::set<FailedCheck>& checks) {
  std::vector<std::string> texts;
  for (const FailedCheck& check : checks) texts.push_back(text(check));
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

std::uint64_t element_of(const Value& value, std::uint64_t element) {
  if (const auto* word = std::get_if<BitVector>(&value)) return word->to_uint64();
  const auto& array = std::get<term::ArrayValue>(value);
  return array.at(BitVector(array.index_width, element)).to_uint64();
}

}  // namespace

InterpreterRecord interpret_all(const Program& program, const Options& options, const Choices& choices,
                                std::uint64_t statements) {
  InterpreterRecord record;
  Limits limits;
  limits.statements = statements;
  limits.lines = 0;
  limits.ends_at = [&](const Failure& failure) {
    const FailedCheck check{failure.kind, failure.place.line, failure.place.column};
    if (std::find(record.failures.begin(), record.failures.end(), check) == record.failures.end()) {
      record.failures.push_back(check);
    }
    return false;
  };
  record.outcome = interpret(program, options, choices, limits);
  return record;
}

SystemRunner::SystemRunner(const Subject& subject) : subject_(subject), system_(system::copy(subject.system())) {
  const system::System& original = subject.system();
  system::TermCopier copier(original.store(), system_.store());
  for (std::size_t i = 0; i < original.states().size(); ++i) {
    copier.declare(original.states()[i].variable, system_.states()[i].variable);
  }
  for (std::size_t i = 0; i < original.inputs().size(); ++i) copier.declare(original.inputs()[i], system_.inputs()[i]);
  at_end_ = copier.copy(subject.encoding.at_end);
  system_.add_wire(at_end_, "");
  for (const system::Encoding::CheckSite& site : subject.encoding.check_sites) {
    fails_.push_back(copier.copy(site.fails));
    system_.add_wire(fails_.back(), "");
  }
  simulator_.emplace(system_);
}

std::vector<std::optional<Value>> SystemRunner::random_initial(std::mt19937_64& random) const {
  std::vector<std::optional<Value>> initial(system_.states().size());
  for (std::size_t i = 0; i < initial.size(); ++i) {
    const system::State& state = system_.states()[i];
    if (!state.init) initial[i] = random_value(system_.store().sort(state.variable), random);
  }
  return initial;
}

std::vector<std::optional<Value>> SystemRunner::initial_of(const Choices& choices) const {
  std::vector<std::optional<Value>> initial(system_.states().size());
  const auto& variables = subject_.lowered.graph.variables;
  for (const auto& [name, variable] : subject_.lowered.inputs) {
    const auto found =
        std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.term == variable; });
    const auto position = static_cast<std::size_t>(found - variables.begin());
    const std::optional<std::size_t> state = subject_.encoding.registers.at(position);
    if (!state || system_.states()[*state].init) continue;
    const term::Sort sort = system_.store().sort(system_.states()[*state].variable);
    if (!sort.is_array()) {
      initial[*state] = BitVector(sort.width, choices(name, 0, 0));
      continue;
    }
    term::ArrayValue value{sort.index_width, BitVector(sort.width, 0), {}};
    for (std::uint64_t e = 0; e < found->elements; ++e) {
      value.elements.emplace(BitVector(sort.index_width, e), BitVector(sort.width, choices(name, 0, e)));
    }
    initial[*state] = value;
  }
  return initial;
}

void SystemRunner::look(SystemRecord& record) {
  record.has_ended = !simulator_->bits(at_end_).is_zero();
  std::set<FailedCheck>& failures = record.failures.emplace_back();
  for (std::size_t i = 0; i < fails_.size(); ++i) {
    if (simulator_->bits(fails_[i]).is_zero()) continue;
    const system::Encoding::CheckSite& site = subject_.encoding.check_sites[i];
    if (site.property == subject_.lowered.cover) {
      record.is_covered = true;
    } else {
      failures.insert({subject_.lowered.properties[site.property].kind, site.location.line, site.location.column});
    }
  }
}

SystemRecord SystemRunner::run(std::vector<std::optional<Value>> initial, std::mt19937_64& random, std::size_t steps) {
  SystemRecord record;
  record.trace.initial = std::move(initial);
  for (std::size_t k = 0; k < steps && !record.has_ended; ++k) {
    system::Trace::Step& step = record.trace.steps.emplace_back();
    for (const Term input : system_.inputs()) {
      step.inputs.emplace_back(random_value(system_.store().sort(input), random));
    }
    simulator_->play(record.trace, k);
    look(record);
  }
  for (const std::optional<std::size_t> state : subject_.encoding.registers) {
    std::optional<Value>& value = record.registers.emplace_back();
    if (state) value = simulator_->value(system_.states()[*state].variable);
  }
  return record;
}

std::string difference(const SystemRecord& system, const InterpreterRecord& interpreter) {
  const Outcome::End end = interpreter.outcome.end;
  const bool is_short = end == Outcome::End::OutOfSteps;
  if (system.has_ended == is_short) {
    return fmt::format("the system has {}ended after {} steps, the program has {}after {} statements",
                       system.has_ended ? "" : "not ", system.failures.size(), is_short ? "not " : "",
                       interpreter.outcome.statements);
  }
  std::set<FailedCheck> in_system;
  for (const std::set<FailedCheck>& step : system.failures) in_system.insert(step.begin(), step.end());
  const std::set<FailedCheck> in_program(interpreter.failures.begin(), interpreter.failures.end());
  if (in_system != in_program) {
    return fmt::format("the system fails by {}, the program by {}", text(in_system), text(in_program));
  }
  std::size_t step = 0;
  for (const FailedCheck& check : interpreter.failures) {
    const auto first = std::find_if(system.failures.begin(), system.failures.end(),
                                    [&](const std::set<FailedCheck>& s) { return s.contains(check); });
    const auto position = static_cast<std::size_t>(first - system.failures.begin());
    if (position < step) return fmt::format("{} is too early in the system, in step {}", text(check), position);
    step = position;
  }
  const bool is_finished = end == Outcome::End::Finished;
  if (system.is_covered && !is_finished)
    return "the system comes to the end of the entry function, the program does not";
  return "";
}

std::string value_difference(const Subject& subject, const SystemRecord& system, const InterpreterRecord& interpreter) {
  for (const VariableValue& value : interpreter.outcome.values) {
    if (value.name.find("::") != std::string::npos) continue;
    for (std::size_t v = 0; v < subject.lowered.graph.variables.size(); ++v) {
      const system::ControlGraph::Variable& variable = subject.lowered.graph.variables[v];
      if (variable.is_hidden || subject.lowered.graph.store().name(variable.term) != value.name) continue;
      if (!system.registers[v]) continue;
      for (std::uint64_t e = 0; e < value.values.size(); ++e) {
        const std::uint64_t found = element_of(*system.registers[v], e);
        if (found == value.values[e]) continue;
        return fmt::format("at the end {} (element {}) is {} in the system and {} in the program", value.name, e, found,
                           value.values[e]);
      }
    }
  }
  return "";
}

std::string circuit_difference(const Subject& subject, const system::Trace& trace) {
  const system::SystemCircuit made = system::to_circuit(subject.system(), Budget());
  const system::CircuitTrace bits = made.to_circuit(subject.system(), trace);
  circuit::Simulator circuit(made.aig);
  std::vector<std::uint64_t> free;
  for (std::size_t i = 0; i < made.aig.latches().size(); ++i) {
    if (made.aig.latches()[i].init == circuit::LatchInit::Free) free.push_back(bits.latches[i] ? 1 : 0);
  }
  circuit.reset(free);
  system::Simulator simulator(subject.system());
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    simulator.play(trace, k);
    for (std::uint32_t i = 0; i < bits.inputs[k].size(); ++i) circuit.set_input(i, bits.inputs[k][i] ? 1 : 0);
    circuit.evaluate();
    for (std::size_t bad = 0; bad < subject.system().bads().size(); ++bad) {
      const bool in_circuit = (circuit.value(made.aig.bads()[bad].lit) & 1) != 0;
      if (in_circuit != simulator.is_bad(bad)) return fmt::format("{} in step {}", subject.property_name(bad), k);
    }
    circuit.step();
  }
  return "";
}

}  // namespace plumb::tiny
