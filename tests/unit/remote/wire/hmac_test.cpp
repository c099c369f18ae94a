#include "remote/wire/hmac.h"

#include <gtest/gtest.h>

namespace plumb::remote {
namespace {

// RFC 4231, test cases 1, 2 and 6.
TEST(Hmac, GivesTheSumsOfItsStandard) {
  EXPECT_EQ(hmac_sha256(std::string(20, '\x0b'), "Hi There"),
            digest_of("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"));
  EXPECT_EQ(hmac_sha256("Jefe", "what do ya want for nothing?"),
            digest_of("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
  EXPECT_EQ(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            digest_of("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"));
}

TEST(Hmac, TellsSumsApartInEveryByte) {
  const Digest a = hmac_sha256("key", "message");
  EXPECT_TRUE(is_same(a, a));
  for (std::size_t i = 0; i < a.size(); ++i) {
    Digest b = a;
    b[i] ^= 1;
    EXPECT_FALSE(is_same(a, b));
  }
}

}  // namespace
}  // namespace plumb::remote
