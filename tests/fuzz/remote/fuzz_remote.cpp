// Random conversations with the server's half of the remote protocol: what a target would say, with bytes turned,
// frames dropped, repeated, moved and cut, numbers at their limits (the checksum made right again, so that what comes
// after it is reached), and plain noise. After each message the session is held against what must always be so:
//
// - memory stays below what the options allow;
// - nobody is welcome who has not proved to have the token of this session;
// - an answer is given only for a run that was ordered, and it is the one that was told: a model that only knows
//   well-formed frames, in order, says what it must be;
// - what the session sends is well-formed, numbered and due.
//
// Prints how many messages were tried; the first contradiction is printed and ends with exit code 1.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "remote/session.h"
#include "remote_model.h"
#include "unit/remote/target_side.h"

namespace plumb::remote {
namespace {

struct Options {
  std::uint64_t messages = 1'000'000;
  double seconds = 0;  ///< 0: no limit
  std::uint64_t seed = 1;
};

struct Counts {
  std::uint64_t messages = 0, bytes = 0, conversations = 0, proved = 0, answered = 0, ended = 0;
};

class Conversation {
 public:
  Conversation(std::uint64_t seed, Counts& counts) : random_(seed), seed_(seed), counts_(counts) {
    options_.token = "a token of tests";
    options_.fingerprint.fill(9);
    options_.edges = pick({0, 1, 7, 300});
    options_.regions = pick({0, 1, 9});
    options_.stream_words = pick({0, 1, 50, 5000});
    options_.is_line = one_in(3);
    options_.longest_payload = static_cast<std::uint16_t>(pick({256, 1000, 16384}));
    sources_.nonce = [this] {
      Nonce nonce;
      for (std::uint8_t& byte : nonce) byte = static_cast<std::uint8_t>(random_());
      return nonce;
    };
    sources_.number = [this] { return ++sessions_; };
  }

  void run() {
    ++counts_.conversations;
    Session session(options_, sources_, now_);
    TargetSide target(options_);
    session_ = &session;
    target_ = &target;
    SessionModel model(options_);
    model_ = &model;
    target.hello.longest_payload = static_cast<std::uint16_t>(pick({256, 300, 16384}));
    // Most faults come after a good start, else little is reached but refusals.
    rate_ = pick({0, 0, 2, 10, 60});
    const std::uint32_t length = 1 + below(60);
    check_output();
    for (std::uint32_t i = 0; i < length && !session.is_over(); ++i) step();
  }

 private:
  std::uint32_t below(std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random_); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  std::uint32_t pick(std::initializer_list<std::uint32_t> from) {
    return from.begin()[below(static_cast<std::uint32_t>(from.size()))];
  }
  std::uint32_t odd_number() {
    const std::uint32_t base =
        pick({0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 0x7fffffff, 0x80000000, 0xffffffff, options_.edges});
    return one_in(3) ? static_cast<std::uint32_t>(random_()) : base + below(3) - 1;
  }

  [[noreturn]] void contradict(const std::string& what) {
    fmt::print("CONTRADICTION (conversation {}): {}\n", seed_, what);
    std::exit(1);
  }

  // --- What the target says ---

  /// The next thing that a good target would say; what it knows of the server it has read from its frames.
  Bytes due() {
    if (one_in(40)) return target_->note(std::string(below(200), 'x'));
    if (challenge_) {
      const Bytes proof = target_->prove(*challenge_);
      challenge_.reset();
      return proof;
    }
    if (pings_ != 0) {
      --pings_;
      return target_->pong();
    }
    if (run_ == 0) return session_->has_proved() ? target_->note("idle") : greet();
    if (below(3) != 0 && said_ < 6) return piece_of_run();
    End end{.run = run_,
            .how = static_cast<std::uint8_t>(below(5)),
            .code = 1 + below(64),
            .words = words_,
            .edges = edges_};
    end.fault_address = random_();
    run_ = 0;
    return target_->end(end);
  }

  Bytes greet() {
    last_edge_ = -1;
    run_ = 0;
    pings_ = 0;
    return target_->greet();
  }

  Bytes piece_of_run() {
    ++said_;
    std::vector<std::uint32_t> numbers;
    if (one_in(2)) {
      for (std::uint32_t i = 1 + below(30); i > 0; --i) numbers.push_back(odd_number());
      words_ += static_cast<std::uint32_t>(numbers.size());
      return target_->events(run_, numbers);
    }
    for (std::uint32_t i = 1 + below(4); i > 0; --i) {
      const std::uint32_t distance = below(3);
      if (last_edge_ + 1 + distance >= options_.edges) break;
      last_edge_ += 1 + distance;
      numbers.push_back(distance);
      ++edges_;
    }
    return numbers.empty() ? target_->note("nothing new") : target_->coverage(run_, numbers);
  }

