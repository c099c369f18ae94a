#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lang/tiny/rho/build.h"

namespace plumb::tiny {

using Integer = __int128;

/// The least and the greatest value of an int.
Integer least_int(const Options& options);
Integer greatest_int(const Options& options);

/// The value of a bound of a quantifier, if it is constant: sums, differences and products of numbers are exact.
std::optional<Integer> constant_bound(const Program& program, const Options& options, const Expression& bound);

/// Evaluating it can fail a check that is on; `mode` says where it stands.
bool may_fail(const Program& program, const Options& options, const Expression& expression, Mode mode);

/// The same for a bound of a quantifier, whose own arithmetic is exact.
bool bound_may_fail(const Program& program, const Options& options, const Expression& bound, Mode mode);

/// It takes a free choice: nondet() or a wire without a definition.
bool has_choice(const Program& program, const Expression& expression);

/// A stretch of values of a quantified variable.
struct Segment {
  enum class Kind : std::uint8_t {
    Each,   ///< the body has to be evaluated for each value
    Same,   ///< the body is the same for all of them
    Fails,  ///< evaluating the body fails the index check of `access` for all of them, in a precondition
  };
  Integer first;
  Integer last;
  Kind kind = Kind::Each;
  const Expression* access = nullptr;
};

/// The values of a quantified variable that have to be looked at, in ascending order, or nothing if there are more than
/// `limit` evaluations of the body. Exact: where the range's bounds are not constant, every value of an int is in some
/// segment.
std::optional<std::vector<Segment>> instances(const Program& program, const Options& options,
                                              const Expression& quantified, Mode mode, std::uint64_t limit);

/// No more bodies than this are unrolled, nested ones multiplied.
inline constexpr std::uint64_t kMaxInstances = 65536;

/// It can become one expression: the body has no calls and no nondet(), and there are at most `limit` instances of
/// nested bodies. Gives their number.
std::optional<std::uint64_t> unrolled_size(const Program& program, const Options& options, const Expression& quantified,
                                           Mode mode, std::uint64_t limit = kMaxInstances);

}  // namespace plumb::tiny
