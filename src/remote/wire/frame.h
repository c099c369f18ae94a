#pragma once

#include <cstdint>
#include <optional>

#include "remote/wire/bytes.h"

namespace plumb::remote {

/// One frame of the protocol (docs/remote-protocol.md). The payload is a view, good until the reader is used again.
struct Frame {
  std::uint8_t kind = 0;  ///< enum plumb_wire_kind, or anything
  std::uint16_t number = 0;
  ByteView payload;
};

/// Of a frame with such a payload, in bytes.
std::size_t frame_size(std::size_t payload);
/// At the end of `to`. The payload has at most 16384 bytes.
void put_frame(Bytes& to, std::uint8_t kind, std::uint16_t number, ByteView payload);

enum class FrameProblem : std::uint8_t { None, NoFrame, Version, Length, Checksum };

/// Takes bytes apart into frames, however they come in pieces. Keeps at most one frame's bytes.
class FrameReader {
 public:
  /// `limit`: of payloads. `may_skip`: what is no frame, or a wrong one, is no problem but skipped byte by byte; boards
  /// print when they start.
  FrameReader(std::uint32_t limit, bool may_skip) : limit_(limit), may_skip_(may_skip) {}

  void expect(std::uint32_t limit, bool may_skip) noexcept {
    limit_ = limit;
    may_skip_ = may_skip;
  }
  /// Forgets what came and what was wrong with it.
  void clear() noexcept;

  /// Takes bytes from the front up to the end of the next frame, or all. Nothing: there is none yet, or there is a
  /// problem(), and then no bytes are taken any more.
  std::optional<Frame> next(ByteView& bytes);

  FrameProblem problem() const noexcept { return problem_; }
  /// The beginning of a frame is there, its end is not.
  bool is_inside() const noexcept { return buffer_.size() > used_; }
  std::uint64_t skipped() const noexcept { return skipped_; }
  /// Of memory.
  std::size_t capacity() const noexcept { return buffer_.capacity(); }

 private:
  /// Of what the buffer begins with: what is wrong with it, and how many bytes make it complete as far as is known.
  struct Examination {
    FrameProblem problem = FrameProblem::None;
    std::size_t needed = 0;
  };
  Examination examine() const;
  void skip();

  std::uint32_t limit_;
  bool may_skip_;
  Bytes buffer_;
  std::size_t used_ = 0;  ///< of the buffer, by the frame that was given last
  std::uint64_t skipped_ = 0;
  FrameProblem problem_ = FrameProblem::None;
};

}  // namespace plumb::remote
