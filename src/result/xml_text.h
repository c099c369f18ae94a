#pragma once

#include <string>
#include <string_view>

namespace plumb::result {

/// Any bytes as text of an XML 1.0 document or of an attribute in double quotes: what is not UTF-8 becomes U+FFFD, what
/// XML has no place for a space, and its own signs are escaped.
std::string xml_text(std::string_view text);

}  // namespace plumb::result
