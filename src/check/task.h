#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "frontend/load.h"
#include "program/goal.h"

namespace plumb::check {

/// What is to be shown of a program. Each is a question by itself: a run ends at its first fault of any kind that is
/// looked for, so that two of them asked at once would hide each other's violations.
struct Specification {
  enum class Kind : std::uint8_t {
    Assertions,    ///< assertions, error calls, labels ERROR, as the flags below say
    MemorySafety,  ///< valid-deref, valid-free, valid-memtrack, as `checks` say
    Overflow,      ///< no-overflow
    Termination,   ///< within `bound` iterations
    Deadlock,      ///< no state in which threads wait and none can go on
    DataRace,      ///< SV-COMP's no-data-race
    Ltl,           ///< a formula of linear temporal logic (ltl_formula.h), which is `text`
    Checks,        ///< what `checks` say: one of them, or all that C leaves undefined
    Unsupported,   ///< a line of a property file that is not supported, beside others that are: `refusal` says why
  };
  Kind kind = Kind::Assertions;
  /// As property files say it: "CHECK( init(main()), LTL(G ! call(reach_error())) )", a line each if there are several;
  /// of a Termination "termination-bound=1000", of Checks what --property calls them.
  std::string text;
  program::CheckSet checks = program::CheckSet::none();
  std::uint64_t bound = 0;
  std::string refusal{};
  bool is_fair = false;  ///< of Ltl: threads that can go on are not left out for ever
  // Of Assertions. In a property file a call of reach_error() is that alone.
  bool has_assertions = false;
  bool has_errors = false;
  bool has_labels = false;
};
std::string_view name(Specification::Kind kind);            ///< "assertions", "memsafety", "deadlock"
std::string_view name(const Specification& specification);  ///< likewise; of Checks "shift", "undefined"

/// Assertions, as they are looked for if nothing else is asked for.
Specification assertions();

/// All values that are no files, for help: "assertions, memsafety, undefined".
std::string property_words();

/// An SV-COMP property file. Throws UserError with the place and what is supported, if nothing in it is.
std::vector<Specification> read_property_file(const std::filesystem::path& file);
/// A value of --property: "assertions", "memsafety", "undefined", "termination-bound=K", "deadlock", "data-race", the
/// name of a check (check_set.h), or a file that ends in .prp.
std::vector<Specification> parse_specification(const std::string& text);

/// An SV-COMP task definition.
struct Task {
  std::vector<std::filesystem::path> inputs;
  struct Property {
    std::filesystem::path file;
    SourceLocation location{};       ///< in the task's file
    std::optional<bool> expected{};  ///< expected_verdict
    std::string subproperty{};       ///< that is violated: "valid-deref"
  };
  std::vector<Property> properties;
  std::optional<std::uint32_t> word_size;  ///< of options.data_model: ILP32 or LP64
  std::string language = "C";
};
/// Of a .yml file (yaml.h); paths are relative to it. Input files exist. Throws UserError with line and column.
Task read_task(const std::filesystem::path& file);

/// The goals of the specification.
std::vector<program::Goal> find_goals(const program::Program& program, const Specification& specification);
/// The program as the specification wants it: what ends a run, and what is counted.
void prepare(frontend::LoadOptions& load, const Specification& specification);

}  // namespace plumb::check
