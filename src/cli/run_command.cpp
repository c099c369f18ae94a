#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/lanes.h"
#include "cli/live_progress.h"
#include "cli/program_options.h"
#include "frontend/memory_model.h"
#include "interpret/interpreter.h"
#include "replay/describe_defect.h"
#include "replay/program_files.h"
#include "result/defect/defect_json.h"
#include "result/defect/defect_text.h"
#include "result/input_reader.h"
#include "result/schedule_json.h"
#include "result/test_case.h"

namespace plumb::cli {
namespace {

using interpret::RunResult;
using result::Conclusion;

struct Options {
  ProgramOptions program;
  std::string input;
  std::string schedule;  ///< a file, or kRandom
  std::uint64_t runs = 100;
  std::vector<std::string> arguments;
  std::string undefined = "fail";
  std::string files = "copy";
  bool check_alignment = false;
  bool ignore_leaks = false;
  std::uint64_t max_instructions = ~std::uint64_t{0};
};

constexpr std::string_view kRandom = "random";

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

void print_to_stderr(std::string_view text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); }

/// Our standard input as the program's. Waits in small steps, for the budget may end meanwhile.
std::size_t read_standard_input(std::span<std::uint8_t> buffer, const Budget& budget) {
  for (;;) {
    budget.check();
    pollfd waiting{0, POLLIN, 0};
    if (::poll(&waiting, 1, 50) == 0) continue;
    const ssize_t size = ::read(0, buffer.data(), buffer.size());
    if (size >= 0) return static_cast<std::size_t>(size);
    if (errno != EINTR && errno != EAGAIN)
      throw UserError(fmt::format("cannot read standard input: {}", std::strerror(errno)));
  }
}

/// A fault that the run went on after.
struct Told {
  program::Fault fault;
  std::vector<program::CodePoint> stack;
};

/// One run of the program, and what it printed if that is kept.
struct Run {
  std::string test;  ///< its file; empty without one
  RunResult result;
  std::string output;
  std::string error;
  std::vector<std::string> assumptions;
  std::vector<Told> races;

  /// Also a program that ended by itself can have one: a leak.
  bool has_defect() const { return !result.faults.empty() || !races.empty(); }
  std::size_t defect_count() const { return result.faults.size() + races.size(); }
  Conclusion conclusion() const {
    if (has_defect()) return Conclusion::Defect;
    return result.end == RunResult::End::Exit ? Conclusion::NoDefect : Conclusion::Unknown;
  }
};

std::string count_text(std::size_t defects) { return fmt::format("{} defect{}", defects, defects == 1 ? "" : "s"); }

/// How it ended, in a few words.
std::string end_text(const Run& run) {
  const RunResult& result = run.result;
  switch (result.end) {
    case RunResult::End::Exit:
      return fmt::format("exit code {}{}", result.exit_code,
                         run.has_defect() ? fmt::format(", {}", count_text(run.defect_count())) : "");
    case RunResult::End::Fault:
      return count_text(run.defect_count());
    case RunResult::End::AssumeFailed:
      return "the input does not satisfy an assumption";
    case RunResult::End::Unsupported:
      return fmt::format("cannot go on: {}", result.reason);
    case RunResult::End::OutOfBudget:
      return fmt::format("stopped: {}", result.reason);
  }
  INVARIANT(false, "every end should have a text");
}

class RunCommand {
 public:
  RunCommand(const Options& options, const Context& context) : options_(options), context_(context) {}

  int run() {
    std::vector<Test> tests;
    if (!options_.input.empty()) tests = result::read_test_cases(options_.input);
    std::error_code error;
    const bool is_directory = std::filesystem::is_directory(options_.input, error);
    if (is_directory && !options_.schedule.empty())
      throw UserError("--schedule is of one run, and --input is a directory of tests");
    if (!options_.schedule.empty() && options_.schedule != kRandom) take_schedule(tests);
    ProgramOptions program = options_.program;
    program.load.marks_unset = std::ranges::any_of(tests, [](const Test& test) { return !test.second.unset.empty(); });
    const TemporaryDirectory directory;
    if (has_store_buffers()) {
      const std::filesystem::path file = directory.path() / "store_buffers.c";
      write_file(file, frontend::store_buffer_source());
      program.load.files.push_back(file.string());
    }
    program_ = load_program(program, context_);
    interpret::Interpreter interpreter(program_);
    if (is_directory) return run_all(interpreter, tests);
    const Test* test = tests.empty() ? nullptr : &tests.front();
    return options_.schedule == kRandom ? sample(interpreter, test) : run_one(interpreter, test);
  }

