#include "cli/shell/simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"
#include "base/spelling.h"
#include "cli/shell/words.h"
#include "system/simulator.h"

namespace plumb::cli::shell {
namespace {

using system::System;
using term::ArrayValue;

constexpr std::uint64_t kShownElements = 64;

std::string number(const BitVector& value, bool is_signed) {
  if (value.width() > 64) return "0x" + value.to_hex();
  return is_signed && value.width() > 1 ? fmt::format("{}", value.to_int64()) : fmt::format("{}", value.to_uint64());
}

std::string array_text(const ArrayValue& array, std::uint64_t elements, bool is_signed) {
  std::vector<std::string> parts;
  if (elements != 0 && elements <= kShownElements) {
    for (std::uint64_t i = 0; i < elements; ++i)
      parts.push_back(number(array.at(BitVector(array.index_width, i)), is_signed));
    return fmt::format("[{}]", fmt::join(parts, " "));
  }
  for (const auto& [index, element] : array.elements)
    if (element != array.otherwise)
      parts.push_back(fmt::format("{}:{}", number(index, false), number(element, is_signed)));
  parts.push_back("others:" + number(array.otherwise, is_signed));
  return fmt::format("[{}]", fmt::join(parts, " "));
}

/// `name[7]` as `name` and 7.
std::optional<std::pair<std::string, std::uint64_t>> split_index(const std::string& text) {
  const std::size_t open = text.rfind('[');
  if (open == std::string::npos || open == 0 || !text.ends_with(']')) return std::nullopt;
  std::uint64_t index = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data() + open + 1, end, index);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return std::pair{text.substr(0, open), index};
}

bool is_end_of(const std::string& whole, const std::string& name) {
  if (!whole.ends_with(name) || whole.size() == name.size()) return false;
  const char before = whole[whole.size() - name.size() - 1];
  return before == ':' || before == '.';
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const Design> design, system::Trace trace, std::string origin)
    : design_(std::move(design)),
      trace_(std::move(trace)),
      origin_(std::move(origin)),
      replay_(system::replay(design_->system(), trace_)) {}

std::vector<Simulation::Signal> Simulation::signals() const {
  std::vector<Signal> all;
  const System& system = design_->system();
  const auto add = [&](std::string name, system::Term t, std::uint64_t elements) {
    Signal signal{std::move(name), t, std::nullopt, elements, nullptr, false};
    const system::Sort sort = system.store().sort(t);
    signal.is_flag = !sort.is_array() && sort.width == 1;
    if (sort.is_array() && elements == 0 && sort.index_width < 16)
      signal.elements = std::uint64_t{1} << sort.index_width;
    all.push_back(std::move(signal));
  };
  if (const tiny::Subject* subject = design_->subject()) {
    const auto& variables = subject->lowered.graph.variables;
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (const auto state = subject->encoding.registers[i]; state && !variables[i].is_hidden)
        add(std::string(subject->lowered.graph.store().name(variables[i].term)), system.states()[*state].variable,
            variables[i].elements);
  }
  for (std::size_t i = 0; i < system.states().size(); ++i) add(system.state_name(i), system.states()[i].variable, 0);
  for (std::size_t i = 0; i < system.inputs().size(); ++i) add(system.input_name(i), system.inputs()[i], 0);
  for (const auto list : {system.wires(), system.bads(), system.constraints()})
    for (const system::NamedTerm& named : list)
      if (!named.name.empty()) add(named.name, named.term, 0);
  for (const system::Annotation& annotation : system.annotations()) {
    add(annotation.name, annotation.term, 0);
    all.back().texts = &annotation;
  }
  return all;
}

std::vector<std::string> Simulation::names() const {
  std::set<std::string> sorted;
  for (const Signal& signal : signals()) sorted.insert(signal.name);
  return {sorted.begin(), sorted.end()};
}

Simulation::Signal Simulation::signal(const std::string& name) const {
  const std::vector<Signal> all = signals();
  const auto exact = std::ranges::find(all, name, &Signal::name);
  if (exact != all.end()) return *exact;
  std::vector<const Signal*> ends;
  for (const Signal& one : all)
    if (is_end_of(one.name, name)) ends.push_back(&one);
  if (ends.size() == 1) return *ends.front();
  if (const auto parts = split_index(name); parts && ends.empty()) {
    Signal array = signal(parts->first);
    const system::Sort sort = design_->system().store().sort(array.term);
    if (!sort.is_array()) throw UserError(fmt::format("{} is no array", array.name));
    if (array.elements != 0 && parts->second >= array.elements)
      throw UserError(fmt::format("{} has {} elements, from 0", array.name, array.elements));
    array.name = fmt::format("{}[{}]", array.name, parts->second);
    array.element = BitVector(sort.index_width, parts->second);
    return array;
  }
  std::vector<std::string_view> known;
  for (const Signal& one : all) known.push_back(one.name);
  if (!ends.empty())
    throw UserError(fmt::format("'{}' may be several variables", name),
                    fmt::format("{} or {}", ends[0]->name, ends[1]->name));
  const std::string_view near = nearest_name(name, known);
  throw UserError(fmt::format("no variable '{}'", name),
                  near.empty() ? "sim_variable without a name lists them" : fmt::format("did you mean {}?", near));
}

std::vector<std::vector<std::string>> Simulation::values(const std::vector<Signal>& wanted, std::size_t from,
                                                         std::size_t to) const {
  std::vector<std::vector<std::string>> rows;
  system::Simulator simulator(design_->system());
  for (std::size_t k = 0; k <= to && k < frames(); ++k) {
    simulator.play(trace_, k);
    if (k < from) continue;
    std::vector<std::string> row{fmt::format("{}", k)};
    for (const Signal& one : wanted) {
      const bool is_signed = design_->options().is_signed && !one.is_flag;
      const system::Value value = simulator.value(one.term);
      if (const auto* array = std::get_if<ArrayValue>(&value)) {
        row.push_back(one.element ? number(array->at(*one.element), is_signed)
                                  : array_text(*array, one.elements, is_signed));
      } else if (one.texts != nullptr) {
        const auto text = one.texts->texts.find(std::get<BitVector>(value));
        row.push_back(text == one.texts->texts.end() ? "" : text->second);
      } else {
        row.push_back(number(std::get<BitVector>(value), is_signed));
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < head.size(); ++c) {
    widths.push_back(head[c].size());
    for (const auto& row : rows) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  const auto add = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) text += fmt::format("{}{:>{}}", c == 0 ? "" : "  ", row[c], widths[c]);
    text += '\n';
  };
  add(head);
  for (const auto& row : rows) add(row);
  return text;
}

}  // namespace plumb::cli::shell
