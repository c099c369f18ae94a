#include "energy/names.h"

#include <fmt/format.h>

#include "base/spelling.h"

namespace plumb::energy {
namespace {

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace

std::string hint_for_name(std::string_view name, const std::vector<std::string>& known, std::string_view kind) {
  const std::string_view near = nearest_name(name, known);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  return known.empty() ? std::string() : fmt::format("there are the {} {}", kind, list(known));
}

}  // namespace plumb::energy
