#pragma once

#include <cstdint>
#include <string>

#include "base/file_descriptor.h"

namespace plumb::remote {

/// A serial device, as the user names it.
struct SerialLine {
  std::string path;
  std::uint32_t baud = 115'200;
};

/// "PATH" or "PATH:BAUD". Throws UserError if the speed is none that serial lines have.
SerialLine parse_serial_line(const std::string& text);

/// Raw bytes, never blocking. Closed if it cannot be opened, and then `problem` says why.
FileDescriptor open_serial_line(const SerialLine& line, std::string& problem);

}  // namespace plumb::remote
