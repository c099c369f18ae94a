#pragma once

#include <string>
#include <string_view>

namespace plumb::result {

/// The SHA-256 sum of the bytes (FIPS 180-4), in 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace plumb::result
