#include "base/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace plumb {

namespace {

constexpr std::chrono::seconds kDelay{1};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::string_view kEraseLine = "\r\x1b[K";

bool terminal_can_redraw() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// At most `columns` characters of UTF-8 text, control characters as spaces: either would break the one line.
std::string fit_line(std::string_view text, std::size_t columns) {
  std::string line;
  std::size_t used = 0;
  for (const char c : text) {
    if (!continues_character(c) && used++ == columns) break;
    line.push_back(static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c);
  }
  return line;
}

/// A line of progress that is lost is no reason to fail.
void put(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(std::string task, bool quiet)
    : task_(std::move(task)), active_(!quiet && terminal_can_redraw()), start_(Clock::now()), next_(start_ + kDelay) {}

Progress::~Progress() { erase(); }

void Progress::erase() {
  if (shown_) put(kEraseLine);
  shown_ = false;
}

void Progress::update(std::string_view status) {
  if (!active_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start_).count();
  // The last column stays free, since some terminals wrap as soon as it is filled.
  put(fmt::format("{}{}", kEraseLine,
                  fit_line(fmt::format("{}: {} ({} s)", task_, status, seconds), terminal_width() - 1)));
}

}  // namespace plumb
