#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "cli/read_system.h"
#include "lang/tiny/subject.h"
#include "system/system.h"

namespace plumb::cli::shell {

/// A file as it was read: a program becomes a system only when its widths and bounds are known.
struct Source {
  enum class Language : std::uint8_t {
    Tiny,
    Caig,
    Other,  ///< a format that has its widths in itself
  };
  std::string file;
  std::string text;  ///< of the first two
  Language language = Language::Tiny;
  std::shared_ptr<const SystemFile> system;  ///< of the third
  std::vector<std::string> warnings;
};

/// Reads a file and checks it; its language is told by the ending of the name (.tiny and .c are Tiny). The widths of
/// `options` are those that a CAIG component is checked with. Throws UserError, OutOfBudget.
Source read_source(const std::string& file, const tiny::Options& options, const Budget& budget);

/// A source at chosen widths and bounds: a system, with the way back to the program where it is one. Stays where it is,
/// as others point into it.
class Design {
 public:
  /// Throws UserError for a program that has mistakes at these widths.
  Design(const Source& source, const tiny::Options& options);

  Design(const Design&) = delete;
  Design& operator=(const Design&) = delete;

  const system::System& system() const noexcept { return *system_; }
  /// Nothing for what is no Tiny program.
  const tiny::Subject* subject() const noexcept { return subject_ ? &*subject_ : nullptr; }
  const std::string& file() const noexcept { return file_; }
  Source::Language language() const noexcept { return language_; }

  /// Positions in System::bads() of what is to be proved.
  const std::vector<std::size_t>& properties() const noexcept { return properties_; }
  std::string property_name(std::size_t bad) const;
  const tiny::Options& options() const noexcept { return options_; }

 private:
  std::string file_;
  Source::Language language_;
  tiny::Options options_;
  std::optional<tiny::Subject> subject_;
  std::shared_ptr<const SystemFile> file_system_;
  std::optional<system::System> caig_;
  const system::System* system_ = nullptr;
  std::vector<std::size_t> properties_;
};

/// The table of configuration parameters, in the form of the paper's session. `design` may be null: what only a circuit
/// has is then left out. `language` is that of the program, if there is one.
std::string configuration_table(const tiny::Options& options, const Design* design, Source::Language language);

}  // namespace plumb::cli::shell
