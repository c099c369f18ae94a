#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumb::energy {

/// "did you mean 'x'?", or the list of what there is: "there are the columns a, b and c".
std::string hint_for_name(std::string_view name, const std::vector<std::string>& known, std::string_view kind);

}  // namespace plumb::energy
