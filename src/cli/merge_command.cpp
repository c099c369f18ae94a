// Several campaigns of the same program as one: what each found counts once. Runs and answers are taken over where the
// symbolic environment is the same too, so that the search can go on from all of them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "cli/campaign_options.h"
#include "cli/cli.h"
#include "cli/program_options.h"
#include "cli/test_directory.h"
#include "result/campaign/campaign_store.h"
#include "result/campaign/minimise.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;
using result::CampaignStore;
using result::StoredBranch;
using result::StoredTest;

struct Options {
  std::vector<std::string> directories;
  bool minimise = false;
};

/// All that a campaign has.
struct Campaign {
  result::StoredProgram program;
  std::vector<StoredTest> tests;
  std::vector<result::StoredError> errors;
  std::vector<StoredBranch> branches;
  std::vector<result::StoredRun> runs;
  result::StoredSearch search;
};

Campaign read(const fs::path& directory) {
  const CampaignStore store(directory, CampaignStore::Mode::Read);
  return {store.program(), store.tests(), store.errors(), store.branches(), store.runs(), store.search()};
}

class Merger {
 public:
  explicit Merger(Campaign first) : merged_(std::move(first)) {
    for (const StoredTest& test : merged_.tests) known_.emplace(result::to_json(test.test), test.number);
  }

  void add(const Campaign& other) {
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (const StoredTest& test : other.tests) numbers[test.number] = add(test);
    for (result::StoredError error : other.errors) {
      error.test_number = numbers[error.test_number];
      add(error);
    }
    merge_branches(other);
    add_search(other);
  }

  /// Numbers from 1 on, without gaps.
  Campaign finished() {
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (StoredTest& test : merged_.tests) {
      const std::uint32_t number = static_cast<std::uint32_t>(numbers.size()) + 1;
      numbers[test.number] = number;
      test.number = number;
    }
    for (result::StoredError& error : merged_.errors) error.test_number = numbers[error.test_number];
    std::uint64_t next = 0;
    for (result::StoredRun& run : merged_.runs) run.number = ++next;
    merged_.search.runs = std::max(merged_.search.runs, next);
    // What one of them had finished is known, but not that nothing of the others is left.
    merged_.search.stop.clear();
    return std::move(merged_);
  }

  std::size_t duplicates() const { return duplicates_; }

 private:
  std::uint32_t add(const StoredTest& test) {
    const std::uint32_t next = merged_.tests.empty() ? 1 : merged_.tests.back().number + 1;
    const auto [known, is_new] = known_.emplace(result::to_json(test.test), next);
    if (is_new) {
      merged_.tests.push_back(test);
      merged_.tests.back().number = next;
    } else {
      ++duplicates_;
    }
    return known->second;
  }

  void add(const result::StoredError& error) {
    const auto known = std::ranges::find_if(merged_.errors, [&](const result::StoredError& e) {
      return e.end == error.end && e.code == error.code && e.site == error.site && e.edge == error.edge;
    });
    if (known == merged_.errors.end()) {
      merged_.errors.push_back(error);
      return;
    }
    const std::uint64_t runs = known->runs + error.runs;
    if (result::to_json(error.test).size() < result::to_json(known->test).size()) *known = error;
    known->runs = runs;
  }

  /// What cannot be in one environment may well be in another.
  void merge_branches(const Campaign& other) {
    using State = result::StoredBranch::State;
    const bool is_same = has_same_environment(other);
    const auto state = [&](const result::StoredBranch& branch) {
      return branch.state == State::Infeasible && !is_same ? State::Refuted : branch.state;
    };
    for (std::size_t i = 0; i < std::min(merged_.branches.size(), other.branches.size()); ++i)
      merged_.branches[i].state = std::min(state(merged_.branches[i]), state(other.branches[i]));
  }

  bool has_same_environment(const Campaign& other) const {
    const auto environment = [](const Campaign& of) { return of.program.options.find(kEnvironmentWord); };
    return environment(merged_) != merged_.program.options.end() && environment(other) != other.program.options.end() &&
           environment(merged_)->second == environment(other)->second;
  }

  void add_search(const Campaign& other) {
    result::StoredSearch& search = merged_.search;
    search.seconds += other.search.seconds;
    search.runs += other.search.runs;
    search.sessions += other.search.sessions;
    search.divergences += other.search.divergences;
    search.depth = std::max(search.depth, other.search.depth);
    search.is_incomplete |= other.search.is_incomplete;
    search.has_switched |= other.search.has_switched || search.modes != other.search.modes;
    if (!has_same_environment(other) || merged_.runs.empty() || other.runs.empty()) {
      merged_.runs.clear();
      search.refuted.clear();
      search.run_ones.clear();
      search.settled.clear();
      return;
    }
    merged_.runs.insert(merged_.runs.end(), other.runs.begin(), other.runs.end());
    const auto join = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    join(search.refuted, other.search.refuted);
    join(search.run_ones, other.search.run_ones);
    join(search.settled, other.search.settled);
  }

  Campaign merged_;
  std::map<std::string, std::uint32_t> known_;  ///< numbers of tests, by their text
  std::size_t duplicates_ = 0;
};

