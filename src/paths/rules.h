#pragma once

#include <array>
#include <optional>

#include "term/range.h"

namespace plumb::paths {

using term::Range;
using term::Term;
using term::TermStore;

/// Domains of an operator's operands and, at kResult, of its result; null where there is none.
using Parts = std::array<const Range*, 4>;
inline constexpr unsigned kResult = 3;

/// A value that is in both intervals of a range; nothing if they have none in common, which a range need not show.
std::optional<std::uint64_t> member(std::uint32_t width, const Range& range);
/// What two ranges have in common; nothing if that is no value.
std::optional<Range> intersected(std::uint32_t width, const Range& a, const Range& b);

/// What an operator leaves of one of its parts: values of the target that the domains of the other parts allow, modulo
/// 2^width as the operator is. Some rules use the target's own domain, too; the answer need not be within it. Nothing:
/// no value is left. Where a bound would wrap, nothing follows from it. A pure function of the parts, so that whoever
/// asks why something follows can ask again with less known.
std::optional<Range> implied(const TermStore& terms, Term t, unsigned target, const Parts& parts);

}  // namespace plumb::paths