 private:
  using Test = std::pair<std::filesystem::path, result::TestCase>;

  /// The schedule's file says that it is of a run with store buffers, as plumb check writes it.
  bool has_store_buffers() const {
    if (options_.schedule.empty() || options_.schedule == kRandom) return false;
    const nlohmann::json object = nlohmann::json::parse(read_file(options_.schedule), nullptr, false);
    return object.is_object() && object.value("memory_model", nlohmann::json()) == "tso";
  }

  /// The file has the inputs, too, if there are no others.
  void take_schedule(std::vector<Test>& tests) const {
    result::TestCase with_schedule = result::read_test_case(options_.schedule);
    if (with_schedule.schedule.empty())
      throw UserError(SourceLocation{options_.schedule}, "the file has no \"schedule\"",
                      "plumb check writes one with a counterexample of a program with threads; or --schedule random");
    if (tests.empty()) {
      tests.emplace_back(options_.schedule, std::move(with_schedule));
    } else {
      tests.front().second.schedule = std::move(with_schedule.schedule);
    }
  }

  /// Runs in orders that are chosen at random, up to the first defect. The output of the last run is told of.
  int sample(interpret::Interpreter& interpreter, const Test* test) {
    Run run;
    std::uint64_t runs = 0, instructions = 0, operations = 0;
    {
      LiveProgress progress("running", context_.common.quiet);
      const std::uint64_t seed = context_.common.seed * 1'000'003;
      while (runs < options_.runs && !run.has_defect() && !context_.budget.exceeded()) {
        progress.set_status(fmt::format("{} of {}", runs + 1, options_.runs));
        order_ =
            interpret::RandomOrder{seed + runs, runs % 2 == 0, std::max<std::uint64_t>(run.result.operations, 100)};
        run = execute(interpreter, test, true);
        ++runs;
        instructions += run.result.instructions;
        operations += run.result.operations;
        if (run.conclusion() == Conclusion::Unknown) break;
      }
    }
    if (runs < options_.runs && run.conclusion() == Conclusion::NoDefect) {
      run.result.end = RunResult::End::OutOfBudget;
      run.result.reason = fmt::format("{} of {} runs made", runs, options_.runs);
    }
    run.assumptions.push_back(fmt::format("{} order{} of threads {} run, chosen at random", runs, runs == 1 ? "" : "s",
                                          runs == 1 ? "was" : "were"));
    return conclude(
        run, interpreter, test,
        {{"runs", runs}, {"instructions", instructions}, {"operations", operations}, {"seconds", seconds_}});
  }

  /// The program's output is ours, unless an object holds it.
  int run_one(interpret::Interpreter& interpreter, const Test* test) {
    const Run run = execute(interpreter, test, context_.common.json);
    return conclude(run, interpreter, test, {{"instructions", run.result.instructions}, {"seconds", seconds_}});
  }

  /// Of a run with threads in a given order that has a defect: what they did to each other. It is made once more.
  std::vector<replay::LaneStep> lanes_of(interpret::Interpreter& interpreter, const Test* test, const Run& run) {
    if (!run.has_defect() || run.result.schedule.empty()) return {};
    Test again = test != nullptr ? *test : Test();
    again.second.schedule = run.result.schedule;
    again.second.inputs = run.result.inputs;
    replay::ThreadMoments moments(program_);
    order_.reset();
    observer_ = [&](const interpret::OperationEvent& event) { moments.take(event); };
    execute(interpreter, &again, true);
    observer_ = nullptr;
    frontend::LoadOptions load = options_.program.load;
    load.marks_unset = !again.second.unset.empty();
    const frontend::TypedProgram typed = frontend::load_typed_program(load, context_.budget);
    std::vector<replay::LaneStep> lanes = replay::lanes_of(program_, typed.types, moments, run.result.inputs);
    if (lanes.empty() || run.result.end != RunResult::End::Fault) return lanes;  // a race ends no run
    const result::Defect failure = described(run).at(run.races.size());
    lanes.push_back(replay::failing_step(moments, failure.place, failure.function));
    return lanes;
  }

