#include "frontend/toolchain/board_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "program/platform.h"

namespace plumb::frontend {
namespace {

constexpr std::string_view kOwn = "--plumb-";

/// Goes over the words from left to right.
class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  BoardCommand read() {
    for (; at_ < words_.size(); ++at_)
      if (!take_machine() && !take_own()) command_.arguments.push_back(words_[at_]);
    if (command_.machine.empty() && !first_own_.empty())
      throw UserError(fmt::format("{} is for programs that run on a board", first_own_),
                      "name the board's machine: --target arm-linux-gnueabihf");
    return std::move(command_);
  }

 private:
  /// The value of a flag, behind = or in the next word; nothing if the word is another flag.
  std::optional<std::string> value(std::string_view flag) {
    const std::string& word = words_[at_];
    if (word.starts_with(flag) && word.size() > flag.size() && word[flag.size()] == '=')
      return word.substr(flag.size() + 1);
    if (word != flag) return std::nullopt;
    if (at_ + 1 == words_.size()) throw UserError(fmt::format("{} needs a value", flag));
    return words_[++at_];
  }

  bool take_machine() {
    std::optional<std::string> machine = value("--target");
    if (!machine && words_[at_] == "-target") machine = value("-target");
    if (!machine) return false;
    if (machine->empty()) throw UserError("--target needs a machine", "for example arm-linux-gnueabihf");
    command_.machine = *machine;
    command_.arguments.push_back("--target=" + *machine);
    return true;
  }

  bool take_own() {
    const std::string word = words_[at_];
    if (!word.starts_with(kOwn)) return false;
    if (first_own_.empty()) first_own_ = word.substr(0, word.find('='));
    if (word == "--plumb-target-program") {
      command_.makes_target = true;
    } else if (const auto entry = value("--plumb-entry")) {
      command_.entry = *entry;
    } else if (const auto checks = value("--plumb-checks")) {
      command_.checks = *checks;
    } else if (const auto arena = value("--plumb-arena")) {
      command_.arena = bytes(*arena);
    } else if (const auto file = value("--plumb-token-file")) {
      command_.token_file = *file;
    } else if (const auto linker = value("--plumb-linker")) {
      command_.linker = *linker;
    } else {
      throw UserError(fmt::format("{} is no flag of plumb cc", word.substr(0, word.find('='))),
                      "there are --plumb-entry, --plumb-checks, --plumb-arena, --plumb-token-file, --plumb-linker and "
                      "--plumb-target-program");
    }
    return true;
  }

  /// A number with K or M behind it.
  static std::uint32_t bytes(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const std::uint32_t factor = unit == "M" ? 1U << 20 : unit == "K" ? 1U << 10 : 1;
    constexpr std::uint32_t kLeast = 16384;  // runtime/concolic/config.h
    constexpr std::uint32_t kLargest = 1U << 30;
    if (error != std::errc{} || !(unit.empty() || factor > 1) || number > kLargest / factor || number * factor < kLeast)
      throw UserError(fmt::format("--plumb-arena={} is no size of an arena", text),
                      "give bytes, 16384 at least: 65536, or 64K");
    return number * factor;
  }

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  BoardCommand command_;
  std::string first_own_;
};

constexpr auto kMachines = std::to_array<KnownMachine>({
    {"arm-linux-gnueabihf", "gcc-arm-linux-gnueabihf", "32-bit ARM"},
    {"arm-linux-gnueabi", "gcc-arm-linux-gnueabi", "32-bit ARM, numbers in software"},
    {"aarch64-linux-gnu", "gcc-aarch64-linux-gnu", "64-bit ARM"},
    {"riscv64-linux-gnu", "gcc-riscv64-linux-gnu", "RISC-V"},
    {"s390x-linux-gnu", "gcc-s390x-linux-gnu", "big-endian"},
    {"powerpc-linux-gnu", "gcc-powerpc-linux-gnu", "PowerPC, big-endian"},
    {"arm-none-eabi", "gcc-arm-none-eabi libnewlib-arm-none-eabi", "ARM without a system"},
});

}  // namespace

BoardCommand parse_board_command(const std::vector<std::string>& arguments) { return Reader(arguments).read(); }

std::span<const KnownMachine> known_machines() { return kMachines; }

bool is_bare_metal(std::string_view machine) {
  return machine.find("-none") != std::string_view::npos || machine.ends_with("-elf");
}

std::vector<std::string> machine_flags(const CompilerCommand& command) {
  constexpr auto kWithValue = std::to_array<std::string_view>({"--sysroot", "-isysroot", "-isystem", "-B"});
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const auto& [text, role, language] = command.words[i];
    if (role != CompilerCommand::Role::Meaning) continue;
    if (std::ranges::find(kWithValue, text) != kWithValue.end()) {
      flags.push_back(text);
      if (i + 1 < command.words.size()) flags.push_back(command.words[++i].text);
    } else if ((text.starts_with("-m") && text != "-mllvm") || text.starts_with("--sysroot=") ||
               text.starts_with("--gcc-toolchain=") || text.starts_with("-isystem") || text.starts_with("-B") ||
               text == "-fshort-enums" || text == "-fno-short-enums") {
      flags.push_back(text);
    }
  }
  return flags;
}

bool is_tried(std::string_view machine) {
  return program::platform_of(machine).machine == program::Machine::X86_64 ||
         std::ranges::find(kMachines, machine, &KnownMachine::triple) != kMachines.end();
}

std::string packages_for(std::string_view machine) {
  const auto found = std::ranges::find(kMachines, machine, &KnownMachine::triple);
  return found == kMachines.end() ? fmt::format("install the cross compiler of {} and its C library", machine)
                                  : fmt::format("apt-get install {}", found->packages);
}

}  // namespace plumb::frontend
