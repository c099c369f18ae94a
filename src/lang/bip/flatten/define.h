#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "lang/bip/ast.h"

namespace plumb::bip::flat {

/// Positions of a connector's ports, sorted.
using PortSet = std::vector<std::uint32_t>;

/// The interactions that `define` stands for, small ones first: of a group, the unions of one interaction of each of
/// some of its members, among them a trigger; without a trigger, of all of its members. Nothing if there are more than
/// `limit`.
std::optional<std::vector<PortSet>> defined_interactions(const PortExpression& define,
                                                         const std::function<std::uint32_t(const Name&)>& position,
                                                         std::size_t limit);

}  // namespace plumb::bip::flat
