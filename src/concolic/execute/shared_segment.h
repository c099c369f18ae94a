#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/file_descriptor.h"
#include "concolic/execute/executor.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {

/// The memory that the engine shares with a target: header, coverage, modes, given inputs, stream (protocol.h). The
/// target can write any of it at any time, so nothing is believed: the engine's fields are written anew before every
/// run, and what a run leaves is copied out before it is looked at. The file can be neither shrunk nor grown, so that
/// no access of the engine can fault.
class SharedSegment {
 public:
  /// Throws UserError if the system has not that much memory to share or the sizes do not fit the protocol.
  SharedSegment(std::uint32_t edges, std::uint32_t regions, std::uint32_t stream_words, std::uint64_t input_bytes);
  ~SharedSegment();
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  int descriptor() const noexcept { return file_.get(); }
  std::uint64_t input_capacity() const noexcept { return layout_.inputs_capacity; }
  /// Bytes that these take as given inputs.
  static std::uint64_t input_size(std::span<const result::TestInput> inputs);

  /// Everything that the next run reads. Needs input_size(request.inputs) <= input_capacity().
  void prepare(const RunRequest& request, const RunLimits& limits, std::uint32_t run);

  /// What a run left.
  struct Outcome {
    bool is_sane = true;  ///< false: the header makes no sense, nothing else is valid
    bool has_ended = false;
    std::uint64_t fault_address = 0;
    std::uint32_t processes_left = 0;
  };
  /// Copies stream() and coverage() out of the shared memory.
  Outcome collect();
  std::span<const std::uint32_t> stream() const noexcept { return stream_; }
  std::span<const std::uint8_t> coverage() const noexcept { return coverage_; }

 private:
  plumb_shared layout_{};  ///< the engine's own copy of what is constant
  FileDescriptor file_;
  std::uint8_t* memory_ = nullptr;
  std::uint32_t edges_;
  std::uint32_t regions_;
  std::vector<std::uint32_t> stream_;
  std::vector<std::uint8_t> coverage_;
};

}  // namespace plumb::concolic
