#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "concolic/search/candidate.h"
#include "concolic/search/search.h"

namespace plumb::concolic {

/// How often a region stands in a query.
struct RegionCount {
  std::uint32_t region = 0;
  std::uint32_t visits = 0;
};

struct CostLimits {
  std::uint32_t slow_queries = 3;       ///< that a region is blamed for, before it is switched to per-path
  std::uint32_t forgiven_after = 64;    ///< queries in time with the region that take back one slow one
  std::uint64_t max_instance = 20'000;  ///< terms of a visit, on average over a run
  std::uint64_t first_pause = 500;      ///< queries until a region that was switched is tried again
  std::uint64_t pause_factor = 4;       ///< by which the pause grows each time
};

/// Decides which regions are summarised. A region is worth its formula as long as queries with it are answered in time;
/// a query that is not is blamed on the region that has most terms in it. Per-path costs more runs but small queries,
/// so a region that was blamed too often, or whose formula outgrows the limit, is switched to per-path, and tried again
/// after a pause that grows. Counts queries and terms, not seconds; a query is slow when it ran out of its time. Not
/// thread-safe.
class CostModel {
 public:
  CostModel(std::size_t regions, RegionUse use, const CostLimits& limits = {});

  /// Those of the next run. A new object with a new epoch each time one is switched.
  const std::shared_ptr<const Modes>& modes() const noexcept { return modes_; }

  /// A run instantiated the region so often, with so many terms in all.
  void instantiated(std::uint32_t region, std::uint64_t visits, std::uint64_t terms);
  /// A query was asked; each region of it once, by rising index.
  void asked(std::span<const RegionCount> regions, bool is_slow);

  /// From now on per-path, whatever the options say: a run ended inside of the region at a defect, and what comes
  /// behind it is not in the formula. Gives false if it was so before.
  bool rule_out(std::uint32_t region);
  /// Those of an earlier session: what was switched off stays so for the first pause.
  void restore(std::span<const std::uint8_t> modes);
  /// No more changes.
  void freeze() noexcept { is_frozen_ = true; }
  std::uint64_t switched() const noexcept { return switched_; }

 private:
  struct Region {
    std::uint64_t terms_per_visit = 1;  ///< on average over a run, at most so far
    std::uint32_t slow = 0;
    std::uint32_t in_time = 0;  ///< since the last slow one was forgiven
    std::uint64_t pause = 0;    ///< the next one
    std::uint64_t due = 0;      ///< of one that is off: the query at which it is tried again
  };

  void set(std::uint32_t region, bool is_on);
  void switch_off(std::uint32_t region);
  void retry_due();

  RegionUse use_;
  CostLimits limits_;
  std::vector<Region> regions_;
  std::shared_ptr<const Modes> modes_;
  std::uint64_t queries_ = 0;
  std::uint64_t next_due_ = ~std::uint64_t{0};
  std::uint64_t switched_ = 0;
  bool is_frozen_ = false;
};

}  // namespace plumb::concolic
