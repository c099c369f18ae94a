#include "remote/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "runtime/link/wire.h"

namespace plumb::remote {
namespace {

/// What may come over a connection before HELLO.
constexpr std::uint64_t kMaxText = 4096;
/// Of a session; what a target says beyond is not told.
constexpr std::uint32_t kMaxNotes = 100;
std::string_view text_of(FrameProblem problem) {
  switch (problem) {
    case FrameProblem::None:
      return "nothing";
    case FrameProblem::NoFrame:
      return "bytes that are no frame";
    case FrameProblem::Version:
      return "a frame of another version of the protocol";
    case FrameProblem::Length:
      return "a frame that is too long";
    case FrameProblem::Checksum:
      return "a frame with a wrong checksum";
  }
  return "?";
}

}  // namespace

Session::Session(const SessionOptions& options, SessionSources sources, Time now)
    : options_(options),
      sources_(std::move(sources)),
      reader_(PLUMB_WIRE_GREETING, true),
      now_(now),
      since_(now),
      frame_since_(now) {
  await_hello(now);
  // A target may still be in a session with somebody who is gone.
  if (options_.is_line) send(PLUMB_WIRE_RESTART, {});
  out_number_ = 0;
}

void Session::await_hello(Time now) {
  state_ = State::Hello;
  since_ = now;
  in_number_ = 0;
  out_number_ = 0;
  reader_.expect(PLUMB_WIRE_GREETING, true);
  coverage_.clear();
  modes_.clear();
  changed_ = {};
  answer_ = {};
}

// --- Time ---

Time Session::run_deadline() const {
  const std::uint64_t bytes = answer_.bytes_sent + answer_.bytes_received;
  const auto on_the_way = std::chrono::milliseconds(bytes * 1000 / std::max<std::uint32_t>(options_.bytes_a_second, 1));
  return since_ + run_time_ + options_.times.answer + on_the_way;
}

Time Session::deadline() const {
  Time result = Time::max();
  switch (state_) {
    case State::Hello:
      return since_ + (options_.is_line ? options_.times.restart : options_.times.handshake);
    case State::Proof:
      result = since_ + options_.times.handshake;
      break;
    case State::Over:
      return result;
    case State::Idle:
      if (!reader_.is_inside()) result = since_ + options_.times.idle;
      break;
    case State::Pinged:
      result = since_ + options_.times.answer;
      break;
    case State::Running:
      result = run_deadline();
      break;
  }
  return reader_.is_inside() ? std::min(result, frame_since_ + options_.times.frame) : result;
}

void Session::tick(Time now) {
  now_ = now;
  if (now < deadline()) return;
  switch (state_) {
    case State::Hello:
      if (!options_.is_line) return end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW, "no handshake came in time");
      send(PLUMB_WIRE_RESTART, {});
      out_number_ = 0;
      since_ = now;
      return;
    case State::Proof:
      return end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW, "the handshake was not over in time");
    case State::Over:
      return;
    case State::Idle:
      if (reader_.is_inside()) break;
      send(PLUMB_WIRE_PING, {});
      state_ = State::Pinged;
      since_ = now;
      return;
    case State::Pinged:
    case State::Running:
      break;
  }
  if (reader_.is_inside() && now >= frame_since_ + options_.times.frame)
    return end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW, "a frame was not complete in time");
  end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW,
      state_ == State::Running ? "the run did not end in time" : "a ping was not answered in time");
}

// --- Bytes in ---

void Session::receive(ByteView bytes, Time now) {
  now_ = now;
  while (state_ != State::Over) {
    const bool was_inside = reader_.is_inside();
    const std::size_t before = bytes.size();
    const std::optional<Frame> frame = reader_.next(bytes);
    // The first byte of this frame has come with this call, unless it was there before.
    if (!was_inside || frame) frame_since_ = now;
    if (!frame && reader_.problem() == FrameProblem::None) {
      if (state_ == State::Running) answer_.bytes_received += before - bytes.size();
      break;
    }
    if (!frame) {
      complain(reader_.problem());
      reader_.clear();
      continue;
    }
    if (state_ == State::Running) answer_.bytes_received += before - bytes.size();
    take(*frame, now);
  }
  if (state_ == State::Hello && !options_.is_line && reader_.skipped() > kMaxText)
    end(SessionEnd::Refused, PLUMB_WIRE_NOT_UNDERSTOOD, "too much came before a handshake");
}

void Session::complain(FrameProblem problem) {
  if (problem == FrameProblem::Version)
    return end(SessionEnd::Refused, PLUMB_WIRE_OTHER_VERSION, "another version of the protocol");
  end_broken(fmt::format("{} came", text_of(problem)));
}

void Session::take(const Frame& frame, Time now) {
  const bool is_hello = frame.kind == PLUMB_WIRE_HELLO && frame.number == 0;
  if (options_.is_line && state_ == State::Hello && !is_hello) return;  // of a session that is over
  if (options_.is_line && is_hello && state_ != State::Hello) {
    // A board that was reset, or that has not seen our answer yet.
    if (state_ != State::Proof) report(SessionEvent::Kind::Ended, "it began anew").end = SessionEnd::Broken;
    await_hello(now);
  }
  if (frame.number != in_number_) return end_broken("a frame was lost or came twice");
  ++in_number_;
  switch (state_) {
    case State::Hello:
      if (!take_hello(frame, now) && state_ == State::Hello && !options_.is_line) end_broken("a handshake was due");
      return;
    case State::Proof:
      return take_proof(frame, now);
    case State::Idle:
    case State::Pinged:
      return take_between_runs(frame, now);
    case State::Running:
      return take_of_run(frame, now);
    case State::Over:
      return;
  }
}

