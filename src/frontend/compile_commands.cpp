#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "frontend/compile.h"
#include "frontend/toolchain/compiler_command.h"
#include "result/json_text.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& file) {
  constexpr std::array kExtensions = {".c", ".cc", ".cpp", ".cxx", ".C", ".i", ".ii", ".c++"};
  const std::string extension = file.extension().string();
  return std::ranges::any_of(kExtensions, [&](std::string_view each) { return extension == each; });
}

/// Those that say what the code means.
std::vector<std::string> kept_flags(const std::vector<std::string>& arguments) {
  using Role = CompilerCommand::Role;
  const std::vector<std::string> words(arguments.begin() + 1, arguments.end());  // the first is the compiler
  std::vector<std::string> flags = parse_compiler_command(words).with_roles({Role::Language, Role::Meaning});
  // The word size is chosen for all files together.
  std::erase_if(flags, [](const std::string& flag) { return flag == "-m32" || flag == "-m64" || flag == "--"; });
  return flags;
}

[[noreturn]] void complain(const fs::path& file, std::size_t index, std::string_view message) {
  throw UserError(SourceLocation{file.string()}, fmt::format("entry {}: {}", index + 1, message),
                  "each entry needs \"directory\", \"file\" and \"arguments\" or \"command\"");
}

std::string text_of(const nlohmann::json& entry, const char* key, const fs::path& file, std::size_t index) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string()) complain(file, index, fmt::format("no text \"{}\"", key));
  return found->get<std::string>();
}

std::vector<std::string> arguments_of(const nlohmann::json& entry, const fs::path& file, std::size_t index) {
  if (!entry.contains("arguments")) return split_command(text_of(entry, "command", file, index));
  std::vector<std::string> arguments;
  for (const nlohmann::json& word : entry["arguments"]) {
    if (!word.is_string()) complain(file, index, "\"arguments\" is not a list of texts");
    arguments.push_back(word.get<std::string>());
  }
  return arguments;
}

}  // namespace

std::vector<CompileJob> read_compile_commands(const fs::path& file) {
  const nlohmann::json entries = result::parse_json(read_file(file), file.string());
  if (!entries.is_array())
    throw UserError(SourceLocation{file.string(), 1, 1}, "expected a list of compile commands",
                    "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, make with `bear -- make`");
  std::vector<CompileJob> jobs;
  std::set<fs::path> seen;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].is_object()) complain(file, i, "not an object");
    const std::string source = text_of(entries[i], "file", file, i);
    const fs::path base = fs::absolute(file).parent_path();
    const fs::path directory = base / text_of(entries[i], "directory", file, i);
    const fs::path path = (directory / source).lexically_normal();
    if (!is_source(path)) {
      log().warn("{}: {} is not C or C++ and is left out", file.string(), source);
    } else if (seen.insert(path).second) {
      jobs.push_back({path, directory, kept_flags(arguments_of(entries[i], file, i))});
    } else {
      log().warn("{}: {} is listed again; its first entry counts", file.string(), source);
    }
  }
  if (jobs.empty()) throw UserError(SourceLocation{file.string()}, "no entry is about a C or C++ file");
  return jobs;
}

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  const auto append = [&](char c) {
    if (!std::exchange(in_word, true)) words.emplace_back();
    words.back() += c;
  };
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == '\'' ? c != quote : quote == '"' && c != quote && c != '\\') {
      append(c);
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      if (!std::exchange(in_word, true)) words.emplace_back();
    } else if (c == '\\' && i + 1 < command.size()) {
      const char next = command[++i];
      // Within double quotes a backslash stays unless it protects something.
      if (quote == '"' && next != '"' && next != '\\' && next != '$' && next != '`') append(c);
      append(next);
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
    } else {
      append(c);
    }
  }
  return words;
}

}  // namespace plumb::frontend