  // --- What becomes of it ---

  /// A frame with another payload, and a checksum that fits.
  Bytes changed(const Bytes& frame) {
    if (frame.size() < PLUMB_WIRE_HEAD) return frame;
    std::uint8_t kind = frame[3];
    auto number = static_cast<std::uint16_t>(frame[6] | frame[7] << 8);
    Bytes payload(frame.begin() + PLUMB_WIRE_HEAD, frame.end());
    switch (below(7)) {
      case 0:
        if (!payload.empty())
          payload[below(static_cast<std::uint32_t>(payload.size()))] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:
        payload.resize(payload.size() - std::min<std::size_t>(payload.size(), 1 + below(4)));
        break;
      case 2:
        for (std::uint32_t i = below(12); i > 0; --i) payload.push_back(static_cast<std::uint8_t>(random_()));
        break;
      case 3:
        kind = static_cast<std::uint8_t>(one_in(2) ? 1 + below(8) : random_());
        break;
      case 4:
        number = static_cast<std::uint16_t>(number + pick({1, 0xffff, 0x8000}));
        break;
      case 5: {
        const std::uint32_t at = below(static_cast<std::uint32_t>(payload.size()) + 1);
        Bytes extreme;
        put_varint(extreme, odd_number());
        payload.insert(payload.begin() + at, extreme.begin(), extreme.end());
        break;
      }
      default:
        payload.assign(one_in(20) ? PLUMB_WIRE_PAYLOAD : below(300), static_cast<std::uint8_t>(random_()));
        break;
    }
    payload.resize(std::min<std::size_t>(payload.size(), PLUMB_WIRE_PAYLOAD));
    Bytes result;
    put_frame(result, kind, number, payload);
    return result;
  }

  Bytes spoilt(Bytes bytes) {
    switch (below(9)) {
      case 0:  // dropped
        return {};
      case 1:  // said twice
        bytes.insert(bytes.end(), bytes.begin(), bytes.end());
        return bytes;
      case 2:  // one from before instead
        return last_.empty() ? bytes : last_;
      case 3:  // before the one before it
        if (!last_.empty()) bytes.insert(bytes.end(), last_.begin(), last_.end());
        return bytes;
      case 4:
        bytes.resize(below(static_cast<std::uint32_t>(bytes.size()) + 1));
        return bytes;
      case 5:
        if (!bytes.empty())
          bytes[below(static_cast<std::uint32_t>(bytes.size()))] ^= static_cast<std::uint8_t>(1U << below(8));
        return bytes;
      case 6: {
        Bytes noise(1 + below(one_in(10) ? 3000 : 40));
        for (std::uint8_t& byte : noise)
          byte = static_cast<std::uint8_t>(one_in(3) ? pick({0x70, 0x6c, 1, 0}) : random_());
        return noise;
      }
      default:
        return changed(bytes);
    }
  }

  void step() {
    if (one_in(20)) pass_time();
    if (session_->is_free() && !one_in(4)) order();
    Bytes bytes = due();
    const Bytes good = bytes;
    if (rate_ != 0 && below(100) < rate_) bytes = spoilt(std::move(bytes));
    last_ = good;
    ++counts_.messages;
    counts_.bytes += bytes.size();
    model_->say(bytes);
    if (one_in(10) && bytes.size() > 1) {
      const std::size_t cut = 1 + below(static_cast<std::uint32_t>(bytes.size()) - 1);
      session_->receive(ByteView(bytes).first(cut), now_);
      session_->receive(ByteView(bytes).subspan(cut), now_);
    } else {
      session_->receive(bytes, now_);
    }
    check();
  }

  void pass_time() {
    now_ += std::chrono::milliseconds(pick({1, 100, 5000, 20'000, 60'000}));
    session_->tick(now_);
    if (session_->deadline() <= now_ && !session_->is_over()) contradict("a deadline is over and nothing was done");
    check();
  }

