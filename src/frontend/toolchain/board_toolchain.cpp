#include "frontend/toolchain/board_toolchain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "program/platform.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view kClang = "clang-19";

bool succeeded(const ProcessResult& result) { return result.end == ProcessResult::End::Exited && result.code == 0; }

std::string known() {
  return fmt::format("machines that are tried: {}",
                     fmt::join(known_machines() | std::views::transform(&KnownMachine::triple), ", "));
}

/// Of the C library that the linker's compiler has, not of that compiler.
Words library_headers(const Words& question, const Budget& budget) {
  Words directories;
  const ProcessResult result = run_process(question, {}, budget);
  budget.check();
  const std::size_t begin = result.error.find("#include <...>");
  const std::size_t end = result.error.find("End of search list", std::min(begin, result.error.size()));
  if (!succeeded(result) || end == std::string::npos) return directories;
  for (std::size_t at = result.error.find('\n', begin) + 1; at < end;) {
    const std::size_t stop = result.error.find('\n', at);
    const std::string line = result.error.substr(at + 1, stop - at - 1);  // a space before each
    const std::string directory = fs::path(line).lexically_normal().string();
    if (directory.find("/gcc/") == std::string::npos) directories.push_back(directory);
    at = stop + 1;
  }
  return directories;
}

}  // namespace

Words board_defaults(const BoardCommand& command, const Budget& budget) {
  if (!is_bare_metal(command.machine)) return {};
  Words words;
  if (program::platform_of(command.machine).machine == program::Machine::Arm) words.emplace_back("-fshort-enums");
  const std::string linker = bare_metal_linker(command);
  const auto is_freestanding = [](const std::string& word) { return word == "-nostdinc" || word == "-nostdlibinc"; };
  if (!find_program(linker) || std::ranges::any_of(command.arguments, is_freestanding)) return words;
  Words question = {linker, "-E", "-v", "-x", "c", "/dev/null", "-o", "/dev/null"};
  for (const std::string& word : command.arguments)
    if (word.starts_with("-specs=") || word.starts_with("--specs=") || word.starts_with("--sysroot="))
      question.push_back(word);
  for (const std::string& directory : library_headers(question, budget))
    words.insert(words.end(), {"-isystem", directory});
  return words;
}

std::string bare_metal_linker(const BoardCommand& command) {
  return command.linker.empty() ? command.machine + "-gcc" : command.linker;
}

std::string empty_object(const Words& words, const fs::path& directory, const Budget& budget) {
  const fs::path object = directory / "empty.o";
  Words command = {std::string(kClang), "-w", "-Qunused-arguments"};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"-x", "c", "-c", "-o", object.string(), "/dev/null"});
  const ProcessResult result = run_process(command, {}, budget);
  budget.check();
  if (!succeeded(result))
    throw UserError(fmt::format("{} cannot compile for this machine: {}", kClang, result.error), known());
  return read_file(object);
}

std::string missing_packages(const BoardCommand& command, const Budget& budget) {
  const std::string machine = "--target=" + command.machine;
  if (!succeeded(run_process({std::string(kClang), machine, "-x", "c", "-fsyntax-only", "/dev/null"}, {}, budget)))
    throw UserError(fmt::format("{} does not know the machine '{}'", kClang, command.machine), known());
  if (is_bare_metal(command.machine))
    return find_program(bare_metal_linker(command)) ? std::string() : packages_for(command.machine);
  Words question = {std::string(kClang), machine};
  const Words flags = machine_flags(parse_compiler_command(command.arguments));
  question.insert(question.end(), flags.begin(), flags.end());
  question.emplace_back("-print-file-name=crt1.o");
  const ProcessResult result = run_process(question, {}, budget);
  return result.output.starts_with('/') ? std::string() : packages_for(command.machine);
}

}  // namespace plumb::frontend
