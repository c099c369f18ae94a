#include "frontend/toolchain/link_again.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "frontend/toolchain/carried_code.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
using Role = CompilerCommand::Role;

std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

/// Flags of the compiler that stand for libraries or change where it looks for them.
bool matters_to_linking(std::string_view flag) {
  constexpr auto kExact = std::to_array<std::string_view>({"-pthread", "-pthreads", "-rdynamic", "-no-pie", "-nopie"});
  constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"-fopenmp", "-stdlib=", "--sysroot=", "-rtlib=", "--rtlib=", "-unwindlib=", "--unwindlib=", "--gcc-toolchain="});
  return std::ranges::find(kExact, flag) != kExact.end() ||
         std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return flag.starts_with(prefix); });
}

/// Options of the linker itself that decide what is linked.
bool matters_to_linker(std::string_view option) {
  constexpr auto kExact = std::to_array<std::string_view>(
      {"--whole-archive", "--no-whole-archive", "--start-group", "--end-group", "-(", "-)", "-Bstatic", "-Bdynamic",
       "-dn", "-dy", "--as-needed", "--no-as-needed", "--push-state", "--pop-state", "-E", "--export-dynamic",
       "-export-dynamic", "--allow-multiple-definition"});
  return std::ranges::find(kExact, option) != kExact.end();
}
/// Their value stands behind = or in the next word.
bool matters_with_value(std::string_view option) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"-rpath", "--rpath", "-R", "-rpath-link", "--rpath-link", "--wrap", "-wrap",
                                       "--defsym", "-defsym", "-u", "--undefined"});
  return std::ranges::find(kNames, option) != kNames.end();
}

class Collector {
 public:
  explicit Collector(const CompilerCommand& command) : command_(command) {
    const std::string output = command.output.empty() ? "a.out" : command.output;
    origin_ = fs::absolute(output).lexically_normal().parent_path().string();
    const std::vector<std::string> linking = command.with_roles({Role::Linking});
    prefers_archives_ = std::ranges::any_of(
        linking, [](const std::string& word) { return word == "-static" || word == "-static-pie"; });
  }

  std::vector<std::string> collect() {
    for (std::size_t i = 0; i < command_.words.size(); ++i)
      if (auto path = value(i, "-L", "--library-directory")) directories_.push_back(absolute(*path));
    for (std::size_t i = 0; i < command_.words.size(); ++i) {
      const auto& [text, role, language] = command_.words[i];
      if (role == Role::File) {
        add_file(text);
      } else if (matters_to_linking(text)) {
        words_.push_back(text);
      } else if (role == Role::Linking) {
        add_linking(i);
      }
    }
    return std::move(words_);
  }

 private:
  /// Of the flag at `i`, whether it stands in the same word or in the next.
  std::optional<std::string> value(std::size_t i, std::string_view flag, std::string_view other = {}) const {
    const auto& [text, role, language] = command_.words[i];
    if (role != Role::Linking || (i > 0 && command_.words[i - 1].text == "-Xlinker")) return std::nullopt;
    if (text == flag || text == other)
      return i + 1 < command_.words.size() ? std::optional(command_.words[i + 1].text) : std::nullopt;
    return text.starts_with(flag) ? std::optional(text.substr(flag.size())) : std::nullopt;
  }

  void add_file(const std::string& file) {
    if (file.find(".so") == std::string::npos && carries_code(file)) return;
    words_.push_back(absolute(file));
  }

  void add_linking(std::size_t i) {
    const std::string& text = command_.words[i].text;
    if (text == "-Xlinker") {
      if (i + 1 < command_.words.size()) add_option(command_.words[i + 1].text);
    } else if (text.starts_with("-Wl,")) {
      for (std::size_t begin = 4; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        add_option(text.substr(begin, end - begin));
        begin = end + 1;
      }
    } else if (const auto path = value(i, "-L", "--library-directory")) {
      words_.push_back("-L" + absolute(*path));
    } else if (const auto name = value(i, "-l")) {
      add_library(*name);
    } else if (text == "-rpath" && i + 1 < command_.words.size()) {
      add_option("-rpath");
      add_option(command_.words[i + 1].text);
    } else if (text == "-u" && i + 1 < command_.words.size()) {
      words_.push_back("-Wl,-u," + command_.words[i + 1].text);
    }
  }

  /// Those that the user's own directories have are files like others.
  void add_library(const std::string& name) {
    const std::array<std::string, 2> endings =
        prefers_archives_ ? std::array<std::string, 2>{".a", ".so"} : std::array<std::string, 2>{".so", ".a"};
    for (const std::string& directory : directories_)
      for (const std::string& ending : endings)
        if (const fs::path file = fs::path(directory) / ("lib" + name + ending); is_native(file)) {
          add_file(file.string());
          return;
        }
    words_.push_back("-l" + name);
  }

  void add_option(std::string option) {
    if (!pending_.empty()) {
      words_.push_back(fmt::format("-Wl,{},{}", std::exchange(pending_, ""), in_place(std::move(option))));
    } else if (matters_with_value(option)) {
      pending_ = option;
    } else if (matters_to_linker(option) || matters_with_value(option.substr(0, option.find('=')))) {
      words_.push_back("-Wl," + in_place(std::move(option)));
    } else if (option.starts_with("-l") && option.size() > 2) {
      add_library(option.substr(2));
    } else if (option.ends_with(".a") && is_native(option)) {
      add_file(option);
    }
  }

  /// A path that begins where the program lies; it will lie elsewhere.
  std::string in_place(std::string text) const {
    for (const std::string_view name : {"$ORIGIN", "${ORIGIN}"})
      if (const std::size_t at = text.find(name); at != std::string::npos) text.replace(at, name.size(), origin_);
    return text;
  }

  const CompilerCommand& command_;
  std::vector<std::string> words_;
  std::vector<std::string> directories_;
  std::string origin_;
  std::string pending_;  ///< an option of the linker that waits for its value
  bool prefers_archives_ = false;
};

}  // namespace

std::vector<std::string> words_for_linking_again(const CompilerCommand& command) {
  return Collector(command).collect();
}

bool is_partial_link(const CompilerCommand& command) {
  const std::vector<std::string> words = command.with_roles({Role::Linking});
  constexpr auto kNames = std::to_array<std::string_view>({"-r", "-Wl,-r", "-Wl,--relocatable", "--relocatable"});
  return std::ranges::any_of(words,
                             [&](const std::string& word) { return std::ranges::find(kNames, word) != kNames.end(); });
}

}  // namespace plumb::frontend
