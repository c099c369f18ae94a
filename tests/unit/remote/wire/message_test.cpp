#include "remote/wire/message.h"

#include <gtest/gtest.h>

#include "runtime/link/wire.h"

namespace plumb::remote {
namespace {

/// Exactly these bytes: nothing less, nothing more.
template <typename Parse>
void expect_exact(Parse parse, const Bytes& payload, std::size_t least = 0) {
  EXPECT_TRUE(parse(payload).has_value());
  for (std::size_t size = least; size < payload.size(); ++size)
    EXPECT_FALSE(parse(ByteView(payload).first(size)).has_value()) << size;
}
template <typename Parse>
void expect_no_more(Parse parse, Bytes payload) {
  payload.push_back(0);
  EXPECT_FALSE(parse(payload).has_value());
}

Bytes hello_bytes() {
  Bytes bytes = {0x01, 0x00, 0x05, 0x03, 0x00, 0x01};
  for (std::uint8_t i = 0; i < 48; ++i) bytes.push_back(i);
  bytes.insert(bytes.end(), {0x04, 0x03, 0x02, 0x01, 0x09, 0x00, 0x00, 0x00, 'a', 'r', 'm'});
  return bytes;
}

TEST(Message, HelloIsTheDocumentsBytes) {
  const auto hello = parse_hello(hello_bytes());
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->version, 1);
  EXPECT_EQ(hello->flags, PLUMB_WIRE_BIG_ENDIAN | PLUMB_WIRE_BARE_METAL);
  EXPECT_EQ(hello->longest_payload, 256);
  EXPECT_EQ(hello->nonce[15], 15);
  EXPECT_EQ(hello->fingerprint[31], 47);
  EXPECT_EQ(hello->edges, 0x01020304U);
  EXPECT_EQ(hello->regions, 9U);
  EXPECT_EQ(hello->name, "arm");
  EXPECT_EQ(encode(*hello), hello_bytes());
  expect_exact(parse_hello, hello_bytes());
  expect_no_more(parse_hello, hello_bytes());
}

TEST(Message, HelloHasLimits) {
  Bytes other = hello_bytes();
  other[2] = 8;  // a flag that nobody knows
  EXPECT_FALSE(parse_hello(other));
  other = hello_bytes();
  other[5] = 0;  // longest payload 0
  EXPECT_FALSE(parse_hello(other));
  other[5] = 0x41;  // 16640
  EXPECT_FALSE(parse_hello(other));
  other = hello_bytes();
  other.back() = '\n';
  EXPECT_EQ(parse_hello(other)->name, "ar?");
  other = hello_bytes();
  other[3] = 33;
  other.resize(6 + 48 + 8 + 33, 'x');
  EXPECT_FALSE(parse_hello(other));
}

TEST(Message, RunIsTheDocumentsBytes) {
  const Bytes bytes = {0x01, 0x00, 0x40, 0x80, 0x20, 0x80, 0x0c, 0xe8, 0x07, 0x00, 0x00,
                       0x00, 0x01, 0x07, 0x05, 0x04, 0x2a, 0x00, 0x00, 0x00, 0x00};
  const auto run = parse_run(bytes);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->number, 1U);
  EXPECT_EQ(run->max_inputs, 64U);
  EXPECT_EQ(run->max_nodes, 4096U);
  EXPECT_EQ(run->max_object, 1536U);
  EXPECT_EQ(run->milliseconds, 1000U);
  EXPECT_EQ(run->flags, PLUMB_WIRE_MODES);
  EXPECT_EQ(run->data_size, 7U);
  EXPECT_EQ(run->data.size(), 7U);
  EXPECT_EQ(encode(*run), bytes);
  expect_no_more(parse_run, bytes);
}

TEST(Message, EventsAreWordsAsVarints) {
  const Bytes bytes = {0x01, 0x01, 0x80, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f};
  const auto events = parse_events(bytes);
  ASSERT_TRUE(events);
  EXPECT_EQ(events->words, (std::vector<std::uint32_t>{1, 128, 0xffffffff}));
  EXPECT_EQ(encode(*events), bytes);
  EXPECT_FALSE(parse_events(Bytes{0x01}));              // nothing in it
  EXPECT_FALSE(parse_events(Bytes{0x01, 0x80}));        // breaks off
  EXPECT_FALSE(parse_events(Bytes{0x01, 0x80, 0x00}));  // too long
}

TEST(Message, EndIsTheDocumentsBytes) {
  const Bytes bytes = {0x01, 0x00, 0x03, 0x00, 0x03, 0x02, 0xfa, 0x01, 0x00};
  const auto end = parse_end(bytes);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->how, PLUMB_WIRE_EXITED);
  EXPECT_EQ(end->code, 3U);
  EXPECT_EQ(end->words, 3U);
  EXPECT_EQ(end->edges, 2U);
  EXPECT_EQ(end->microseconds, 250U);
  EXPECT_EQ(encode(*end), bytes);
  expect_exact(parse_end, bytes);
  expect_no_more(parse_end, bytes);
}

TEST(Message, EndHasLimits) {
  EXPECT_FALSE(parse_end(encode(End{.run = 1, .how = 5})));
  EXPECT_FALSE(parse_end(encode(End{.run = 1, .how = PLUMB_WIRE_SIGNALLED, .code = 0})));
  EXPECT_FALSE(parse_end(encode(End{.run = 1, .how = PLUMB_WIRE_SIGNALLED, .code = 128})));
  EXPECT_TRUE(parse_end(encode(End{.run = 1, .how = PLUMB_WIRE_SIGNALLED, .code = 11, .fault_address = ~0ULL})));
}

TEST(Message, TextHasLimits) {
  EXPECT_TRUE(parse_note(encode(Note{2, std::string(200, 'x')})));
  EXPECT_FALSE(parse_note(Bytes(202, 0)));
  EXPECT_FALSE(parse_note(Bytes{3, 'x'}));
  EXPECT_FALSE(parse_note({}));
  EXPECT_EQ(encode(Bye{1, std::string(500, 'x')}).size(), 121U);
  EXPECT_FALSE(parse_bye(Bytes(122, 0)));
}

TEST(Message, HandshakesAreExact) {
  const Challenge challenge{{}, 16384};
  expect_exact(parse_challenge, encode(challenge));
  expect_no_more(parse_challenge, encode(challenge));
  expect_exact(parse_proof, encode(Proof{}));
  expect_no_more(parse_proof, encode(Proof{}));
  expect_exact(parse_welcome, encode(Welcome{{}, 7}));
  expect_no_more(parse_welcome, encode(Welcome{{}, 7}));
}

}  // namespace
}  // namespace plumb::remote
