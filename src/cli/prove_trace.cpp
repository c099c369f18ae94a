#include "cli/prove_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "system/copy.h"
#include "system/simulator.h"
#include "term/traverse.h"

namespace plumb::cli {
namespace {

constexpr std::size_t kShownSteps = 12;
constexpr std::size_t kShownSignals = 24;
constexpr std::uint32_t kMaxDecimalBits = 32;
constexpr std::uint32_t kMaxListedBits = 5;   ///< of an index, in text
constexpr std::uint32_t kMaxObjectBits = 12;  ///< in objects
constexpr std::uint32_t kMaxNumberBits = 53;  ///< that every reader of JSON has

std::string number_text(const BitVector& value) {
  return value.width() <= kMaxDecimalBits ? value.to_decimal() : "0x" + value.to_hex();
}

nlohmann::ordered_json number_json(const BitVector& value) {
  if (value.width() <= kMaxNumberBits) return value.to_uint64();
  return "0x" + value.to_hex();
}

/// A signal and what it is in each step.
struct Signal {
  std::string name;
  system::Term term;
  bool is_array = false;
  std::vector<system::Value> values;
};

class Run {
 public:
  Run(const system::System& system, std::size_t bad, const system::Trace& trace, bool with_wires) : system_(system) {
    const system::Part cone = system::cone_of_influence(system, std::vector{bad});
    for (const std::size_t i : cone.inputs) inputs_.push_back(signal(system.input_name(i), system.inputs()[i]));
    add_states(cone.states);
    add_wires(cone);
    for (std::size_t i = 0; i < system.states().size(); ++i)
      all_.push_back(signal(system.state_name(i), system.states()[i].variable));
    for (std::size_t i = 0; i < system.inputs().size(); ++i)
      all_.push_back(signal(system.input_name(i), system.inputs()[i]));
    if (with_wires)
      for (const system::NamedTerm& wire : system.wires()) all_.push_back(signal(wire.name, wire.term));
    simulate(bad, trace);
  }

  std::string text() const {
    std::string text;
    std::string start;
    for (const std::size_t i : free_)
      start += fmt::format("{}{} = {}", start.empty() ? "" : ", ", states_[i].name, value_text(states_[i].values[0]));
    if (!start.empty()) text += fmt::format("  without an initial value, so free at the start: {}\n", start);
    return text + table();
  }

  std::string full() const {
    std::string text;
    for (std::size_t step = 0; step < steps_; ++step) {
      text += fmt::format("  step {}\n", step);
      for (const Signal& each : all_)
        if (!each.name.empty() && (step == 0 || each.values[step] != each.values[step - 1]))
          text += fmt::format("    {} = {}\n", each.name, value_text(each.values[step]));
    }
    return text;
  }

  nlohmann::ordered_json object(bool with_signals) const {
    nlohmann::ordered_json initial = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < system_.states().size(); ++i)
      initial[utf8(all_[i].name)] = value_json(all_[i].values.front());
    nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
    nlohmann::ordered_json signals = nlohmann::ordered_json::array();
    for (std::size_t step = 0; step < steps_; ++step) {
      nlohmann::ordered_json chosen = nlohmann::ordered_json::object();
      for (std::size_t i = 0; i < system_.inputs().size(); ++i) {
        const Signal& input = all_[system_.states().size() + i];
        chosen[utf8(input.name)] = value_json(input.values[step]);
      }
      inputs.push_back(std::move(chosen));
      if (!with_signals) continue;
      nlohmann::ordered_json every = nlohmann::ordered_json::object();
      for (const Signal& each : all_) every[utf8(each.name)] = value_json(each.values[step]);
      signals.push_back(std::move(every));
    }
    nlohmann::ordered_json object = {{"steps", steps_}, {"initial", std::move(initial)}, {"inputs", std::move(inputs)}};
    if (with_signals) object["signals"] = std::move(signals);
    return object;
  }

 private:
  Signal signal(std::string name, system::Term term) const {
    return {std::move(name), term, system_.store().sort(term).is_array(), {}};
  }

  /// States without a name are shown where nothing has one. One without init and next is an input.
  void add_states(const std::vector<std::size_t>& positions) {
    const auto name = [&](std::size_t i) { return system_.store().name(system_.states()[i].variable); };
    const bool has_names =
        std::ranges::any_of(positions, [&](std::size_t i) { return !name(i).empty(); }) ||
        std::ranges::any_of(system_.inputs(), [&](system::Term input) { return !system_.store().name(input).empty(); });
    for (const std::size_t i : positions) {
      if (has_names && name(i).empty()) continue;
      const system::State& state = system_.states()[i];
      if (!state.init && !state.next) {
        inputs_.push_back(signal(system_.state_name(i), state.variable));
      } else {
        if (!state.init) free_.push_back(states_.size());
        states_.push_back(signal(system_.state_name(i), state.variable));
      }
    }
  }

