#include "remote/wire/message.h"

#include <algorithm>

#include "runtime/link/wire.h"

namespace plumb::remote {
namespace {

template <std::size_t N>
std::array<std::uint8_t, N> take_array(ByteReader& reader) {
  std::array<std::uint8_t, N> result{};
  const ByteView taken = reader.bytes(N);
  std::ranges::copy(taken, result.begin());
  return result;
}

template <typename Message>
std::optional<Message> done(const ByteReader& reader, Message message) {
  if (!reader.is_done()) return std::nullopt;
  return message;
}

/// Numbers up to the payload's end, of which there is one at least.
std::vector<std::uint32_t> take_varints(ByteReader& reader) {
  std::vector<std::uint32_t> numbers;
  if (reader.is_at_end()) reader.fail();
  while (!reader.is_at_end()) numbers.push_back(reader.varint32());
  return numbers;
}

Bytes with_varints(std::uint32_t run, const std::vector<std::uint32_t>& numbers) {
  Bytes payload;
  put_varint(payload, run);
  for (const std::uint32_t number : numbers) put_varint(payload, number);
  return payload;
}

std::string message_of(std::string_view first, ByteView second, ByteView third) {
  std::string message(first);
  message.append(second.begin(), second.end());
  message.append(third.begin(), third.end());
  return message;
}

}  // namespace

// --- Handshake ---

std::optional<Hello> parse_hello(ByteView payload) {
  ByteReader reader(payload);
  Hello hello;
  hello.version = reader.u16();
  hello.flags = reader.u8();
  const std::uint8_t name = reader.u8();
  hello.longest_payload = reader.u16();
  hello.nonce = take_array<PLUMB_WIRE_NONCE>(reader);
  hello.fingerprint = take_array<PLUMB_WIRE_FINGERPRINT>(reader);
  hello.edges = reader.u32();
  hello.regions = reader.u32();
  hello.name = printable(reader.bytes(name));
  constexpr unsigned kFlags = PLUMB_WIRE_BIG_ENDIAN | PLUMB_WIRE_LONG_POINTERS | PLUMB_WIRE_BARE_METAL;
  const bool is_known = (hello.flags & ~kFlags) == 0 && name <= PLUMB_WIRE_NAME;
  if (!is_known || hello.longest_payload < PLUMB_WIRE_LEAST_PAYLOAD || hello.longest_payload > PLUMB_WIRE_PAYLOAD)
    reader.fail();
  return done(reader, std::move(hello));
}

Bytes encode(const Hello& hello) {
  Bytes payload;
  put_u16(payload, hello.version);
  put_u8(payload, hello.flags);
  put_u8(payload, static_cast<std::uint8_t>(hello.name.size()));
  put_u16(payload, hello.longest_payload);
  put_bytes(payload, hello.nonce);
  put_bytes(payload, hello.fingerprint);
  put_u32(payload, hello.edges);
  put_u32(payload, hello.regions);
  put_text(payload, hello.name);
  return payload;
}

std::optional<Challenge> parse_challenge(ByteView payload) {
  ByteReader reader(payload);
  Challenge challenge;
  challenge.nonce = take_array<PLUMB_WIRE_NONCE>(reader);
  challenge.longest_payload = reader.u16();
  return done(reader, challenge);
}

Bytes encode(const Challenge& challenge) {
  Bytes payload;
  put_bytes(payload, challenge.nonce);
  put_u16(payload, challenge.longest_payload);
  return payload;
}

std::optional<Proof> parse_proof(ByteView payload) {
  ByteReader reader(payload);
  const Proof proof{take_array<PLUMB_WIRE_MAC>(reader)};
  return done(reader, proof);
}

Bytes encode(const Proof& proof) { return {proof.mac.begin(), proof.mac.end()}; }

std::optional<Welcome> parse_welcome(ByteView payload) {
  ByteReader reader(payload);
  Welcome welcome;
  welcome.mac = take_array<PLUMB_WIRE_MAC>(reader);
  welcome.session = reader.u32();
  return done(reader, welcome);
}

Bytes encode(const Welcome& welcome) {
  Bytes payload;
  put_bytes(payload, welcome.mac);
  put_u32(payload, welcome.session);
  return payload;
}

Digest target_proof(std::string_view token, const Nonce& server_nonce, ByteView hello_payload) {
  return hmac_sha256(token, message_of(PLUMB_WIRE_TARGET_LABEL, server_nonce, hello_payload));
}

Digest server_proof(std::string_view token, const Nonce& server_nonce, ByteView hello_payload) {
  return hmac_sha256(token, message_of(PLUMB_WIRE_SERVER_LABEL, hello_payload, server_nonce));
}

// --- Runs ---

std::optional<Run> parse_run(ByteView payload) {
  ByteReader reader(payload);
  Run run;
  run.number = reader.varint32();
  run.seed = reader.varint64();
  for (std::uint32_t* number : {&run.max_inputs, &run.max_nodes, &run.max_object, &run.milliseconds, &run.memory,
                                &run.file_size, &run.processes, &run.flags, &run.data_size})
    *number = reader.varint32();
  run.data = reader.rest();
  if ((run.flags & ~unsigned{PLUMB_WIRE_MODES}) != 0 || run.data.size() > run.data_size) reader.fail();
  return done(reader, run);
}

Bytes encode(const Run& run) {
  Bytes payload;
  put_varint(payload, run.number);
  put_varint(payload, run.seed);
  for (const std::uint32_t number : {run.max_inputs, run.max_nodes, run.max_object, run.milliseconds, run.memory,
                                     run.file_size, run.processes, run.flags, run.data_size})
    put_varint(payload, number);
  put_bytes(payload, run.data);
  return payload;
}

std::optional<Data> parse_data(ByteView payload) {
  ByteReader reader(payload);
  Data data;
  data.run = reader.varint32();
  data.bytes = reader.rest();
  if (data.bytes.empty()) reader.fail();
  return done(reader, data);
}

Bytes encode(const Data& data) {
  Bytes payload;
  put_varint(payload, data.run);
  put_bytes(payload, data.bytes);
  return payload;
}

std::optional<Events> parse_events(ByteView payload) {
  ByteReader reader(payload);
  Events events;
  events.run = reader.varint32();
  events.words = take_varints(reader);
  return done(reader, std::move(events));
}

Bytes encode(const Events& events) { return with_varints(events.run, events.words); }

std::optional<Coverage> parse_coverage(ByteView payload) {
  ByteReader reader(payload);
  Coverage coverage;
  coverage.run = reader.varint32();
  coverage.distances = take_varints(reader);
  return done(reader, std::move(coverage));
}

Bytes encode(const Coverage& coverage) { return with_varints(coverage.run, coverage.distances); }

std::optional<End> parse_end(ByteView payload) {
  ByteReader reader(payload);
  End end;
  end.run = reader.varint32();
  end.how = reader.u8();
  end.code = reader.varint32();
  end.fault_address = reader.varint64();
  for (std::uint32_t* number : {&end.words, &end.edges, &end.microseconds, &end.left_out}) *number = reader.varint32();
  if (end.how > PLUMB_WIRE_CANNOT_START) reader.fail();
  if (end.how == PLUMB_WIRE_SIGNALLED && (end.code == 0 || end.code > 127)) reader.fail();
  return done(reader, end);
}

Bytes encode(const End& end) {
  Bytes payload;
  put_varint(payload, end.run);
  put_u8(payload, end.how);
  put_varint(payload, end.code);
  put_varint(payload, end.fault_address);
  for (const std::uint32_t number : {end.words, end.edges, end.microseconds, end.left_out}) put_varint(payload, number);
  return payload;
}

std::optional<Note> parse_note(ByteView payload) {
  ByteReader reader(payload);
  Note note;
  note.level = reader.u8();
  const ByteView text = reader.rest();
  if (note.level > 2 || text.size() > PLUMB_WIRE_NOTE) reader.fail();
  note.text = printable(text);
  return done(reader, std::move(note));
}

Bytes encode(const Note& note) {
  Bytes payload;
  put_u8(payload, note.level);
  put_text(payload, std::string_view(note.text).substr(0, PLUMB_WIRE_NOTE));
  return payload;
}

std::optional<Bye> parse_bye(ByteView payload) {
  ByteReader reader(payload);
  Bye bye;
  bye.reason = reader.u8();
  const ByteView text = reader.rest();
  if (text.size() > PLUMB_WIRE_FAREWELL) reader.fail();
  bye.text = printable(text);
  return done(reader, std::move(bye));
}

Bytes encode(const Bye& bye) {
  Bytes payload;
  put_u8(payload, bye.reason);
  put_text(payload, std::string_view(bye.text).substr(0, PLUMB_WIRE_FAREWELL));
  return payload;
}

}  // namespace plumb::remote
