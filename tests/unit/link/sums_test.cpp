#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

extern "C" {
#include "runtime/link/link.h"
}

namespace {

const std::uint8_t* bytes_of(const std::string& text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }
std::uint32_t size_of(const std::string& text) { return static_cast<std::uint32_t>(text.size()); }

std::string hex(const std::uint8_t* bytes, std::size_t size) {
  static const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

std::string sha256(const std::string& message, std::size_t piece = 0) {
  plumb_sha256 sum;
  std::uint8_t digest[32];
  plumb_sha256_begin(&sum);
  for (std::size_t at = 0; at < message.size();) {
    const std::string part = message.substr(at, piece == 0 ? message.size() : piece);
    plumb_sha256_add(&sum, bytes_of(part), size_of(part));
    at += part.size();
  }
  plumb_sha256_end(&sum, digest);
  return hex(digest, sizeof digest);
}

std::string hmac(const std::string& key, const std::string& message) {
  plumb_hmac mac;
  std::uint8_t digest[32];
  plumb_hmac_begin(&mac, bytes_of(key), size_of(key));
  plumb_hmac_add(&mac, bytes_of(message), size_of(message));
  plumb_hmac_end(&mac, digest);
  return hex(digest, sizeof digest);
}

// Bit by bit, as the polynomial says.
std::uint32_t slow_crc(const std::string& text) {
  std::uint32_t crc = ~0U;
  for (const char character : text) {
    crc ^= static_cast<std::uint8_t>(character);
    for (int i = 0; i < 8; ++i) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320U : crc >> 1;
  }
  return ~crc;
}

std::string random_text(std::mt19937& random, std::size_t size) {
  std::string text(size, '\0');
  for (char& character : text) character = static_cast<char>(random());
  return text;
}

}  // namespace

TEST(Crc32, HasTheCheckValueOfTheCatalogues) {
  EXPECT_EQ(plumb_crc32(0, nullptr, 0), 0U);
  EXPECT_EQ(plumb_crc32(0, bytes_of("123456789"), 9), 0xcbf43926U);
}

TEST(Crc32, AgreesWithTheBitwiseOneWholeAndInParts) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string text = random_text(random, size);
    const auto cut = static_cast<std::uint32_t>(random() % (size + 1));
    EXPECT_EQ(plumb_crc32(0, bytes_of(text), size_of(text)), slow_crc(text));
    EXPECT_EQ(plumb_crc32(plumb_crc32(0, bytes_of(text), cut), bytes_of(text) + cut, size_of(text) - cut),
              slow_crc(text));
  }
}

// FIPS 180-4's examples.
TEST(Sha256, HasTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  std::mt19937 random(2);
  for (const std::size_t size : {1U, 55U, 56U, 57U, 63U, 64U, 65U, 119U, 120U, 128U, 300U}) {
    const std::string text = random_text(random, size);
    for (const std::size_t piece : {1U, 3U, 63U, 64U, 65U}) EXPECT_EQ(sha256(text, piece), sha256(text));
  }
}

// RFC 4231, test cases 1 to 4, 6 and 7.
TEST(Hmac, HasTheVectorsOfRfc4231) {
  EXPECT_EQ(hmac(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  std::string key;
  for (char byte = 1; byte <= 25; ++byte) key += byte;
  EXPECT_EQ(hmac(key, std::string(50, '\xcd')), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
  EXPECT_EQ(hmac(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(
      hmac(std::string(131, '\xaa'),
           "This is a test using a larger than block-size key and a larger than block-size data. The key needs to "
           "be hashed before being used by the HMAC algorithm."),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(Hmac, AnEmptyKeyIsAKey) {
  EXPECT_EQ(hmac("", ""), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}