  int conclude(const Run& run, interpret::Interpreter& interpreter, const Test* test, nlohmann::ordered_json stats) {
    context_.out.flush();
    const std::vector<replay::LaneStep> lanes = lanes_of(interpreter, test, run);
    const bool is_full = context_.common.verbose > 0;
    if (!context_.common.quiet || run.conclusion() != Conclusion::NoDefect)
      print_to_stderr(lanes_text(lanes, is_full, terminal_width()) + report(run));
    result::Report published = head(run.conclusion());
    if (run.result.end == RunResult::End::Exit) published["exit_code"] = run.result.exit_code;
    published.reason = reason(run);
    published["output"] = output_json(run);
    published["defects"] = defects(run);
    published.assumptions = run.assumptions;
    if (run.has_defect() && !run.result.schedule.empty()) published["schedule"] = result::to_json(run.result.schedule);
    if (!lanes.empty()) published["lanes"] = lanes_json(lanes, is_full);
    published["stats"] = std::move(stats);
    const int code = publish(context_, published);
    if (!context_.common.out.empty())
      write_file(std::filesystem::path(context_.common.out) / "inputs.json",
                 result::to_json(result::TestCase{run.result.inputs, {}, run.result.schedule}));
    return code;
  }

  /// A line a test, and a summary.
  int run_all(interpret::Interpreter& interpreter, const std::vector<Test>& tests) {
    LiveProgress progress("running tests", context_.common.quiet);
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    nlohmann::ordered_json all_defects = nlohmann::ordered_json::array();
    std::map<std::string, std::size_t> assumptions;
    std::map<Conclusion, std::size_t> counts;
    std::vector<Conclusion> parts = {Conclusion::NoDefect};
    std::uint64_t instructions = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      progress.set_status(fmt::format("{} of {}", i + 1, tests.size()));
      const Run run = execute(interpreter, &tests[i], true);
      if (!context_.common.json) progress.around([&] { context_.out << line(run); });
      ++counts[run.conclusion()];
      parts.push_back(run.conclusion());
      instructions += run.result.instructions;
      for (const std::string& assumption : run.assumptions) ++assumptions[assumption];
      nlohmann::ordered_json entry = {{"test", utf8(run.test)}, {"verdict", to_string(run.conclusion())}};
      if (run.result.end == RunResult::End::Exit) entry["exit_code"] = run.result.exit_code;
      if (const std::string why = reason(run); !why.empty()) entry["reason"] = utf8(why);
      entry["output"] = output_json(run);
      results.push_back(std::move(entry));
      for (nlohmann::ordered_json& defect : defects(run)) all_defects.push_back(std::move(defect));
      if (context_.budget.exceeded()) break;
    }
    if (results.size() < tests.size()) {
      ++counts[Conclusion::Unknown];
      parts.push_back(Conclusion::Unknown);
    }
    if (!context_.common.json)
      context_.out << fmt::format("{} of {} tests run: {} without a defect, {} with one, {} unknown\n", results.size(),
                                  tests.size(), counts[Conclusion::NoDefect], counts[Conclusion::Defect],
                                  counts[Conclusion::Unknown]);
    result::Report published = head(result::worst(parts));
    published["results"] = std::move(results);
    published["defects"] = std::move(all_defects);
    for (const auto& [text, count] : assumptions)
      published.assumptions.push_back(fmt::format("{} (in {} of the tests)", text, count));
    published["stats"] = {{"tests", tests.size()}, {"instructions", instructions}, {"seconds", seconds_}};
    return publish(context_, published);
  }

