#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/toolchain/board_toolchain.h"
#include "frontend/toolchain/carried_code.h"
#include "frontend/toolchain/driver.h"
#include "frontend/toolchain/object_file.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

/// Both word sizes and both byte orders, with an operating system and without. Clang alone compiles for them.
constexpr const char* kMachines[] = {"arm-linux-gnueabihf", "aarch64-linux-gnu",         "riscv64-linux-gnu",
                                     "s390x-linux-gnu",     "powerpc-unknown-linux-gnu", "armeb-none-eabi",
                                     "arm-none-eabi",       "x86_64-linux-gnu"};

/// Files of one test.
class BoardFiles : public testing::TestWithParam<const char*> {
 protected:
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  std::string file(const std::string& name, std::string_view content) const {
    write_file(path(name), content);
    return path(name);
  }

  BoardLink drive(Texts words, std::string_view linker = {}) const {
    words.insert(words.begin(), {"--target", GetParam()});
    BoardCommand command = parse_board_command(words);
    command.linker = linker;
    return run_board_driver(command, false, directory_.path(), Budget{});
  }

  TemporaryDirectory directory_;
};

TEST_P(BoardFiles, ObjectsCarryCodeOfTheirOwnMachine) {
  const std::string source = file("a.c", "int twice(int x) { return 2 * x; }\n");
  const BoardLink done = drive({"-O1", "-DX=1", "-c", source, "-o", path("a.o")});
  ASSERT_EQ(done.code, 0);
  EXPECT_FALSE(done.is_program);
  const CarriedCode code = read_carried_code(path("a.o"));
  ASSERT_EQ(code.units.size(), 1u);
  EXPECT_EQ(code.units[0].source, source);
  EXPECT_NE(std::ranges::find(code.units[0].words, std::string("--target=") + GetParam()), code.units[0].words.end());
  EXPECT_TRUE(code.units[0].bitcode.starts_with("BC"));
  // The object is still one: clang's own reader finds the function.
  const ProcessResult names = run_process({"llvm-nm-19", "--defined-only", path("a.o")}, {}, Budget{});
  EXPECT_NE(names.output.find(" T twice"), std::string::npos) << names.output << names.error;
}

TEST_P(BoardFiles, EmptyObjectIsOfTheMachineAndTakesASection) {
  const std::string empty = empty_object({std::string("--target=") + GetParam()}, directory_.path(), Budget{});
  file("a.o", with_section(empty, kCarriedSection, unit_record({"/a.c", "/", {}, "BC"})));
  const CarriedCode code = read_carried_code(path("a.o"));
  ASSERT_EQ(code.units.size(), 1u);
  EXPECT_EQ(code.units[0].source, "/a.c");
  EXPECT_EQ(read_file(path("a.o")).substr(0, 20), empty.substr(0, 20)) << "class, byte order and machine";
}

TEST_P(BoardFiles, SectionIsReplacedByOneOfItsName) {
  const std::string empty = empty_object({std::string("--target=") + GetParam()}, directory_.path(), Budget{});
  const std::string twice = with_section(with_section(empty, ".plumb.test", "first"), ".plumb.test", "second");
  EXPECT_EQ(read_object(twice, "a.o", ".plumb.test").carried, "second");
}

TEST_P(BoardFiles, PlainUnitsCarryNothing) {
  const BoardLink done = drive({"-fno-plumb", "-c", file("a.c", "int f(void) { return 1; }\n"), "-o", path("a.o")});
  ASSERT_EQ(done.code, 0);
  EXPECT_TRUE(is_native(path("a.o")));
  EXPECT_FALSE(carries_code(path("a.o")));
}

