#include "energy/scenario_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <map>

#include "base/error.h"
#include "base/file.h"
#include "energy/csv.h"
#include "energy/names.h"
#include "energy/scenario_reader.h"
#include "energy/toml_reader.h"

namespace plumb::energy {
namespace {

toml::table parse(std::string_view text, const std::string& source) {
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    const toml::source_position& place = error.source().begin;
    throw UserError(SourceLocation{source, place.line, place.column}, std::string(error.description()));
  }
}

SourceLocation place_of(const Setting& setting) { return {fmt::format("{} {}", setting.origin, setting.key)}; }

/// The table `value = TEXT`; where that is not TOML, a word without its quotes.
toml::table parse_value(const Setting& setting) {
  const std::string source = place_of(setting).file;
  if (setting.value.find_first_of("\n\r#") == std::string::npos) {
    try {
      return toml::parse(fmt::format("value = {}", setting.value), source);
    } catch (const toml::parse_error&) {
      if (setting.value.find('\'') == std::string::npos)
        return parse(fmt::format("value = '{}'", setting.value), source);
    }
  }
  throw UserError(place_of(setting), fmt::format("'{}' is not a value", setting.value),
                  "write it as in the scenario file");
}

/// Puts a value at a path of keys, with the tables on the way. The value is moved, which keeps where it came from.
void put(toml::table& table, std::string_view path, const Setting& setting) {
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot);
  if (key.empty())
    throw UserError(SourceLocation{setting.origin}, fmt::format("'{}' is not the name of a value", setting.key),
                    "write it as TABLE.KEY, such as trust.beta");
  if (dot == std::string_view::npos) {
    toml::table parsed = parse_value(setting);
    parsed.get("value")->visit([&](auto& value) { table.insert_or_assign(key, std::move(value)); });
    return;
  }
  toml::node* next = table.get(key);
  if (next == nullptr) next = &table.insert_or_assign(key, toml::table{}).first->second;
  if (!next->is_table())
    throw UserError(place_of(setting), fmt::format("'{}' is {} and has no keys of its own", key, kind_of(*next)));
  put(*next->as_table(), path.substr(dot + 1), setting);
}

std::string name_of(const toml::table& table) { return table["name"].value_or(std::string()); }

/// All tables of an array, or the one whose name the path begins with.
void put_into_array(toml::array& array, std::string_view path, const Setting& setting) {
  std::vector<std::string> names;
  bool is_key = path.find('.') == std::string_view::npos;
  for (toml::node& node : array) {
    toml::table* table = node.as_table();
    if (table == nullptr) continue;
    names.push_back(name_of(*table));
    is_key = is_key || table->contains(path.substr(0, path.find('.')));
    if (!names.back().empty() && path.starts_with(names.back()) && path.substr(names.back().size()).starts_with('.')) {
      put(*table, path.substr(names.back().size() + 1), setting);
      return;
    }
  }
  if (!is_key) {
    const std::string_view name = path.substr(0, path.find('.'));
    throw UserError(place_of(setting), fmt::format("nothing there is named '{}'", name),
                    hint_for_name(name, names, "names"));
  }
  for (toml::node& node : array)
    if (toml::table* table = node.as_table()) put(*table, path, setting);
}

void apply(toml::table& root, const Setting& setting) {
  const std::string_view key = setting.key;
  const std::size_t dot = key.find('.');
  toml::node* node = root.get(key.substr(0, dot));
  if (dot != std::string_view::npos && node != nullptr && node->is_array())
    put_into_array(*node->as_array(), key.substr(dot + 1), setting);
  else
    put(root, key, setting);
}

}  // namespace

struct ScenarioFile::Data {
  std::string text;
  std::string file;
  std::filesystem::path directory;
  std::map<std::string, CsvTable> tables;

  const CsvTable& table(const std::string& name) {
    const auto found = tables.find(name);
    if (found != tables.end()) return found->second;
    const std::filesystem::path path = directory / name;
    return tables.emplace(name, CsvTable(read_file(path), path.string())).first->second;
  }
};

ScenarioFile::ScenarioFile(std::string_view text, std::string file, std::filesystem::path directory)
    : data_(new Data{std::string(text), std::move(file), std::move(directory), {}}) {
  static_cast<void>(parse(data_->text, data_->file));
}

ScenarioFile::ScenarioFile(const std::filesystem::path& path)
    : ScenarioFile(read_file(path), path == "-" ? "<stdin>" : path.string(), path.parent_path()) {}

ScenarioFile::~ScenarioFile() = default;
ScenarioFile::ScenarioFile(ScenarioFile&&) noexcept = default;
ScenarioFile& ScenarioFile::operator=(ScenarioFile&&) noexcept = default;

Scenario ScenarioFile::scenario(const std::vector<Setting>& settings) const {
  // Nodes that are copied forget their places, so that each scenario is parsed anew.
  toml::table root = parse(data_->text, data_->file);
  for (const Setting& setting : settings) apply(root, setting);
  return read_scenario(root, data_->file,
                       [this](const std::string& name) -> const CsvTable& { return data_->table(name); });
}

}  // namespace plumb::energy
