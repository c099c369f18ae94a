#include "cli/creation_time.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "cli/command.h"

namespace plumb::cli {

std::time_t creation_time() {
  if (const char* text = std::getenv("SOURCE_DATE_EPOCH")) {
    const std::string_view digits(text);
    std::time_t time = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), time);
    if (error == std::errc{} && end == digits.data() + digits.size() && time >= 0) return time;
    throw UserError(fmt::format("SOURCE_DATE_EPOCH is '{}', which is no number of seconds", utf8(text)));
  }
  return std::time(nullptr);
}

}  // namespace plumb::cli
