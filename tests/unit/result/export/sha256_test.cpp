#include "result/export/sha256.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/subprocess.h"

namespace plumb::result {
namespace {

std::string of_coreutils(const std::string& bytes) {
  return run_process({"sha256sum", "-b"}, bytes, Budget{}).output.substr(0, 64);
}

TEST(Sha256, GivesTheSumsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, AgreesWithSha256sumAroundEveryBlockBoundary) {
  for (const std::size_t size : {1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 121, 128, 1000, 100003}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 37 + i / 251);
    EXPECT_EQ(sha256(bytes), of_coreutils(bytes)) << size << " bytes";
  }
}

}  // namespace
}  // namespace plumb::result
