#include "check/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <system_error>

#include "base/file.h"
#include "base/spelling.h"
#include "check/yaml.h"
#include "semantics/goals.h"

namespace plumb::check {
namespace {

using program::Check;
using program::CheckSet;

constexpr std::string_view kSupported =
    "supported are G ! call(reach_error()), G valid-deref, G valid-free, G valid-memtrack, G ! overflow, G ! data-race "
    "and G ! deadlock";
constexpr std::string_view kTermination = "termination-bound=";
constexpr std::array<std::string_view, 6> kWords = {"assertions",          "memsafety", "undefined",
                                                    "termination-bound=K", "deadlock",  "data-race"};
/// Those that no proving engine looks for.
constexpr std::array kOnlyRun = {Check::Alignment, Check::Uninitialised};

CheckSet set_of(std::initializer_list<Check> checks) {
  CheckSet set;
  for (const Check check : checks) set.add(check);
  return set;
}

CheckSet accesses() {
  return set_of({Check::Bounds, Check::Null, Check::UseAfterFree, Check::UseAfterReturn, Check::Call});
}

std::string check_text(std::string_view formula) { return fmt::format("CHECK( init(main()), LTL({}) )", formula); }

struct Formula {
  std::string_view text;  ///< without blanks
  Specification::Kind kind;
  CheckSet checks{};
  bool has_assertions = false;
  bool has_errors = false;
  bool has_labels = false;
};

/// What a formula of linear temporal logic asks for; nothing if it is not supported.
std::optional<Formula> formula_of(std::string_view text) {
  const std::array known = {
      Formula{.text = "G!call(reach_error())", .kind = Specification::Kind::Assertions, .has_errors = true},
      Formula{.text = "G!call(__VERIFIER_error())", .kind = Specification::Kind::Assertions, .has_errors = true},
      Formula{.text = "G!label(ERROR)", .kind = Specification::Kind::Assertions, .has_labels = true},
      Formula{.text = "Gassert", .kind = Specification::Kind::Assertions, .has_assertions = true},
      Formula{"Gvalid-deref", Specification::Kind::MemorySafety, accesses()},
      Formula{"Gvalid-free", Specification::Kind::MemorySafety, set_of({Check::Free})},
      Formula{"Gvalid-memtrack", Specification::Kind::MemorySafety, set_of({Check::Leak})},
      Formula{"G!overflow", Specification::Kind::Overflow, set_of({Check::Overflow})},
      Formula{"G!deadlock", Specification::Kind::Deadlock},
      Formula{"G!data-race", Specification::Kind::DataRace},
  };
  const auto found = std::ranges::find(known, text, &Formula::text);
  return found == known.end() ? std::nullopt : std::optional(*found);
}

std::string refusal_hint(std::string_view formula) {
  if (formula == "Fend") return "termination is checked within a bound: --property termination-bound=K";
  return std::string(kSupported);
}

/// One line of a property file.
void add_line(std::vector<Specification>& all, std::string_view line, const SourceLocation& place) {
  std::string words;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) words += c;
  constexpr std::string_view kHead = "CHECK(init(main()),LTL(";
  constexpr std::string_view kTail = "))";
  if (words.starts_with("CHECK(init(") && !words.starts_with("CHECK(init(main("))
    throw Unsupported(place, "a property of runs that begin elsewhere than in main", "--entry chooses the function");
  if (!words.starts_with(kHead) || !words.ends_with(kTail))
    throw Unsupported(place, fmt::format("'{}' is no property that is supported", line),
                      "it should look like CHECK( init(main()), LTL(G ! call(reach_error())) )");
  const std::string_view formula =
      std::string_view(words).substr(kHead.size(), words.size() - kHead.size() - kTail.size());
  const std::optional<Formula> known = formula_of(formula);
  if (!known) throw Unsupported(place, fmt::format("the property '{}' is not supported", line), refusal_hint(formula));
  auto same = std::ranges::find(all, known->kind, &Specification::kind);
  if (same == all.end()) same = all.insert(all.end(), {known->kind, {}});
  same->text += fmt::format("{}{}", same->text.empty() ? "" : "\n", line);
  same->checks = joined(same->checks, known->checks);
  same->has_assertions |= known->has_assertions;
  same->has_errors |= known->has_errors;
  same->has_labels |= known->has_labels;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Specification termination(std::string_view number) {
  Specification specification{Specification::Kind::Termination, std::string(kTermination) + std::string(number)};
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), specification.bound);
  if (error != std::errc{} || end != number.data() + number.size())
    throw UserError(fmt::format("'{}' is not a number of iterations", number),
                    "such as --property termination-bound=1000");
  return specification;
}

/// Every word that --property takes.
std::vector<std::string_view> all_words() {
  std::vector<std::string_view> words(kWords.begin(), kWords.end());
  for (int i = 0; i < program::kCheckCount; ++i)
    if (const auto check = static_cast<Check>(i); std::ranges::find(kOnlyRun, check) == kOnlyRun.end())
      words.push_back(name(check));
  return words;
}

