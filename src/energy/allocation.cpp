#include "energy/allocation.h"

#include <algorithm>
#include <functional>

#include "base/error.h"

namespace plumb::energy {

const Offer& choose(Policy policy, const std::vector<Offer>& offers, double random) {
  INVARIANT(!offers.empty(), "there should be an offer to choose from");
  switch (policy) {
    case Policy::LowestCost:
      return *std::ranges::min_element(offers, {}, &Offer::cost);
    case Policy::LowestPrice:
      return *std::ranges::min_element(offers, {}, &Offer::price);
    case Policy::Nearest:
      return *std::ranges::min_element(offers, {}, &Offer::distance);
    case Policy::LeastLoaded:
      return *std::ranges::max_element(offers, {}, &Offer::free_share);
    case Policy::Random: {
      const auto index = static_cast<std::size_t>(random * static_cast<double>(offers.size()));
      return offers[std::min(index, offers.size() - 1)];
    }
  }
  INVARIANT(false, "a policy should choose");
}

}  // namespace plumb::energy
