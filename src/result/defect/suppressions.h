#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "result/defect/defect.h"
#include "result/defect/source_lines.h"

namespace plumb::result {

/// Defects that do not count, as patterns in files and comments in the source name them.
///
/// A file has a pattern a line, `KIND:PLACE`; `#` begins a comment. KIND is a kind of defect or `*`. PLACE is a file
/// (with a dot, a slash or `:LINE` at its end), the name of a function, or `*`; in both `*`, `?` and `[…]` stand for
/// any letters, slashes too. A name of a file without a slash at its start is one from any directory on:
/// `leak:list.c`, `*:vendor/*`, `double-free:src/list.c:12`, `null-dereference:parse_*`.
///
/// `/* plumb: ignore(leak) */` or `// plumb: ignore(leak, double-free)` on the line of a defect's place, with `all` for
/// every kind.
///
/// Both look at the place that a defect is reported at and at nothing else of it: not at its callers, nor at other
/// defects of the same run.
class Suppressions {
 public:
  /// Adds the patterns of a file. Throws UserError with the line if one is none, or if the file cannot be read.
  void read(const std::filesystem::path& path);

  /// Why the defect does not count; nothing if it does. Remembers which patterns were of use.
  std::optional<Suppression> find(const Defect& defect, SourceLines& sources);

  /// A sentence for each pattern that suppressed nothing, and for each comment that names no kind.
  std::vector<std::string> notes() const;

 private:
  struct Pattern {
    std::string kind;  ///< or "*"
    std::string file;  ///< empty: any
    std::string function;
    std::uint32_t line = 0;
    SourceLocation place;  ///< of the pattern
    std::string text;
    bool is_used = false;
  };
  static Pattern parse(std::string_view text, const SourceLocation& place);
  static bool matches(const Pattern& pattern, const Defect& defect);
  std::optional<Suppression> find_comment(const Defect& defect, SourceLines& sources);

  std::vector<Pattern> patterns_;
  std::vector<std::string> bad_comments_;
};

/// The words in `ignore(…)` of the comments of one line of C or C++; what stands in literals is no comment.
std::vector<std::string> ignored_kinds(std::string_view line);

}  // namespace plumb::result
