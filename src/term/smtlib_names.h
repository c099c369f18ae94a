#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb::term {

/// Gives out SMT-LIB symbols, each once.
class SmtlibNames {
 public:
  /// `name` itself or, if it was given before or belongs to SMT-LIB or its theories, `name!1`, `name!2`, …; quoted
  /// where needed.
  std::string unique(std::string_view name);
  /// A short name for a subterm: `$1`, …
  std::string fresh();

 private:
  absl::flat_hash_set<std::string> used_;
  absl::flat_hash_map<std::string, std::uint64_t> next_;  ///< the last number tried after a spelling
  std::uint64_t last_ = 0;
};

}  // namespace plumb::term
