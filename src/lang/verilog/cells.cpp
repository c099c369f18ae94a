#include "lang/verilog/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "lang/verilog/lines.h"
#include "lang/verilog/yosys.h"

namespace plumb::verilog {

std::vector<Cell> cells_of(const std::string& dump) {
  std::vector<Cell> cells;
  std::string source;
  for (const std::string& line : lines_of(dump)) {
    std::istringstream words(line);
    std::string word;
    std::string first;
    std::string second;
    words >> word >> first >> second;
    if (word == "attribute" && first == "\\src") {
      const std::size_t quote = line.find('"');
      source = line.substr(quote + 1, line.rfind('"') - quote - 1);
    } else if (word == "cell") {
      cells.push_back({first, second, source, {}});
      source.clear();
    } else if (word == "parameter" && !cells.empty()) {
      cells.back().parameters[first] = second;
    }
  }
  return cells;
}

SourceLocation place_of(const std::string& source, const Texts& texts) {
  const std::string own = source.substr(source.rfind('|') + 1);
  const std::size_t colon = own.rfind(':');
  if (colon == std::string::npos) return {texts.begin()->first};
  const std::string begin = own.substr(colon + 1, own.find('-', colon) - colon - 1);
  const std::size_t dot = begin.find('.');
  const auto line = number(std::string_view(begin).substr(0, dot));
  const auto column = dot == std::string::npos ? std::nullopt : number(std::string_view(begin).substr(dot + 1));
  SourceLocation place{own.substr(0, colon), line.value_or(0), column.value_or(0)};
  const auto known = texts.find(place.file);
  if (known == texts.end() || place.line == 0 || place.column == 0) return place;
  const std::string& text = known->second;
  std::size_t at = 0;
  for (std::uint32_t row = 1; row < place.line && at < text.size(); ++at)
    if (text[at] == '\n') ++row;
  at = std::min(at + place.column - 1, text.size());
  for (;;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else {
      break;
    }
  }
  if (at == text.size()) return place;
  const std::string_view before = std::string_view(text).substr(0, at);
  place.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
  place.column = static_cast<std::uint32_t>(at - (before.rfind('\n') + 1)) + 1;
  return place;
}

std::map<std::string, Assertion> assertions_of(const std::vector<Cell>& cells, const Texts& texts) {
  std::map<std::string, Assertion> assertions;
  std::set<std::string> taken;
  for (const Cell& cell : cells) {
    if (cell.type != "$assert") continue;
    const std::string symbol = cell.name.substr(cell.name.starts_with('\\') ? 1 : 0);
    const SourceLocation place = place_of(cell.source, texts);
    std::string name = symbol;
    if (symbol.starts_with(kUnnamed)) {
      name = fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
      std::ranges::replace(name, ' ', '_');
    }
    const std::string stem = name;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}#{}", stem, i);
    assertions[symbol] = {name, place};
  }
  return assertions;
}

}  // namespace plumb::verilog
