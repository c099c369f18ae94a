#include "cli/bip/subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "lang/bip/run/guide.h"

namespace plumb::cli {
namespace {

constexpr std::size_t kNamedVariables = 8;

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::size_t place_count(const bip::Model& model) {
  std::size_t places = 0;
  for (const bip::Model::Component& component : model.components) places += component.places.size();
  return places;
}

std::vector<bip::Property> read_properties(const bip::Model& model, const BipOptions& options) {
  std::vector<bip::Property> given;
  if (!options.contract.empty())
    given.push_back(bip::read_contract(model, read_file(options.contract), options.contract));
  for (const std::string& file : options.property_files)
    std::ranges::move(bip::read_properties(model, read_file(file), file), std::back_inserter(given));
  for (const std::string& text : options.properties) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(text, ignored))
      throw UserError(fmt::format("--prop takes a property, and '{}' is a file", text), "--props reads files");
    std::ranges::move(bip::parse_properties(model, text, SourceLocation{"--prop"}), std::back_inserter(given));
  }
  const bool has_deadlock = std::ranges::count(given, bip::Property::Kind::Deadlock, &bip::Property::kind) > 0;
  const bool with_deadlock =
      (options.deadlock && !has_deadlock) || (given.empty() && !options.no_deadlock && !options.is_emulation());
  // An emulation that nobody asks anything of prints what an emitted program does; but a guide may be a counterexample.
  if (options.is_emulation() && options.guide.empty() && given.empty() && !with_deadlock) return given;
  std::vector<bip::Property> all = bip::default_properties(model, with_deadlock);
  std::ranges::move(given, std::back_inserter(all));
  bip::make_names_unique(all);
  return all;
}

}  // namespace

BipSubject read_bip(const BipOptions& options) {
  std::vector<bip::Warning> warnings;
  BipSubject subject;
  subject.model = bip::read_model(read_file(options.file), options.file, options.model, warnings);
  for (const bip::Warning& warning : warnings) log().warn("{}: {}", warning.location.to_string(), warning.message);
  subject.properties = read_properties(subject.model, options);
  return subject;
}

std::string size_note(const bip::Model& model) {
  return fmt::format("{}: {}, {}, {}", model.top, plural(model.components.size(), "component"),
                     plural(place_count(model), "place"),
                     plural(bip::executable_interactions(model).size(), "interaction"));
}

std::vector<std::string> model_assumptions(const bip::Model& model) {
  std::vector<std::string> list = {fmt::format("int has {} bits, signed, wrapping", model.bits)};
  const std::vector<bip::VariableId> free = bip::free_variables(model);
  std::vector<std::string> names;
  for (const bip::VariableId variable : free)
    if (names.size() < kNamedVariables) names.push_back(model.variables[variable].name);
  if (free.size() > names.size()) names.push_back(fmt::format("{} more", free.size() - names.size()));
  if (!free.empty())
    list.push_back(fmt::format("any value at the start (--initialize-vars: zero): {}", fmt::join(names, ", ")));
  return list;
}

nlohmann::ordered_json model_json(const bip::Model& model) {
  return {{"top", model.top},
          {"components", model.components.size()},
          {"places", place_count(model)},
          {"variables", model.component_variables()},
          {"interactions", bip::executable_interactions(model).size()},
          {"priorities", model.priorities.size()},
          {"bits", model.bits}};
}

}  // namespace plumb::cli
