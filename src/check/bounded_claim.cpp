#include "check/bounded_claim.h"

#include <fmt/format.h>

namespace plumb::check {

Claim bounded_claim(std::size_t goal, const unroll::GoalResult& answer) {
  const std::string bound = fmt::format("unwinding {}", answer.bound);
  Claim claim{
      .goal = goal, .verdict = answer.verdict, .reason = answer.reason, .test = answer.test, .gaps = answer.gaps};
  if (is_proof(answer.verdict)) claim.detail = bound;
  if (answer.verdict == Verdict::HoldsUpTo)
    claim.reason = answer.reason.empty() ? bound : fmt::format("{}: {}", bound, answer.reason);
  return claim;
}

}  // namespace plumb::check