class MergeCommand {
 public:
  MergeCommand(const Options& options, const Context& context)
      : options_(options), context_(context), out_(context.common.out) {}

  int run() {
    check_out();
    TestDirectory files(out_);
    Campaign first = read(options_.directories.front());
    const result::StoredProgram program = first.program;
    Merger merger(std::move(first));
    for (std::size_t i = 1; i < options_.directories.size(); ++i) {
      context_.budget.check();
      const Campaign other = read(options_.directories[i]);
      if (other.program.fingerprint != program.fingerprint)
        throw UserError(
            SourceLocation{options_.directories[i]},
            fmt::format("this campaign is of another program than that in {}", options_.directories.front()),
            "only campaigns of the same code, built with the same options, can be merged");
      merger.add(other);
    }
    Campaign merged = merger.finished();
    const std::size_t all = merged.tests.size();
    std::optional<bool> is_minimal;
    if (options_.minimise) is_minimal = minimise(merged);
    write(files, merged);
    publish_merge(merged, all, merger.duplicates(), is_minimal);
    return kDone;
  }

 private:
  void check_out() const {
    if (context_.common.out.empty()) throw UserError("merge needs a directory for its result", "give --out DIR");
    std::error_code error;
    for (const std::string& directory : options_.directories)
      if (fs::equivalent(directory, out_, error) && !error)
        throw UserError(SourceLocation{directory}, "a campaign cannot be merged into itself",
                        "name another directory with --out");
  }

  static bool minimise(Campaign& merged) {
    const result::MinimisedSuite suite = result::minimise(merged.tests);
    std::vector<StoredTest> kept;
    for (const std::size_t i : suite.kept) kept.push_back(std::move(merged.tests[i]));
    merged.tests = std::move(kept);
    return suite.is_minimal;
  }

  void write(TestDirectory& files, const Campaign& merged) const {
    std::error_code error;
    fs::create_directories(out_, error);
    if (error)
      throw UserError(SourceLocation{out_.string()}, fmt::format("cannot make the directory: {}", error.message()),
                      "name another directory with --out");
    CampaignStore store(out_, CampaignStore::Mode::Create, [&] { files.prepare(); });
    store.set_program(merged.program);
    for (const result::StoredRun& run : merged.runs) store.add_run(run);
    for (const std::uint64_t key : merged.search.refuted) store.add_refuted(key);
    for (const std::uint64_t key : merged.search.run_ones) store.add_run_one(key);
    for (const std::uint64_t target : merged.search.settled) store.add_settled(target);
    store.set_search(merged.search);
    store.set_branches(merged.branches);
    for (const result::StoredError& e : merged.errors) store.set_error(e);
    store.commit();
    for (const StoredTest& test : merged.tests) store.add_test(test);
    BranchTable branches;
    for (const StoredBranch& branch : merged.branches) branches.emplace(branch.edge, branch);
    files.restore(merged.tests, found_errors(merged.errors), branches);
  }

  void publish_merge(const Campaign& merged, std::size_t all, std::size_t duplicates,
                     std::optional<bool> is_minimal) const {
    const auto covered = std::ranges::count(merged.branches, StoredBranch::State::Covered, &StoredBranch::state);
    result::Report report("merge", options_.directories);
    report.conclusion = result::Conclusion::Written;
    report["tests"] = {{"count", merged.tests.size()},
                       {"directory", utf8((out_ / "tests").string())},
                       {"duplicates", duplicates},
                       {"errors", merged.errors.size()}};
    if (is_minimal) {
      report["tests"]["before_minimising"] = all;
      report["tests"]["minimal"] = *is_minimal;
    }
    report["coverage"] = {{"branches", {{"covered", covered}, {"total", merged.branches.size()}}}};
    if (!context_.common.json) {
      context_.out << fmt::format("{} of {} branches covered by {} tests of {} campaigns, in {}\n", covered,
                                  merged.branches.size(), merged.tests.size(), options_.directories.size(),
                                  (out_ / "tests").string());
      if (duplicates > 0) context_.out << fmt::format("{} tests were there more than once\n", duplicates);
      if (is_minimal)
        context_.out << fmt::format("of {} tests, {} are kept: {}\n", all, merged.tests.size(),
                                    *is_minimal ? "no fewer have this coverage" : "fewer may have this coverage");
    }
    publish(context_, report);
  }

  const Options& options_;
  const Context& context_;
  fs::path out_;
};

}  // namespace

Action add_merge_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("merge", "Make one campaign of several of the same program");
  command->add_option("DIR", options->directories, "Directories of plumb test --out")->required();
  command->add_flag("--minimize", options->minimise, "Keep the fewest tests that have the same coverage");
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb merge monday tuesday --out week\n"
      "  plumb merge with-args with-files --out suite --minimize\n"
      "Each test is kept once, in the order of the directories, with new numbers. A branch has the best state that "
      "one\n"
      "of the campaigns knows: covered, infeasible, refuted, timed-out, open, not-reached. The result can be gone on\n"
      "with: plumb test --resume --out week.");
  return [options](const Context& context) {
    return with_error_report(context, "merge", options->directories,
                             [&] { return MergeCommand(*options, context).run(); });
  };
}

}  // namespace plumb::cli
