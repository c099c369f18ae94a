#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::remote {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

/// A checked cursor over a payload (docs/remote-protocol.md): what is not there or is written in another way than it
/// must be fails the reader, and from then on every number is 0 and every view is empty.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : bytes_(bytes) {}

  std::uint8_t u8();
  std::uint16_t u16();
  std::uint32_t u32();
  /// In the fewest bytes that hold it.
  std::uint32_t varint32() { return static_cast<std::uint32_t>(varint(32)); }
  std::uint64_t varint64() { return varint(64); }
  ByteView bytes(std::size_t count);
  ByteView rest() { return bytes(bytes_.size()); }

  bool is_at_end() const noexcept { return bytes_.empty(); }
  void fail() noexcept;
  /// Nothing was wrong, and nothing is left.
  bool is_done() const noexcept { return is_good_ && bytes_.empty(); }
  bool is_good() const noexcept { return is_good_; }

 private:
  std::uint64_t varint(unsigned bits);

  ByteView bytes_;
  bool is_good_ = true;
};

/// The same forms, at the end of `to`.
void put_u8(Bytes& to, std::uint8_t value);
void put_u16(Bytes& to, std::uint16_t value);
void put_u32(Bytes& to, std::uint32_t value);
void put_varint(Bytes& to, std::uint64_t value);
void put_bytes(Bytes& to, ByteView bytes);
void put_text(Bytes& to, std::string_view text);

/// What a target says of itself goes to people's terminals: all but printable ASCII becomes "?".
std::string printable(ByteView text);

}  // namespace plumb::remote
