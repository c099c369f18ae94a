#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/model.h"
#include "lang/bip/syntax/lexer.h"

namespace plumb::bip {

/// What a dotted name of a property stands for.
struct Reference {
  enum class Kind : std::uint8_t {
    Variable,   ///< `id` is a VariableId
    Place,      ///< `COMPONENT.place`; `id` is a ComponentId
    Component,  ///< `id` is a ComponentId
    Constant,   ///< of the package; `id` is an index into Model::constants
    Unknown,    ///< a name without dots that may be a place; `id` is kNone
  };
  Kind kind = Kind::Unknown;
  std::uint32_t id = kNone;
};

/// Names are bound while a condition is read: places have numbers behind the variables of the model, as in Condition,
/// and components and constants numbers behind those, until bind_names() has decided what they are in. Unknown names
/// have kNone.
VariableId number_of(const Model& model, const Reference& reference);
/// The reference of a Name that number_of() has bound; of all else, an unknown one.
Reference reference_of(const Model& model, const Expression& expression);

/// A name as written: its parts between the dots.
using Path = std::vector<Token>;

/// What a path means from outside of all components. Throws UserError at the part that is wrong, with near names.
Reference resolve(const Model& model, const Path& path, const Tokens& tokens);
/// What the parts behind the first mean in a component: nothing, `place`, or one of its variables.
Reference resolve_in(const Model& model, ComponentId component, const Path& path, const Tokens& tokens);

/// A name that nothing is called: what was meant?
[[noreturn]] void fail_unknown(const Model& model, const std::string& name, Place place, const Tokens& tokens);
/// No such place in that component.
[[noreturn]] void fail_place(const Model& model, ComponentId component, const std::string& name, Place place,
                             const Tokens& tokens);

/// The atoms of that type or, if there is none, the components whose names fit a pattern with * and ?, which also stand
/// for dots. Throws UserError if there are none.
std::vector<ComponentId> family(const Model& model, std::string_view pattern, Place place, const Tokens& tokens);

/// Whether a name fits a pattern with * (any letters) and ? (one letter).
bool fits(std::string_view pattern, std::string_view name);

}  // namespace plumb::bip