  /// A register without a name may still be known by wires that show it; those that depend on least show it best.
  void add_wires(const system::Part& cone) {
    std::set<system::Term> unnamed;
    for (const std::size_t i : cone.states) {
      const system::State& state = system_.states()[i];
      if (state.next && system_.store().name(state.variable).empty()) unnamed.insert(state.variable);
    }
    if (unnamed.empty()) return;
    std::multimap<std::size_t, Signal> found;
    std::set<system::Term> taken;
    term::TermSet room;
    for (const system::NamedTerm& wire : system_.wires()) {
      room.clear();
      const std::vector<system::Term> support = term::support(system_.store(), std::vector{wire.term}, room);
      if (wire.name.empty() || system_.store().is_array(wire.term) ||
          std::ranges::none_of(support, [&](system::Term t) { return unnamed.contains(t); }))
        continue;
      if (taken.insert(wire.term).second) found.emplace(support.size(), signal(wire.name, wire.term));
    }
    for (auto& [size, wire] : found)
      if (states_.size() < kShownSignals) states_.push_back(std::move(wire));
  }

  void simulate(std::size_t bad, const system::Trace& trace) {
    system::Simulator simulator(system_);
    for (steps_ = 0; steps_ < trace.steps.size(); ++steps_) {
      simulator.play(trace, steps_);
      for (auto* group : {&inputs_, &states_, &all_})
        for (Signal& each : *group) each.values.push_back(simulator.value(each.term));
      if (simulator.is_bad(bad)) {
        ++steps_;
        return;
      }
    }
    INVARIANT(false, "a counterexample that was replayed should reach its bad");
  }

  std::string table() const {
    std::vector<const Signal*> rows;
    for (const auto* group : {&inputs_, &states_})
      for (const Signal& each : *group)
        if (!each.is_array) rows.push_back(&each);
    const std::size_t left_out = rows.size() > kShownSignals ? rows.size() - kShownSignals : 0;
    rows.resize(rows.size() - left_out);
    // The first step and the last ones: the way in is the same again and again in what runs long.
    std::vector<std::size_t> columns;
    for (std::size_t step = 0; step < steps_; ++step)
      if (steps_ <= kShownSteps || step == 0 || step + kShownSteps > steps_ + 1) columns.push_back(step);
    std::size_t width = 4;
    for (const Signal* row : rows) width = std::max(width, row->name.size());
    std::vector<std::string> lines = {fmt::format("  {:<{}}", "step", width)};
    for (const Signal* row : rows) lines.push_back(fmt::format("  {:<{}}", row->name, width));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0 && columns[i] != columns[i - 1] + 1)
        for (std::string& line : lines) line += " …";
      std::vector<std::string> cells = {std::to_string(columns[i])};
      for (const Signal* row : rows) cells.push_back(value_text(row->values[columns[i]]));
      std::size_t wide = 0;
      for (const std::string& cell : cells) wide = std::max(wide, cell.size());
      for (std::size_t line = 0; line < lines.size(); ++line) lines[line] += fmt::format(" {:>{}}", cells[line], wide);
    }
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    if (left_out > 0) text += fmt::format("  and {} signals more (--full-trace shows them)\n", left_out);
    return text;
  }

  const system::System& system_;
  std::vector<Signal> inputs_;     ///< of the bad's cone
  std::vector<Signal> states_;     ///< of the bad's cone, those with a name
  std::vector<std::size_t> free_;  ///< positions in states_ without an initial value
  std::vector<Signal> all_;        ///< states, then inputs, then wires
  std::size_t steps_ = 0;
};

}  // namespace

std::string value_text(const system::Value& value) {
  if (const auto* word = std::get_if<BitVector>(&value)) return number_text(*word);
  const auto& array = std::get<term::ArrayValue>(value);
  std::string text;
  if (array.index_width <= kMaxListedBits) {
    for (std::uint64_t i = 0; i < std::uint64_t{1} << array.index_width; ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ", ", number_text(array.at(BitVector(array.index_width, i))));
    return fmt::format("[{}]", text);
  }
  for (const auto& [index, element] : array.elements)
    if (element != array.otherwise) text += fmt::format("{}: {}, ", number_text(index), number_text(element));
  return fmt::format("{{{}otherwise {}}}", text, number_text(array.otherwise));
}

nlohmann::ordered_json value_json(const system::Value& value) {
  if (const auto* word = std::get_if<BitVector>(&value)) return number_json(*word);
  const auto& array = std::get<term::ArrayValue>(value);
  if (array.index_width <= kMaxObjectBits) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::uint64_t i = 0; i < std::uint64_t{1} << array.index_width; ++i)
      list.push_back(number_json(array.at(BitVector(array.index_width, i))));
    return list;
  }
  nlohmann::ordered_json object = {{"otherwise", number_json(array.otherwise)}};
  for (const auto& [index, element] : array.elements) object[index.to_decimal()] = number_json(element);
  return object;
}

ShownTrace show_trace(const system::System& system, std::size_t bad, const system::Trace& trace, bool with_signals) {
  const Run run(system, bad, trace, with_signals);
  return {run.text(), with_signals ? run.full() : std::string(), run.object(with_signals)};
}

}  // namespace plumb::cli
