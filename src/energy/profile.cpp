#include "energy/profile.h"

#include <algorithm>

namespace plumb::energy {

PowerProfile::PowerProfile(const Scenario& scenario)
    : scenario_(scenario), values_(scenario.providers.size() * scenario.windows) {}

void PowerProfile::on_event(const Event& event) {
  if (event.kind != EventKind::Start) return;
  const Ticks end = scenario_.loads[event.load].jobs[event.job].end;
  const double drawn = event.power * (1 + scenario_.loss_share(event.load, event.provider));
  const auto window = static_cast<double>(scenario_.window);
  for (Ticks from = event.time; from < end;) {
    const std::size_t index = scenario_.window_of(from);
    const Ticks to = std::min(end, scenario_.window * static_cast<Ticks>(index + 1));
    values_[event.provider * scenario_.windows + index] += drawn * static_cast<double>(to - from) / window;
    from = to;
  }
}

}  // namespace plumb::energy