Specification specification_of(Check check) {
  if (std::ranges::find(kOnlyRun, check) != kOnlyRun.end())
    throw UserError(fmt::format("'{}' is no property that can be proved", name(check)),
                    fmt::format("plumb test, run and replay look for it: --checks {}", name(check)));
  if (check == Check::Overflow)
    return {Specification::Kind::Overflow, check_text("G ! overflow"), set_of({Check::Overflow})};
  return {Specification::Kind::Checks, std::string(name(check)), set_of({check})};
}

/// The parts of a task's document.
class TaskReader {
 public:
  explicit TaskReader(const std::filesystem::path& file) : directory_(file.parent_path()), root_(read(file)) {}

  Task task() const {
    check_version();
    Task task;
    for (const YamlNode* node : texts_of(needed(root_, "input_files"))) task.inputs.push_back(existing(*node));
    if (const YamlNode* properties = root_.find("properties"))
      for (const YamlNode& node : items_of(*properties)) task.properties.push_back(property_of(node));
    if (const YamlNode* options = root_.find("options")) read_options(task, *options);
    return task;
  }

 private:
  static YamlNode read(const std::filesystem::path& file) {
    YamlNode root = parse_yaml(read_file(file), file.string());
    if (root.kind != YamlNode::Kind::Mapping)
      throw UserError(root.location, "this is no task definition",
                      "it should have the keys format_version, input_files and properties");
    return root;
  }

  void check_version() const {
    const YamlNode& version = needed(root_, "format_version");
    if (!scalar(version).starts_with("1.") && !scalar(version).starts_with("2."))
      throw UserError(version.location, fmt::format("format_version '{}' is not known", version.text),
                      "known are 1.0 and 2.x");
  }

  static const YamlNode& needed(const YamlNode& mapping, std::string_view key) {
    if (mapping.kind != YamlNode::Kind::Mapping)
      throw UserError(mapping.location, fmt::format("a mapping with the key '{}' is expected", key));
    const YamlNode* node = mapping.find(key);
    if (node == nullptr) throw UserError(mapping.location, fmt::format("the key '{}' is missing", key));
    return *node;
  }

  static const std::string& scalar(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::Scalar) throw UserError(node.location, "a text is expected here");
    return node.text;
  }

  static const std::vector<YamlNode>& items_of(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::Sequence) throw UserError(node.location, "a list is expected here");
    return node.items;
  }

  /// Of one text or of a list of them.
  static std::vector<const YamlNode*> texts_of(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::Scalar) return {&node};
    std::vector<const YamlNode*> texts;
    for (const YamlNode& item : items_of(node)) texts.push_back(&item);
    if (texts.empty()) throw UserError(node.location, "the list is empty");
    return texts;
  }

  std::filesystem::path existing(const YamlNode& node) const {
    std::filesystem::path path = (directory_ / scalar(node)).lexically_normal();
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      throw UserError(node.location, fmt::format("there is no file '{}'", path.string()),
                      "paths are relative to the directory of the task's file");
    return path;
  }

  Task::Property property_of(const YamlNode& node) const {
    Task::Property property;
    const YamlNode& file = needed(node, "property_file");
    property.file = existing(file);
    property.location = file.location;
    if (const YamlNode* expected = node.find("expected_verdict")) property.expected = truth(*expected);
    if (const YamlNode* part = node.find("subproperty")) property.subproperty = scalar(*part);
    return property;
  }

  static bool truth(const YamlNode& node) {
    for (const std::string_view word : {"true", "True", "TRUE"})
      if (scalar(node) == word) return true;
    for (const std::string_view word : {"false", "False", "FALSE"})
      if (scalar(node) == word) return false;
    throw UserError(node.location, fmt::format("'{}' is not a verdict", node.text), "true or false");
  }

  static void read_options(Task& task, const YamlNode& options) {
    if (options.kind == YamlNode::Kind::Null) return;
    if (options.kind != YamlNode::Kind::Mapping) throw UserError(options.location, "a mapping is expected here");
    if (const YamlNode* language = options.find("language")) {
      task.language = scalar(*language);
      if (task.language != "C" && task.language != "C++")
        throw Unsupported(language->location, fmt::format("a task in the language '{}'", task.language),
                          "C and C++ are read");
    }
    if (const YamlNode* model = options.find("data_model")) {
      if (scalar(*model) == "ILP32")
        task.word_size = 32;
      else if (scalar(*model) == "LP64")
        task.word_size = 64;
      else
        throw Unsupported(model->location, fmt::format("the data model '{}'", model->text), "ILP32 and LP64 are known");
    }
  }

  std::filesystem::path directory_;
  YamlNode root_;
};

}  // namespace

