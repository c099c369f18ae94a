#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "base/budget.h"
#include "energy/metrics.h"
#include "energy/scenario.h"

namespace plumb::energy {

enum class EventKind : std::uint8_t {
  Request,   ///< a load asks the router for the power of a job
  Distrust,  ///< a provider finds the load's trust level not above its threshold
  Quote,     ///< a provider names its price
  Start,     ///< a provider begins to serve
  Wait,      ///< no provider has capacity; the job stays at the router
  Unserved,  ///< the job is given up
  Release,   ///< service ends and capacity is free again
  Pay,
  Refuse,  ///< the load does not pay
};
std::string_view to_string(EventKind kind);

/// What happened, for a log. Fields that the kind has no use for are NaN or kNobody.
struct Event {
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  Ticks time = 0;
  EventKind kind = EventKind::Request;
  std::size_t load = kNobody;
  std::size_t job = 0;  ///< counted for each load from 0
  std::size_t provider = kNobody;
  double power = kNone;     ///< MW, at the load
  double energy = kNone;    ///< MWh delivered
  double price = kNone;     ///< $/MWh
  double loss = kNone;      ///< $/MWh, for the line
  double expected = kNone;  ///< $/MWh, above which the load finds it expensive
  double amount = kNone;    ///< $
  double trust = kNone;     ///< reputation of the load at the provider, after the event
};

class EventListener {
 public:
  virtual ~EventListener() = default;
  virtual void on_event(const Event& event) = 0;
};

/// Runs the scenario once, until every job has ended and every payment is due. The result depends on scenario, seed and
/// replication alone. Checks that energy is conserved: what providers generate over time is what loads receive plus
/// what lines lose, and what is requested is delivered or unserved. `scenario` should have passed check(). Throws
/// OutOfBudget.
Outcome simulate(const Scenario& scenario, std::uint64_t seed, std::uint64_t replication, const Budget& budget,
                 EventListener* listener = nullptr);

}  // namespace plumb::energy
