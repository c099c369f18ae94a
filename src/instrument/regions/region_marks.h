#pragma once

#include <span>
#include <vector>

#include "instrument/regions/region_address.h"
#include "instrument/regions/region_plan.h"

namespace plumb::instrument {

/// What of the plan's ins and slots can reach a condition of the region through its values and its memory: the value of
/// a branch or switch, an operand that can fault (by `checks` too), a variable offset. Needs all of the plan but the
/// marks; `accesses` are those of its blocks. Ins first, then slots, each by rising index and offset.
std::vector<RegionMark> find_marks(const program::Function& function, program::CheckSet checks,
                                   const program::Uses& uses, const AddressResolver& resolver, const RegionPlan& plan,
                                   std::span<const RegionAccess> accesses);

}  // namespace plumb::instrument
