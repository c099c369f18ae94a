#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/shell/commands.h"

namespace plumb::cli::shell {
namespace {

constexpr std::uint32_t kMaxWidth = 64;

using Steps = system::EncodingOptions::Steps;

}  // namespace

void ConfigurationOptions::add_to(CLI::App& app) {
  const auto number = [&](const char* names, const char* text, const char* type, auto apply) {
    app.add_option_function<std::uint64_t>(
           names, [this, apply](std::uint64_t n) { changes_.push_back([apply, n](tiny::Options& o) { apply(o, n); }); },
           text)
        ->type_name(type);
  };
  const auto flag = [&](const std::string& names, const char* text, auto apply) {
    app.add_flag_callback(names, [this, apply] { changes_.push_back([apply](tiny::Options& o) { apply(o); }); }, text);
  };
  number("-b,--bits", "Bits of an int, 1 to 64", "BITS", [](tiny::Options& o, std::uint64_t n) {
    if (n == 0 || n > kMaxWidth) throw UserError(fmt::format("an int of {} bits cannot be", n), "from 1 to 64");
    // Bounds that follow from the width follow the new one.
    o.int_width = static_cast<std::uint32_t>(n);
    o.array_size.reset();
    o.stack_size.reset();
  });
  const auto above_zero = [](std::uint64_t n, std::string_view what) {
    if (n == 0) throw UserError(fmt::format("{} of 0 cannot be", what));
    return n;
  };
  number("-a,--array", "Elements of an array of free size; 2^BITS - 1 if absent", "N",
         [=](tiny::Options& o, std::uint64_t n) { o.array_size = above_zero(n, "an array bound"); });
  number("-s,--stack", "Greatest depth of recursion; 2^BITS - 1 if absent", "N",
         [=](tiny::Options& o, std::uint64_t n) { o.stack_size = above_zero(n, "a stack limit"); });
  number("-k,--termination", "Also prove that every run ends within so many steps; 0: do not", "STEPS",
         [](tiny::Options& o, std::uint64_t n) {
           o.encoding.termination_bound = n == 0 ? std::nullopt : std::optional(n);
         });
  const auto check = [&](const std::string& name, const char* text, bool tiny::Options::* member) {
    flag("--no-" + name, text, [member](tiny::Options& o) { o.*member = false; });
    flag("--" + name, "Do so again", [member](tiny::Options& o) { o.*member = true; });
  };
  check("index-check", "Do not check that indices are in bounds", &tiny::Options::check_index);
  check("overflow-check", "Do not check that arithmetic fits: it wraps", &tiny::Options::check_overflow);
  check("division-check", "Do not check that divisors are not zero", &tiny::Options::check_division);
  check("recursion-check", "Do not check the depth of recursion", &tiny::Options::check_recursion);
  check("unroll", "Quantifiers become loops, also where their bounds are constant", &tiny::Options::unroll_quantifiers);
  flag("--signed", "Ints are in two's complement", [](tiny::Options& o) { o.is_signed = true; });
  flag("--unsigned", "Ints have no sign (the default)", [](tiny::Options& o) { o.is_signed = false; });
  app.add_option_function<std::string>(
         "--steps",
         [this](const std::string& text) {
           changes_.push_back(
               [text](tiny::Options& o) { o.encoding.steps = text == "block" ? Steps::Block : Steps::Statement; });
         },
         "A step is a whole block, or a statement")
      ->check(CLI::IsMember({"block", "statement"}));
  flag("--share", "Variables that are never needed together share a register (the default)",
       [](tiny::Options& o) { o.encoding.share_registers = true; });
  flag("--no-share", "Each variable has a register of its own",
       [](tiny::Options& o) { o.encoding.share_registers = false; });
}

tiny::Options ConfigurationOptions::applied(tiny::Options options) const {
  for (const auto& change : changes_) change(options);
  return options;
}

}  // namespace plumb::cli::shell
