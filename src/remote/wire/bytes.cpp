#include "remote/wire/bytes.h"

namespace plumb::remote {

void ByteReader::fail() noexcept {
  is_good_ = false;
  bytes_ = {};
}

ByteView ByteReader::bytes(std::size_t count) {
  if (count > bytes_.size()) {
    fail();
    return {};
  }
  const ByteView taken = bytes_.first(count);
  bytes_ = bytes_.subspan(count);
  return taken;
}

std::uint8_t ByteReader::u8() {
  const ByteView taken = bytes(1);
  return taken.empty() ? std::uint8_t{0} : taken[0];
}

std::uint16_t ByteReader::u16() {
  const ByteView taken = bytes(2);
  return taken.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(taken[0] | taken[1] << 8);
}

std::uint32_t ByteReader::u32() {
  const ByteView taken = bytes(4);
  if (taken.empty()) return 0;
  return taken[0] | std::uint32_t{taken[1]} << 8 | std::uint32_t{taken[2]} << 16 | std::uint32_t{taken[3]} << 24;
}

std::uint64_t ByteReader::varint(unsigned bits) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < bits; shift += 7) {
    if (bytes_.empty()) break;
    const std::uint8_t byte = u8();
    const std::uint64_t part = byte & 0x7fU;
    const unsigned room = bits - shift;
    if (room < 7 && part >> room != 0) break;  // does not fit
    value |= part << shift;
    if ((byte & 0x80U) != 0) continue;
    if (byte == 0 && shift != 0) break;  // longer than it must be
    return value;
  }
  fail();
  return 0;
}

void put_u8(Bytes& to, std::uint8_t value) { to.push_back(value); }

void put_u16(Bytes& to, std::uint16_t value) {
  put_u8(to, static_cast<std::uint8_t>(value));
  put_u8(to, static_cast<std::uint8_t>(value >> 8));
}

void put_u32(Bytes& to, std::uint32_t value) {
  put_u16(to, static_cast<std::uint16_t>(value));
  put_u16(to, static_cast<std::uint16_t>(value >> 16));
}

void put_varint(Bytes& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::uint8_t>(value | 0x80U));
  to.push_back(static_cast<std::uint8_t>(value));
}

void put_bytes(Bytes& to, ByteView bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

void put_text(Bytes& to, std::string_view text) { to.insert(to.end(), text.begin(), text.end()); }

std::string printable(ByteView text) {
  std::string result;
  for (const std::uint8_t byte : text) result += byte >= 0x20 && byte < 0x7f ? static_cast<char>(byte) : '?';
  return result;
}

}  // namespace plumb::remote