  void order() {
    RunOrder order;
    order.seed = random_();
    order.milliseconds = 1000;
    for (std::uint32_t i = 0; i < options_.regions; ++i) order.modes.push_back(static_cast<std::uint8_t>(below(2)));
    order.inputs.resize(one_in(50) ? 40'000 : below(50));
    session_->start(order, now_);
    model_->order();
    check();
  }

  // --- What must be so ---

  void check() {
    if (session_->memory() > bound()) contradict(fmt::format("{} bytes of memory", session_->memory()));
    check_events();
    check_output();
  }

  std::size_t bound() const {
    return 2 * frame_size(PLUMB_WIRE_PAYLOAD) + 4 * std::size_t{options_.stream_words} +
           8 * std::size_t{options_.edges} + 2 * (std::size_t{options_.edges} + options_.regions) + 4096;
  }

  void check_events() {
    for (const SessionEvent& event : session_->take_events()) {
      switch (event.kind) {
        case SessionEvent::Kind::Proved:
          ++counts_.proved;
          if (!model_->has_proved()) contradict("a session was proved that was not");
          break;
        case SessionEvent::Kind::Answered: {
          ++counts_.answered;
          const std::string problem = model_->judge(event.answer);
          if (!problem.empty()) contradict(problem);
          break;
        }
        case SessionEvent::Kind::Ended:
          ++counts_.ended;
          model_->end();
          run_ = 0;
          break;
        case SessionEvent::Kind::Noted:
          if (event.text.size() > PLUMB_WIRE_NOTE) contradict("a note is too long");
          break;
      }
    }
  }

  void check_output() {
    const Bytes output = session_->take_output();
    const std::vector<ReceivedFrame> frames = frames_of(output);
    std::size_t size = 0;
    for (const ReceivedFrame& frame : frames) {
      size += frame_size(frame.payload.size());
      take(frame);
    }
    if (size != output.size()) contradict("what was sent is no sequence of frames");
  }

  void take(const ReceivedFrame& frame) {
    if (frame.kind == PLUMB_WIRE_RESTART) {
      if (!options_.is_line || frame.number != 0) contradict("a restart that was not due");
      out_number_ = 0;
      return;
    }
    // The first answer to a greeting; on a line that may be refused at once.
    if (frame.kind == PLUMB_WIRE_CHALLENGE) out_number_ = 0;
    if (frame.kind == PLUMB_WIRE_BYE && options_.is_line && frame.number == 0) out_number_ = 0;
    if (frame.number != out_number_++) contradict("a frame with a wrong number");
    switch (frame.kind) {
      case PLUMB_WIRE_CHALLENGE:
        challenge_ = parse_challenge(frame.payload)->nonce;
        model_->challenge(*challenge_);
        break;
      case PLUMB_WIRE_WELCOME:
        if (!parse_welcome(frame.payload)) contradict("a welcome that nobody understands");
        break;
      case PLUMB_WIRE_RUN: {
        const auto run = parse_run(frame.payload);
        if (!run || frame.payload.size() > target_->hello.longest_payload)
          contradict("an order that nobody understands");
        run_ = run->number;
        words_ = edges_ = said_ = 0;
        last_edge_ = -1;
        break;
      }
      case PLUMB_WIRE_DATA:
        if (!parse_data(frame.payload) || frame.payload.size() > target_->hello.longest_payload)
          contradict("data that nobody understands");
        break;
      case PLUMB_WIRE_PING:
        ++pings_;
        break;
      case PLUMB_WIRE_BYE:
        if (!parse_bye(frame.payload)) contradict("a farewell that nobody understands");
        out_number_ = 0;
        break;
      default:
        contradict(fmt::format("a frame of kind {} is not the server's", frame.kind));
    }
  }

  std::mt19937_64 random_;
  std::uint64_t seed_;
  Counts& counts_;
  SessionOptions options_;
  SessionSources sources_;
  Time now_{};
  Session* session_ = nullptr;
  TargetSide* target_ = nullptr;
  SessionModel* model_ = nullptr;
  std::uint32_t sessions_ = 0;
  std::uint32_t rate_ = 0;  ///< of spoilt messages, in percent
  Bytes last_;
  // What the target knows
  std::optional<Nonce> challenge_;
  std::uint32_t pings_ = 0;
  std::uint32_t run_ = 0;
  std::uint32_t words_ = 0;
  std::uint32_t edges_ = 0;
  std::uint32_t said_ = 0;
  std::int64_t last_edge_ = -1;
  std::uint16_t out_number_ = 0;
};

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i];
    const std::string value = words[i + 1];
    if (name == "--messages") {
      options.messages = std::stoull(value);
    } else if (name == "--seconds") {
      options.seconds = std::stod(value);
    } else if (name == "--seed") {
      options.seed = std::stoull(value);
    } else {
      fmt::print(stderr, "usage: fuzz_remote [--messages N] [--seconds S] [--seed N]\n");
      std::exit(2);
    }
  }
  return options;
}

}  // namespace
}  // namespace plumb::remote

int main(int count, char** words) {
  using namespace plumb::remote;
  const Options options = parse(count, words);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Counts counts;
  for (std::uint64_t i = 0; counts.messages < options.messages; ++i) {
    if (options.seconds != 0 && i % 100 == 0 && seconds() > options.seconds) break;
    Conversation(options.seed * 1'000'003 + i, counts).run();
  }
  fmt::print(
      "{} messages ({} bytes) in {} conversations: {} handshakes, {} answers, {} sessions ended; {:.0f} messages a "
      "second\n",
      counts.messages, counts.bytes, counts.conversations, counts.proved, counts.answered, counts.ended,
      static_cast<double>(counts.messages) / seconds());
  return 0;
}
