#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/link_times.h"
#include "remote/wire/frame.h"
#include "remote/wire/message.h"

namespace plumb::remote {

using Time = std::chrono::steady_clock::time_point;

/// What the server says of itself in handshakes, and how long it waits.
struct SessionOptions {
  std::string token;
  // Of the program:
  Digest fingerprint{};
  std::uint32_t edges = 0;
  std::uint32_t regions = 0;
  bool is_big_endian = false;
  std::uint32_t stream_words = 0;  ///< that are kept of a run

  /// Bytes that come without connections: the target is asked to begin anew where a connection would be closed.
  bool is_line = false;
  std::uint16_t longest_payload = 16384;  ///< that we take
  /// A run gets more time by its bytes: no link is slower than this.
  std::uint32_t bytes_a_second = 16384;
  LinkTimes times;
};

/// What a session takes from outside; called during its own functions.
struct SessionSources {
  std::function<Nonce()> nonce;           ///< never the same twice, and nobody can guess it
  std::function<std::uint32_t()> number;  ///< of a session that is welcome
};

/// A run to be made.
struct RunOrder {
  std::uint64_t seed = 0;
  std::uint32_t max_inputs = 0;
  std::uint32_t max_nodes = 0;
  std::uint32_t max_object = 0;
  std::uint32_t milliseconds = 0;
  std::uint32_t memory = 0;     ///< MiB
  std::uint32_t file_size = 0;  ///< KiB
  std::uint32_t processes = 0;
  std::vector<std::uint8_t> modes;  ///< by region, all of them: 1 to summarise it
  Bytes inputs;                     ///< given ones, as a run's data has them
};

/// What came of it: only of a run whose frames were all right.
struct RunAnswer {
  End end;
  std::vector<std::uint32_t> words;    ///< of the stream; its records are not checked
  bool is_cut = false;                 ///< there were more than are kept
  std::vector<std::uint8_t> coverage;  ///< by EdgeId
  std::uint64_t bytes_sent = 0;        ///< of the run's frames
  std::uint64_t bytes_received = 0;
};

/// Why a session ended.
enum class SessionEnd : std::uint8_t {
  Refused,  ///< the handshake does not hold
  Broken,   ///< what came makes no sense, or the target began anew
  Stalled,  ///< something did not come in time
  Closed,   ///< by us
};

struct SessionEvent {
  enum class Kind : std::uint8_t {
    Proved,    ///< a target that may be given orders
    Answered,  ///< the order
    Noted,     ///< text: what the target says
    Ended,     ///< an order that was not answered is lost; text: why
  };
  Kind kind = Kind::Proved;
  std::string text;
  SessionEnd end = SessionEnd::Closed;
  RunAnswer answer;
  bool is_warning = false;  ///< of a note
};

/// The server's half of the protocol on one link (docs/remote-protocol.md), as a machine without sockets, clocks or
/// threads: bytes, times and orders go in, bytes and events come out. Over a line there is one session after the other.
/// Memory is bounded by the options, whatever comes. Not thread-safe.
class Session {
 public:
  Session(const SessionOptions& options, SessionSources sources, Time now);

  void receive(ByteView bytes, Time now);
  /// To be called at deadline(), after what has come by then was received, and as often as one likes.
  void tick(Time now);
  Time deadline() const;

  bool has_proved() const noexcept { return state_ >= State::Idle; }
  /// An order may be given.
  bool is_free() const noexcept { return state_ == State::Idle; }
  /// Needs is_free().
  void start(const RunOrder& order, Time now);
  /// Says BYE; nothing comes after it.
  void close(std::uint8_t reason, std::string_view text);
  /// To be closed when the output is sent.
  bool is_over() const noexcept { return state_ == State::Over; }

  /// What is to be sent next.
  Bytes take_output();
  std::vector<SessionEvent> take_events();
  /// As the target calls itself; of the session that was last proved.
  const std::string& name() const noexcept { return name_; }
  bool is_bare_metal() const noexcept { return is_bare_metal_; }
  /// Of memory that what came takes, about.
  std::size_t memory() const noexcept;

 private:
  enum class State : std::uint8_t { Hello, Proof, Over, Idle, Pinged, Running };

  void take(const Frame& frame, Time now);
  bool take_hello(const Frame& frame, Time now);
  void take_proof(const Frame& frame, Time now);
  void take_between_runs(const Frame& frame, Time now);
  void take_of_run(const Frame& frame, Time now);
  bool take_note(const Frame& frame);
  void take_events_of_run(const Events& events);
  void take_coverage(const Coverage& coverage);
  void take_end(const End& end, Time now);
  void complain(FrameProblem problem);

  SessionEvent& report(SessionEvent::Kind kind, std::string_view text = {});
  void send(std::uint8_t kind, ByteView payload);
  void send_order(const RunOrder& order, const Bytes& data, std::uint32_t flags);
  void await_hello(Time now);
  /// Ends the session: on a line the next may begin, unless `reason` is that the campaign is over.
  void end(SessionEnd how, std::uint8_t reason, std::string_view why);
  void end_broken(std::string_view why);
  Time run_deadline() const;

  SessionOptions options_;
  SessionSources sources_;
  State state_ = State::Hello;
  FrameReader reader_;
  Bytes output_;
  std::vector<SessionEvent> events_;
  Time now_;
  Time since_;        ///< of the state
  Time frame_since_;  ///< the first byte of the frame that is not complete yet
  std::uint16_t in_number_ = 0;
  std::uint16_t out_number_ = 0;
  // The handshake
  std::uint32_t greetings_ = 0;  ///< since the last handshake was over, well or not
  Bytes hello_;
  Nonce nonce_{};
  std::string said_name_;
  std::string name_;
  bool is_bare_metal_ = false;
  std::uint32_t longest_payload_ = 0;  ///< towards the target
  // What both sides know of the session
  std::vector<std::uint8_t> coverage_;  ///< of the last complete run
  std::vector<std::uint8_t> modes_;     ///< of the last run
  std::uint32_t runs_ = 0;
  std::uint32_t notes_ = 0;
  // The run
  RunAnswer answer_;
  std::chrono::milliseconds run_time_{0};
  std::uint64_t words_ = 0;
  std::vector<std::uint32_t> changed_;  ///< edges
};

}  // namespace plumb::remote
