#include "result/coverage/llvm_cov.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/log.h"
#include "base/subprocess.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProfdata = "llvm-profdata-19";
constexpr std::string_view kCov = "llvm-cov-19";

std::string run_tool(std::string_view tool, std::vector<std::string> arguments, const Budget& budget) {
  if (!find_program(tool))
    throw UserError(fmt::format("{}, which measures coverage, is not installed", tool),
                    "apt-get install llvm-19 (`plumb doctor` lists all that is missing)");
  arguments.insert(arguments.begin(), std::string(tool));
  log().debug("{}", fmt::join(arguments, " "));
  ProcessResult result = run_process(arguments, {}, budget);
  budget.check();
  if (result.end != ProcessResult::End::Exited || result.code != 0)
    throw UserError(fmt::format("{} failed: {}", tool, result.error.substr(0, 2000)));
  return std::move(result.output);
}

}  // namespace

LlvmCov::LlvmCov(fs::path executable, const fs::path& profile, const fs::path& directory, const Budget& budget)
    : executable_(std::move(executable)), indexed_(directory / "coverage.profdata") {
  run_tool(kProfdata, {"merge", "-sparse", profile.string(), "-o", indexed_.string()}, budget);
}

std::string LlvmCov::exported(const Budget& budget) const {
  return run_tool(
      kCov, {"export", "-format=text", "-skip-expansions", "-instr-profile=" + indexed_.string(), executable_.string()},
      budget);
}

std::string LlvmCov::lcov(const Budget& budget) const {
  return run_tool(kCov, {"export", "-format=lcov", "-instr-profile=" + indexed_.string(), executable_.string()},
                  budget);
}

void LlvmCov::write_pages(const fs::path& directory, const Budget& budget) const {
  run_tool(kCov,
           {"show", "-format=html", "-output-dir=" + directory.string(), "-show-line-counts", "-show-branches=count",
            "-show-mcdc", "-show-mcdc-summary", "-show-branch-summary", "-show-region-summary=false",
            "-show-instantiations=false", "-instr-profile=" + indexed_.string(), executable_.string()},
           budget);
}

}  // namespace plumb::result
