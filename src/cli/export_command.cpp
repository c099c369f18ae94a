#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/creation_time.h"
#include "cli/program_options.h"
#include "result/campaign/minimise.h"
#include "result/export/c_file.h"
#include "result/export/corpus.h"
#include "result/export/ktest.h"
#include "result/export/read_run.h"
#include "result/export/sha256.h"
#include "result/export/testcomp.h"
#include "result/export/write_export.h"
#include "result/export/zip.h"
#include "runtime/concolic/protocol.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;
using result::Export;

constexpr std::string_view kZipComment = "a test suite written by plumb export";
constexpr std::string_view kProducer = "plumb";

struct Options {
  std::string directory;
  std::string format;
  bool zip = false;
  bool minimize = false;
  bool errors_only = false;
};

static_assert(int{result::kAssertion} == PLUMB_ERROR_ASSERT && int{result::kErrorReached} == PLUMB_ERROR_REACHED &&
              int{result::kOtherSignal} == PLUMB_ERROR_SIGNAL);

class ExportCommand {
 public:
  ExportCommand(const Options& options, const Context& context, fs::path out)
      : options_(options), context_(context), out_(std::move(out)) {}

  int run() {
    if (options_.zip && options_.format != "testcomp")
      throw UserError(fmt::format("--zip is for test suites, and the format is {}", options_.format),
                      "leave it out, or choose --format testcomp");
    if (options_.format == "c" && out_.extension() != ".c")
      throw UserError(SourceLocation{out_.string()}, "the name of a C file ends in .c", "write --out tests.c");
    run_ = result::read_run_directory(options_.directory);
    const std::size_t found = run_.tests.size();
    choose_tests();
    context_.budget.check();
    const Export made = convert();
    context_.budget.check();
    write(made);
    publish_export(made, found);
    return kDone;
  }

 private:
  void choose_tests() {
    if (options_.errors_only) {
      std::erase_if(run_.tests, [](const result::StoredTest& test) { return !result::is_error(test); });
      if (run_.tests.empty())
        throw UserError(SourceLocation{options_.directory}, "no test of the run ends in an error",
                        "leave out --errors-only");
    }
    if (!options_.minimize) return;
    if (!run_.has_coverage)
      throw UserError(SourceLocation{options_.directory}, "the tests do not say what they cover",
                      "leave out --minimize, or make the tests again: `plumb test` writes a campaign.db");
    const result::MinimisedSuite suite = result::minimise(run_.tests);
    is_minimal_ = suite.is_minimal;
    std::vector<result::StoredTest> kept;
    for (const std::size_t index : suite.kept) kept.push_back(std::move(run_.tests[index]));
    run_.tests = std::move(kept);
  }

  Export convert() const {
    if (options_.format == "testcomp") return result::to_testcomp(run_.tests, run_.program, testcomp_facts());
    if (options_.format == "ktest") return result::to_ktest(run_.tests, run_.program);
    if (options_.format == "c") return result::to_c_file(run_.tests, run_.program, out_.filename().string());
    return result::to_corpus(run_.tests);
  }

