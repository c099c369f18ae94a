#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "remote/session.h"
#include "runtime/link/wire.h"

namespace plumb::remote {

/// The target's half of a session, as far as it says what a test tells it to: frames with the right numbers and sums.
struct TargetSide {
  std::string token = "a token of tests";
  Hello hello;
  std::uint16_t number = 0;
  Bytes hello_payload;

  explicit TargetSide(const SessionOptions& options) {
    token = options.token;
    hello.fingerprint = options.fingerprint;
    hello.edges = options.edges;
    hello.regions = options.regions;
    hello.flags = options.is_big_endian ? PLUMB_WIRE_BIG_ENDIAN : 0;
    hello.name = "board";
  }

  Bytes frame(std::uint8_t kind, ByteView payload) {
    Bytes bytes;
    put_frame(bytes, kind, number++, payload);
    return bytes;
  }
  Bytes greet() {
    number = 0;
    ++hello.nonce[0];
    hello_payload = encode(hello);
    return frame(PLUMB_WIRE_HELLO, hello_payload);
  }
  Bytes prove(const Nonce& server_nonce) {
    return frame(PLUMB_WIRE_PROOF, encode(Proof{target_proof(token, server_nonce, hello_payload)}));
  }
  Bytes events(std::uint32_t run, std::vector<std::uint32_t> words) {
    return frame(PLUMB_WIRE_EVENTS, encode(Events{run, std::move(words)}));
  }
  Bytes coverage(std::uint32_t run, std::vector<std::uint32_t> distances) {
    return frame(PLUMB_WIRE_COVERAGE, encode(Coverage{run, std::move(distances)}));
  }
  Bytes end(const End& end) { return frame(PLUMB_WIRE_END, encode(end)); }
  Bytes note(std::string text) { return frame(PLUMB_WIRE_NOTICE, encode(Note{0, std::move(text)})); }
  Bytes pong() { return frame(PLUMB_WIRE_PONG, {}); }
};

struct ReceivedFrame {
  std::uint8_t kind = 0;
  std::uint16_t number = 0;
  Bytes payload;
};
/// All frames of what a session sent; it sends nothing else.
inline std::vector<ReceivedFrame> frames_of(const Bytes& bytes) {
  FrameReader reader(PLUMB_WIRE_PAYLOAD, false);
  std::vector<ReceivedFrame> frames;
  ByteView rest = bytes;
  while (const std::optional<Frame> frame = reader.next(rest))
    frames.push_back({frame->kind, frame->number, {frame->payload.begin(), frame->payload.end()}});
  return frames;
}

}  // namespace plumb::remote
