#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "remote/wire/bytes.h"

namespace plumb::remote {

using Digest = std::array<std::uint8_t, 32>;

/// HMAC-SHA-256 (RFC 2104).
Digest hmac_sha256(std::string_view key, std::string_view message);

/// 64 hexadecimal digits as bytes.
Digest digest_of(std::string_view digits);

/// In a time that does not depend on what they are.
bool is_same(const Digest& a, const Digest& b);

}  // namespace plumb::remote
