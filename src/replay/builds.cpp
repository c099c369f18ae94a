#include "replay/builds.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "frontend/compilations.h"
#include "instrument/build_subject.h"
#include "replay/c_library.h"
#include "semantics/goals.h"

namespace plumb::replay {

using program::Program;

namespace {

std::string_view c_type(std::uint32_t width, bool is_float) {
  if (is_float) return width == 32 ? "float" : width == 64 ? "double" : "";
  switch (width) {
    case 1:
      return "_Bool";
    case 8:
      return "unsigned char";
    case 16:
      return "unsigned short";
    case 32:
      return "unsigned int";
    case 64:
      return "unsigned long long";
    default:
      return "";
  }
}

/// A C definition of a function without a body that takes its result from the inputs; empty if its type is none of C's:
/// then the linker names it.
std::string stand_in(program::FunctionId f, const program::Function& function) {
  if (function.result_widths.empty())
    return fmt::format("void plumb_stand_in_{0}(void) __asm__(\"{1}\");\nvoid plumb_stand_in_{0}(void) {{}}\n", f,
                       function.name);
  const std::string_view type = c_type(function.result_widths.front(), function.returns_float);
  if (type.empty()) return {};
  return fmt::format(
      "{2} plumb_stand_in_{0}(void) __asm__(\"{1}\");\n"
      "{2} plumb_stand_in_{0}(void) {{ {2} made; plumb_symbolic(&made, sizeof made, \"{1}\"); return made; }}\n",
      f, function.name, type);
}

frontend::LoadOptions with_compilations(frontend::LoadOptions options) {
  if (options.compilations == nullptr) options.compilations = std::make_shared<frontend::Compilations>();
  return options;
}

}  // namespace

Builds::Builds(frontend::LoadOptions options, std::filesystem::path directory)
    : options_(with_compilations(std::move(options))), directory_(std::move(directory)) {}

Builds::Builds(const Program& program, frontend::LoadOptions options, std::filesystem::path directory)
    : Builds(std::move(options), std::move(directory)) {
  given_ = &program;
  const std::vector<bool> reachable = semantics::reachable_functions(program);
  for (program::FunctionId f = 0; f < program.functions.size(); ++f) {
    const program::Function& function = program.functions[f];
    if (!reachable[f] || function.has_body() || function.result_widths.size() > 1) continue;
    if (is_in_library(function.name))
      of_library_.insert(function.name);
    else
      stand_ins_ += stand_in(f, function);
  }
}

Builds::~Builds() = default;

result::TestCase Builds::native_test(const result::TestCase& test) const {
  result::TestCase native = test;
  std::erase_if(native.inputs, [&](const result::TestInput& input) { return of_library_.contains(input.name); });
  return native;
}

frontend::LoadOptions Builds::native_options() {
  frontend::LoadOptions options = options_;
  if (stand_ins_.empty()) return options;
  const std::filesystem::path file = std::filesystem::absolute(directory_) / "stand_ins.c";
  write_file(file, "void plumb_symbolic(void *object, __SIZE_TYPE__ size, const char *name);\n" + stand_ins_);
  options.files.push_back(file.string());
  options.word_size = given_->layout.pointer_width;
  return options;
}

Builds::Interpreted& Builds::interpreted(const Budget& budget) {
  return interpreted_.once([&] {
    if (given_ == nullptr) loaded_ = std::make_unique<Program>(frontend::load_program(options_, budget));
    return std::make_unique<Interpreted>(given_ == nullptr ? *loaded_ : *given_);
  });
}

Builds::Typed& Builds::with_variables(const Budget& budget) {
  return with_variables_.once([&] {
    frontend::LoadOptions options = options_;
    options.keep_variables = true;
    return std::make_unique<Typed>(frontend::load_typed_program(options, budget));
  });
}

const std::filesystem::path& Builds::plain(const Budget& budget) {
  return plain_.once([&] {
    return std::make_unique<std::filesystem::path>(instrument::build_replay(native_options(), directory_, budget));
  });
}

const std::filesystem::path& Builds::ordered(const Budget& budget) {
  return ordered_.once([&] {
    return std::make_unique<std::filesystem::path>(
        instrument::build_ordered_replay(native_options(), directory_, budget));
  });
}

Builds::Checked& Builds::checked(const Budget& budget) {
  return checked_.once([&] {
    return std::make_unique<Checked>(instrument::build_checked_replay(native_options(), directory_, budget));
  });
}

const SourceBuild& Builds::from_sources(frontend::Purpose purpose, const Budget& budget) {
  return from_sources_[static_cast<std::size_t>(purpose)].once([&] {
    const std::filesystem::path directory =
        directory_ / (purpose == frontend::Purpose::Coverage ? "coverage" : "sources");
    std::filesystem::create_directories(directory);
    return std::make_unique<SourceBuild>(build_from_sources(options_, purpose, directory, budget));
  });
}

}  // namespace plumb::replay
