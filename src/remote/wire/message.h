#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "remote/wire/bytes.h"
#include "remote/wire/hmac.h"

namespace plumb::remote {

using Nonce = std::array<std::uint8_t, 16>;

// The payloads of docs/remote-protocol.md, in its order and with its names. parse_…() gives nothing unless the payload
// is exactly what the document says; encode() of what was parsed gives the same bytes again, but for text that was not
// printable. Views are of the payload that was parsed.

// --- Handshake ---

struct Hello {
  std::uint16_t version = 1;
  std::uint8_t flags = 0;  ///< enum plumb_wire_flag
  std::uint16_t longest_payload = 16384;
  Nonce nonce{};
  Digest fingerprint{};
  std::uint32_t edges = 0;
  std::uint32_t regions = 0;
  std::string name;
};
std::optional<Hello> parse_hello(ByteView payload);
Bytes encode(const Hello& hello);

struct Challenge {
  Nonce nonce{};
  std::uint16_t longest_payload = 16384;
};
std::optional<Challenge> parse_challenge(ByteView payload);
Bytes encode(const Challenge& challenge);

struct Proof {
  Digest mac{};
};
std::optional<Proof> parse_proof(ByteView payload);
Bytes encode(const Proof& proof);

struct Welcome {
  Digest mac{};
  std::uint32_t session = 0;
};
std::optional<Welcome> parse_welcome(ByteView payload);
Bytes encode(const Welcome& welcome);

/// What the target and the server prove that they have the token with.
Digest target_proof(std::string_view token, const Nonce& server_nonce, ByteView hello_payload);
Digest server_proof(std::string_view token, const Nonce& server_nonce, ByteView hello_payload);

// --- Runs ---

struct Run {
  std::uint32_t number = 0;
  std::uint64_t seed = 0;
  std::uint32_t max_inputs = 0;
  std::uint32_t max_nodes = 0;
  std::uint32_t max_object = 0;
  std::uint32_t milliseconds = 0;
  std::uint32_t memory = 0;     ///< MiB; 0: no limit
  std::uint32_t file_size = 0;  ///< KiB
  std::uint32_t processes = 0;
  std::uint32_t flags = 0;  ///< enum plumb_wire_run_flag
  std::uint32_t data_size = 0;
  ByteView data;  ///< the first bytes of it
};
std::optional<Run> parse_run(ByteView payload);
Bytes encode(const Run& run);

struct Data {
  std::uint32_t run = 0;
  ByteView bytes;
};
std::optional<Data> parse_data(ByteView payload);
Bytes encode(const Data& data);

struct Events {
  std::uint32_t run = 0;
  std::vector<std::uint32_t> words;
};
std::optional<Events> parse_events(ByteView payload);
Bytes encode(const Events& events);

struct Coverage {
  std::uint32_t run = 0;
  std::vector<std::uint32_t> distances;  ///< from the edge before, less 1
};
std::optional<Coverage> parse_coverage(ByteView payload);
Bytes encode(const Coverage& coverage);

struct End {
  std::uint32_t run = 0;
  std::uint8_t how = 0;  ///< enum plumb_wire_end
  std::uint32_t code = 0;
  std::uint64_t fault_address = 0;
  std::uint32_t words = 0;
  std::uint32_t edges = 0;
  std::uint32_t microseconds = 0;
  std::uint32_t left_out = 0;
};
std::optional<End> parse_end(ByteView payload);
Bytes encode(const End& end);

struct Note {
  std::uint8_t level = 0;
  std::string text;
};
std::optional<Note> parse_note(ByteView payload);
Bytes encode(const Note& note);

struct Bye {
  std::uint8_t reason = 0;  ///< enum plumb_wire_bye
  std::string text;         ///< what is longer than it may be is cut
};
std::optional<Bye> parse_bye(ByteView payload);
Bytes encode(const Bye& bye);

}  // namespace plumb::remote
