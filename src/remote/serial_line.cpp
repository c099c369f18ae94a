#include "remote/serial_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "base/error.h"

namespace plumb::remote {
namespace {

struct Speed {
  std::uint32_t baud;
  speed_t constant;
};
constexpr std::array kSpeeds = {Speed{1200, B1200},         Speed{2400, B2400},         Speed{4800, B4800},
                                Speed{9600, B9600},         Speed{19'200, B19200},      Speed{38'400, B38400},
                                Speed{57'600, B57600},      Speed{115'200, B115200},    Speed{230'400, B230400},
                                Speed{460'800, B460800},    Speed{500'000, B500000},    Speed{576'000, B576000},
                                Speed{921'600, B921600},    Speed{1'000'000, B1000000}, Speed{1'500'000, B1500000},
                                Speed{2'000'000, B2000000}, Speed{3'000'000, B3000000}, Speed{4'000'000, B4000000}};

const Speed* find_speed(std::uint32_t baud) {
  const auto found = std::ranges::find(kSpeeds, baud, &Speed::baud);
  return found == kSpeeds.end() ? nullptr : &*found;
}

}  // namespace

SerialLine parse_serial_line(const std::string& text) {
  SerialLine line;
  const std::size_t colon = text.rfind(':');
  const bool has_baud = colon != std::string::npos && colon + 1 < text.size() &&
                        text.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  line.path = has_baud ? text.substr(0, colon) : text;
  if (has_baud) {
    const auto [end, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), line.baud);
    if (error != std::errc() || find_speed(line.baud) == nullptr)
      throw UserError(fmt::format("'{}' is no speed of a serial line", text.substr(colon + 1)),
                      "give one of 1200, 2400, … 115200, 230400, 460800, 921600, … 4000000");
  }
  return line;
}

FileDescriptor open_serial_line(const SerialLine& line, std::string& problem) {
  FileDescriptor file(open(line.path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  termios settings{};
  if (!file.is_open() || tcgetattr(file.get(), &settings) != 0) {
    problem = errno == ENOTTY ? "it is no serial device" : std::generic_category().message(errno);
    return {};
  }
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CRTSCTS | CSTOPB);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  cfsetspeed(&settings, find_speed(line.baud)->constant);
  if (tcsetattr(file.get(), TCSANOW, &settings) != 0) {
    problem = std::generic_category().message(errno);
    return {};
  }
  // Two readers would each have half of the bytes.
  ioctl(file.get(), TIOCEXCL);
  tcflush(file.get(), TCIOFLUSH);
  return file;
}

}  // namespace plumb::remote