  result::TestCompFacts testcomp_facts() const {
    if (run_.program.files.empty())
      throw UserError(
          SourceLocation{options_.directory}, "the run does not say which program its tests are of",
          "a suite for Test-Comp needs it: export the directory that `plumb test` made, with its result.json");
    std::string content;
    for (const std::string& file : run_.program.files) content += read_file(run_.base / file);
    return {.producer = fmt::format("{} {}", kProducer, version()),
            .program_hash = result::sha256(content),
            .creation_time = fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(creation_time())),
            .covers_error_call = options_.errors_only && std::ranges::all_of(run_.tests, result::reaches_error)};
  }

  /// Of the files that are in the way, those that an earlier export wrote.
  result::IsOurs ownership() const {
    if (options_.zip) return [](auto, std::string_view content) { return result::zip_comment(content) == kZipComment; };
    if (options_.format == "c")
      return [](auto, std::string_view content) { return content.starts_with(result::c_file_head()); };
    if (options_.format == "corpus")
      return [](std::string_view name, std::string_view content) { return name == result::corpus_file_name(content); };
    if (options_.format == "ktest")
      return [listing = content_of("tests.txt")](std::string_view name, std::string_view content) {
        return result::lists(listing, name, content);
      };
    const std::string metadata = content_of("metadata.xml");
    const bool is_our_suite = metadata.starts_with(result::testcomp_metadata_head()) &&
                              metadata.find(fmt::format("<producer>{} ", kProducer)) != std::string::npos;
    return [is_our_suite](std::string_view name, std::string_view content) {
      return is_our_suite && (name == "metadata.xml" ||
                              (name.starts_with("testcase-") && content.starts_with(result::testcomp_test_head())));
    };
  }

  std::string content_of(std::string_view name) const {
    std::error_code error;
    return fs::is_regular_file(out_ / name, error) ? read_file(out_ / name) : "";
  }

  void write(const Export& made) const {
    if (options_.zip) {
      result::write_single(out_, result::zip_archive(made.files, creation_time(), kZipComment), ownership());
    } else if (options_.format == "c") {
      result::write_single(out_, made.files.front().content, ownership());
    } else {
      result::write_directory(out_, made.files, ownership());
    }
  }

  void publish_export(const Export& made, std::size_t found) const {
    result::Report report("export", {options_.directory});
    report.conclusion = result::Conclusion::Written;
    report["format"] = options_.format;
    report["tests"] = {{"count", run_.tests.size()}, {"of_run", found}};
    if (options_.minimize) report["tests"]["minimal"] = is_minimal_;
    report.files.emplace_back(options_.format, out_.string());
    for (const std::string& loss : made.losses) report.notes.push_back(fmt::format("not in the files: {}", loss));
    report["stats"] = {{"files", options_.zip ? 1 : made.files.size()}};
    publish(context_, report);
    if (context_.common.json) return;
    context_.out << fmt::format("{} of {} written to {}\n", run_.tests.size(), result::counted_tests(found),
                                out_.string());
    if (options_.minimize && !is_minimal_) context_.out << "note: the suite is small, but perhaps not the smallest\n";
    context_.out << result::remarks_text({}, {}, report.notes);
  }

  const Options& options_;
  const Context& context_;
  fs::path out_;
  result::RunDirectory run_;
  bool is_minimal_ = false;
};

}  // namespace

Action add_export_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("export", "Write the tests of a run in the formats of other tools");
  command->add_option("directory", options->directory, "That `plumb test` wrote to")->type_name("DIR")->required();
  command
      ->add_option("--format", options->format,
                   "testcomp (a suite in XML), ktest (KLEE), c (one C file with a function a test), corpus (raw inputs "
                   "for AFL++ and libFuzzer)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"testcomp", "ktest", "c", "corpus"}))
      ->required();
  command->add_flag("--zip", options->zip, "The suite of Test-Comp as one zip file");
  command->add_flag("--minimize", options->minimize, "Only the fewest tests that keep the coverage, and all errors");
  command->add_flag("--errors-only", options->errors_only, "Only tests that end in an error");
  add_common_options(*command, common);
  command->get_option("--out")
      ->description("The directory to write (for c and --zip: the file); files of an earlier export are replaced")
      ->type_name("PATH")
      ->required();
  command->footer(
      "Examples:\n"
      "  plumb export plumb-out --format testcomp --zip --out suite.zip\n"
      "  plumb export plumb-out --format ktest --out klee-last\n"
      "  plumb export plumb-out --format c --minimize --out tests.c    the comment in it says how to compile it\n"
      "  plumb export plumb-out --format corpus --out seeds && afl-fuzz -i seeds -o found ./program\n"
      "What a format has no words for (variables of the environment, say) is named in a note. Exit code 0.");
  return [options](const Context& given) {
    // --out is where the tests go; result.json would be a file too much there.
    CommonOptions common_options = given.common;
    common_options.out.clear();
    const Context context{common_options, given.budget, given.out, given.winding_up};
    return with_error_report(context, "export", {options->directory},
                             [&] { return ExportCommand(*options, context, given.common.out).run(); });
  };
}

}  // namespace plumb::cli
