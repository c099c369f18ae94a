#include "cli/shell/design.h"

#include <fmt/format.h>

#include <numeric>

#include "base/error.h"
#include "base/file.h"
#include "lang/caig/caig.h"

namespace plumb::cli::shell {
namespace {

using Language = Source::Language;

caig::Options caig_options(const tiny::Options& options) { return {options.int_width, options.is_signed}; }

Language language_of(const std::string& file) {
  if (file.ends_with(".tiny") || file.ends_with(".c")) return Language::Tiny;
  return file.ends_with(".caig") ? Language::Caig : Language::Other;
}

std::string_view enabled(bool on) { return on ? "Enabled" : "Disabled"; }
std::string_view yes(bool on) { return on ? "Yes" : "No"; }

void add_row(std::string& text, std::string_view name, const std::string& value) {
  text += fmt::format("{:<28} {}\n", fmt::format("{}:", name), value);
}

void add_tiny_rows(std::string& text, const tiny::Options& options) {
  const auto row = [&](std::string_view name, auto value) { add_row(text, name, fmt::format("{}", value)); };
  row("Index Checking", enabled(options.check_index));
  row("Overflow Checking", enabled(options.check_overflow));
  row("Division Checking", enabled(options.check_division));
  row("Recursion Checking", enabled(options.check_recursion));
  row("Unroll quantifiers", yes(options.unroll_quantifiers));
  const auto bound = options.encoding.termination_bound;
  add_row(text, "Check termination", bound ? fmt::format("Within {} steps", *bound) : "No");
  row("Signed integers", yes(options.is_signed));
  row("Step", options.encoding.steps == system::EncodingOptions::Steps::Block ? "Block" : "Statement");
  row("Share registers", yes(options.encoding.share_registers));
  row("Latch bit width", options.int_width);
  row("Array Bound", options.max_array_size());
  row("Stack Limit", options.max_stack_size());
}

}  // namespace

Source read_source(const std::string& file, const tiny::Options& options, const Budget& budget) {
  Source source{file, {}, language_of(file), nullptr, {}};
  if (source.language == Language::Other) {
    auto system = std::make_shared<SystemFile>(read_system(file, {{}, options.int_width, options.is_signed}, budget));
    source.warnings = system->warnings;
    source.warnings.insert(source.warnings.end(), system->assumptions.begin(), system->assumptions.end());
    source.system = std::move(system);
    return source;
  }
  source.text = read_file(file);
  if (source.language == Language::Caig) {
    caig::read_caig(source.text, file, caig_options(options));
    return source;
  }
  std::vector<tiny::Warning> warnings;
  tiny::parse(source.text, file, warnings);
  for (const tiny::Warning& warning : warnings)
    source.warnings.push_back(fmt::format("{}: {}", warning.location.to_string(), warning.message));
  return source;
}

Design::Design(const Source& source, const tiny::Options& options)
    : file_(source.file), language_(source.language), options_(options), file_system_(source.system) {
  switch (language_) {
    case Language::Tiny:
      subject_.emplace(tiny::make_subject(source.text, file_, options));
      system_ = &subject_->system();
      properties_ = subject_->properties();
      return;
    case Language::Caig:
      caig_.emplace(caig::read_caig(source.text, file_, caig_options(options)));
      system_ = &*caig_;
      break;
    case Language::Other:
      system_ = &file_system_->system;
      break;
  }
  properties_.resize(system_->bads().size());
  std::iota(properties_.begin(), properties_.end(), std::size_t{0});
}

std::string Design::property_name(std::size_t bad) const {
  if (subject_) return subject_->property_name(bad);
  if (file_system_) return file_system_->properties[bad].name;
  const std::string& name = system_->bads()[bad].name;
  return name.empty() ? fmt::format("bad {}", bad) : name;
}

std::string configuration_table(const tiny::Options& options, const Design* design, Language language) {
  std::string text = "Configuration parameters:\n";
  if (language == Language::Tiny) add_tiny_rows(text, options);
  if (language == Language::Caig) {
    add_row(text, "Signed integers", std::string(yes(options.is_signed)));
    add_row(text, "Integer bit width", fmt::format("{}", options.int_width));
  }
  if (design == nullptr) return text;
  const system::System& system = design->system();
  if (const tiny::Subject* subject = design->subject()) {
    const term::Term pc = system.states()[subject->encoding.pc].variable;
    add_row(text, "Program Counter bit width", fmt::format("{}", system.store().width(pc)));
  }
  add_row(text, "States", fmt::format("{}", system.states().size()));
  add_row(text, "Inputs", fmt::format("{}", system.inputs().size()));
  return text;
}

}  // namespace plumb::cli::shell
