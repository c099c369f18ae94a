#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "program/platform.h"

/// Where engines do not say what the others say, and why. A difference that is not here is a defect, and so is an entry
/// that no difference bears out.
namespace plumb::check::agreement {

enum class Engine : std::uint8_t { Interpreter, Regions, Unroll, Flatten, Native };
inline constexpr std::array<std::string_view, 5> kEngineNames = {"interpreter", "regions", "unroll", "flatten",
                                                                 "native"};

struct Gap {
  Engine engine;
  std::string_view what;  ///< the name of an operator or fault, of an intrinsic that of its case, or one of kGroups
  std::string_view why;
  std::optional<program::Machine> machine{};  ///< on it alone
  std::uint32_t width = 0;                    ///< with operands of so many bits alone
};

/// What gaps are about beside single cases.
inline constexpr std::array<std::string_view, 4> kGroups = {"operators", "quotient-faults", "rounding", "intrinsics"};

inline constexpr std::array kGaps = {
    // Operators
    Gap{Engine::Interpreter, "operators", "it runs programs of x86 alone", program::Machine::Arm},
    Gap{Engine::Interpreter, "operators", "it runs programs of x86 alone", program::Machine::AArch64},
    Gap{Engine::Interpreter, "operators", "it runs programs of x86 alone", program::Machine::RiscV32},
    Gap{Engine::Interpreter, "operators", "it runs programs of x86 alone", program::Machine::RiscV64},
    Gap{Engine::Interpreter, "operators", "it runs programs of x86 alone", program::Machine::S390x},
    Gap{Engine::Interpreter, "operators", "it runs programs of x86 alone", program::Machine::Other},
    Gap{Engine::Native, "operators", "the host is another machine", program::Machine::X86},
    Gap{Engine::Native, "operators", "the host is another machine", program::Machine::Arm},
    Gap{Engine::Native, "operators", "the host is another machine", program::Machine::AArch64},
    Gap{Engine::Native, "operators", "the host is another machine", program::Machine::RiscV32},
    Gap{Engine::Native, "operators", "the host is another machine", program::Machine::RiscV64},
    Gap{Engine::Native, "operators", "the host is another machine", program::Machine::S390x},
    Gap{Engine::Native, "operators", "the host is another machine", program::Machine::Other},
    Gap{Engine::Native, "operators", "C has no signed number of one bit", {}, 1},
    Gap{Engine::Native, "quotient-faults", "the machine divides no such numbers", {}, 1},
    Gap{Engine::Native, "quotient-faults", "the machine divides no such numbers", {}, 2},
    Gap{Engine::Native, "quotient-faults", "the machine divides no such numbers", {}, 3},
    Gap{Engine::Native, "quotient-faults", "the machine divides no such numbers", {}, 4},
    Gap{Engine::Regions, "rounding", "terms have no numbers that are rounded"},
    Gap{Engine::Unroll, "rounding", "terms have no numbers that are rounded"},
    Gap{Engine::Flatten, "rounding", "terms have no numbers that are rounded"},
    Gap{Engine::Native, "smod", "C has no such operator"},
    Gap{Engine::Native, "rotate-left", "C has no such operator"},
    Gap{Engine::Native, "rotate-right", "C has no such operator"},
    // Faults
    Gap{Engine::Native, "pointer-arithmetic", "an address that nothing accesses does nothing"},
    // Intrinsics
    Gap{Engine::Native, "intrinsics", "not every host has the libraries", program::Machine::X86},
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
    Gap{Engine::Unroll, "thread-wait", "there is one thread"},
    Gap{Engine::Flatten, "thread-wait", "there is one thread"},
    Gap{Engine::Native, "thread-wait", "it is for models"},
    Gap{Engine::Unroll, "thread-timed-wait", "there is one thread"},
    Gap{Engine::Flatten, "thread-timed-wait", "there is one thread"},
    Gap{Engine::Native, "thread-timed-wait", "it is for models"},
    Gap{Engine::Unroll, "mutex-kind", "there is one thread"},
    Gap{Engine::Flatten, "mutex-kind", "there is one thread"},
    Gap{Engine::Native, "mutex-kind", "it is for models"},
    Gap{Engine::Unroll, "cond-timed-wait", "there is one thread"},
    Gap{Engine::Flatten, "cond-timed-wait", "there is one thread"},
    Gap{Engine::Native, "cond-timed-wait", "it is for models"},
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
    Gap{Engine::Unroll, "host-gap", "a world is chosen"},
    Gap{Engine::Flatten, "host-gap", "a world is chosen"},
    Gap{Engine::Native, "host-read", "programs call it through models only"},
    Gap{Engine::Native, "host-write", "programs call it through models only"},
    Gap{Engine::Native, "host-open", "programs call it through models only"},
    Gap{Engine::Native, "host-close", "programs call it through models only"},
    Gap{Engine::Native, "host-seek", "programs call it through models only"},
    Gap{Engine::Native, "host-clock", "programs call it through models only"},
    Gap{Engine::Native, "host-any", "programs call it through models only"},
    Gap{Engine::Native, "host-gap", "programs call it through models only"},
    // Faults
    Gap{Engine::Unroll, "uninitialised-pointer", "what was never written is any value"},
    Gap{Engine::Native, "uninitialised-pointer", "memory that was never written has no pattern"},
    Gap{Engine::Unroll, "misaligned", "addresses are not looked at for it"},
    Gap{Engine::Flatten, "misaligned", "addresses are not looked at for it"},
    Gap{Engine::Unroll, "uninitialised-read", "what was never written is any value"},
    Gap{Engine::Flatten, "uninitialised-read", "what was never written is any value"},
    Gap{Engine::Native, "uninitialised-read", "the interpreter sees it alone"},
    Gap{Engine::Native, "unreachable", "it is what the compiler makes of it"},
    Gap{Engine::Unroll, "stack-overflow", "recursion without end is beyond every bound"},
    Gap{Engine::Flatten, "stack-overflow", "recursion without end is beyond every bound"},
};

inline bool is_gap(Engine engine, std::string_view what, program::Machine machine = program::Machine::X86_64,
                   std::uint32_t width = 0) {
  return std::ranges::any_of(kGaps, [&](const Gap& gap) {
    return gap.engine == engine && gap.what == what && (!gap.machine || *gap.machine == machine) &&
           (gap.width == 0 || gap.width == width);
  });
}

}  // namespace plumb::check::agreement
