#include "frontend/toolchain/bare_metal_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/subprocess.h"
#include "frontend/toolchain/board_toolchain.h"
#include "frontend/toolchain/carried_code.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
using Role = CompilerCommand::Role;
using Words = std::vector<std::string>;

/// The linker, and what chooses its libraries.
Words linker_words(const BoardCommand& board, const CompilerCommand& command) {
  Words words = {bare_metal_linker(board)};
  for (const std::string& flag : machine_flags(command))
    if (flag.starts_with("-m") || flag.starts_with("--sysroot=")) words.push_back(flag);
  return words;
}

}  // namespace

std::vector<LinkedFile> named_archives(const CompilerCommand& command) {
  std::vector<fs::path> directories;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string& text = command.words[i].text;
    if (command.words[i].role != Role::Linking || !text.starts_with("-L")) continue;
    if (text.size() > 2) directories.emplace_back(text.substr(2));
    if (text.size() == 2 && i + 1 < command.words.size()) directories.emplace_back(command.words[++i].text);
  }
  std::vector<LinkedFile> found;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string& text = command.words[i].text;
    if (command.words[i].role != Role::Linking || !text.starts_with("-l") || text.size() == 2) continue;
    const std::string name = fmt::format("lib{}.a", text.substr(2));
    const auto has = [&](const fs::path& directory) { return is_native(directory / name); };
    if (const auto it = std::ranges::find_if(directories, has); it != directories.end())
      found.push_back({i, *it / name});
  }
  return found;
}

Words join_objects(const BoardCommand& board, const CompilerCommand& command, const std::vector<LinkedFile>& files,
                   const fs::path& carrier, const fs::path& output, const Budget& budget) {
  const std::string linker = bare_metal_linker(board);
  if (!find_program(linker))
    throw UserError(fmt::format("{}, which links for {}, is not installed", linker, board.machine),
                    packages_for(board.machine) + ", or name another with --plumb-linker=PROGRAM");
  Words join = linker_words(board, command);
  join.insert(join.end(), {"-nostdlib", "-r", "-o", output.string(), "-Wl,-u," + board.entry, carrier.string(),
                           "-Wl,--start-group"});
  std::set<std::size_t> joined;  // words
  for (const LinkedFile& file : files) {
    if (!carries_code(file.file)) continue;
    join.push_back(file.file.string());
    joined.insert(file.word);
  }
  join.emplace_back("-Wl,--end-group");
  const ProcessResult result = run_process(join, {}, budget);
  budget.check();
  if (result.end != ProcessResult::End::Exited || result.code != 0)
    throw UserError(fmt::format("{} cannot join the objects:\n{}", linker, result.error));

  Words rest = linker_words(board, command);
  bool is_placed = false;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const auto& [text, role, language] = command.words[i];
    if (joined.contains(i)) {
      if (!std::exchange(is_placed, true)) rest.emplace_back("@objects");
    } else if (role == Role::Linking || role == Role::File) {
      rest.push_back(text);
    }
  }
  return rest;
}

}  // namespace plumb::frontend
