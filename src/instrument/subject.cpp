#include "instrument/subject.h"

#include <algorithm>

#include "base/error.h"

namespace plumb::instrument {

const Site& Subject::site_of_edge(EdgeId edge) const {
  const auto site = std::ranges::find_if(sites, [edge](const Site& s) {
    return s.first_edge != program::kNone && s.first_edge <= edge && edge - s.first_edge < s.edge_count;
  });
  INVARIANT(site != sites.end(), "every edge should belong to a site");
  return *site;
}

}  // namespace plumb::instrument
