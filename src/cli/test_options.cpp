#include "cli/test_options.h"

#include <CLI/CLI.hpp>

namespace plumb::cli {
namespace {

void add_footer(CLI::App& command) {
  command.footer(
      "Examples:\n"
      "  plumb test lexer.c\n"
      "  plumb test driver.c list.c -Iinclude --until error --timeout 5m --out found\n"
      "  plumb test ./wc --sym-args 0 2 4 --sym-files 1 16\n"
      "  plumb test parser.c --checks default,overflow --suppress known.txt --sarif parser.sarif\n"
      "  plumb test --resume --out found --timeout 1h\n"
      "Inputs are what the program asks for with the functions of plumb/plumb.h, __VERIFIER_nondet_… or\n"
      "klee_make_symbolic, and what --sym-… names. Without --timeout it stops after 60 s, without --out results go to\n"
      "plumb-out: campaign.db, tests/test-000001.json and on, errors/error-001.json and on, result.json. Files of "
      "these\n"
      "names are replaced, unless --resume goes on with what is there.\n"
      "A defect on a line with /* plumb: ignore(KIND) */ does not count, nor one that a pattern of --suppress names.\n"
      "Exit code 10 if a defect was found and confirmed; 0 if not and all branches are covered or no path is left;\n"
      "20 if the budget was over before that; 2 if something could not be read or written.");
}

}  // namespace

void add_test_options(CLI::App& app, TestOptions& options, CommonOptions& common) {
  add_program_options(app, options.program, FilesNeeded::No);
  add_environment_options(app, options.environment);
  add_campaign_options(app, options.search);
  add_checks_option(app, options.program);
  add_defect_options(app, options.search.defects);
  app.add_flag(
      "--check-memory", options.check_memory,
      "Follow a run of each path in the interpreter too, as --checks uninitialised does; regions are off then");
  add_search_options(app, options.search.engine);
  add_limit_options(app, options.search.engine.limits);
  add_sandbox_option(app, options.search.engine.limits.sandbox);
  add_common_options(app, common);
  add_footer(app);
}

}  // namespace plumb::cli
