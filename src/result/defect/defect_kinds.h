#pragma once

#include <span>
#include <string_view>

namespace plumb::result {

/// A kind of defect, for those who have not met it.
struct DefectKind {
  std::string_view id;       ///< "double-free": Defect::kind
  std::string_view title;    ///< "Double free"
  std::string_view meaning;  ///< one sentence
  std::string_view remedy;   ///< what to look at
  unsigned cwe = 0;          ///< number in the Common Weakness Enumeration; 0: none fits
  bool is_error = true;      ///< else a warning
};

/// All kinds, as their documentation lists them.
std::span<const DefectKind> defect_kinds();
/// Null if there is none of this name.
const DefectKind* find_kind(std::string_view id);

}  // namespace plumb::result
