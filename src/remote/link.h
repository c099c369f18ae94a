#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/file_descriptor.h"
#include "remote/order_queue.h"
#include "remote/serial_line.h"
#include "remote/session.h"

namespace plumb::remote {

/// A connection or a line, with its session. The loop's own.
struct Link {
  FileDescriptor file;
  std::string address;
  std::optional<SerialLine> line;
  std::unique_ptr<Session> session;  ///< of a line that is not open: none
  Bytes output;
  std::size_t sent = 0;  ///< of the output
  OrderPtr order;
  bool is_proved = false;
  std::string name;
  std::uint64_t runs = 0;
  Time since{};                   ///< opened, or of a line tried to open
  Time used{};                    ///< the last order
  std::optional<Time> closes_at;  ///< over; waits for the other side to take what was sent
  bool is_dropped = false;

  bool is_unproved() const { return !line && !is_proved && !closes_at && !is_dropped; }
};

}  // namespace plumb::remote
