#pragma once

#include <chrono>

namespace plumb::remote {

/// How long the server waits for a target.
struct LinkTimes {
  std::chrono::milliseconds handshake{10'000};
  std::chrono::milliseconds frame{10'000};   ///< from its first byte to its last
  std::chrono::milliseconds answer{10'000};  ///< to a PING, and of a run beyond its own time
  std::chrono::milliseconds idle{20'000};    ///< before a PING
  std::chrono::milliseconds restart{5'000};  ///< of a line: between RESTARTs, while nobody says HELLO
  std::chrono::milliseconds pause{250};  ///< after a run was lost, before a target gets it of which nothing is known
};

}  // namespace plumb::remote