  Run execute(interpret::Interpreter& interpreter, const Test* test, bool keep_output) {
    Run run;
    if (test != nullptr) run.test = test->first.string();
    std::size_t resized = 0;
    interpret::InterpreterOptions options = interpreter_options();
    if (test != nullptr) {
      options.inputs = input_source(test->second, resized);
      options.unset = test->second.unset;
      options.schedule = &test->second.schedule;
    }
    options.random_order = order_;
    options.on_operation = observer_;
    options.finds_races = order_ || (test != nullptr && !test->second.schedule.empty());
    options.on_fault = [&](const program::Fault& fault, std::span<const program::CodePoint> stack) {
      if (fault.kind != program::FaultKind::DataRace) return false;
      run.races.push_back({fault, {stack.begin(), stack.end()}});
      return true;
    };
    static const result::Environment kNone;
    replay::ProgramFiles files(replay::ProgramFiles::Start::Here, test != nullptr ? test->second.environment : kNone);
    options.open_file = [&](const std::string& path, int flags) {
      return options_.files == "real" ? ::open(path.c_str(), flags, 0666) : files.open(path, flags);
    };
    options.output = [&](int descriptor, std::string_view text) {
      if (keep_output) {
        (descriptor == 1 ? run.output : run.error) += text;
      } else {
        pass_on(descriptor, text);
      }
    };
    const auto start = std::chrono::steady_clock::now();
    run.result = interpreter.run(options, context_.budget);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    run.assumptions = run.result.assumptions;
    if (run.result.steps_left > 0 && run.result.end != RunResult::End::Unsupported)
      run.assumptions.push_back(fmt::format("the run ended before the last {} of the {} steps of its schedule",
                                            run.result.steps_left, test->second.schedule.size()));
    if (run.result.inputs_missing > 0)
      run.assumptions.push_back(fmt::format("{} input{} {} taken as 0", run.result.inputs_missing,
                                            run.result.inputs_missing == 1 ? "" : "s",
                                            test == nullptr ? "without a test were" : "beyond the test were"));
    if (resized > 0)
      run.assumptions.push_back(fmt::format("{} input{} of the test had another size than the program asked for",
                                            resized, resized == 1 ? "" : "s"));
    return run;
  }

  interpret::InterpreterOptions interpreter_options() const {
    interpret::InterpreterOptions options;
    options.arguments = {options_.program.load.files.front()};
    options.arguments.insert(options.arguments.end(), options_.arguments.begin(), options_.arguments.end());
    options.undefined = options_.undefined == "nondet"   ? interpret::UndefinedPolicy::Nondet
                        : options_.undefined == "native" ? interpret::UndefinedPolicy::Native
                                                         : interpret::UndefinedPolicy::Fail;
    options.check_alignment = options_.check_alignment;
    options.keep_stacks = true;
    options.check_leaks = !options_.ignore_leaks;
    options.max_instructions = options_.max_instructions;
    if (context_.common.memory) options.max_memory = *context_.common.memory;
    options.standard_input = [this](std::span<std::uint8_t> buffer) {
      context_.out.flush();  // a question should be seen before its answer is awaited
      return read_standard_input(buffer, context_.budget);
    };
    return options;
  }

  static interpret::InputSource input_source(const result::TestCase& test, std::size_t& resized) {
    return [&resized, reader = result::InputReader(test)](
               std::string_view name, std::size_t size) mutable -> std::optional<std::vector<std::uint8_t>> {
      const result::TestInput* input = reader.next(name);
      if (input == nullptr) return std::nullopt;
      // A plain number has no name and no size of its own.
      if (input->bytes.size() != size && !input->name.empty()) ++resized;
      std::vector<std::uint8_t> bytes = input->bytes;
      bytes.resize(size);
      return bytes;
    };
  }

  void pass_on(int descriptor, std::string_view text) const {
    if (descriptor == 1) {
      context_.out << text;
      if (::isatty(1) == 1) context_.out.flush();
    } else {
      context_.out.flush();  // both may go to the same place
      print_to_stderr(text);
    }
  }

  /// For standard error.
  std::string report(const Run& run) {
    std::string text;
    for (const result::Defect& defect : described(run))
      text += fmt::format("plumb: {}", result::to_text_without_input(defect, sources_));
    if (!context_.common.quiet)
      for (const std::string& assumption : run.assumptions) text += fmt::format("plumb: assumption: {}\n", assumption);
    const SourceLocation place =
        run.result.end == RunResult::End::Exit || run.result.end == RunResult::End::Fault || run.result.stack.empty()
            ? SourceLocation{}
            : replay::place_of(program_, run.result.stack.front());
    const std::string where = place.to_string();
    return text + fmt::format("plumb: {}{} after {} instruction{}\n", end_text(run),
                              where.empty() ? "" : fmt::format(" ({})", where), with_commas(run.result.instructions),
                              run.result.instructions == 1 ? "" : "s");
  }

