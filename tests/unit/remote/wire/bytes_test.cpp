#include "remote/wire/bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace plumb::remote {
namespace {

TEST(Varint, IsReadBackAtEveryLength) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    for (const std::uint64_t difference : {0U, 1U}) {
      const std::uint64_t value = (bits == 64 ? 0 : std::uint64_t{1} << bits) - difference;
      Bytes bytes;
      put_varint(bytes, value);
      ByteReader wide(bytes);
      EXPECT_EQ(wide.varint64(), value);
      EXPECT_TRUE(wide.is_done());
      ByteReader narrow(bytes);
      const bool fits = value <= std::numeric_limits<std::uint32_t>::max();
      EXPECT_EQ(narrow.varint32(), fits ? value : 0);
      EXPECT_EQ(narrow.is_done(), fits);
    }
  }
}

TEST(Varint, HasTheBytesOfTheDocument) {
  Bytes bytes;
  for (const std::uint64_t value : {std::uint64_t{1}, std::uint64_t{128}, std::uint64_t{0xffffffff}})
    put_varint(bytes, value);
  EXPECT_EQ(bytes, (Bytes{0x01, 0x80, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f}));
}

TEST(Varint, FailsIfLongerThanItMustBe) {
  for (const Bytes& bytes : {Bytes{0x80, 0x00}, Bytes{0xff, 0x00}, Bytes{0x80, 0x80, 0x80, 0x80, 0x00}}) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.varint32(), 0U);
    EXPECT_FALSE(reader.is_good());
  }
}

TEST(Varint, FailsIfItDoesNotFit) {
  for (const Bytes& bytes : {Bytes{0xff, 0xff, 0xff, 0xff, 0x10}, Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
                             Bytes{0x80, 0x80, 0x80, 0x80, 0x7f}}) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.varint32(), 0U);
    EXPECT_FALSE(reader.is_good());
  }
  const Bytes most = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  ByteReader good(most);
  EXPECT_EQ(good.varint64(), std::numeric_limits<std::uint64_t>::max());
  Bytes more = most;
  more.back() = 0x02;
  ByteReader bad(more);
  bad.varint64();
  EXPECT_FALSE(bad.is_good());
}

TEST(Varint, FailsIfItBreaksOff) {
  for (const Bytes& bytes : {Bytes{}, Bytes{0x80}, Bytes{0xff, 0xff}}) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.varint64(), 0U);
    EXPECT_FALSE(reader.is_good());
  }
}

TEST(ByteReader, GivesNothingAfterAFailure) {
  const Bytes bytes = {1, 2, 3, 4, 5};
  ByteReader reader(bytes);
  EXPECT_EQ(reader.u32(), 0x04030201U);
  EXPECT_EQ(reader.u16(), 0U);
  EXPECT_EQ(reader.u8(), 0U);
  EXPECT_TRUE(reader.rest().empty());
  EXPECT_FALSE(reader.is_done());
}

TEST(Printable, LeavesNothingThatATerminalObeys) {
  const Bytes text = {'a', 0x1b, '[', '2', 'J', '\n', 0x7f, 0x80, 0xff, '~'};
  EXPECT_EQ(printable(text), "a?[2J????~");
}

}  // namespace
}  // namespace plumb::remote
