#pragma once

#include <string>
#include <string_view>

namespace plumb::bip::dot {

/// For use as a quoted label. What is not printable ASCII becomes a question mark.
std::string escaped(std::string_view text);
/// For use inside an HTML-like label.
std::string html(std::string_view text);
/// html(), broken at blanks into lines of about `width` letters, the later ones indented.
std::string lines(std::string_view text, std::size_t width);
/// A label of such lines, with space around: the widths of letters are not the same everywhere, and edges pass close
/// by.
std::string label_of(std::string_view lines);

}  // namespace plumb::bip::dot
