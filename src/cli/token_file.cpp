#include "cli/token_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"

namespace plumb::cli {
namespace {

constexpr std::size_t kLeast = 16;
constexpr std::size_t kMost = 1024;

}  // namespace

std::string read_token(const std::filesystem::path& file) {
  std::string token = read_file(file);
  if (token.ends_with('\n')) token.pop_back();
  std::string problem;
  if (token.empty()) {
    problem = "the file is empty";
  } else if (token.size() < kLeast || token.size() > kMost) {
    problem = fmt::format("{} bytes are no token", token.size());
  } else if (token.find_first_of("\r\n") != std::string::npos) {
    problem = "there is more than one line, or a carriage return";
  }
  if (!problem.empty())
    throw UserError(
        SourceLocation{file.string()}, fmt::format("{}: a token is a line of {} to {} bytes", problem, kLeast, kMost),
        fmt::format("make one with: head -c 32 /dev/urandom | base64 > {0} && chmod 600 {0}", file.string()));
  struct stat status{};
  if (::stat(file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    log().warn("{} can be read by others than its owner: chmod 600 {}", file.string(), file.string());
  return token;
}

}  // namespace plumb::cli
