#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/model.h"

namespace plumb::bip {

/// What the parts of a model are called in C++: `v_timer_t` for variable t of component timer. The prefix, which ends
/// in an underscore, keeps them apart from keywords, macros and the names of the engine; a number at the end from each
/// other.
class CppNames {
 public:
  explicit CppNames(const Model& model);

  const std::string& variable(VariableId variable) const { return variables_[variable]; }
  const std::string& component(ComponentId component) const { return components_[component].name; }
  const std::string& port(ComponentId component, std::uint32_t port) const {
    return components_[component].ports[port];
  }
  const std::string& place(ComponentId component, std::uint32_t place) const {
    return components_[component].places[place];
  }
  /// A name that nothing else has, of a function: `guard_timer_2`.
  std::string make(std::string_view prefix, std::string_view text);

 private:
  struct Component {
    std::string name;
    std::vector<std::string> ports;
    std::vector<std::string> places;
  };

  std::set<std::string> taken_;
  std::vector<std::string> variables_;
  std::vector<Component> components_;
};

}  // namespace plumb::bip
