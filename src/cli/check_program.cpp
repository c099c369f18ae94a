#include "cli/check_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/parallel/share.h"
#include "base/parallel/threads.h"
#include "check/check.h"
#include "check/engine.h"
#include "cli/check_files.h"
#include "cli/check_jobs.h"
#include "cli/check_ltl.h"
#include "cli/check_report.h"
#include "cli/cli.h"
#include "cli/compiler_gaps.h"
#include "cli/live_progress.h"
#include "cli/prove_files.h"
#include "cli/prove_program.h"
#include "frontend/compilations.h"
#include "frontend/toolchain/carried_code.h"
#include "paths/paths.h"
#include "program/printer.h"
#include "replay/confirmer.h"
#include "replay/describe_defect.h"
#include "replay/external_variables.h"
#include "replay/violated_goals.h"
#include "semantics/gaps.h"

namespace plumb::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 12> kSuffixes = {".c",  ".i",  ".cpp", ".cc",   ".cxx", ".C",
                                                        ".ii", ".bc", ".ll",  ".json", ".yml", ".yaml"};
/// Of the machine's memory, where --memory says nothing: an unrolling without a bound takes whatever there is.
constexpr double kMemoryPart = 0.75;

std::string suffix_of(const std::string& file) { return std::filesystem::path(file).extension().string(); }

bool is_c(const std::string& file) { return suffix_of(file) == ".c" || suffix_of(file) == ".i"; }

/// The words of C, without comments and literals.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t length = 1;
    if (rest.starts_with("//")) {
      length = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      length = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
    } else if (rest[0] == '"' || rest[0] == '\'') {
      while (length < rest.size() && rest[length] != rest[0]) length += rest[length] == '\\' ? 2 : 1;
      length = std::min(length + 1, rest.size());
    } else if (is_word(rest[0])) {
      while (length < rest.size() && is_word(rest[length])) ++length;
      words.push_back(rest.substr(0, length));
    } else if (rest[0] == '(' || rest[0] == ':') {
      words.push_back(rest.substr(0, 1));
    }
    at += length;
  }
  return words;
}

