#include "remote/wire/frame.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "runtime/link/wire.h"

namespace plumb::remote {
namespace {

constexpr std::size_t kHead = PLUMB_WIRE_HEAD;
constexpr std::size_t kChecked = 2;  ///< where the bytes that the checksum is of begin
constexpr std::size_t kLength = 4;
constexpr std::size_t kNumber = 6;
constexpr std::size_t kChecksum = 8;

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1U) != 0 ? value >> 1 ^ 0xedb88320U : value >> 1;
    table[i] = value;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kTable = make_table();

std::uint32_t crc32(ByteView head, ByteView payload) {
  std::uint32_t crc = ~0U;
  for (const ByteView part : {head, payload})
    for (const std::uint8_t byte : part) crc = kTable[(crc ^ byte) & 0xffU] ^ crc >> 8;
  return ~crc;
}

std::uint32_t checksum(ByteView frame) {
  return crc32(frame.subspan(kChecked, kChecksum - kChecked), frame.subspan(kHead));
}

}  // namespace

std::size_t frame_size(std::size_t payload) { return kHead + payload; }

void put_frame(Bytes& to, std::uint8_t kind, std::uint16_t number, ByteView payload) {
  INVARIANT(payload.size() <= PLUMB_WIRE_PAYLOAD, "a payload should fit a frame");
  const std::size_t start = to.size();
  put_u8(to, PLUMB_WIRE_SYNC_0);
  put_u8(to, PLUMB_WIRE_SYNC_1);
  put_u8(to, PLUMB_WIRE_VERSION);
  put_u8(to, kind);
  put_u16(to, static_cast<std::uint16_t>(payload.size()));
  put_u16(to, number);
  put_u32(to, crc32(ByteView(to).subspan(start + kChecked, kChecksum - kChecked), payload));
  put_bytes(to, payload);
}

void FrameReader::clear() noexcept {
  buffer_.clear();
  used_ = 0;
  skipped_ = 0;
  problem_ = FrameProblem::None;
}

FrameReader::Examination FrameReader::examine() const {
  const std::size_t size = buffer_.size();
  if (size >= 1 && buffer_[0] != PLUMB_WIRE_SYNC_0) return {FrameProblem::NoFrame, 0};
  if (size >= 2 && buffer_[1] != PLUMB_WIRE_SYNC_1) return {FrameProblem::NoFrame, 0};
  if (size >= 3 && buffer_[2] != PLUMB_WIRE_VERSION) return {FrameProblem::Version, 0};
  if (size < kNumber) return {FrameProblem::None, kHead};
  const std::size_t length = buffer_[kLength] | std::size_t{buffer_[kLength + 1]} << 8;
  if (length > limit_) return {FrameProblem::Length, 0};
  const std::size_t needed = frame_size(length);
  if (size < needed) return {FrameProblem::None, std::max(needed, kHead)};
  const ByteView frame = ByteView(buffer_).first(needed);
  if (ByteReader(frame.subspan(kChecksum)).u32() != checksum(frame)) return {FrameProblem::Checksum, 0};
  return {FrameProblem::None, needed};
}

void FrameReader::skip() {
  const auto next = std::find(buffer_.begin() + 1, buffer_.end(), PLUMB_WIRE_SYNC_0);
  skipped_ += static_cast<std::uint64_t>(next - buffer_.begin());
  buffer_.erase(buffer_.begin(), next);
}

std::optional<Frame> FrameReader::next(ByteView& bytes) {
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ = 0;
  while (problem_ == FrameProblem::None) {
    const Examination found = examine();
    if (found.problem != FrameProblem::None) {
      if (may_skip_) {
        skip();
      } else {
        problem_ = found.problem;
      }
      continue;
    }
    if (buffer_.size() >= found.needed) {
      used_ = found.needed;
      return Frame{buffer_[3], ByteReader(ByteView(buffer_).subspan(kNumber)).u16(),
                   ByteView(buffer_).subspan(kHead, used_ - kHead)};
    }
    if (bytes.empty()) break;
    const std::size_t taken = std::min(found.needed - buffer_.size(), bytes.size());
    put_bytes(buffer_, bytes.first(taken));
    bytes = bytes.subspan(taken);
  }
  return std::nullopt;
}

}  // namespace plumb::remote
