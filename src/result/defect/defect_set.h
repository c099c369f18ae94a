#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "result/defect/defect.h"

namespace plumb::result {

/// Defects, one a kind and place: of several that are the same, the one that is best to look at, which is one that
/// shows it before any other defect, and then one with less input.
class DefectSet {
 public:
  void add(Defect defect);

  bool is_empty() const { return defects_.empty(); }
  /// By file, line, column and kind. The set is empty afterwards.
  std::vector<Defect> take();

 private:
  using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>;
  std::map<Key, Defect> defects_;
};

}  // namespace plumb::result
