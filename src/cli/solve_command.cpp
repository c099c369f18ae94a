#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/live_progress.h"
#include "lang/smtlib/process_run.h"
#include "lang/smtlib/script.h"
#include "solve/dump_solver.h"

namespace plumb::cli {
namespace {

struct Options {
  std::string file;
  SolvingOptions solving;
};

/// Holds back what is written until it is flushed, which a script does after each check: up to the first one a script
/// that turns out to be outside can still be handed to another solver as if nothing had happened.
class HeldOutput {
 public:
  HeldOutput(std::ostream& target, LiveProgress& progress) : buffer_(target, progress), stream_(&buffer_) {
    stream_.exceptions(std::ios::badbit);
  }

  std::ostream& stream() noexcept { return stream_; }
  void discard() { buffer_.str({}); }

 private:
  class Buffer : public std::stringbuf {
   public:
    Buffer(std::ostream& target, LiveProgress& progress) : target_(target), progress_(progress) {}

   protected:
    int sync() override {
      const std::string text = str();
      str({});
      progress_.around([&] {
        target_ << text;
        target_.flush();
      });
      progress_.set_status(fmt::format("{} answers so far", ++flushes_));
      return 0;
    }

   private:
    std::ostream& target_;
    LiveProgress& progress_;
    std::size_t flushes_ = 0;
  };
  Buffer buffer_;
  std::ostream stream_;
};

/// Everything that one run of `plumb solve` knows.
class SolveCommand {
 public:
  SolveCommand(const Options& options, const Context& context) : options_(options), context_(context) {}

  int run() {
    const bool aside = context_.common.json || !context_.common.out.empty();
    std::ostringstream answers;
    std::ostream& out = aside ? answers : context_.out;
    std::exception_ptr error;
    try {
      solve(read_file(options_.file), out);
    } catch (const UserError& e) {
      error = std::current_exception();
      error_ = e;
    }
    if (aside) {
      if (!context_.common.json) context_.out << answers.str();
      publish_answers(answers.str());
    } else if (options_.solving.stats) {
      print_statistics();
    }
    if (context_.out) context_.out.flush();  // not if writing was what went wrong
    if (error) std::rethrow_exception(error);
    if (!result_.stopped.empty()) log().error("{}: {}", options_.file, result_.stopped);
    return result::exit_code(conclusion());
  }

 private:
  void solve(const std::string& text, std::ostream& out) {
    const std::string file = options_.file == "-" ? "<stdin>" : options_.file;
    LiveProgress progress("solve " + file, context_.common.quiet);
    HeldOutput held(out, progress);
    term::TermStore store;
    smtlib::Script script(
        store,
        [this](term::TermStore& terms, const solve::SolverOptions& wanted) { return make_solver(terms, wanted); },
        {context_.budget, std::string(version()), smtlib::process_command(options_.solving.backend).has_value()},
        held.stream());
    try {
      result_ = script.run(text, file);
    } catch (const Unsupported& unsupported) {
      result_ = script.result();
      const auto command = smtlib::process_command(options_.solving.backend);
      if (command && result_.sat + result_.unsat + result_.unknown == 0) {
        held.discard();
        log().info("{}; the file is handed to {}", unsupported.message(), command->front());
        result_ = smtlib::run_on_process(*command, text, file, context_.budget, out);
        return;
      }
      held.stream().flush();
      if (!command) throw;
      throw Unsupported(unsupported.location(), unsupported.message(),
                        fmt::format("answers were already given; run the whole file with {}", command->front()));
    } catch (const UserError&) {
      result_ = script.result();
      if (held.stream()) held.stream().flush();
      throw;
    }
  }

  std::unique_ptr<solve::Solver> make_solver(term::TermStore& store, const solve::SolverOptions& wanted) {
    solve::SolverOptions solver_options = wanted;
    solver_options.memory_limited = context_.budget.memory_limit().has_value();
    solver_options.seed = context_.common.seed;
    auto solver = solve::make_solver(store, options_.solving.backend, solver_options);
    if (options_.solving.dump_queries.empty()) return solver;
    return std::make_unique<solve::DumpSolver>(std::move(solver), options_.solving.dump_queries);
  }

  /// One word for the run: the common answer of all checks.
  result::Conclusion conclusion() const {
    using result::Conclusion;
    if (error_) return Conclusion::Error;
    if (result_.unknown > 0 || !result_.stopped.empty()) return Conclusion::Unknown;
    if (result_.sat > 0 && result_.unsat > 0) return Conclusion::Mixed;
    return result_.sat > 0 ? Conclusion::Sat : result_.unsat > 0 ? Conclusion::Unsat : Conclusion::None;
  }

  double seconds() const {
    double sum = 0;
    for (const smtlib::Response& response : result_.responses) sum += response.seconds;
    return sum;
  }

  void publish_answers(const std::string& answers) const {
    result::Report report("solve", {options_.file});
    report.conclusion = conclusion();
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for (const smtlib::Response& response : result_.responses) {
      nlohmann::ordered_json entry = {{"command", response.command}};
      if (response.line != 0) entry["line"] = response.line;
      entry["result"] = utf8(response.text);
      if (!response.reason.empty()) entry["reason"] = utf8(response.reason);
      if (response.seconds > 0) entry["seconds"] = response.seconds;
      results.push_back(std::move(entry));
    }
    report["results"] = std::move(results);
    report.stopped = result_.stopped;
    if (error_) report.errors = {*error_};
    nlohmann::ordered_json stats = {
        {"sat", result_.sat}, {"unsat", result_.unsat}, {"unknown", result_.unknown}, {"solver_seconds", seconds()}};
    if (options_.solving.stats)
      for (const auto& [name, value] : result_.statistics) stats[name] = value;
    report["stats"] = std::move(stats);
    publish(context_, report);
    if (!context_.common.out.empty()) write_file(std::filesystem::path(context_.common.out) / "answers.txt", answers);
  }

  void print_statistics() const {
    std::string text = fmt::format("{:<28} {}\n{:<28} {}\n{:<28} {}\n{:<28} {:.3f}\n", "sat", result_.sat, "unsat",
                                   result_.unsat, "unknown", result_.unknown, "solver_seconds", seconds());
    for (const auto& [name, value] : result_.statistics) text += fmt::format("{:<28} {}\n", name, value);
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  }

  const Options& options_;
  const Context& context_;
  smtlib::RunResult result_;
  std::optional<UserError> error_;
};

}  // namespace

Action add_solve_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("solve", "Answer an SMT-LIB 2 script over bit-vectors and arrays");
  command->add_option("FILE", options->file, "The script, or - for standard input")->required();
  add_common_options(*command, common);
  add_solving_options(*command, options->solving);
  command->footer(
      "Example:\n"
      "  plumb solve examples/puzzle.smt2 --timeout 10s\n"
      "Exit code 0 if every check-sat was answered sat or unsat, 20 if one stayed unknown.\n"
      "With --out DIR the answers are in DIR/answers.txt and DIR/result.json as well.");
  return [options](const Context& context) { return SolveCommand(*options, context).run(); };
}

}  // namespace plumb::cli
