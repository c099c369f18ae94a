#include "result/verdict.h"

namespace plumb::result {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return "holds";
    case Verdict::HoldsUpTo:
      return "holds up to";
    case Verdict::Violated:
      return "violated";
    case Verdict::Unknown:
      return "unknown";
  }
  return "";
}

}  // namespace plumb::result
