#include "frontend/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/parallel/loop.h"
#include "base/subprocess.h"
#include "frontend/models.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClang = "clang-19";
constexpr unsigned kProcesses = 2;
/// Clang maps far more than it uses, so a tighter limit on its address space would stop compilations that are small.
constexpr std::uint64_t kLeastMemory = std::uint64_t{2} << 30;

/// The place of the first error in clang's diagnostics: `file:line:column: error: …`.
SourceLocation first_error(std::string_view diagnostics) {
  for (const std::string_view word : {": fatal error: ", ": error: "}) {
    const std::size_t at = diagnostics.find(word);
    if (at == std::string_view::npos) continue;
    const std::size_t line_start = diagnostics.rfind('\n', at) + 1;  // npos + 1 is 0
    if (auto place = parse_place(diagnostics.substr(line_start, at - line_start))) return *std::move(place);
  }
  return {};
}

/// What clang says.
struct Diagnostics {
  std::string failure;  ///< empty if it made bitcode
  std::string warnings;
};

Diagnostics run_clang(const CompileJob& job, const std::vector<std::string>& command, const Budget& budget) {
  ProcessLimits limits;
  if (const auto memory = budget.memory_limit()) limits.memory = std::max(*memory, kLeastMemory);
  log().debug("{}", fmt::join(command, " "));
  const ProcessResult result = run_process(command, {}, budget, limits, job.directory);
  if (result.end == ProcessResult::End::TimedOut || result.end == ProcessResult::End::Cancelled) budget.check();
  if (result.end == ProcessResult::End::Exited && result.code == 0) {
    if (!result.error.empty()) log().info("warnings of {}:\n{}", kClang, result.error);
    return {{}, result.error};
  }
  if (result.end != ProcessResult::End::Exited)
    return {fmt::format("{}\n{} was ended by signal {}", result.error, kClang, result.code), {}};
  if (result.error.empty()) return {fmt::format("{} failed with exit code {}", kClang, result.code), {}};
  return {result.error, {}};
}

void require_clang() {
  if (!find_program(kClang))
    throw UserError(fmt::format("{}, which compiles C programs, is not installed", kClang),
                    fmt::format("apt-get install {} (`plumb doctor` lists all that is missing)", kClang));
}

[[noreturn]] void report(const std::vector<CompileJob>& jobs, const std::vector<Diagnostics>& diagnostics) {
  std::string text;
  std::set<std::string_view> told;
  std::size_t failed = 0;
  SourceLocation place;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string& failure = diagnostics[i].failure;
    if (failure.empty()) continue;
    if (failed++ == 0) {
      place = first_error(failure);
      if (place.file.empty()) place.file = jobs[i].source.string();
    }
    // A flag that clang does not know is the same to all files.
    if (told.insert(failure).second) text += fmt::format("\n{}", failure);
  }
  text.erase(text.find_last_not_of('\n') + 1);
  throw UserError(place, fmt::format("{} cannot compile {}{}", kClang,
                                     failed == 1 ? "this file:" : fmt::format("{} files:", failed), text));
}

}  // namespace

std::optional<SourceLocation> parse_place(std::string_view place) {
  std::uint32_t numbers[2] = {0, 0};
  for (std::uint32_t& number : numbers) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const char* const end = place.data() + place.size();
    const auto [stop, error] = std::from_chars(place.data() + colon + 1, end, number);
    if (error != std::errc{} || stop != end) return std::nullopt;
    place = place.substr(0, colon);
  }
  return SourceLocation{std::string(place), numbers[1], numbers[0]};
}

std::vector<std::string> bitcode_command(const CompileJob& job, const CompileSettings& settings,
                                         const fs::path& include, const fs::path& output) {
  std::vector<std::string> command = {std::string(kClang)};
  if (settings.word_size != 0) command.push_back(fmt::format("-m{}", settings.word_size));
  command.push_back(fmt::format("-O{}", settings.optimisation));
  // Vectors would only be taken apart again.
  if (settings.optimisation > 0) command.insert(command.end(), {"-fno-vectorize", "-fno-slp-vectorize"});
  // What the front end makes for an optimiser, before any; to the preprocessor it is as without.
  if (settings.optimisation == 0 && settings.has_inline_bodies)
    command.insert(command.end(), {"-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-D__NO_INLINE__=1",
                                   "-fno-strict-aliasing"});
  // Markers of lifetimes, which clang makes for an optimiser or a sanitizer alone.
  if (settings.optimisation == 0) command.insert(command.end(), {"-Xclang", "-fsanitize-address-use-after-scope"});
  // Only the front end knows which numbers are sizes of arrays: vla_checks.h.
  command.insert(command.end(), {"-fsanitize=vla-bound", "-fsanitize-trap=vla-bound"});
  command.insert(command.end(), {"-D__PLUMB__=1", "-idirafter", include.string()});
  std::ranges::copy_if(job.flags, std::back_inserter(command), [](const std::string& flag) { return flag != "-w"; });
  command.push_back("-fdebug-compilation-dir=" + settings.debug_directory);
  command.insert(command.end(), {"-Xclang", "-disable-O0-optnone", "-g", "-fno-discard-value-names",
                                 "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-Qunused-arguments", "-emit-llvm", "-c",
                                 "-o", output.string(), job.source.string()});
  return command;
}

std::vector<std::string> run_compiler(const std::vector<CompileJob>& jobs,
                                      const std::vector<std::vector<std::string>>& commands, const Budget& budget) {
  require_clang();
  std::vector<Diagnostics> diagnostics(jobs.size());
  parallel::for_each_index(jobs.size(), kProcesses, budget,
                           [&](std::size_t i, unsigned) { diagnostics[i] = run_clang(jobs[i], commands[i], budget); });
  if (std::ranges::any_of(diagnostics, [](const Diagnostics& d) { return !d.failure.empty(); }))
    report(jobs, diagnostics);
  std::vector<std::string> warnings;
  for (Diagnostics& each : diagnostics) warnings.push_back(std::move(each.warnings));
  return warnings;
}

fs::path write_headers(const fs::path& directory) {
  fs::path include = directory / "include";
  for (const Header& header : headers()) {
    fs::create_directories((include / header.name).parent_path());
    write_file(include / header.name, header.text);
  }
  return include;
}

std::vector<fs::path> compile(const std::vector<CompileJob>& jobs, const CompileSettings& settings,
                              const fs::path& directory, const Budget& budget) {
  if (jobs.empty()) return {};
  const fs::path include = write_headers(directory);
  std::vector<fs::path> outputs;
  std::vector<std::vector<std::string>> commands;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    outputs.push_back(directory / fmt::format("{}.bc", i));
    commands.push_back(bitcode_command(jobs[i], settings, include, outputs[i]));
  }
  run_compiler(jobs, commands, budget);
  return outputs;
}

bool is_optimisation(std::string_view flag) { return flag.starts_with("-O") && flag != "-O0"; }

}  // namespace plumb::frontend
