#include "result/conclusion.h"

#include <algorithm>

namespace plumb::result {

std::string_view to_string(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::None:
      return "none";
    case Conclusion::Answered:
      return "answered";
    case Conclusion::Written:
      return "written";
    case Conclusion::Complete:
      return "complete";
    case Conclusion::Sat:
      return "sat";
    case Conclusion::Unsat:
      return "unsat";
    case Conclusion::Mixed:
      return "mixed";
    case Conclusion::NoDefect:
      return "no-defect";
    case Conclusion::Holds:
      return to_string(Verdict::Holds);
    case Conclusion::Vacuous:
      return to_string(Verdict::Vacuous);
    case Conclusion::HoldsUpTo:
      return to_string(Verdict::HoldsUpTo);
    case Conclusion::Incomplete:
      return "incomplete";
    case Conclusion::Unknown:
      return to_string(Verdict::Unknown);
    case Conclusion::Error:
      return "error";
    case Conclusion::Defect:
      return "defect";
    case Conclusion::Violated:
      return to_string(Verdict::Violated);
  }
  return "";
}

Conclusion conclusion_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return Conclusion::Holds;
    case Verdict::Vacuous:
      return Conclusion::Vacuous;
    case Verdict::HoldsUpTo:
      return Conclusion::HoldsUpTo;
    case Verdict::Unknown:
      return Conclusion::Unknown;
    case Verdict::Violated:
      return Conclusion::Violated;
  }
  return Conclusion::Unknown;
}

Conclusion worst(std::span<const Conclusion> parts) {
  const auto found = std::ranges::max_element(parts);
  if (found == parts.end()) return Conclusion::None;
  return *found == Conclusion::Error ? Conclusion::Unknown : *found;
}

ExitCode exit_code(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::None:
    case Conclusion::Answered:
    case Conclusion::Written:
    case Conclusion::Complete:
    case Conclusion::Sat:
    case Conclusion::Unsat:
    case Conclusion::Mixed:
    case Conclusion::NoDefect:
    case Conclusion::Holds:
      return kDone;
    case Conclusion::Vacuous:
    case Conclusion::HoldsUpTo:
    case Conclusion::Incomplete:
    case Conclusion::Unknown:
      return kUnknown;
    case Conclusion::Error:
      return kBadInput;
    case Conclusion::Defect:
    case Conclusion::Violated:
      return kViolated;
  }
  return kInternalError;
}

}  // namespace plumb::result
