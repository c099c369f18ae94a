#include "remote/wire/hmac.h"

#include <string>

#include "base/error.h"
#include "result/export/sha256.h"

namespace plumb::remote {
namespace {

constexpr std::size_t kBlock = 64;

std::uint8_t digit(char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); }

std::string text_of(const Digest& digest) { return {digest.begin(), digest.end()}; }

}  // namespace

Digest digest_of(std::string_view digits) {
  Digest digest;
  INVARIANT(digits.size() == 2 * digest.size(), "a SHA-256 sum should have 64 digits");
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]));
  return digest;
}

Digest hmac_sha256(std::string_view key, std::string_view message) {
  std::string block = key.size() > kBlock ? text_of(digest_of(result::sha256(key))) : std::string(key);
  block.resize(kBlock, '\0');
  std::string inner;
  std::string outer;
  for (const char c : block) {
    inner += static_cast<char>(c ^ 0x36);
    outer += static_cast<char>(c ^ 0x5c);
  }
  inner += message;
  outer += text_of(digest_of(result::sha256(inner)));
  return digest_of(result::sha256(outer));
}

bool is_same(const Digest& a, const Digest& b) {
  volatile std::uint8_t difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference = static_cast<std::uint8_t>(difference | (a[i] ^ b[i]));
  return difference == 0;
}

}  // namespace plumb::remote
