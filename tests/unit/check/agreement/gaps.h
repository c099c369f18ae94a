#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

/// Where engines do not say what the others say, and why. A difference that is not here is a defect, and so is an entry
/// that no difference bears out.
namespace plumb::check::agreement {

enum class Engine : std::uint8_t { Interpreter, Regions, Unroll, Flatten, Native };
inline constexpr std::array<std::string_view, 5> kEngineNames = {"interpreter", "regions", "unroll", "flatten",
                                                                 "native"};

struct Gap {
  Engine engine;
  std::string_view what;  ///< of an operator its name, of an intrinsic that of its case
  std::string_view why;
};

inline constexpr std::array kGaps = {
    // Operators
    Gap{Engine::Native, "smod", "C has no such operator"},
    Gap{Engine::Native, "rotate-left", "C has no such operator"},
    Gap{Engine::Native, "rotate-right", "C has no such operator"},
    // Intrinsics
    Gap{Engine::Unroll, "at-exit", "functions of atexit are not followed"},
    Gap{Engine::Flatten, "at-exit", "functions of atexit are not followed"},
    Gap{Engine::Unroll, "set-jump", "jumps are not followed"},
    Gap{Engine::Flatten, "set-jump", "jumps are not followed"},
    Gap{Engine::Unroll, "long-jump", "jumps are not followed"},
    Gap{Engine::Flatten, "long-jump", "jumps are not followed"},
    Gap{Engine::Flatten, "va-start", "variable arguments are not followed"},
    Gap{Engine::Unroll, "thread-create", "there is one thread"},
    Gap{Engine::Flatten, "thread-create", "there is one thread"},
    Gap{Engine::Unroll, "thread-join", "there is one thread"},
    Gap{Engine::Flatten, "thread-join", "there is one thread"},
    Gap{Engine::Unroll, "thread-exit", "there is one thread"},
    Gap{Engine::Flatten, "thread-exit", "there is one thread"},
    Gap{Engine::Native, "mutex-unlock", "glibc does not look whether the mutex is held"},
    Gap{Engine::Native, "cond-wait", "glibc does not look whether the mutex is held"},
    Gap{Engine::Unroll, "host-read", "files are not followed"},
    Gap{Engine::Flatten, "host-read", "files are not followed"},
    Gap{Engine::Unroll, "host-open", "files are not followed"},
    Gap{Engine::Flatten, "host-open", "files are not followed"},
    Gap{Engine::Unroll, "host-close", "files are not followed"},
    Gap{Engine::Flatten, "host-close", "files are not followed"},
    Gap{Engine::Unroll, "host-seek", "files are not followed"},
    Gap{Engine::Flatten, "host-seek", "files are not followed"},
    Gap{Engine::Native, "host-read", "programs call it through models only"},
    Gap{Engine::Native, "host-write", "programs call it through models only"},
    Gap{Engine::Native, "host-open", "programs call it through models only"},
    Gap{Engine::Native, "host-close", "programs call it through models only"},
    Gap{Engine::Native, "host-seek", "programs call it through models only"},
    Gap{Engine::Native, "host-clock", "programs call it through models only"},
};

inline bool is_gap(Engine engine, std::string_view what) {
  return std::ranges::any_of(kGaps, [&](const Gap& gap) { return gap.engine == engine && gap.what == what; });
}

}  // namespace plumb::check::agreement
