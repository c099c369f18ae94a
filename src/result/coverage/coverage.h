#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::result {

/// How much of something ran.
struct Ratio {
  std::uint64_t covered = 0;
  std::uint64_t total = 0;

  Ratio& operator+=(const Ratio& other);
  friend bool operator==(const Ratio&, const Ratio&) = default;
};

/// A position in a text; both count from 1.
struct TextPosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend auto operator<=>(const TextPosition&, const TextPosition&) = default;
};

/// A condition, or a label of a switch, of the source: what llvm-cov calls a branch region. A constant one is none.
struct BranchRegion {
  std::string file;
  std::string function;
  TextPosition begin;  ///< where it is written; inside a macro's definition if it comes from there
  TextPosition end;
  /// Where the outermost macro that it comes from is used; else as `begin`. In `use_file`.
  TextPosition use;
  std::string use_file;
  bool is_in_macro = false;
  std::uint64_t times_true = 0;   ///< of a label: how often the switch went there
  std::uint64_t times_false = 0;  ///< of a label: how often it went elsewhere
};

/// How much of a file, or of several, ran. Conditions are those of decisions with more than one, as MC/DC has them: one
/// is covered if two runs show that it alone turns the decision.
struct CoverageSummary {
  Ratio lines;
  Ratio branches;
  Ratio conditions;
  Ratio functions;
  Ratio regions;

  CoverageSummary& operator+=(const CoverageSummary& other);
};

struct FileCoverage {
  std::string file;  ///< absolute
  CoverageSummary summary;
};

/// What llvm-cov knows of a program and a profile.
struct Coverage {
  std::vector<FileCoverage> files;
  std::vector<BranchRegion> branches;  ///< by file and place; copies of a function that a header has count together
  CoverageSummary totals() const;
};

/// Reads what `llvm-cov export -format=text` prints (LLVM 19). Throws UserError if it is something else.
Coverage parse_coverage(std::string_view text);

/// Only files whose name has a part that the regular expression matches (ECMAScript). Throws UserError for a mistake in
/// it.
Coverage restricted(const Coverage& coverage, const std::string& expression);

}  // namespace plumb::result
