#include "lang/bip/emit/cpp_names.h"

#include <fmt/format.h>

namespace plumb::bip {

CppNames::CppNames(const Model& model) {
  for (const Model::Variable& variable : model.variables) variables_.push_back(make("v", variable.name));
  for (const Model::Component& component : model.components) {
    Component names;
    names.name = make("c", component.name);
    for (const Model::Port& port : component.ports)
      names.ports.push_back(make("p", fmt::format("{}.{}", component.name, port.name)));
    for (const std::string& place : component.places)
      names.places.push_back(make("at", fmt::format("{}.{}", component.name, place)));
    components_.push_back(std::move(names));
  }
}

std::string CppNames::make(std::string_view prefix, std::string_view text) {
  std::string name(prefix);
  name += '_';
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    // Two underscores in a row are for the implementation of C++.
    if (is_plain || name.back() != '_') name += is_plain ? c : '_';
  }
  std::string unique = name;
  for (std::size_t i = 2; !taken_.insert(unique).second; ++i)
    unique = fmt::format("{}{}{}", name, name.back() == '_' ? "" : "_", i);
  return unique;
}

}  // namespace plumb::bip
