#pragma once

#include <cstddef>
#include <vector>

#include "energy/scenario.h"

namespace plumb::energy {

/// What a provider with enough capacity asks for a job.
struct Offer {
  std::size_t provider = 0;
  double price = 0;       ///< $/MWh
  double loss = 0;        ///< $/MWh for the energy that the line loses
  double distance = 0;    ///< of the load
  double free_share = 0;  ///< of the provider's capacity, before this job

  double cost() const noexcept { return price + loss; }
};

/// The offer that the policy takes; of equal ones, the first. `random` is in [0, 1), for Policy::Random. There must be
/// an offer.
const Offer& choose(Policy policy, const std::vector<Offer>& offers, double random);

}  // namespace plumb::energy