INSTANTIATE_TEST_SUITE_P(Machines, BoardFiles, testing::ValuesIn(kMachines), [](const auto& machine) {
  std::string name = machine.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

/// Where Debian's cross compilers are installed.
class LinuxBoardFiles : public BoardFiles {
 protected:
  void SetUp() override {
    const BoardCommand command = parse_board_command({"--target", GetParam()});
    if (const std::string packages = missing_packages(command, Budget{}); !packages.empty())
      GTEST_SKIP() << "needs " << packages;
  }
};

TEST_P(LinuxBoardFiles, LinkedFileHasTheCodeOfWhatItIsMadeOf) {
  ASSERT_EQ(drive({"-c", file("a.c", "int a(void) { return 1; }\n"), "-o", path("a.o")}).code, 0);
  ASSERT_EQ(drive({"-c", file("b.c", "int b(void) { return 1; }\n"), "-o", path("b.o")}).code, 0);
  ASSERT_EQ(run_process({"ar", "rcs", path("ab.a"), path("a.o"), path("b.o")}, {}, Budget{}).code, 0);
  const std::string main =
      file("main.c",
           "#include <plumb/plumb.h>\n#include <stdio.h>\nint a(void);\nint main(void) {\n"
           "  int x = 0;\n  plumb_symbolic(&x, sizeof x, \"x\");\n  puts(\"x\");\n  return a();\n}\n");
  const BoardLink link = drive({main, path("ab.a"), "-lm", "-o", path("program")});
  ASSERT_EQ(link.code, 0);
  EXPECT_TRUE(link.is_program);
  EXPECT_FALSE(fs::exists(path("program"))) << "it is not instrumented yet";
  const CarriedCode code = read_carried_code(link.plain);
  ASSERT_EQ(code.units.size(), 2u) << "b.o is not needed";
  EXPECT_EQ(code.units[0].source, main);
  EXPECT_EQ(code.units[1].source, path("a.c"));
  EXPECT_EQ(code.link_words, Texts{"-lm"});
  ASSERT_EQ(code.components.size(), 1u);
  EXPECT_TRUE(code.components[0].is_linked);
  EXPECT_NE(std::ranges::find(code.components[0].imported, "puts"), code.components[0].imported.end());
}

INSTANTIATE_TEST_SUITE_P(Machines, LinuxBoardFiles,
                         testing::Values("arm-linux-gnueabihf", "aarch64-linux-gnu", "riscv64-linux-gnu",
                                         "s390x-linux-gnu"),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

class BareMetalFiles : public BoardFiles {
 protected:
  void SetUp() override {
    if (!find_program("arm-none-eabi-gcc")) GTEST_SKIP() << "needs gcc-arm-none-eabi";
  }
};

TEST_P(BareMetalFiles, WhatCarriesCodeIsJoinedAndTheRestLinksAsTold) {
  const Texts machine = {"-mcpu=cortex-m3", "-mthumb"};
  const auto with_machine = [&](Texts words) {
    words.insert(words.begin(), machine.begin(), machine.end());
    return words;
  };
  ASSERT_EQ(
      drive(with_machine({"-fno-plumb", "-c", file("start.c", "void start(void) {}\n"), "-o", path("start.o")})).code,
      0);
  ASSERT_EQ(drive(with_machine({"-c", file("a.c", "#include <string.h>\nint a(void) { return (int)strlen(\"x\"); }\n"),
                                "-o", path("a.o")}))
                .code,
            0)
      << "headers of newlib are found";
  const BoardLink link = drive(with_machine({"-nostartfiles", path("start.o"), "-Wl,--gc-sections", path("a.o"),
                                             file("step.c", "int a(void); int step(void) { return a(); }\n"), "-T",
                                             "board.ld", "-o", path("firmware.elf"), "--plumb-entry=step"}));
  ASSERT_EQ(link.code, 0);
  EXPECT_EQ(link.link_command, (Texts{"arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-nostartfiles",
                                      path("start.o"), "-Wl,--gc-sections", "@objects", "-T", "board.ld"}));
  const CarriedCode code = read_carried_code(link.plain);
  ASSERT_EQ(code.units.size(), 2u);
  EXPECT_EQ(code.units[0].source, path("a.c"));
  EXPECT_EQ(code.units[1].source, path("step.c"));
}

TEST_P(BareMetalFiles, OfArchivesThatCarryCodeWhatIsNeededIsJoined) {
  ASSERT_EQ(drive({"-c", file("a.c", "int a(void) { return 1; }\n"), "-o", path("a.o")}).code, 0);
  ASSERT_EQ(drive({"-c", file("b.c", "int b(void) { return 1; }\n"), "-o", path("b.o")}).code, 0);
  ASSERT_EQ(run_process({"ar", "rcs", path("libab.a"), path("a.o"), path("b.o")}, {}, Budget{}).code, 0);
  const std::string step = file("step.c", "int a(void); int step(void) { return a(); }\n");
  for (const Texts& library : {Texts{path("libab.a")}, Texts{"-L" + directory_.path().string(), "-lab"}}) {
    Texts words = {step, "-lc", "-o", path("firmware.elf"), "--plumb-entry=step"};
    words.insert(words.begin(), library.begin(), library.end());
    const BoardLink link = drive(words);
    ASSERT_EQ(link.code, 0);
    EXPECT_EQ(std::ranges::count(link.link_command, "@objects"), 1);
    EXPECT_EQ(std::ranges::find(link.link_command, library.back()), link.link_command.end());
    EXPECT_EQ(link.link_command.back(), "-lc");
    const CarriedCode code = read_carried_code(link.plain);
    ASSERT_EQ(code.units.size(), 2u) << "b.o is not needed";
  }
}

TEST_P(BareMetalFiles, LinkerThatIsMissingIsNamed) {
  const std::string source = file("a.c", "int step(void) { return 0; }\n");
  EXPECT_THROW(drive({source, "-o", path("a")}, "no-such-linker"), UserError);
}

INSTANTIATE_TEST_SUITE_P(Machines, BareMetalFiles, testing::Values("arm-none-eabi"),
                         [](const auto&) { return std::string("arm_none_eabi"); });

TEST(BoardToolchain, UnknownMachineIsNamed) {
  BoardCommand command;
  command.machine = "abacus-linux-gnu";
  try {
    missing_packages(command, Budget{});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("abacus-linux-gnu"), std::string::npos);
  }
}

}  // namespace
}  // namespace plumb::frontend
