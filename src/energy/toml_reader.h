#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "energy/names.h"

namespace plumb::energy {

/// Private to the reader of scenarios: one table of a TOML file, read key by key. A mistake throws UserError with the
/// place of the value, the key's full name and what was expected.
class TableReader {
 public:
  struct Range {
    double low = 0;
    double high = 1e15;
    bool is_above_low = false;  ///< low itself is out
  };

  /// `path` names the table in messages, such as "trust" or "loads[2]"; empty for the whole file.
  TableReader(const toml::table& table, std::string path, std::string file)
      : table_(table), path_(std::move(path)), file_(std::move(file)) {}

  const std::string& path() const noexcept { return path_; }
  const std::string& file() const noexcept { return file_; }
  std::string name_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  /// The value of a key, marked as known; null without it.
  const toml::node* find(std::string_view key);
  const toml::node& need(std::string_view key, std::string_view what);

  void read(std::string_view key, double& value, const Range& range);
  void read(std::string_view key, std::string& value);
  /// One of a few words.
  template <typename Enum>
  void read(std::string_view key, Enum& value, std::initializer_list<std::pair<std::string_view, Enum>> words) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const std::string word = text(*node, key);
    std::vector<std::string> known;
    for (const auto& [name, meaning] : words) {
      if (name == word) {
        value = meaning;
        return;
      }
      known.emplace_back(name);
    }
    fail(*node, fmt::format("{}: expected {}, but found '{}'", name_of(key), alternatives(known), word),
         hint_for_word(word, known));
  }
  double number(const toml::node& node, std::string_view key, const Range& range) const;
  std::int64_t integer(const toml::node& node, std::string_view key, std::int64_t low, std::int64_t high) const;
  std::string text(const toml::node& node, std::string_view key) const;

  /// The table of a key; an empty one without it.
  TableReader table(std::string_view key);
  /// The tables of an array of tables; none without the key.
  std::vector<TableReader> tables(std::string_view key);

  /// Throws for the first key of the table that nobody asked for.
  void expect_no_more() const;

  SourceLocation place() const { return place_of(table_); }
  SourceLocation place_of(const toml::node& node) const;
  [[noreturn]] void fail(const toml::node& node, std::string message, std::string hint = {}) const;

 private:
  static std::string hint_for_word(std::string_view word, const std::vector<std::string>& known);
  static std::string alternatives(const std::vector<std::string>& words);

  const toml::table& table_;
  std::string path_;
  std::string file_;
  std::vector<std::string> known_;
};

/// "a number", "a table", …
std::string_view kind_of(const toml::node& node);

}  // namespace plumb::energy
