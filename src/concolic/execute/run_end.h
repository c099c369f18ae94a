#pragma once

#include <cstdint>
#include <span>

#include "concolic/execute/executor.h"
#include "instrument/subject.h"

namespace plumb::concolic {

/// How the process of a run ended, as whoever waited for it says: the fork server's parent, or a board.
struct ProcessEnd {
  enum class Kind : std::uint8_t {
    Exited,     ///< code: the exit code
    Signalled,  ///< code: the signal, numbered as on Linux
    TimedOut,
    Lost,  ///< nobody knows how, or what it left makes no sense
  };
  Kind kind = Kind::Exited;
  int code = 0;
};

/// Sets end, code and error_site of the record from that and from what the run wrote down in the record's stream.
void set_end(RunRecord& record, const Subject& subject, ProcessEnd end);

}  // namespace plumb::concolic