std::string_view name(Specification::Kind kind) {
  switch (kind) {
    case Specification::Kind::Assertions:
      return "assertions";
    case Specification::Kind::MemorySafety:
      return "memsafety";
    case Specification::Kind::Overflow:
      return "overflow";
    case Specification::Kind::Termination:
      return "termination";
    case Specification::Kind::Deadlock:
      return "deadlock";
    case Specification::Kind::DataRace:
      return "data-race";
    case Specification::Kind::Ltl:
      return "ltl";
    case Specification::Kind::Checks:
      return "checks";
    case Specification::Kind::Unsupported:
      return "unsupported";
  }
  INVARIANT(false, "every specification should have a name");
}

std::string_view name(const Specification& specification) {
  return specification.kind == Specification::Kind::Checks ? std::string_view(specification.text)
                                                           : name(specification.kind);
}

Specification assertions() {
  Specification all{Specification::Kind::Assertions, check_text("G ! call(reach_error())")};
  all.has_assertions = all.has_errors = all.has_labels = true;
  return all;
}

std::string property_words() { return fmt::format("{}", fmt::join(all_words(), ", ")); }

std::vector<Specification> read_property_file(const std::filesystem::path& file) {
  const std::string content = read_file(file);
  std::vector<Specification> all;
  std::optional<Unsupported> refused;
  std::string_view rest = content;
  for (std::uint32_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view words = trimmed(line);
    if (words.empty() || words.starts_with("#") || words.starts_with("//")) continue;
    const auto column = static_cast<std::uint32_t>(words.data() - line.data()) + 1;
    try {
      add_line(all, words, {file.string(), number, column});
    } catch (const Unsupported& error) {
      if (!refused) refused = error;
      all.push_back({.kind = Specification::Kind::Unsupported, .text = std::string(words), .refusal = error.message()});
    }
  }
  const auto is_unsupported = [](const Specification& each) { return each.kind == Specification::Kind::Unsupported; };
  if (refused && std::ranges::all_of(all, is_unsupported)) throw Unsupported(*refused);
  if (all.empty())
    throw UserError(SourceLocation{file.string()}, "the file has no property",
                    "such as CHECK( init(main()), LTL(G ! call(reach_error())) )");
  return all;
}

std::vector<Specification> parse_specification(const std::string& text) {
  if (text.ends_with(".prp")) return read_property_file(text);
  if (text == "assertions") return {assertions()};
  if (text == "memsafety")
    return {{Specification::Kind::MemorySafety,
             fmt::format("{}\n{}\n{}", check_text("G valid-free"), check_text("G valid-deref"),
                         check_text("G valid-memtrack")),
             joined(accesses(), set_of({Check::Free, Check::Leak}))}};
  if (text == "deadlock") return {{Specification::Kind::Deadlock, check_text("G ! deadlock")}};
  if (text == "data-race") return {{Specification::Kind::DataRace, check_text("G ! data-race")}};
  if (text.starts_with(kTermination)) return {termination(std::string_view(text).substr(kTermination.size()))};
  if (text == "undefined") return {{Specification::Kind::Checks, text, CheckSet::undefined()}};
  if (const std::optional<Check> check = program::find_check(text)) return {specification_of(*check)};
  const std::vector<std::string_view> words = all_words();
  const std::string_view near = nearest_name(text, words);
  throw UserError(fmt::format("there is no property '{}' of a program", text),
                  fmt::format("{}there are {}, or a file that ends in .prp",
                              near.empty() ? "" : fmt::format("is '{}' meant? ", near), property_words()));
}

Task read_task(const std::filesystem::path& file) { return TaskReader(file).task(); }

std::vector<program::Goal> find_goals(const program::Program& program, const Specification& specification) {
  using Kind = Specification::Kind;
  const program::CodePoint start{program.entry, 0};
  if (specification.kind == Kind::Deadlock) return {{program::GoalKind::Deadlock, start}};
  if (specification.kind == Kind::DataRace) return {{program::GoalKind::DataRace, start}};
  if (specification.kind == Kind::Ltl) return {};
  semantics::GoalOptions options;
  options.has_assertions = specification.kind == Specification::Kind::Assertions;
  options.has_termination = specification.kind == Specification::Kind::Termination;
  options.checks = specification.checks;
  std::vector<program::Goal> goals = semantics::find_goals(program, options);
  std::erase_if(goals, [&](const program::Goal& goal) {
    return (goal.kind == program::GoalKind::Assertion && !specification.has_assertions) ||
           (goal.kind == program::GoalKind::Error && !specification.has_errors && !specification.has_labels);
  });
  return goals;
}

void prepare(frontend::LoadOptions& load, const Specification& specification) {
  load.checks = CheckSet::defaults();
  if (!specification.checks.has(Check::Leak)) load.checks.remove(Check::Leak);
  load.checks = joined(load.checks, specification.checks);
  // What asks about such values has none of its own.
  load.marks_unset = !load.checks.has(Check::Uninitialised);
  if (!specification.has_labels) load.error_labels.clear();
  if (specification.kind == Specification::Kind::Termination) load.termination_bound = specification.bound;
}

}  // namespace plumb::check
