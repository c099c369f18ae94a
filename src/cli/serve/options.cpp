#include "cli/serve/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/token_file.h"

namespace plumb::cli {
namespace {

constexpr std::string_view kDefaultAddress = "127.0.0.1:7707";
/// Boards are slow, and so are emulators.
constexpr std::chrono::duration<double> kRunTime{5};

void add_link_options(CLI::App& app, ServeOptions& options) {
  app.add_option("--listen", options.listen,
                 fmt::format("Where targets connect to ({}); port 0: any; beyond this machine only with --token-file; "
                             "may be given many times",
                             kDefaultAddress))
      ->type_name("ADDRESS:PORT")
      ->allow_extra_args(false);
  app.add_option("--serial", options.serial, "A serial line with a target at its other end; may be given many times")
      ->type_name("DEVICE[:BAUD]")
      ->allow_extra_args(false);
  app.add_option("--token-file", options.token_file,
                 "A secret that targets must know too, a line of 16 to 1024 bytes; it is never sent")
      ->type_name("FILE");
  app.add_option("--address-file", options.address_file, "Write the address here once it is listened on, a line each")
      ->type_name("FILE");
  app.add_option("--wait-for-targets", options.wait_for_targets, "Begin when so many targets are connected")
      ->type_name("N")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  add_duration(app, "--lost-after", options.lost_after, "Stop if no target is connected for so long (never)");
  app.add_option("--replay", options.replay,
                 "No search: run this test, or the tests of this directory, and say how they end")
      ->type_name("FILE|DIR");
}

/// Whoever comes from `plumb test` should learn why they are not there.
void refuse_environment_options(CLI::App& app) {
  for (const char* name : {"--sym-args", "--sym-arg", "--arg", "--sym-env", "--sym-files", "--sym-stdin", "--fail-io",
                           "--seed-input", "--corpus"})
    app.add_option_function<std::vector<std::string>>(
           name,
           [name](const std::vector<std::string>&) {
             throw CLI::ValidationError(name,
                                        "is for plumb test alone: on a board, inputs are what the program asks "
                                        "for with plumb_symbolic (plumb/plumb.h)");
           })
        ->group("");
}

void add_footer(CLI::App& command) {
  command.footer(
      "Examples:\n"
      "  plumb cc --target arm-linux-gnueabihf control.c -o control\n"
      "  plumb serve control                                    the board reaches this machine by ssh -R 7707:…\n"
      "  head -c 32 /dev/urandom | base64 > token && chmod 600 token\n"
      "  plumb serve --listen 0.0.0.0:7707 --token-file token control\n"
      "  plumb serve --serial /dev/ttyACM0:115200 firmware.elf\n"
      "  plumb serve --resume --out plumb-out\n"
      "  plumb serve --replay plumb-out/errors/error-001.json control\n"
      "PROGRAM is what `plumb cc --target` made; the board runs the same file, on Linux with\n"
      "`plumb-target --server ADDRESS:PORT PROGRAM`. Any number of targets may come and go: what a run was when its\n"
      "target vanished is run again, and while there is none the search waits. There is no time limit unless "
      "--timeout\n"
      "gives one: it ends when all branches are covered, when no path is left, or by Ctrl-C, and --resume goes on.\n"
      "Results go to plumb-out or --out as those of `plumb test` do. --jobs is the number of solvers; each worker "
      "takes\n"
      "whichever target is free.\n"
      "Exit code 10 if a defect was found and a second run on a target showed it again; 0 if not and all branches are\n"
      "covered or no path is left; 20 if it stopped before that; 2 if something could not be read, written or "
      "listened\n"
      "on.");
}

}  // namespace

ServeOptions::ServeOptions() {
  search.engine.jobs = 2;
  search.engine.limits.time = kRunTime;
}

void add_serve_options(CLI::App& app, ServeOptions& options, CommonOptions& common) {
  app.add_option("PROGRAM", options.program, "An executable for a board, made by plumb cc --target")
      ->expected(1)
      ->type_name("FILE");
  add_link_options(app, options);
  add_campaign_options(app, options.search);
  add_defect_options(app, options.search.defects);
  add_search_options(app, options.search.engine);
  add_limit_options(app, options.search.engine.limits);
  add_common_options(app, common);
  refuse_environment_options(app);
  add_footer(app);
}

remote::ServerOptions server_options(const ServeOptions& options) {
  remote::ServerOptions server;
  server.listen = options.listen;
  server.serial = options.serial;
  if (server.listen.empty() && server.serial.empty()) server.listen.emplace_back(kDefaultAddress);
  if (!options.token_file.empty()) server.token = read_token(options.token_file);
  return server;
}

}  // namespace plumb::cli
