#include "lang/bip/flatten/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/spelling.h"

namespace plumb::bip::flat {

void Context::fail(Place place, const std::string& message, const std::string& hint) const {
  throw UserError(location(place), message, hint);
}

void Context::fail_unknown(std::string_view kind, const Name& name, const std::vector<std::string>& known) const {
  const std::string_view near = nearest_name(name.text, known);
  const std::string hint = !near.empty()   ? fmt::format("did you mean '{}'?", near)
                           : known.empty() ? fmt::format("there is no {} here: declare it", kind)
                                           : fmt::format("declare it, or take one of {}", listed(known));
  fail(name.place, fmt::format("unknown {} '{}'", kind, name.text), hint);
}

void Context::warn(Place place, const std::string& message) {
  const bool is_known = std::ranges::any_of(warnings, [&](const Warning& warning) {
    return warning.location.line == place.line && warning.location.column == place.column && warning.message == message;
  });
  if (!is_known) warnings.push_back({location(place), message});
}

std::string qualified(std::string_view prefix, std::string_view name) {
  return prefix.empty() ? std::string(name) : fmt::format("{}.{}", prefix, name);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 12;
  const std::size_t shown = std::min(names.size(), kMost);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += fmt::format("'{}'", names[i]);
  }
  return shown < names.size() ? text + ", …" : text;
}

}  // namespace plumb::bip::flat
