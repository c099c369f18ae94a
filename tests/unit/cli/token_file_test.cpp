#include "cli/token_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"

namespace plumb::cli {
namespace {

std::string token_of(const std::string& content) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "token", content);
  ::chmod((directory.path() / "token").c_str(), S_IRUSR | S_IWUSR);
  return read_token(directory.path() / "token");
}

TEST(TokenFile, IsALineWithoutItsEnd) {
  EXPECT_EQ(token_of("0123456789abcdef\n"), "0123456789abcdef");
  EXPECT_EQ(token_of("0123456789abcdef"), "0123456789abcdef");
  EXPECT_EQ(token_of(std::string(1024, 'x') + "\n").size(), 1024U);
  const std::string binary("\0\1\2\3\4\5\6\7\0\1\2\3\4\5\6\xff", 16);
  EXPECT_EQ(token_of(binary), binary);
}

// What reads a token on the board takes a line: both must take the same.
TEST(TokenFile, AnythingElseIsRefusedWithARemedy) {
  for (const std::string& content :
       {std::string(), std::string("\n"), std::string("0123456789abcde\n"), std::string(1025, 'x'),
        std::string(100'000, 'x'), std::string("0123456789abcdef\n\n"), std::string("0123456789abcdef\r\n"),
        std::string("0123456789abcdef\n0123456789abcdef\n")}) {
    try {
      token_of(content);
      ADD_FAILURE() << content.size() << " bytes are taken";
    } catch (const UserError& error) {
      EXPECT_NE(error.message().find("16 to 1024"), std::string::npos) << error.what();
      EXPECT_NE(error.hint().find("/dev/urandom"), std::string::npos) << error.what();
      EXPECT_NE(error.hint().find("chmod 600"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace plumb::cli
