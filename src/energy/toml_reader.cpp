#include "energy/toml_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/spelling.h"

namespace plumb::energy {
namespace {

const toml::table& no_table() {
  static const toml::table kEmpty;
  return kEmpty;
}

std::string describe(const TableReader::Range& range) {
  if (range.high >= TableReader::Range{}.high)
    return range.is_above_low ? fmt::format("a number above {}", range.low)
                              : fmt::format("a number that is at least {}", range.low);
  return range.is_above_low ? fmt::format("a number above {} and at most {}", range.low, range.high)
                            : fmt::format("a number from {} to {}", range.low, range.high);
}

}  // namespace

std::string_view kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

SourceLocation TableReader::place_of(const toml::node& node) const {
  const toml::source_region& source = node.source();
  // A table that a value of the command line called for is where that value is.
  if (!source.path && node.is_table() && !node.as_table()->empty()) return place_of(node.as_table()->begin()->second);
  // A value of the command line has no line that the user wrote.
  if (source.path && *source.path != file_) return {*source.path};
  return {file_, source.begin.line, source.begin.column};
}

void TableReader::fail(const toml::node& node, std::string message, std::string hint) const {
  throw UserError(place_of(node), std::move(message), std::move(hint));
}

std::string TableReader::hint_for_word(std::string_view word, const std::vector<std::string>& known) {
  const std::string_view near = nearest_name(word, known);
  return near.empty() ? std::string() : fmt::format("did you mean '{}'?", near);
}

std::string TableReader::alternatives(const std::vector<std::string>& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i)
    result += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return result;
}

const toml::node* TableReader::find(std::string_view key) {
  known_.emplace_back(key);
  return table_.get(key);
}

const toml::node& TableReader::need(std::string_view key, std::string_view what) {
  const toml::node* node = find(key);
  if (node == nullptr) {
    for (const auto& [name, value] : table_) {
      // A key that is nearly right is more likely misspelt than missing.
      if (nearest_name(name.str(), std::array{key}).empty()) continue;
      if (std::ranges::find(known_, name.str()) == known_.end())
        throw UserError(SourceLocation{file_, name.source().begin.line, name.source().begin.column},
                        fmt::format("unknown key '{}'", name_of(name.str())), fmt::format("did you mean '{}'?", key));
    }
    throw UserError(place(), fmt::format("{} is missing: expected {}", name_of(key), what));
  }
  return *node;
}

double TableReader::number(const toml::node& node, std::string_view key, const Range& range) const {
  const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value) fail(node, fmt::format("{}: expected {}, but found {}", name_of(key), describe(range), kind_of(node)));
  const bool is_inside = range.is_above_low ? *value > range.low : *value >= range.low;
  if (!std::isfinite(*value) || !is_inside || *value > range.high)
    fail(node, fmt::format("{}: expected {}, but found {}", name_of(key), describe(range), *value));
  return *value;
}

std::int64_t TableReader::integer(const toml::node& node, std::string_view key, std::int64_t low,
                                  std::int64_t high) const {
  const std::optional<std::int64_t> value = node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
  if (!value || *value < low || *value > high)
    fail(node, fmt::format("{}: expected an integer from {} to {}, but found {}", name_of(key), low, high,
                           value ? fmt::to_string(*value) : std::string(kind_of(node))));
  return *value;
}

std::string TableReader::text(const toml::node& node, std::string_view key) const {
  const std::optional<std::string> value = node.is_string() ? node.value<std::string>() : std::nullopt;
  if (!value) fail(node, fmt::format("{}: expected a string, but found {}", name_of(key), kind_of(node)));
  return *value;
}

void TableReader::read(std::string_view key, double& value, const Range& range) {
  if (const toml::node* node = find(key)) value = number(*node, key, range);
}

void TableReader::read(std::string_view key, std::string& value) {
  if (const toml::node* node = find(key)) value = text(*node, key);
}

TableReader TableReader::table(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {no_table(), name_of(key), file_};
  if (!node->is_table()) fail(*node, fmt::format("{}: expected a table, but found {}", name_of(key), kind_of(*node)));
  return {*node->as_table(), name_of(key), file_};
}

std::vector<TableReader> TableReader::tables(std::string_view key) {
  std::vector<TableReader> result;
  const toml::node* node = find(key);
  if (node == nullptr) return result;
  const toml::array* array = node->as_array();
  if (array == nullptr)
    fail(*node, fmt::format("{}: expected an array of tables, but found {}", name_of(key), kind_of(*node)),
         fmt::format("begin each of them with [[{}]]", name_of(key)));
  for (std::size_t i = 0; i < array->size(); ++i) {
    const toml::node& element = (*array)[i];
    const std::string path = fmt::format("{}[{}]", name_of(key), i + 1);
    if (!element.is_table()) fail(element, fmt::format("{}: expected a table, but found {}", path, kind_of(element)));
    result.emplace_back(*element.as_table(), path, file_);
  }
  return result;
}

void TableReader::expect_no_more() const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::ranges::find(known_, name) != known_.end()) continue;
    SourceLocation place{file_, key.source().begin.line, key.source().begin.column};
    if (place.line == 0) place = place_of(node);
    throw UserError(std::move(place), fmt::format("unknown key '{}'", name_of(name)),
                    hint_for_name(name, known_, "keys"));
  }
}

}  // namespace plumb::energy
