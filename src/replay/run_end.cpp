#include "replay/run_end.h"

namespace plumb::replay {

std::string_view name(RunEnd end) {
  switch (end) {
    case RunEnd::Exit:
      return "exit";
    case RunEnd::AssumeFailed:
      return "assume-failed";
    case RunEnd::InputLimit:
      return "input-limit";
    case RunEnd::DepthLimit:
      return "depth-limit";
    case RunEnd::StreamLimit:
      return "stream-limit";
    case RunEnd::MissingCode:
      return "missing-code";
    case RunEnd::Error:
      return "error";
    case RunEnd::Signal:
      return "signal";
    case RunEnd::Defect:
      return "defect";
    case RunEnd::Timeout:
      return "timeout";
    case RunEnd::MemoryLimit:
      return "memory-limit";
    case RunEnd::FileLimit:
      return "file-limit";
    case RunEnd::Corrupted:
      return "corrupted";
  }
  return "?";
}

}  // namespace plumb::replay
