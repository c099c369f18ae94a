#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/file_descriptor.h"
#include "remote/session.h"
#include "sample_program.h"
#include "target_side.h"

namespace plumb::remote {

/// A connection to 127.0.0.1; reads wait for 20 s at most.
FileDescriptor connect_to(const std::string& address);
void send_all(int file, ByteView bytes);
/// The next frames, up to and with one of this kind; empty if the other side closes or is silent before that.
std::vector<ReceivedFrame> receive_until(int file, std::uint8_t kind);
/// The other side closes within 20 s, whatever it says before.
bool is_closed(int file);

/// A good target: the C library of runtime/link over a socket or a terminal, in a thread, with an in-process program.
class TestBoard {
 public:
  using Program = std::function<SampleRun(const std::vector<std::vector<std::uint8_t>>& inputs)>;
  /// Begins anew when its session breaks, until it is told that the campaign is over, or destroyed.
  TestBoard(std::function<FileDescriptor()> connect, bool is_line, const SessionOptions& identity, Program program);
  ~TestBoard();
  std::uint64_t runs() const { return runs_; }
  bool was_dismissed() const { return was_dismissed_; }

 private:
  void run(bool is_line, const SessionOptions& identity);
  /// False: not again.
  bool serve(int file, bool is_line, const SessionOptions& identity);

  std::function<FileDescriptor()> connect_;
  Program program_;
  std::atomic<bool> is_stopping_{false};
  std::atomic<bool> was_dismissed_{false};
  std::atomic<std::uint64_t> runs_{0};
  std::thread thread_;
};

}  // namespace plumb::remote