/// Whether the source has an assertion: the compiler leaves out what is true and what nothing leads to.
bool mentions_assertion(const std::string& file) {
  if (!is_c(file)) return false;
  constexpr std::array<std::string_view, 6> kCalls = {"assert",        "reach_error",      "__VERIFIER_error",
                                                      "__assert_fail", "__CPROVER_assert", "__ESBMC_assert"};
  const std::string text = read_file(file);
  const std::vector<std::string_view> words = words_of(text);
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if ((words[i + 1] == "(" && std::ranges::count(kCalls, words[i]) > 0) ||
        (words[i] == "ERROR" && words[i + 1] == ":"))
      return true;
  return false;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::uint64_t default_memory() {
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
  return static_cast<std::uint64_t>(pages * static_cast<double>(sysconf(_SC_PAGESIZE)) * kMemoryPart);
}

/// Options that make no sense for programs.
void refuse_options(const ProvingOptions& proving, const CommonOptions& common) {
  const auto refuse = [](bool is_given, std::string_view option, const std::string& hint) {
    if (is_given) throw UserError(fmt::format("{} is for systems, and this is a program", option), hint);
  };
  refuse(!proving.script.empty(), "--script", "--engine chooses the engine");
  refuse(!proving.certificate.empty(), "--certificate", "--out DIR writes a correctness witness");
  refuse(!proving.check_certificate.empty(), "--check-certificate", "");
  refuse(!proving.vcd.empty(), "--vcd", "the trace is printed; --full-trace shows all of it");
  refuse(proving.bound.has_value(), "--bound", "--unwind K bounds the unrolling");
  if (!proving.show.empty() && common.json) throw UserError("--show prints text, not an object", "leave out --json");
}

/// So many times as much time as before is worth another try.
constexpr double kWorthwhile = 1.25;
/// Who had this part of the time without an answer may have one with more: engines keep some for confirming.
constexpr double kMostOfTime = 0.7;

class ProgramChecker {
 public:
  ProgramChecker(const ProgramOptions& program, const CheckProgramOptions& options, const ProvingOptions& proving,
                 const Context& context)
      : program_(program), options_(options), proving_(proving), context_(context), budget_(context.budget) {
    if (!context.common.memory) budget_ = budget_.with_memory_limit(default_memory());
  }

  int run() {
    const auto start = Clock::now();
    refuse_options(proving_, context_.common);
    std::vector<std::string> told_later;
    check::engines().resolve(proving_.engines, told_later);  // what is wrong with them is said before anything runs
    plan_ = plan_check(program_.load.files, proving_.properties);
    plan_formulas();
    prepare_out(context_);
    CheckReport report;
    report.inputs = program_.load.files;
    report.notes = plan_.notes;
    report.is_every_goal = options_.is_every_goal;
    report.is_replay = !proving_.replay.empty();
    report.memory_model = options_.memory_model;
    if (!run_jobs(report)) return kDone;
    report.seconds = seconds_since(start);
    frontend::LoadOptions given = load_options(program_);
    given.files = plan_.files;
    write_check_files(report, {given, word_size_, proving_.witness}, context_);
    if (!context_.common.json) {
      context_.out << to_text(report, {proving_.full_trace, context_.common.verbose > 0});
      context_.out.flush();
    }
    return publish(context_, to_report(report, proving_.full_trace));
  }

 private:
  /// Formulas are properties like others; alone they are all that is asked.
  void plan_formulas() {
    if (options_.is_fair && options_.formulas.empty())
      throw UserError("--fairness is about formulas", "it goes with --ltl FORMULA");
    if (options_.formulas.empty()) return;
    if (!proving_.replay.empty())
      throw UserError("--replay is not for formulas", "plumb run --schedule FILE makes the run of a counterexample");
    if (!plan_.is_asked) plan_.jobs.clear();
    for (const std::string& formula : options_.formulas) {
      check::Specification specification{check::Specification::Kind::Ltl, formula};
      specification.is_fair = options_.is_fair;
      plan_.jobs.push_back({specification});
    }
  }

  bool has_store_buffers() const { return options_.memory_model == frontend::MemoryModel::Tso; }

  /// Accesses are made elsewhere than they stand then.
  void refuse_with_store_buffers(const check::Specification& specification) const {
    using Kind = check::Specification::Kind;
    constexpr std::array kRefused = {Kind::DataRace, Kind::MemorySafety, Kind::Checks, Kind::Ltl, Kind::Termination};
    if (has_store_buffers() && std::ranges::find(kRefused, specification.kind) != kRefused.end())
      throw UserError(fmt::format("--memory-model tso is not for {}", name(specification)),
                      "it is for assertions, deadlock and overflow");
  }

  /// The buffers are a file of the program, and the explorer looks at them in all orders.
  void add_store_buffers(check::Settings& settings, CheckReport& report) const {
    const std::filesystem::path file = std::filesystem::absolute(settings.directory) / "store_buffers.c";
    write_file(file, frontend::store_buffer_source());
    settings.load.files.push_back(file.string());
    if (settings.engines.empty() || settings.engines == std::vector<std::string>{"auto"})
      settings.engines = {"explore"};
    add_new(
        report.assumptions,
        {fmt::format("memory has total store order, with up to {} stores in a buffer; a call of a function without a "
                     "body lets no store pass",
                     frontend::kBufferedStores)});
  }

  frontend::LoadOptions load_for(const check::Specification& specification) const {
    frontend::LoadOptions load = load_options(program_);
    load.files = plan_.files;
    if (plan_.word_size && !load.word_size) load.word_size = plan_.word_size;
    if (std::ranges::all_of(load.files, is_c)) load.error_labels = {"ERROR"};
    check::prepare(load, specification);
    return load;
  }

  /// Each with an equal share of the time. What some leave over goes to those that ran out of theirs, as long as it is
  /// more than they had. False as of run_job().
  bool run_jobs(CheckReport& report) {
    std::vector<CheckReport> parts(plan_.jobs.size());
    std::vector<double> given(plan_.jobs.size());
    std::vector<std::size_t> open(plan_.jobs.size());
    std::iota(open.begin(), open.end(), 0);
    while (!open.empty()) {
      for (std::size_t k = 0; k < open.size(); ++k) {
        const Budget share = parallel::share_of(budget_, open.size() - k);
        given[open[k]] = share.time_left().value_or(std::chrono::duration<double>(0)).count();
        CheckReport part;
        if (!run_job(plan_.jobs[open[k]], share, part)) return false;
        CheckReport& known = parts[open[k]];
        // A bound that was reached is worth more than nothing.
        const bool is_worse = !known.properties.empty() &&
                              verdict(part.properties.front()) == result::Verdict::Unknown &&
                              verdict(known.properties.front()) != result::Verdict::Unknown;
        if (!is_worse) known = std::move(part);
      }
      const auto left = budget_.time_left();
      std::erase_if(open, [&](std::size_t i) { return !left || !ran_out(parts[i].properties.front(), given[i]); });
      const double next = open.empty() || !left ? 0 : left->count() / static_cast<double>(open.size());
      std::erase_if(open, [&](std::size_t i) { return next < given[i] * kWorthwhile; });
    }
    for (CheckReport& part : parts) {
      report.properties.push_back(std::move(part.properties.front()));
      result::add_gaps(report.gaps, part.gaps);
      add_new(report.assumptions, part.assumptions);
      add_new(report.notes, part.notes);
      if (part.explored) report.explored = part.explored;
      if (part.searched) report.searched = part.searched;
    }
    return true;
  }

  static bool ran_out(const CheckedProperty& property, double given) {
    return !is_final(verdict(property)) && property.seconds > given * kMostOfTime;
  }

  /// False if the job was to show something, which is done.
  bool run_job(const CheckJob& job, const Budget& budget, CheckReport& report) {
    const auto start = Clock::now();
    if (job.specification.kind == check::Specification::Kind::Unsupported) {
      report.properties.push_back({.specification = job.specification, .reason = job.specification.refusal});
      return true;
    }
    refuse_with_store_buffers(job.specification);
    const TemporaryDirectory work;
    check::Settings settings;
    settings.load = load_for(job.specification);
    settings.load.compilations = compilations_;
    settings.engines = proving_.engines;
    settings.flatten.heap_objects = options_.heap_objects;
    settings.flatten.heap_object_size = options_.heap_object_size;
    settings.flatten.stack_depth = options_.stack_depth;
    settings.prove.abc.program = proving_.abc;
    settings.prove.reduction = proving_.reduction;
    settings.prove.seed = context_.common.seed;
    settings.prove.trust_abc = proving_.trust_abc;
    settings.unwind = options_.unwind;
    settings.contexts = options_.contexts;
    settings.exploration = options_.exploration;
    settings.paths = options_.paths;
    settings.is_every_goal = options_.is_every_goal;
    settings.accepts_gaps = options_.accepts_gaps;
    settings.wants_invariants = context_.common.json || context_.common.verbose > 0 || !context_.common.out.empty() ||
                                !proving_.witness.empty();
    settings.seed = context_.common.seed;
    settings.directory = work.path();
    if (job.specification.kind == check::Specification::Kind::Ltl) {
      const LiveProgress progress("checking " + plan_.files.front(), context_.common.quiet);
      check_formula(job.specification, settings, budget, report);
      report.properties.back().seconds = seconds_since(start);
      return true;
    }
    if (has_store_buffers()) add_store_buffers(settings, report);
    program::Program program = load(settings.load);
    settings.gaps = compiler_gaps(*compilations_, job.specification.checks, budget_);
    define_variables(program, settings);
    word_size_ = program.layout.pointer_width;
    const std::vector<program::Goal> goals = check::find_goals(program, job.specification);
    if (!proving_.show.empty()) {
      show(program, goals, settings);
      return false;
    }
    if (!options_.paths_out.empty()) write_paths(program, goals, report);
    CheckedProperty property{job.specification, job.expected, job.subproperty};
    if (goals.empty()) say_what_no_goals_mean(program, settings.gaps, property, report);
    note_what_is_left_out(program, job.specification, report);
    check::Outcome answers =
        proving_.replay.empty() ? search(program, goals, settings, budget) : replay(program, goals, settings, budget);
    for (check::GoalResult& answer : answers.answers) property.goals.push_back(in_words(program, std::move(answer)));
    for (const program::Goal& premise : answers.premises) property.premises.push_back(in_words(program, {{}, premise}));
    result::add_gaps(report.gaps, answers.gaps);
    add_new(report.assumptions, answers.assumptions);
    add_new(report.notes, answers.notes);
    if (answers.explored) report.explored = answers.explored;
    if (answers.searched) report.searched = answers.searched;
    property.seconds = seconds_since(start);
    report.properties.push_back(std::move(property));
    return true;
  }

  /// A replay shows what one run does, and proves nothing. That no error call is reached holds where there is none; who
  /// asks for assertions expects some.
  void say_what_no_goals_mean(const program::Program& program, const std::vector<result::Gap>& of_compiler,
                              CheckedProperty& property, CheckReport& report) const {
    if (!proving_.replay.empty()) {
      property.reason = fmt::format("{}: there is nothing in the program that this run could violate", proving_.replay);
      return;
    }
    result::Verdict found = result::Verdict::Holds;
    std::string reason = "the program has nothing that could violate it";
    if (property.specification.has_assertions) {
      found = result::Verdict::Vacuous;
      reason = std::ranges::any_of(plan_.files, mentions_assertion)
                   ? "the compiler left out all assertions: none can fail, or no run comes to one"
                   : "there is no assertion: write assert(…), call reach_error() or set a label ERROR where a run can "
                     "come to, or choose --property memsafety or undefined";
    }
    const bool is_memory_asked = property.specification.kind == check::Specification::Kind::MemorySafety;
    std::vector<result::Gap> gaps = semantics::find_gaps(program, is_memory_asked);
    result::add_gaps(gaps, of_compiler);
    result::add_gaps(report.gaps, gaps);
    const result::Absence absence = result::claim_absence(found, reason, gaps, options_.accepts_gaps);
    property.without_goals = absence.verdict;
    property.reason = absence.reason;
  }

  /// A property file that asks for calls of reach_error() does not ask for assertions; that may surprise.
  static void note_what_is_left_out(const program::Program& program, const check::Specification& specification,
                                    CheckReport& report) {
    if (specification.kind != check::Specification::Kind::Assertions || specification.has_assertions) return;
    const std::size_t all = check::find_goals(program, check::assertions()).size();
    if (all > check::find_goals(program, specification).size())
      add_new(report.notes, {"assert() is not part of this property file's property (--property assertions)"});
  }

  program::Program load(const frontend::LoadOptions& load) const {
    const LiveProgress progress("reading " + load.files.front(), context_.common.quiet);
    return frontend::load_program(load, budget_);
  }

  /// Adds a file with the variables that nobody defines, where all of the program is here.
  void define_variables(program::Program& program, check::Settings& settings) const {
    const auto is_native = [](const std::string& file) { return frontend::is_native(file); };
    const auto is_cxx = [](const std::string& flag) {
      return flag.starts_with("-std=") && flag.find("++") != flag.npos;
    };
    const frontend::LoadOptions& given = settings.load;
    if (std::ranges::any_of(given.files, is_native) || std::ranges::any_of(given.compiler_flags, is_cxx)) return;
    const std::string text = replay::define_external_variables(program);
    if (text.empty()) return;
    const std::filesystem::path file = std::filesystem::absolute(settings.directory) / "variables.c";
    write_file(file, text);
    settings.load.files.push_back(file.string());
    if (!settings.load.word_size) settings.load.word_size = program.layout.pointer_width;
    program = load(settings.load);
  }

  check::Outcome search(const program::Program& program, const std::vector<program::Goal>& goals,
                        check::Settings settings, const Budget& budget) const {
    if (goals.empty()) return {};
    LiveProgress progress("checking " + plan_.files.front(), context_.common.quiet);
    std::atomic<std::size_t> decided = 0;
    const auto status = [&] { return fmt::format("{} of {} goals decided", decided.load(), goals.size()); };
    progress.set_status(status());
    settings.exploration.on_progress = [&](const explore::Statistics& so_far) {
      progress.set_status(
          fmt::format("{}; {} states, {} open, depth {}", status(), so_far.states, so_far.frontier, so_far.depth));
    };
    return check::check(program, goals, settings, budget, [&](const check::GoalResult&) {
      ++decided;
      progress.set_status(status());
    });
  }

  /// The answers are the goals that the saved run violates; one that says so if it violates none.
  check::Outcome replay(const program::Program& program, const std::vector<program::Goal>& goals,
                        const check::Settings& settings, const Budget& budget) const {
    const LiveProgress progress("replaying " + proving_.replay, context_.common.quiet);
    const result::TestCase test = result::read_test_case(proving_.replay);
    interpret::Interpreter interpreter(program);
    const replay::TestRun run = replay::run_test(interpreter, goals, test, budget);
    replay::Builds builds(program, settings.load, settings.directory);
    replay::Confirmer confirmer(builds);
    check::Outcome report;
    for (const std::size_t goal : run.violated) {
      check::GoalResult answer{{}, goals[goal]};
      replay::Confirmation confirmation = confirmer.confirm(goals[goal], test, budget);
      if (confirmation.counterexample) answer.verdict = result::Verdict::Violated;
      answer.counterexample = std::move(confirmation.counterexample);
      answer.reason = std::move(confirmation.reason);
      report.answers.push_back(std::move(answer));
    }
    if (run.violated.empty() && !goals.empty()) {
      check::GoalResult answer{{}, goals.front()};
      answer.reason = fmt::format("{}: this run violates nothing of it", proving_.replay);
      report.answers.push_back(std::move(answer));
    }
    return report;
  }

  void show(const program::Program& program, const std::vector<program::Goal>& goals,
            const check::Settings& settings) const {
    if (proving_.show == "program") {
      program::print(context_.out, program);
      return;
    }
    if (proving_.show == "dsa" || (proving_.show == "graph" && options_.is_dot)) {
      const paths::GraphForm form = proving_.show == "dsa" ? paths::GraphForm::Text : paths::GraphForm::Dot;
      paths::show_graphs(context_.out, program, goals, options_.unwind.value_or(1), form, budget_);
      return;
    }
    const flatten::Flattened flat = flatten::flatten(program, goals, settings.flatten, budget_);
    if (proving_.show == "graph") {
      context_.out << graph_text(flat.graph);
      return;
    }
    context_.out << system_text(system::encode(flat.graph, {}, budget_).system, proving_.show, budget_);
  }

  /// A test per feasible path to where a goal is decided.
  void write_paths(const program::Program& program, const std::vector<program::Goal>& goals, CheckReport& report) {
    std::filesystem::create_directories(options_.paths_out);
    const auto write = [&](std::size_t /*goal*/, const result::TestCase& test) {
      write_file(std::filesystem::path(options_.paths_out) / fmt::format("path{:06}.json", ++paths_written_),
                 result::to_json(test));
    };
    paths::find_paths(program, goals, options_.unwind.value_or(1), budget_, write);
    add_new(report.notes, {fmt::format("{} tests in {}, one per feasible path", paths_written_, options_.paths_out)});
  }

  static CheckedGoal in_words(const program::Program& program, check::GoalResult answer) {
    CheckedGoal goal;
    goal.text = program::describe(program, answer.goal);
    goal.place = replay::place_of(program, answer.goal.at);
    goal.function = program.functions[answer.goal.at.function].name;
    goal.answer = std::move(answer);
    return goal;
  }

  static void add_new(std::vector<std::string>& to, const std::vector<std::string>& from) {
    for (const std::string& each : from)
      if (std::ranges::count(to, each) == 0) to.push_back(each);
  }

  const ProgramOptions& program_;
  const CheckProgramOptions& options_;
  const ProvingOptions& proving_;
  const Context& context_;
  Budget budget_;
  CheckPlan plan_;
  std::uint32_t word_size_ = 64;  ///< of the program
  std::size_t paths_written_ = 0;
  std::shared_ptr<frontend::Compilations> compilations_ = std::make_shared<frontend::Compilations>();
};

}  // namespace

