#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/file.h"
#include "circuit/aiger.h"
#include "cli/shell/commands.h"
#include "lang/caig/caig.h"
#include "system/btor2.h"

namespace plumb::cli::shell {
namespace {

void read(Session& session, const std::string& file, std::optional<std::uint32_t> bits) {
  tiny::Options configuration = session.configuration;
  if (bits && (*bits == 0 || *bits > 64))
    throw UserError(fmt::format("an int of {} bits cannot be", *bits), "from 1 to 64");
  if (bits) configuration.int_width = *bits;
  session.print("Parsing file {}...\n", file);
  session.out.flush();
  Source source = read_source(file, configuration, session.budget);
  for (const std::string& warning : source.warnings) session.print("warning: {}\n", warning);
  if (session.proving) session.print("The proving session of {} is ended.\n", session.source->file);
  if (session.simulation) session.print("The simulation of {} is ended.\n", session.source->file);
  session.proving.reset();
  session.simulation.reset();
  session.configuration = configuration;
  session.source = std::move(source);
  session.print("Parsing successful.\n");
}

enum class Format : std::uint8_t { Btor2, Aiger, Caig, Rho };
constexpr std::pair<std::string_view, Format> kFormats[] = {
    {"btor2", Format::Btor2}, {"aiger", Format::Aiger}, {"caig", Format::Caig}, {"rho", Format::Rho}};

struct WriteOptions {
  std::string format;
  std::string file;
  bool whole = false;
};

std::string aiger_text(Session& session, const WriteOptions& options) {
  // A terminal is no place for the binary format.
  const auto format = options.file.empty() || options.file.ends_with(".aag") ? circuit::AigerFormat::Ascii
                                                                             : circuit::AigerFormat::Binary;
  if (options.whole || !session.proving)
    return circuit::write_aiger(system::to_circuit(session.current_design()->system(), session.budget).aig, format);
  const std::string file = session.proving->circuit_file().string();
  return circuit::write_aiger(circuit::read_aiger(read_file(file), file), format);
}

std::string text_in(Session& session, const WriteOptions& options) {
  const auto format = std::ranges::find(kFormats, options.format, &std::pair<std::string_view, Format>::first)->second;
  switch (format) {
    case Format::Btor2:
      return system::write_btor2(session.current_design()->system());
    case Format::Caig:
      return caig::write_caig(session.current_design()->system());
    case Format::Aiger:
      return aiger_text(session, options);
    case Format::Rho:
      break;
  }
  const auto design = session.current_design();
  if (design->subject() == nullptr)
    throw UserError(fmt::format("{} is no Tiny program: rho is not for it", design->file()));
  return tiny::print(tiny::rho(design->subject()->program, design->options()));
}

}  // namespace

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, format] : kFormats) names.push_back(name);
  return names;
}

Run add_read(CLI::App& app) {
  struct Options {
    std::string option;
    std::string file;
    std::optional<std::uint32_t> bits;
  };
  const auto options = std::make_shared<Options>();
  auto* named = app.add_option("-i,--input", options->option, "The file")->type_name("FILE");
  app.add_option("FILE", options->file, "The same without -i")->excludes(named);
  app.add_option("-b,--bits", options->bits, "Bits of an int, from now on")->type_name("BITS");
  app.footer(
      "The ending tells the language: .tiny and .c are Tiny; .caig, .btor2, .aig, .aag, .v, .sv.\n"
      "A file with mistakes leaves the program that was read before.");
  return [options](Session& session) {
    const std::string& file = options->option.empty() ? options->file : options->option;
    if (file.empty()) throw UserError("no file: `read -i FILE`");
    read(session, file, options->bits);
  };
}

Run add_write(CLI::App& app) {
  const auto options = std::make_shared<WriteOptions>();
  std::vector<std::string> names;
  for (const std::string_view name : format_names()) names.emplace_back(name);
  app.add_option("FORMAT", options->format, "btor2, aiger, caig, rho")->required()->check(CLI::IsMember(names));
  app.add_option("-o,--output", options->file, "The file; the terminal without one")->type_name("FILE");
  app.add_flag("--whole", options->whole, "aiger: the circuit before reductions, with all properties");
  app.footer(
      "btor2 and caig write the system, rho the program without calls, recursion, quantifiers and contracts.\n"
      "aiger writes the circuit of the proving session as it is now; binary unless the file ends in .aag.");
  return [options](Session& session) {
    const std::string text = text_in(session, *options);
    if (options->file.empty()) {
      session.out << text;
      return;
    }
    write_file(options->file, text);
    session.print("Wrote {}.\n", options->file);
  };
}

Run add_print_conf(CLI::App&) {
  return [](Session& session) {
    const Design* design = session.proving ? session.proving->design().get() : nullptr;
    const auto language = session.source ? session.source->language : Source::Language::Tiny;
    session.out << configuration_table(design != nullptr ? design->options() : session.configuration, design, language);
  };
}

}  // namespace plumb::cli::shell
