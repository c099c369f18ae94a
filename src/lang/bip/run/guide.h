#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/run/run.h"

namespace plumb::bip {

/// A run as a text that people can write, one step a line:
///
///     # comment
///     init timer.n = 10              a variable that starts with any value
///     c1:timer.done,light.done       an interaction by its name
///     1                              or by its number in the list of executable interactions, as in Fig. 5.3
///     c1:timer.done,light.done light#2    component light takes its transition 2 (from 0, as in the file)
///     internal light#4               internal transitions; only needed where a component has several
///
/// Internal transitions that the guide does not mention are taken on their own, the first of each component. A
/// transition that is not given is the first that is enabled. A comment starts a line or follows a blank.
struct Guide {
  struct Step {
    Place place;
    InteractionId interaction = kNone;                               ///< kNone: internal
    std::vector<std::pair<ComponentId, std::uint32_t>> transitions;  ///< those given, sorted by component
  };
  std::string file;
  std::vector<std::optional<std::int64_t>> initial;  ///< by VariableId
  std::vector<Step> steps;
};

/// Throws UserError with the line.
Guide read_guide(const Model& model, std::string_view text, const std::string& file);
/// What read_guide() reads back: the initial values of free variables and all choices, with transitions where a
/// component had several. Every choice must be possible where it is made (INVARIANT).
std::string write_guide(const Model& model, const std::vector<std::optional<std::int64_t>>& initial,
                        const std::vector<Choice>& choices);

/// The position of an executable interaction in this list is its number in guides.
std::vector<InteractionId> executable_interactions(const Model& model);

}  // namespace plumb::bip