  std::string line(const Run& run) const {
    std::string text = fmt::format("{}: ", run.test);
    text += run.has_defect() ? result::to_line(described(run).front()) : end_text(run);
    if (run.result.inputs_missing > 0) text += fmt::format(" ({} inputs beyond the test)", run.result.inputs_missing);
    return text + "\n";
  }

  std::vector<result::Defect> described(const Run& run) const {
    std::vector<result::Defect> defects;
    for (const Told& race : run.races) defects.push_back(replay::describe_defect(program_, race.fault, race.stack));
    for (const program::Fault& fault : run.result.faults) {
      // The stack at the end is not that of a leak.
      const bool is_leak = fault.kind == program::FaultKind::Leak;
      const std::span<const program::CodePoint> stack(run.result.stack);
      defects.push_back(replay::describe_defect(program_, fault, is_leak ? stack.first(0) : stack));
    }
    return defects;
  }

  result::Report head(Conclusion conclusion) const {
    result::Report report("run", options_.program.load.files);
    report.conclusion = conclusion;
    return report;
  }

  /// Why there is no verdict.
  static std::string reason(const Run& run) {
    return run.conclusion() == Conclusion::Unknown ? end_text(run) : std::string();
  }

  static nlohmann::ordered_json output_json(const Run& run) {
    return {{"stdout", utf8(run.output)}, {"stderr", utf8(run.error)}};
  }

  nlohmann::ordered_json defects(const Run& run) const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const result::Defect& each : described(run)) {
      nlohmann::ordered_json defect = result::to_json(each);
      defect.erase("failing_inputs");  // they are known to whoever gave them
      if (!run.test.empty()) defect["test"] = utf8(run.test);
      list.push_back(std::move(defect));
    }
    return list;
  }

  const Options& options_;
  const Context& context_;
  program::Program program_;
  result::SourceLines sources_;
  double seconds_ = 0;
  std::optional<interpret::RandomOrder> order_;
  std::function<void(const interpret::OperationEvent&)> observer_;
};

}  // namespace

Action add_run_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run a program in the interpreter, with every access checked");
  add_program_options(*command, options->program);
  command->add_option("--input", options->input, "Take inputs from this test, or run all tests of this directory")
      ->type_name("FILE|DIR");
  command
      ->add_option("--schedule", options->schedule,
                   "The order of threads: that of a file, which has the inputs too, or orders chosen at random "
                   "(random), by --seed; with a look for data races")
      ->type_name("FILE|random");
  command->add_option("--runs", options->runs, "With --schedule random: so many, up to the first defect")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, ~std::uint64_t{0}))
      ->capture_default_str();
  command->add_option("--arg", options->arguments, "An argument for the program; may be given many times")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--undefined", options->undefined,
          "At a call of a function without a body or model: fail, take its result as an input (nondet) or call "
          "the one of this machine (native)")
      ->type_name("POLICY")
      ->check(CLI::IsMember({"fail", "nondet", "native"}))
      ->capture_default_str();
  command
      ->add_option("--files", options->files,
                   "A file that the program writes: a copy of its own, gone after the run (copy), or yours (real)")
      ->type_name("POLICY")
      ->check(CLI::IsMember({"copy", "real"}))
      ->capture_default_str();
  add_checks_option(*command, options->program);
  command->add_flag("--alignment", options->check_alignment, "Misaligned accesses are defects, as with --checks");
  command->add_flag("--no-leaks", options->ignore_leaks, "Memory that is never freed is no defect: --checks=-leak");
  command->add_option("--max-instructions", options->max_instructions, "Stop after so many")->type_name("N");
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb run prog.c --arg hello < words.txt\n"
      "  plumb run prog.c --input test.json\n"
      "  plumb run prog.c --checks all\n"
      "  plumb run threads.c --schedule random --runs 1000\n"
      "  plumb run threads.c --schedule counterexample.json\n"
      "The program's output is passed on; with --json it is in the object.\n"
      "Exit code 0 if the program ended by itself, whatever it returned; 10 if it has a defect; 20 if the run could "
      "not\n"
      "be finished: something unsupported, out of budget, a function without a body, an assumption that fails.");
  return [options](const Context& context) {
    return with_error_report(context, "run", options->program.load.files,
                             [&] { return RunCommand(*options, context).run(); });
  };
}

}  // namespace plumb::cli
