#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "concolic/execute/executor.h"
#include "concolic/search/target.h"
#include "instrument/subject.h"
#include "remote/link_times.h"

namespace plumb::remote {

/// Where targets come from, and who may.
struct ServerOptions {
  std::vector<std::string> listen;  ///< "ADDRESS:PORT", "[v6]:PORT"; port 0: any that is free
  std::vector<std::string> serial;  ///< devices, "PATH" or "PATH:BAUD"
  std::string token;                ///< may be empty only if all addresses are loopback
  LinkTimes times;
};

/// What went over the links so far, of all targets.
struct LinkStatistics {
  std::uint64_t bytes_received = 0, bytes_sent = 0;
  std::uint64_t runs = 0;                                    ///< complete
  std::uint64_t run_bytes_received = 0, run_bytes_sent = 0;  ///< of the frames of complete runs
  std::uint64_t runs_given_up = 0;                           ///< lost too often
  std::uint64_t runs_repeated = 0;                           ///< because a target vanished, stalled or sent garbage
  std::uint64_t events = 0;                                  ///< records of complete runs
  std::uint64_t left_out = 0;                                ///< events that did not fit a target's arenas
  std::uint64_t sessions = 0;                                ///< handshakes that held
  std::uint64_t refused = 0;                                 ///< connections that were refused before, or dropped
  std::uint64_t broken = 0;  ///< sessions that ended for something that came, or did not come in time
};

struct BoardStatus {
  std::string name;  ///< as it calls itself
  std::string address;
  std::uint64_t runs = 0;
  bool is_running = false;
};

/// Listens, and hands runs to the targets that are connected. Threads of its own do the talking; everything here is
/// thread-safe. Nothing that a target sends is believed before it was checked, and none can make it use more than a
/// fixed amount of memory.
class Server {
 public:
  /// Throws UserError if it cannot listen there, or must not (no token). The subject must outlive it.
  Server(const instrument::Subject& subject, const ServerOptions& options, const concolic::RunLimits& limits);
  /// Says goodbye to all targets.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// As bound: "127.0.0.1:40123".
  std::vector<std::string> addresses() const;
  LinkStatistics statistics() const;
  std::vector<BoardStatus> boards() const;
  /// Called when a target comes, goes or has something to say, or was refused or broke off (a warning); from a thread
  /// of the server.
  void set_listener(std::function<void(bool is_warning, const std::string& line)> listener);

  /// For a worker of the search. A run waits for a target that is free, for as long as the budget lets it; a run whose
  /// target is lost goes to another one, and when it is given up ends as Timeout or Corrupted; run() throws OutOfBudget
  /// when the budget ends before that. A run that was made already, with the same inputs and modes, is not made again.
  /// Must not outlive the server.
  std::unique_ptr<concolic::Target> make_target(bool check_traces = false);
  /// To see again what a run showed: as above, but all its runs are made.
  std::unique_ptr<concolic::Target> make_repeating_target(bool check_traces = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumb::remote
