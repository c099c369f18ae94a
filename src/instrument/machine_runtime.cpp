#include "instrument/machine_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/embed.h"
#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/compile.h"
#include "frontend/toolchain/board_command.h"
#include "program/platform.h"

// runtime_sources.inc, which the build makes, has a RUNTIME_SOURCE(symbol, name, file) for each file of the runtime.
#define RUNTIME_SOURCE(symbol, name, file) PLUMB_EMBED(symbol, file);
#include "runtime_sources.inc"
#undef RUNTIME_SOURCE

namespace plumb::instrument {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Source {
  std::string_view name;  ///< "concolic/host.c", below the folder of runtimes
  std::string_view text;
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all = {
#define RUNTIME_SOURCE(symbol, name, file) Source{name, {symbol, symbol##_end}},
#include "runtime_sources.inc"
#undef RUNTIME_SOURCE
  };
  return all;
}

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// Beside an operating system: all but what replays tests without instrumentation.
bool is_for_system(std::string_view name) {
  return (name.starts_with("concolic/") && !name.starts_with("concolic/replay")) ||
         (name.starts_with("checks/") && name.find('/', 7) == std::string_view::npos);
}

/// Without one, the board's own loop and link stand for processes and shared memory.
bool is_for_bare_metal(std::string_view name) {
  constexpr auto kChecks = std::to_array<std::string_view>(
      {"checks/blocks.c", "checks/defects.c", "checks/heap.c", "checks/leak_verdict.c"});
  return (name.starts_with("concolic/") && !name.starts_with("concolic/replay") &&
          !name.starts_with("concolic/host")) ||
         std::ranges::find(kChecks, name) != kChecks.end() || name.starts_with("checks/bare/") ||
         name.starts_with("board/") || (name.starts_with("link/") && !name.ends_with("_posix.c"));
}

bool is_for_target(std::string_view name) { return name.starts_with("target/") || name.starts_with("link/"); }

[[noreturn]] void report(const Machine& machine, std::string_view what, const std::string& messages) {
  throw UserError(
      fmt::format("{} cannot be made for {}:\n{}", what, machine.triple, std::string_view(messages).substr(0, 2000)),
      fmt::format("if a header or library is missing: {}", frontend::packages_for(machine.triple)));
}

/// Compiles the chosen sources, where their folder is `directory`/runtime. Paths are relative, so that ccache finds
/// again what was compiled elsewhere.
Words compile(const Machine& machine, bool (*is_chosen)(std::string_view), const Words& flags,
              const fs::path& directory, const Budget& budget) {
  Words objects;
  std::vector<frontend::CompileJob> jobs;
  std::vector<Words> commands;
  const fs::path root = "runtime";
  const bool has_cache = find_program("ccache").has_value();
  for (const Source& source : sources()) {
    const fs::path file = root / source.name;
    fs::create_directories((directory / file).parent_path());
    write_file(directory / file, source.text, Sync::No);
    if (!source.name.ends_with(".c") || !is_chosen(source.name)) continue;
    const fs::path object = fs::path(file).replace_extension(".o");
    objects.push_back((directory / object).string());
    jobs.push_back({file, directory, {}});
    Words& words = commands.emplace_back();
    if (has_cache) words.emplace_back("ccache");
    words.emplace_back("clang-19");
    append(words, machine.words());
    append(words, flags);
    append(words, {"-std=c99", "-w", "-I.", "-fno-builtin", "-fno-stack-protector", "-c", file.string(), "-o",
                   object.string()});
  }
  try {
    frontend::run_compiler(jobs, commands, budget);
  } catch (const UserError& error) {
    report(machine, "the runtime", error.what());
  }
  return objects;
}

void run(const Machine& machine, std::string_view what, const Words& command, const Budget& budget) {
  const ProcessResult result = run_process(command, {}, budget);
  budget.check();
  if (result.end != ProcessResult::End::Exited || result.code != 0) report(machine, what, result.error);
}

void run_clang(const Machine& machine, std::string_view what, const Words& words, const Budget& budget) {
  Words command = {"clang-19", "-w"};
  append(command, machine.words());
  append(command, words);
  run(machine, what, command, budget);
}

/// One object of all, with its data in sections of its own: the leak search leaves them out.
std::string join(const Machine& machine, const Words& objects, const fs::path& script, const fs::path& directory,
                 const Budget& budget) {
  const std::string joined = (directory / "runtime.o").string();
  Words words = objects;
  append(words, {"-nostdlib", "-r", "-Wl,-T," + (directory / script).string(), "-o", joined});
  if (machine.linker.empty()) {
    run_clang(machine, "the runtime", words, budget);
    return joined;
  }
  Words command = {machine.linker};
  std::ranges::copy_if(machine.flags, std::back_inserter(command),
                       [](const auto& flag) { return flag.starts_with("-m"); });
  append(command, words);
  run(machine, "the runtime", command, budget);
  return joined;
}

}  // namespace

bool Machine::is_bare_metal() const { return frontend::is_bare_metal(triple); }

Words Machine::words() const {
  Words all = {"--target=" + triple};
  append(all, flags);
  return all;
}

Words Machine::code_flags() const {
  Words all;
  if (is_bare_metal()) {
    all = {"-DPLUMB_BARE_METAL=1", "-ffunction-sections", "-fdata-sections"};
  } else {
    all = {"-fno-omit-frame-pointer"};
    if (program::platform_of(triple).has_back_chain()) all.emplace_back("-mbackchain");
  }
  if (arena != 0) all.push_back(fmt::format("-DPLUMB_ARENA_BYTES={}", arena));
  return all;
}

std::string compile_runtime(const Machine& machine, const fs::path& directory, const Budget& budget) {
  Words flags = machine.code_flags();
  if (machine.is_bare_metal()) {
    append(flags, {"-Os", "-ffreestanding"});
    const Words objects = compile(machine, is_for_bare_metal, flags, directory, budget);
    return join(machine, objects, "runtime/board/sections.ld", directory, budget);
  }
  append(flags, {"-O2", "-fPIC"});
  const Words objects = compile(machine, is_for_system, flags, directory, budget);
  return join(machine, objects, "runtime/checks/sections.ld", directory, budget);
}

std::string compile_source(const Machine& machine, const std::string& name, std::string_view text,
                           const fs::path& directory, const Budget& budget) {
  const fs::path source = directory / (name + ".c");
  const fs::path object = directory / (name + ".o");
  write_file(source, text, Sync::No);
  Words words = machine.code_flags();
  append(words, {"-std=c99", "-O1", "-ffreestanding", "-c", source.string(), "-o", object.string()});
  run_clang(machine, "the program", words, budget);
  return object.string();
}

fs::path compile_target(const Machine& machine, const Words& link_words, const fs::path& directory,
                        const Budget& budget) {
  Words words = compile(machine, is_for_target, {"-O2"}, directory, budget);
  const fs::path program = directory / "plumb-target";
  append(words, {"-o", program.string()});
  append(words, link_words);
  run_clang(machine, "plumb-target", words, budget);
  return program;
}

}  // namespace plumb::instrument
