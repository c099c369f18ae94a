#pragma once

#include <string_view>

#include "replay/replayer.h"
#include "system/system.h"

namespace plumb::replay {

/// Simulates the run of a system, up to its end or to an assumption that it breaks, which is the problem then.
class SimulatorReplayer : public Replayer {
 public:
  /// `system` must outlive it.
  explicit SimulatorReplayer(const system::System& system) : system_(system) {}

  std::string_view name() const override { return "simulation"; }
  Replay run(const Evidence& evidence, const Budget& budget) override;

 private:
  const system::System& system_;
};

}  // namespace plumb::replay
