#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::circuit {

/// A command of ABC that a script may have. Those of the paper's Table 2.1 and a few that belong to them.
struct AbcCommand {
  enum class Kind : std::uint8_t {
    Combinational,  ///< keeps every latch
    Sequential,     ///< merges or drops latches; those that are left keep their name and meaning
    Retiming,       ///< makes other latches
    Proof,
    Report,  ///< print_stats: sizes are reported after every step anyway
  };
  std::string_view name;     ///< as users write it
  std::string_view command;  ///< as ABC knows it without its start-up file
  std::string_view options;  ///< letters of switches that it takes
  std::string_view numbers;  ///< letters of options with a number
  Kind kind;
  std::string_view purpose;
  std::string_view defaults = {};  ///< arguments where users give none
};
std::span<const AbcCommand> abc_commands();

struct AbcStep {
  const AbcCommand* command;
  std::vector<std::string> arguments;

  bool is_proof() const noexcept { return command->kind == AbcCommand::Kind::Proof; }
  std::string text() const;  ///< as users write it
};

/// Steps separated by semicolons or line breaks: "balance; ssweep -r; pdr -T 10". Checked as a whole: throws UserError
/// with `file`, line and column for a command or an option that is not in abc_commands(); nothing else reaches ABC, so
/// a script reads and writes no files and runs no programs.
std::vector<AbcStep> parse_abc_script(std::string_view text, const std::string& file = {});

}  // namespace plumb::circuit