void add_check_program_options(CLI::App& app, CheckProgramOptions& options) {
  app.add_option("--unwind", options.unwind,
                 "How often the engines bmc and paths enter a loop again; without it 1, 2, 4, … until the time is over")
      ->type_name("K");
  const std::map<std::string, paths::Strategy> strategies = {
      {"dpvs", paths::Strategy::Dpvs}, {"cpbpv", paths::Strategy::Cpbpv}, {"both", paths::Strategy::Both}};
  app.add_option(
         "--strategy", options.paths.strategy,
         "From where the paths engine chooses: dpvs (the property, backwards), cpbpv (the start), both (by turns)")
      ->transform(CLI::CheckedTransformer(strategies, CLI::ignore_case).description(""))
      ->type_name("dpvs|cpbpv|both")
      ->default_str("both");
  app.add_option_function<std::vector<std::string>>(
         "--store",
         [&options](const std::vector<std::string>& stores) {
           const auto has = [&](const char* store) { return std::ranges::count(stores, store) > 0; };
           options.paths.stores = {.orders = has("orders"), .linear = has("linear")};
         },
         "Constraint stores of the paths engine, separated by commas: orders, linear; intervals and bits are always "
         "used")
      ->delimiter(',')
      ->check(CLI::IsMember({"intervals", "orders", "linear", "bits"}))
      ->type_name("LIST")
      ->default_str("intervals,orders,bits");
  const std::map<std::string, paths::QueueOrder> queues = {{"first", paths::QueueOrder::First},
                                                           {"latest", paths::QueueOrder::Latest},
                                                           {"fewest", paths::QueueOrder::FewestDefinitions}};
  app.add_option(
         "--plain", options.paths.as_printed,
         "The paths engine runs DPVS as it was published, and takes variables from its queue in this order: first "
         "in, latest in the program, fewest definitions")
      ->transform(CLI::CheckedTransformer(queues, CLI::ignore_case).description(""))
      ->type_name("first|latest|fewest");
  app.add_option("--paths-out", options.paths_out,
                 "Write a test for each feasible path to a property here, up to --unwind K (1)")
      ->type_name("DIR");
  app.add_flag("--dot", options.is_dot, "--show graph: the annotated graph of the paths engine, for Graphviz");
  app.add_option("--contexts", options.contexts,
                 "How often the contexts engine lets each thread go on; without it 2, 3, 4, … until the time is over")
      ->type_name("K")
      ->check(CLI::Range(1, 1 << 16));
  const std::map<std::string, explore::Reduction> reductions = {
      {"none", explore::Reduction::None}, {"tau", explore::Reduction::Tau}, {"dpor", explore::Reduction::Dpor}};
  app.add_option("--reduction", options.exploration.reduction,
                 "Which steps of threads the explorer tells apart: none (each access to memory), tau (those that other "
                 "threads can see), dpor (but those to memory that threads keep apart)")
      ->transform(CLI::CheckedTransformer(reductions, CLI::ignore_case).description(""))
      ->type_name("none|tau|dpor")
      ->default_str("dpor");
  const std::map<std::string, explore::Algorithm> algorithms = {{"reachability", explore::Algorithm::Reachability},
                                                                {"execution", explore::Algorithm::Execution},
                                                                {"limited", explore::Algorithm::Limited}};
  app.add_option("--algorithm", options.exploration.algorithm,
                 "When the explorer takes a state with inputs for known: reachability (another one contains it), "
                 "execution (never), limited (that is seen without quantifiers)")
      ->transform(CLI::CheckedTransformer(algorithms, CLI::ignore_case).description(""))
      ->type_name("reachability|execution|limited")
      ->default_str("limited");
  const std::map<std::string, explore::Order> orders = {{"breadth", explore::Order::Breadth},
                                                        {"depth", explore::Order::Depth}};
  app.add_option("--order", options.exploration.order,
                 "How the explorer searches: breadth (shortest counterexamples), depth")
      ->transform(CLI::CheckedTransformer(orders, CLI::ignore_case).description(""))
      ->type_name("breadth|depth")
      ->default_str("breadth");
  const std::map<std::string, frontend::MemoryModel> models = {{"sc", frontend::MemoryModel::Sequential},
                                                               {"tso", frontend::MemoryModel::Tso}};
  app.add_option("--memory-model", options.memory_model,
                 "In which order threads see each other's stores: sc (sequential consistency), tso (each thread has a "
                 "store buffer, as on x86)")
      ->transform(CLI::CheckedTransformer(models, CLI::ignore_case).description(""))
      ->type_name("sc|tso")
      ->default_str("sc");
  app.add_option(
         "--ltl", options.formulas,
         "A formula of linear temporal logic that all runs should fulfil, such as 'G (request -> F served == 1)': "
         "G F U R W, ! && || -> <->, expressions of C over globals, at(FUNCTION:LABEL). May be given many times")
      ->type_name("FORMULA")
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--fairness", [&options](const std::string& word) { options.is_fair = word == "weak"; },
         "Which runs --ltl is about: none (all), weak (those in which each thread that can always go on does so again "
         "and again)")
      ->check(CLI::IsMember({"none", "weak"}))
      ->type_name("none|weak")
      ->default_str("none");
  app.add_option("--max-states", options.exploration.max_states, "States after which the explorer stops")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32));
  app.add_option_function<unsigned>(
         "--jobs", [&options](unsigned jobs) { options.exploration.jobs = parallel::thread_count(jobs); },
         "Searches that the explorer makes side by side, in different orders; 0: one per core")
      ->type_name("N")
      ->check(CLI::Range(0U, 64U))
      ->default_str("1");
  app.add_option("--merge-after", options.exploration.merges_after,
                 "When the explorer merges states that differ in values on which nothing depends")
      ->type_name("STEPS")
      ->capture_default_str();
  app.add_option("--heap", options.heap_objects, "Heap objects that the circuit has place for in a run")
      ->type_name("N")
      ->check(CLI::Range(0, 1 << 16))
      ->capture_default_str();
  app.add_option("--heap-object", options.heap_object_size,
                 "Bytes of a heap object of the circuit whose size is not known in advance")
      ->type_name("BYTES")
      ->check(CLI::Range(1, 1 << 24))
      ->capture_default_str();
  app.add_option("--stack", options.stack_depth, "Open calls of recursive functions that the circuit has place for")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 16))
      ->capture_default_str();
  app.add_flag("--accept-gaps", options.accepts_gaps,
               "Say `holds` although something is not followed exactly: `holds, except behind: …`");
  app.add_flag("--all", options.is_every_goal,
               "Do not stop at the first violation, but check every assertion, and print a table");
}

bool names_program(const std::string& file) {
  if (std::ranges::find(kSuffixes, suffix_of(file)) != kSuffixes.end()) return true;
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && frontend::is_native(file);
}

int check_program(const ProgramOptions& program, const CheckProgramOptions& options, const ProvingOptions& proving,
                  const Context& context) {
  return ProgramChecker(program, options, proving, context).run();
}

}  // namespace plumb::cli
