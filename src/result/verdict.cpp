#include "result/verdict.h"

#include <algorithm>

namespace plumb::result {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return "holds";
    case Verdict::Vacuous:
      return "vacuous";
    case Verdict::HoldsUpTo:
      return "holds up to";
    case Verdict::Unknown:
      return "unknown";
    case Verdict::Violated:
      return "violated";
  }
  return "";
}

Verdict worst(std::span<const Verdict> verdicts) {
  const auto found = std::ranges::max_element(verdicts);
  return found == verdicts.end() ? Verdict::Unknown : *found;
}

Verdict of_goals(std::span<const Verdict> verdicts) {
  const Verdict verdict = worst(verdicts);
  return verdict == Verdict::Vacuous && std::ranges::count(verdicts, Verdict::Holds) > 0 ? Verdict::Holds : verdict;
}

}  // namespace plumb::result
