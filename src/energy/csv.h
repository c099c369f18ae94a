#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::energy {

/// A table of comma-separated values whose first row names the columns. Lines that are empty or begin with # are left
/// out; a field may stand in double quotes, with "" for a quote.
class CsvTable {
 public:
  /// Throws UserError with line and column: no header, two columns of one name, a row of another length, an open quote.
  CsvTable(std::string_view text, std::string file);

  const std::vector<std::string>& names() const noexcept { return names_; }
  std::size_t rows() const noexcept { return names_.empty() ? 0 : cells_.size() / names_.size(); }
  /// The numbers of a column. Throws UserError: no such column (with the nearest), a field that is not a number,
  /// negative or not finite.
  std::vector<double> column(std::string_view name) const;

 private:
  struct Cell {
    std::string text;
    std::uint32_t line;
    std::uint32_t column;
  };
  class Scanner;

  std::string file_;
  std::vector<std::string> names_;
  std::vector<Cell> cells_;  ///< row by row
};

}  // namespace plumb::energy