bool Session::take_hello(const Frame& frame, Time now) {
  in_number_ = 0;
  if (frame.kind != PLUMB_WIRE_HELLO) return false;
  // Whatever else it is, the first two bytes are the version.
  if (frame.payload.size() >= 2 && ByteReader(frame.payload).u16() != PLUMB_WIRE_VERSION) {
    end(SessionEnd::Refused, PLUMB_WIRE_OTHER_VERSION, "another version of the protocol");
    return false;
  }
  const std::optional<Hello> hello = parse_hello(frame.payload);
  if (!hello) return false;
  in_number_ = 1;
  ++greetings_;
  hello_.assign(frame.payload.begin(), frame.payload.end());
  said_name_ = hello->name;
  is_bare_metal_ = (hello->flags & PLUMB_WIRE_BARE_METAL) != 0;
  longest_payload_ = hello->longest_payload;
  // What the program is, is looked at after the proof: who has no token learns nothing.
  nonce_ = sources_.nonce();
  state_ = State::Proof;
  // Over a connection the whole handshake has one deadline, from its beginning.
  if (options_.is_line) since_ = now;
  reader_.expect(PLUMB_WIRE_GREETING, false);
  out_number_ = 0;
  send(PLUMB_WIRE_CHALLENGE, encode(Challenge{nonce_, options_.longest_payload}));
  return true;
}

void Session::take_proof(const Frame& frame, Time now) {
  if (frame.kind != PLUMB_WIRE_PROOF) return end_broken("a proof was due");
  const std::optional<Proof> proof = parse_proof(frame.payload);
  if (!proof) return end_broken("a proof of another size came");
  const bool may_have_crossed = options_.is_line && std::exchange(greetings_, 0) > 1;
  if (!is_same(proof->mac, target_proof(options_.token, nonce_, hello_))) {
    // It may be right for the challenge before: then the target is about to find ours wrong, and begins anew.
    if (may_have_crossed) return await_hello(now);
    return end(SessionEnd::Refused, PLUMB_WIRE_REFUSED, "the token is wrong");
  }
  const std::optional<Hello> hello = parse_hello(hello_);
  INVARIANT(hello.has_value(), "a greeting that was understood should be understood again");
  const bool is_big_endian = (hello->flags & PLUMB_WIRE_BIG_ENDIAN) != 0;
  if (hello->fingerprint != options_.fingerprint || hello->edges != options_.edges ||
      hello->regions != options_.regions || is_big_endian != options_.is_big_endian)
    return end(SessionEnd::Refused, PLUMB_WIRE_REFUSED, "it is another program, or was built from other files");
  send(PLUMB_WIRE_WELCOME, encode(Welcome{server_proof(options_.token, nonce_, hello_), sources_.number()}));
  reader_.expect(options_.longest_payload, false);
  state_ = State::Idle;
  since_ = now;
  name_ = said_name_;
  coverage_.assign(options_.edges, 0);
  modes_.assign(options_.regions, 0);
  runs_ = 0;
  notes_ = 0;
  report(SessionEvent::Kind::Proved);
}

bool Session::take_note(const Frame& frame) {
  if (frame.kind != PLUMB_WIRE_NOTICE) return false;
  const std::optional<Note> note = parse_note(frame.payload);
  if (!note) return false;
  // What it says beside the run gives it no more time for the run.
  if (state_ == State::Running) answer_.bytes_received -= PLUMB_WIRE_HEAD + frame.payload.size();
  if (++notes_ <= kMaxNotes) report(SessionEvent::Kind::Noted, note->text).is_warning = note->level > 0;
  return true;
}

void Session::take_between_runs(const Frame& frame, Time now) {
  if (take_note(frame)) return;
  if (frame.kind != PLUMB_WIRE_PONG || !frame.payload.empty() || state_ != State::Pinged)
    return end_broken("a frame came that was not asked for");
  state_ = State::Idle;
  since_ = now;
}

// --- Bytes out ---

void Session::send(std::uint8_t kind, ByteView payload) { put_frame(output_, kind, out_number_++, payload); }

SessionEvent& Session::report(SessionEvent::Kind kind, std::string_view text) {
  SessionEvent& event = events_.emplace_back();
  event.kind = kind;
  event.text = text;
  return event;
}

Bytes Session::take_output() { return std::exchange(output_, {}); }

std::vector<SessionEvent> Session::take_events() { return std::exchange(events_, {}); }

void Session::close(std::uint8_t reason, std::string_view text) {
  if (state_ == State::Over) return;
  end(SessionEnd::Closed, reason, text);
  state_ = State::Over;
}

void Session::end_broken(std::string_view why) { end(SessionEnd::Broken, PLUMB_WIRE_NOT_UNDERSTOOD, why); }

void Session::end(SessionEnd how, std::uint8_t reason, std::string_view why) {
  report(SessionEvent::Kind::Ended, why).end = how;
  greetings_ = 0;
  // A target on a line that is refused is told so; it would else try again and again without knowing why.
  const bool says_bye = !options_.is_line || how == SessionEnd::Refused || how == SessionEnd::Closed;
  if (says_bye) send(PLUMB_WIRE_BYE, encode(Bye{reason, std::string(why)}));
  if (!options_.is_line) {
    state_ = State::Over;
    reader_.clear();
    answer_ = {};
    return;
  }
  await_hello(now_);
  if (!says_bye) send(PLUMB_WIRE_RESTART, {});
  out_number_ = 0;
}

std::size_t Session::memory() const noexcept {
  return reader_.capacity() + answer_.words.capacity() * sizeof(std::uint32_t) +
         changed_.capacity() * sizeof(std::uint32_t) + coverage_.capacity() + modes_.capacity() + hello_.capacity();
}

}  // namespace plumb::remote
