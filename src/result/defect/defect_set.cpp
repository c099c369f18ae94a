#include "result/defect/defect_set.h"

#include <utility>

#include "result/test_size.h"

namespace plumb::result {

void DefectSet::add(Defect defect) {
  const SourceLocation& place = defect.place;
  const Key key{place.file, place.line, place.column, defect.kind};
  const auto known = defects_.find(key);
  if (known == defects_.end()) {
    defects_.emplace(key, std::move(defect));
    return;
  }
  const auto rank = [](const Defect& one) { return std::pair(one.is_after_another, size_of(one.test)); };
  if (rank(defect) < rank(known->second)) known->second = std::move(defect);
}

std::vector<Defect> DefectSet::take() {
  std::vector<Defect> list;
  list.reserve(defects_.size());
  for (auto& [key, defect] : defects_) list.push_back(std::move(defect));
  defects_.clear();
  return list;
}

}  // namespace plumb::result
