#include "unit/link/peer.h"

#include <stdexcept>

namespace plumb::link_test {
namespace {

constexpr std::size_t kGuard = 64;
constexpr std::uint8_t kGuardByte = 0xa5;

std::uint32_t crc(const Bytes& bytes) {
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320U : crc >> 1;
  }
  return ~crc;
}

Bytes mac(const std::string& key, const Bytes& message) {
  plumb_hmac mac;
  Bytes digest(32);
  plumb_hmac_begin(&mac, reinterpret_cast<const std::uint8_t*>(key.data()), static_cast<std::uint32_t>(key.size()));
  plumb_hmac_add(&mac, message.data(), static_cast<std::uint32_t>(message.size()));
  plumb_hmac_end(&mac, digest.data());
  return digest;
}

}  // namespace

Bytes bytes(const std::string& hex) {
  Bytes result;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    result.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return result;
}

std::string hex(const Bytes& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

Bytes number(std::uint64_t value, std::size_t size) {
  Bytes result;
  for (; size != 0; --size, value >>= 8) result.push_back(static_cast<std::uint8_t>(value));
  return result;
}

Bytes varint(std::uint64_t value) {
  Bytes result;
  while (value >= 128) {
    result.push_back(static_cast<std::uint8_t>(value % 128 + 128));
    value /= 128;
  }
  result.push_back(static_cast<std::uint8_t>(value));
  return result;
}

Bytes text(const std::string& characters) { return {characters.begin(), characters.end()}; }

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes encode(const Frame& frame) {
  const Bytes head = Bytes{1, frame.kind} + number(frame.payload.size(), 2) + number(frame.number, 2);
  return text("pl") + head + number(crc(head + frame.payload), 4) + frame.payload;
}

std::vector<Frame> decode(const Bytes& bytes) {
  std::vector<Frame> frames;
  for (std::size_t at = 0; at < bytes.size();) {
    if (bytes.size() - at < PLUMB_WIRE_HEAD) throw std::runtime_error("a head breaks off");
    const std::size_t length = bytes[at + 4] + 256U * bytes[at + 5];
    if (bytes.size() - at - PLUMB_WIRE_HEAD < length) throw std::runtime_error("a payload breaks off");
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    Frame frame{bytes[at + 3], static_cast<std::uint16_t>(bytes[at + 6] + 256U * bytes[at + 7]),
                Bytes(from + PLUMB_WIRE_HEAD, from + static_cast<std::ptrdiff_t>(PLUMB_WIRE_HEAD + length))};
    const Bytes again = encode(frame);
    if (!std::equal(again.begin(), again.end(), from)) throw std::runtime_error("no frame, or a wrong checksum");
    frames.push_back(std::move(frame));
    at += again.size();
  }
  return frames;
}

Peer::Peer(std::uint32_t payload) : size_(PLUMB_WIRE_HEAD + payload) {
  memory_.assign(3 * kGuard + 2 * size_, kGuardByte);
  channel.context = this;
  channel.is_line = 1;
  channel.read = read;
  channel.write = write;
  channel.random = random;
  identity.name = "abc";
  for (std::size_t i = 0; i < sizeof identity.fingerprint; ++i) identity.fingerprint[i] = static_cast<std::uint8_t>(i);
  identity.edges = 1000;
  identity.regions = 7;
  identity.flags = PLUMB_WIRE_BARE_METAL;
  identity.token = reinterpret_cast<const std::uint8_t*>(token.data());
  identity.token_size = static_cast<std::uint32_t>(token.size());
  link.channel = &channel;
  link.identity = &identity;
  link.in = memory_.data() + kGuard;
  link.out = memory_.data() + 2 * kGuard + size_;
  link.in_size = link.out_size = static_cast<std::uint32_t>(size_);
}

bool Peer::guards_are_whole() const {
  for (std::size_t i = 0; i < kGuard; ++i)
    for (const std::size_t start : {std::size_t{0}, kGuard + size_, 2 * kGuard + 2 * size_})
      if (memory_[start + i] != kGuardByte) return false;
  return true;
}

std::int32_t Peer::read(void* context, std::uint8_t* bytes, std::uint32_t size, std::uint32_t /*milliseconds*/) {
  Peer& self = *static_cast<Peer*>(context);
  if (self.incoming.empty() && self.when_waiting) self.when_waiting();
  if (self.incoming.empty()) return self.waits-- > 0 ? 0 : -1;
  std::uint32_t count = 0;
  for (; count < size && count < self.chunk && !self.incoming.empty(); ++count) {
    bytes[count] = self.incoming.front();
    self.incoming.pop_front();
  }
  return static_cast<std::int32_t>(count);
}

std::int32_t Peer::write(void* context, const std::uint8_t* bytes, std::uint32_t size) {
  Peer& self = *static_cast<Peer*>(context);
  if (!self.takes_bytes) return -1;
  self.sent.insert(self.sent.end(), bytes, bytes + size);
  return 0;
}

int Peer::random(void* context, std::uint8_t* bytes, std::uint32_t size) {
  if (!static_cast<Peer*>(context)->has_random) return 0;
  for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(0xa0 + i);
  return 1;
}

void Peer::answer_last(const std::string& servers_token) {
  const std::vector<Frame> all = frames();
  if (all.size() == answered_) return;
  answered_ = all.size();
  const Frame& last = all.back();
  if (last.kind == PLUMB_WIRE_HELLO) {
    hello_ = last.payload;
    nonce_ = link_test::number(0x1716151413121110U, 8) + link_test::number(0x1f1e1d1c1b1a1918U, 8);
    number = 0;
    send(PLUMB_WIRE_CHALLENGE, nonce_ + link_test::number(longest, 2));
  } else if (last.kind == PLUMB_WIRE_PROOF) {
    if (last.payload != mac(servers_token, text("plumb target 1") + nonce_ + hello_)) {
      send(PLUMB_WIRE_BYE, Bytes{PLUMB_WIRE_REFUSED} + text("token"));
    } else {
      send(PLUMB_WIRE_WELCOME,
           mac(servers_token, text("plumb server 1") + hello_ + nonce_) + link_test::number(0x01020304, 4));
    }
  }
}

void Peer::answer(const std::string& servers_token) {
  when_waiting = [this, servers_token] { answer_last(servers_token); };
}

void Peer::open() {
  answer(token);
  if (plumb_link_open(&link) != PLUMB_LINK_OK) throw std::runtime_error(link.trouble);
  when_waiting = nullptr;
  sent.clear();
  answered_ = 0;
}

}  // namespace plumb::link_test
