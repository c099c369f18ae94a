#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/file.h"
#include "cli/bip/emulate.h"
#include "cli/bip/model_text.h"
#include "cli/bip/proof.h"
#include "cli/bip/session.h"
#include "cli/bip/subject.h"
#include "cli/cli.h"
#include "cli/program_options.h"
#include "cli/prove_files.h"
#include "lang/bip/emit/emit.h"

namespace plumb::cli {
namespace {

class BipCommand {
 public:
  BipCommand(const BipOptions& options, const Context& context) : options_(options), context_(context) {}

  int run() const {
    check_proving_options(options_.proving, context_.common);
    prepare_out(context_);
    const BipSubject subject = read_bip(options_);
    if (options_.dot || !options_.emit_cpp.empty()) {
      write_pictures_and_programs(subject.model);
      if (!options_.is_emulation()) return kDone;
    }
    if (options_.is_interactive) return run_session(subject, options_, context_, std::cin, ::isatty(STDIN_FILENO) == 1);
    if (options_.is_emulation()) return emulate(subject, options_, context_);
    if (!options_.proving.show.empty()) {
      context_.out << (options_.proving.show == "model" ? model_text(subject.model)
                                                        : bip_system_text(subject, options_, context_.budget));
      return kDone;
    }
    return prove_bip(subject, options_, context_);
  }

 private:
  void write_pictures_and_programs(const bip::Model& model) const {
    result::Report report("bip", {options_.file});
    report.conclusion = result::Conclusion::Answered;
    const auto put = [&](const char* kind, const std::string& file, const std::string& text) {
      if (file == "-") {
        context_.out << text;
        return;
      }
      write_file(file, text);
      report.files.emplace_back(kind, file);
      if (!context_.common.json) context_.out << kind << ": " << file << "\n";
    };
    if (options_.dot) put("picture", *options_.dot, bip::to_dot(model));
    if (!options_.emit_cpp.empty()) put("program", options_.emit_cpp, bip::to_cpp(model));
    if (!options_.is_emulation()) publish(context_, report);
  }

  const BipOptions& options_;
  const Context& context_;
};

}  // namespace

Action add_bip_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<BipOptions>();
  CLI::App* command = app.add_subcommand("bip", "Prove or refute properties of a component model in BIP, or run it");
  add_bip_options(*command, *options);
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb bip examples/bip/traffic_light.bip\n"
      "  plumb bip examples/bip/traffic_light.bip --prop 'timer.t <= timer.n' --deadlock\n"
      "  plumb bip examples/bip/philosophers.bip --out run\n"
      "  plumb bip examples/bip/philosophers.bip --guide run/deadlock.guide\n"
      "  plumb bip examples/bip/traffic_light.bip --emulate 20 --seed 7\n"
      "  plumb bip examples/bip/traffic_light.bip --dot | dot -Tsvg > lights.svg\n"
      "Exit code 0 if every property holds, for runs of every length; 10 if one is violated; 20 if one is unknown, "
      "vacuous\n"
      "or holds only up to a bound. docs/bip.md is the guide: language, properties, guides.");
  return [options](const Context& context) {
    return with_error_report(context, "bip", {options->file}, [&] {
      check_bip_options(*options, context.common);
      return BipCommand(*options, context).run();
    });
  };
}

}  // namespace plumb::cli
