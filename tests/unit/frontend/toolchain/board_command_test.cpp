#include "frontend/toolchain/board_command.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "frontend/compile.h"
#include "frontend/toolchain/board_toolchain.h"

namespace plumb::frontend {
namespace {

using Texts = std::vector<std::string>;

BoardCommand parse(const std::string& text) { return parse_board_command(split_command(text)); }

TEST(BoardCommand, MachineIsTakenInAllSpellings) {
  for (const char* text :
       {"--target arm-none-eabi -c a.c", "--target=arm-none-eabi -c a.c", "-target arm-none-eabi -c a.c"}) {
    const BoardCommand command = parse(text);
    EXPECT_EQ(command.machine, "arm-none-eabi") << text;
    EXPECT_EQ(command.arguments, (Texts{"--target=arm-none-eabi", "-c", "a.c"})) << text;
  }
}

TEST(BoardCommand, WithoutAMachineAllWordsAreTheCompilers) {
  const BoardCommand command = parse("-O2 -c a.c --targets -o x");
  EXPECT_EQ(command.machine, "");
  EXPECT_EQ(command.arguments, (Texts{"-O2", "-c", "a.c", "--targets", "-o", "x"}));
}

TEST(BoardCommand, OwnWordsAreNotTheCompilers) {
  const BoardCommand command = parse(
      "--plumb-entry=step --plumb-checks default,overflow --plumb-arena=64K --plumb-token-file=t --plumb-linker=l -DX "
      "--target arm-none-eabi a.o --plumb-target-program");
  EXPECT_EQ(command.entry, "step");
  EXPECT_EQ(command.checks, "default,overflow");
  EXPECT_EQ(command.arena, 65536u);
  EXPECT_EQ(command.token_file, "t");
  EXPECT_EQ(command.linker, "l");
  EXPECT_TRUE(command.makes_target);
  EXPECT_EQ(command.arguments, (Texts{"-DX", "--target=arm-none-eabi", "a.o"}));
}

TEST(BoardCommand, BadWordsAreRefused) {
  for (const char* text :
       {"--plumb-entry=f a.c", "--target", "--target= a.c", "--target arm-none-eabi --plumb-entrance=f",
        "--target arm-none-eabi --plumb-arena=", "--target arm-none-eabi --plumb-arena=0",
        "--target arm-none-eabi --plumb-arena=16383", "--target arm-none-eabi --plumb-arena=64Q",
        "--target arm-none-eabi --plumb-arena=4096M", "--target arm-none-eabi --plumb-entry"})
    EXPECT_THROW(parse(text), UserError) << text;
}

TEST(BoardCommand, MachineFlagsAreThoseOfCodeAndLibraries) {
  const CompilerCommand command = parse_compiler_command(split_command(
      "-mcpu=cortex-m3 -mthumb -O2 -Iinc -DX -isystem /new lib.a --sysroot=/root -mllvm -x=1 -fshort-enums "
      "-isystem/other -c a.c"));
  EXPECT_EQ(machine_flags(command), (Texts{"-mcpu=cortex-m3", "-mthumb", "-isystem", "/new", "--sysroot=/root",
                                           "-fshort-enums", "-isystem/other"}));
}

TEST(BoardCommand, KnownMachinesHavePackagesAndAPlaceInTheTableOfPlatforms) {
  for (const KnownMachine& machine : known_machines()) {
    EXPECT_TRUE(is_tried(machine.triple)) << machine.triple;
    EXPECT_EQ(packages_for(machine.triple), "apt-get install " + std::string(machine.packages));
  }
  EXPECT_TRUE(is_tried("x86_64-linux-gnu"));
  EXPECT_FALSE(is_tried("sparc64-linux-gnu"));
}

TEST(BoardCommand, EnumerationsAreShortOnEveryBareArm) {
  for (const auto& [machine, is_short] : {std::pair("arm-none-eabi", true), std::pair("thumbv7m-none-eabi", true),
                                          std::pair("riscv32-unknown-elf", false)}) {
    const Texts words = board_defaults(parse(std::string("-nostdinc --target=") + machine), Budget{});
    EXPECT_EQ(std::ranges::count(words, "-fshort-enums"), is_short ? 1 : 0) << machine;
  }
}

TEST(BoardCommand, BareMetalIsWhatHasNoSystem) {
  for (const char* machine : {"arm-none-eabi", "thumbv7m-none-eabi", "riscv32-unknown-elf", "aarch64-none-elf"})
    EXPECT_TRUE(is_bare_metal(machine)) << machine;
  for (const char* machine : {"arm-linux-gnueabihf", "s390x-linux-gnu", "x86_64-unknown-linux-gnu"})
    EXPECT_FALSE(is_bare_metal(machine)) << machine;
}

}  // namespace
}  // namespace plumb::frontend
