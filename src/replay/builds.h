#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/budget.h"
#include "base/error.h"
#include "frontend/load.h"
#include "frontend/source_types.h"
#include "interpret/interpreter.h"
#include "program/program.h"
#include "replay/source_build.h"
#include "replay/symboliser.h"
#include "result/test_case.h"

namespace plumb::replay {

/// The forms of one program that replays need. Each is made when it is first asked for and shared from then on; so is a
/// form that cannot be made, whose UserError is thrown again. All throw OutOfBudget. Not thread-safe.
class Builds {
 public:
  /// `directory` is for files of its own and must exist.
  Builds(frontend::LoadOptions options, std::filesystem::path directory);
  /// Of a program that was loaded with the options already, and must outlive this. Functions without a body get one in
  /// the native builds that takes its result from the test, as the interpreter does; but those of the C library are
  /// the real ones.
  Builds(const program::Program& program, frontend::LoadOptions options, std::filesystem::path directory);
  ~Builds();
  Builds(const Builds&) = delete;
  Builds& operator=(const Builds&) = delete;

  const frontend::LoadOptions& options() const noexcept { return options_; }
  const std::filesystem::path& directory() const noexcept { return directory_; }

  struct Interpreted {
    explicit Interpreted(const program::Program& given) : program(given), interpreter(given) {}
    const program::Program& program;
    interpret::Interpreter interpreter;
  };
  Interpreted& interpreted(const Budget& budget);
  /// The test as the native builds take it: without the results of functions that are the real ones there.
  result::TestCase native_test(const result::TestCase& test) const;
  /// With its variables in memory (LoadOptions::keep_variables) and their types.
  struct Typed {
    explicit Typed(frontend::TypedProgram made) : typed(std::move(made)), interpreter(typed.program) {}
    frontend::TypedProgram typed;
    interpret::Interpreter interpreter;
  };
  Typed& with_variables(const Budget& budget);
  /// The executable of instrument::build_replay().
  const std::filesystem::path& plain(const Budget& budget);
  /// That of instrument::build_ordered_replay().
  const std::filesystem::path& ordered(const Budget& budget);
  /// That of instrument::build_checked_replay().
  struct Checked {
    explicit Checked(std::filesystem::path built) : executable(std::move(built)), symboliser(executable) {}
    std::filesystem::path executable;
    Symboliser symboliser;
  };
  Checked& checked(const Budget& budget);
  /// For gdb, or for coverage; functions without a body stay what they are.
  const SourceBuild& from_sources(frontend::Purpose purpose, const Budget& budget);

 private:
  template <typename Form>
  struct Made {
    std::unique_ptr<Form> form;
    std::optional<UserError> problem;

    template <typename Make>
    Form& once(Make make) {
      if (problem) throw UserError(*problem);
      try {
        if (form == nullptr) form = make();
      } catch (const UserError& error) {
        problem = error;
        throw;
      }
      return *form;
    }
  };
  frontend::LoadOptions native_options();

  frontend::LoadOptions options_;
  std::filesystem::path directory_;
  const program::Program* given_ = nullptr;
  std::string stand_ins_;             ///< C
  std::set<std::string> of_library_;  ///< functions without a model that native runs call
  std::unique_ptr<program::Program> loaded_;
  Made<Interpreted> interpreted_;
  Made<Typed> with_variables_;
  Made<std::filesystem::path> plain_;
  Made<std::filesystem::path> ordered_;
  Made<Checked> checked_;
  std::array<Made<SourceBuild>, 2> from_sources_;  ///< by purpose
};

}  // namespace plumb::replay
