#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

extern "C" {
#include "runtime/link/link.h"
}

namespace plumb::link_test {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes(const std::string& hex);
std::string hex(const Bytes& bytes);
Bytes number(std::uint64_t value, std::size_t size);
Bytes varint(std::uint64_t value);
Bytes text(const std::string& characters);
Bytes operator+(Bytes a, const Bytes& b);

struct Frame {
  std::uint8_t kind = 0;
  std::uint16_t number = 0;
  Bytes payload;
};
Bytes encode(const Frame& frame);
/// Throws std::runtime_error if the bytes are not frames and nothing else.
std::vector<Frame> decode(const Bytes& bytes);

/// A target over a channel in memory, and what a server sends it. Buffers have guards around them.
class __attribute__((visibility("hidden"))) Peer {  // as what it has is
 public:
  explicit Peer(std::uint32_t payload = PLUMB_WIRE_LEAST_PAYLOAD);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  plumb_link link = {};
  plumb_channel channel = {};
  plumb_identity identity = {};
  std::string token = "secret";
  std::deque<std::uint8_t> incoming;
  Bytes sent;
  std::size_t chunk = 1000;  ///< most bytes that a read gives
  int waits = 50;            ///< reads without bytes before the channel is gone
  bool has_random = true;
  bool takes_bytes = true;
  std::uint16_t number = 0;  ///< of the server's next frame
  std::uint32_t longest = 16384;
  /// When the target waits and nothing is there.
  std::function<void()> when_waiting;

  void send(const Bytes& bytes) { incoming.insert(incoming.end(), bytes.begin(), bytes.end()); }
  void send(std::uint8_t kind, const Bytes& payload) { send(encode({kind, number++, payload})); }
  /// Answers HELLO and PROOF as a server with this token; bad proofs with BYE.
  void answer(const std::string& servers_token);
  /// Handshake with the right token; the frames of it are forgotten.
  void open();
  std::vector<Frame> frames() const { return decode(sent); }
  bool guards_are_whole() const;

 private:
  void answer_last(const std::string& servers_token);
  static std::int32_t read(void* context, std::uint8_t* bytes, std::uint32_t size, std::uint32_t milliseconds);
  static std::int32_t write(void* context, const std::uint8_t* bytes, std::uint32_t size);
  static int random(void* context, std::uint8_t* bytes, std::uint32_t size);

  Bytes memory_;
  std::size_t size_ = 0;
  std::size_t answered_ = 0;
  Bytes hello_;
  Bytes nonce_;
};

}  // namespace plumb::link_test
