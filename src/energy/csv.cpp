#include "energy/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "energy/names.h"

namespace plumb::energy {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

/// Splits the text into rows of cells.
class CsvTable::Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  /// False at the end of the text.
  bool next_row(std::vector<Cell>& row) {
    row.clear();
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (trim(line).empty() || line.starts_with('#')) continue;
      split(line, row);
      return true;
    }
    return false;
  }

  std::uint32_t line() const noexcept { return line_; }

 private:
  void split(std::string_view line, std::vector<Cell>& row) const {
    std::size_t at = 0;
    while (true) {
      const std::size_t begin = std::min(line.find_first_not_of(" \t", at), line.size());
      Cell cell{{}, line_, static_cast<std::uint32_t>(begin + 1)};
      at = begin;
      if (at < line.size() && line[at] == '"') {
        at = read_quoted(line, at, cell);
      } else {
        at = std::min(line.find(',', at), line.size());
        cell.text = trim(line.substr(begin, at - begin));
      }
      row.push_back(std::move(cell));
      if (at == line.size()) return;
      ++at;  // the comma
    }
  }

  /// Returns the place of the comma behind the field, or the end of the line.
  std::size_t read_quoted(std::string_view line, std::size_t at, Cell& cell) const {
    for (++at; at < line.size(); ++at) {
      if (line[at] != '"') {
        cell.text += line[at];
      } else if (at + 1 < line.size() && line[at + 1] == '"') {
        cell.text += line[at++];
      } else {
        const std::size_t next = std::min(line.find_first_not_of(" \t", at + 1), line.size());
        if (next < line.size() && line[next] != ',')
          throw UserError(SourceLocation{file_, line_, static_cast<std::uint32_t>(next + 1)},
                          "expected a comma after the quoted field");
        return next;
      }
    }
    throw UserError(SourceLocation{file_, line_, cell.column}, "expected a closing quote on the same line");
  }

  std::string_view text_;
  const std::string& file_;
  std::uint32_t line_ = 0;
};

CsvTable::CsvTable(std::string_view text, std::string file) : file_(std::move(file)) {
  Scanner scanner(text, file_);
  std::vector<Cell> row;
  if (!scanner.next_row(row))
    throw UserError(SourceLocation{file_}, "expected a first line with the names of the columns");
  for (Cell& cell : row) {
    if (cell.text.empty())
      throw UserError(SourceLocation{file_, cell.line, cell.column}, "expected the name of a column");
    if (std::ranges::find(names_, cell.text) != names_.end())
      throw UserError(SourceLocation{file_, cell.line, cell.column},
                      fmt::format("a second column is named '{}'", cell.text));
    names_.push_back(std::move(cell.text));
  }
  while (scanner.next_row(row)) {
    if (row.size() != names_.size())
      throw UserError(
          SourceLocation{file_, scanner.line(), row.back().column},
          fmt::format("expected {} fields as in the first line, but there are {}", names_.size(), row.size()));
    cells_.insert(cells_.end(), std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
  }
}

std::vector<double> CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end())
    throw UserError(SourceLocation{file_}, fmt::format("there is no column '{}'", name),
                    hint_for_name(name, names_, "columns"));
  std::vector<double> values;
  values.reserve(rows());
  for (auto i = static_cast<std::size_t>(found - names_.begin()); i < cells_.size(); i += names_.size()) {
    const Cell& cell = cells_[i];
    double value = 0;
    const char* const end = cell.text.data() + cell.text.size();
    const auto [stop, error] = std::from_chars(cell.text.data(), end, value);
    const SourceLocation place{file_, cell.line, cell.column};
    if (cell.text.empty() || error != std::errc{} || stop != end)
      throw UserError(place, fmt::format("expected a number in column '{}', but found '{}'", name, cell.text));
    if (!std::isfinite(value) || value < 0)
      throw UserError(place, fmt::format("expected a finite number that is not negative in column '{}', but found '{}'",
                                         name, cell.text));
    values.push_back(value);
  }
  return values;
}

}  // namespace plumb::energy
