#include "cli/check_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "check/witness.h"
#include "cli/creation_time.h"
#include "result/export/c_file.h"
#include "result/export/sha256.h"

namespace plumb::cli {
namespace {

using result::Verdict;

/// How the harness of a C test expects the run to end.
result::StoredTest stored_test(const CheckedGoal& goal) {
  result::StoredTest test;
  test.number = 1;
  test.test = goal.answer.counterexample->test;
  test.end = "error";
  switch (goal.answer.goal.kind) {
    case program::GoalKind::Assertion:
      test.code = result::kAssertion;
      break;
    case program::GoalKind::Error:
      test.code = result::kErrorReached;
      break;
    case program::GoalKind::Division:
      test.code = result::kDivisionByZero;
      break;
    default:
      // Without checks in the code it may end in any way.
      test.code = result::kMemoryError;
  }
  return test;
}

class FileWriter {
 public:
  FileWriter(CheckReport& report, const CheckFileOptions& options, const Context& context)
      : report_(report), options_(options), directory_(context.common.out), seed_(context.common.seed) {}

  void run() {
    if (directory_.empty() && options_.witness.empty()) return;
    for (CheckedProperty& property : report_.properties) {
      const std::string tag = report_.properties.size() == 1 ? "" : fmt::format("-{}", name(property.specification));
      if (property.formula) {
        write_lasso(property, tag);
        continue;
      }
      if (verdict(property) == Verdict::Holds) write_proof(property, tag);
      for (CheckedGoal& goal : property.goals)
        if (goal.answer.verdict == Verdict::Violated) write_counterexample(property, goal, tag);
    }
  }

 private:
  /// What memory does is part of the run.
  std::string test_text(const result::TestCase& test) const {
    if (report_.memory_model == frontend::MemoryModel::Sequential) return result::to_json(test);
    nlohmann::ordered_json object = nlohmann::ordered_json::parse(result::to_json(test));
    object["memory_model"] = "tso";
    return object.dump(2) + "\n";
  }

  /// A name that was not given out before.
  std::string unused(const std::string& stem) {
    std::string name = stem;
    for (int i = 2; !taken_.insert(name).second; ++i) name = fmt::format("{}-{}", stem, i);
    return name;
  }

  void write_counterexample(const CheckedProperty& property, CheckedGoal& goal, const std::string& tag) {
    const replay::Counterexample& counterexample = *goal.answer.counterexample;
    if (!directory_.empty()) {
      const std::string stem = unused("counterexample" + tag);
      put(goal.files, "counterexample", directory_ / (stem + ".json"), test_text(counterexample.test));
      // A program in C has an order of threads of its own.
      if (options_.load.entry == "main" && counterexample.test.schedule.empty()) {
        const result::StoredTest test = stored_test(goal);
        const result::Export made = result::to_c_file(
            {&test, 1}, {options_.load.files, options_.load.compiler_flags, "main", options_.word_size}, stem + ".c");
        put(goal.files, "test", directory_ / (stem + ".c"), made.files.front().content);
      }
    }
    const std::string stem = unused("witness" + tag);
    const check::WitnessTask task = witness_task(property);
    const std::string text = check::violation_witness(task, counterexample, time(), seed_);
    if (counterexample.lanes.empty()) return write_witness(goal.files, text, stem, ".yml");
    // Which thread does what has no place in YAML.
    const std::string graph = check::concurrent_witness(task, counterexample, time());
    const bool is_graph = std::filesystem::path(options_.witness).extension() == ".graphml";
    if (!directory_.empty())
      put(goal.files, "witness", directory_ / (stem + (is_graph ? ".yml" : ".graphml")), is_graph ? text : graph);
    write_witness(goal.files, is_graph ? graph : text, stem, is_graph ? ".graphml" : ".yml");
  }

  /// Witnesses have no form for runs that go on for ever.
  void write_lasso(CheckedProperty& property, const std::string& tag) {
    if (directory_.empty() || !property.formula->counterexample) return;
    put(property.files, "counterexample", directory_ / (unused("counterexample" + tag) + ".json"),
        check::to_json(*property.formula->counterexample));
  }

  void write_proof(CheckedProperty& property, const std::string& tag) {
    std::vector<check::LoopInvariant> invariants;
    for (const CheckedGoal& goal : property.goals)
      invariants.insert(invariants.end(), goal.answer.invariants.begin(), goal.answer.invariants.end());
    write_witness(property.files, check::correctness_witness(witness_task(property), invariants, time(), seed_),
                  unused("witness" + tag), ".yml");
  }

  /// In the directory, and where --witness says.
  void write_witness(std::vector<result::WrittenFile>& files, const std::string& text, const std::string& stem,
                     const char* extension) {
    if (!directory_.empty()) put(files, "witness", directory_ / (stem + extension), text);
    if (options_.witness.empty()) return;
    std::filesystem::path path = options_.witness;
    if (stem != "witness")
      path.replace_filename(fmt::format("{}{}{}", path.stem().string(), stem.substr(std::string("witness").size()),
                                        path.extension().string()));
    put(files, "witness", path, text);
  }

  check::WitnessTask witness_task(const CheckedProperty& property) const {
    check::WitnessTask task;
    for (const std::string& file : options_.load.files) {
      task.files.push_back(file);
      task.hashes.push_back(result::sha256(read_file(file)));
    }
    task.specification = property.specification.text;
    task.data_model = options_.word_size == 32 ? "ILP32" : "LP64";
    task.version = version();
    return task;
  }

  static std::string time() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(creation_time())); }

  static void put(std::vector<result::WrittenFile>& files, const char* kind, const std::filesystem::path& path,
                  const std::string& text) {
    write_file(path, text);
    files.emplace_back(kind, path.string());
  }

  CheckReport& report_;
  const CheckFileOptions& options_;
  std::filesystem::path directory_;
  std::uint64_t seed_;
  std::set<std::string> taken_;
};

}  // namespace

void write_check_files(CheckReport& report, const CheckFileOptions& options, const Context& context) {
  FileWriter(report, options, context).run();
}

}  // namespace plumb::cli
