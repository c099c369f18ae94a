#include "lang/bip/model.h"

#include <algorithm>

#include "lang/bip/flatten/flatten.h"
#include "lang/bip/syntax/parser.h"

namespace plumb::bip {

std::optional<ComponentId> Model::find_component(std::string_view wanted) const {
  const auto it = std::ranges::find(components, wanted, &Component::name);
  if (it == components.end()) return std::nullopt;
  return static_cast<ComponentId>(it - components.begin());
}

std::optional<VariableId> Model::find_variable(std::string_view wanted) const {
  const auto end = variables.begin() + static_cast<std::ptrdiff_t>(component_variables());
  const auto it =
      std::find_if(variables.begin(), end, [&](const Variable& variable) { return variable.name == wanted; });
  if (it == end) return std::nullopt;
  return static_cast<VariableId>(it - variables.begin());
}

std::size_t Model::component_variables() const {
  const auto it = std::ranges::partition_point(variables, [](const Variable& v) { return v.component != kNone; });
  return static_cast<std::size_t>(it - variables.begin());
}

Model read_model(std::string_view text, const std::string& file, const Options& options,
                 std::vector<Warning>& warnings) {
  return flatten(parse_package(text, file, warnings), options, warnings);
}

}  // namespace plumb::bip
