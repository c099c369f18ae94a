#include "instrument/board_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/toolchain/board_toolchain.h"
#include "frontend/toolchain/driver.h"
#include "frontend/toolchain/object_file.h"
#include "instrument/fingerprint.h"

namespace plumb::instrument {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr std::string_view kProgram = R"(
#include <plumb/plumb.h>
#include <stdio.h>
#include <string.h>

static int table[4] = {1, 2, 3, 4};
static int weigh(const char* text) {
  int sum = 0;
  for (size_t i = 0; i < strlen(text); ++i) sum += text[i] > 'm' ? table[i % 4] : -1;
  return sum;
}
int main(int argc, char** argv) {
  int x = 0;
  plumb_symbolic(&x, sizeof x, "x");
  if (x > 100) table[1] = x;
  printf("%s weighs %d, x is %d\n", argv[argc - 1], weigh(argv[argc - 1]), x);
  return x == 12345 ? 3 : 5;
}
)";

/// A program of one file for a machine that has an operating system.
class BoardPrograms : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const frontend::BoardCommand command = frontend::parse_board_command({"--target", GetParam()});
    if (const std::string packages = frontend::missing_packages(command, Budget{}); !packages.empty())
      GTEST_SKIP() << "needs " << packages;
    write_file(path("program.c"), kProgram);
  }

  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  Subject build(const Texts& words, const std::string& entry = "main") {
    Texts all = {"--target", GetParam()};
    all.insert(all.end(), words.begin(), words.end());
    const frontend::BoardCommand command = frontend::parse_board_command(all);
    const frontend::BoardLink link = frontend::run_board_driver(command, false, directory_.path(), Budget{});
    EXPECT_EQ(link.code, 0);
    load_.files = {link.plain.string()};
    load_.entry = entry;
    const BoardBuild build{GetParam(), link.machine_flags, link.link_command, link.open_names, 0, {}};
    return build_board_program(load_, build, path("program"), Budget{});
  }

  /// As a user's shell does, under emulation of the machine.
  ProcessResult run(Texts words) const {
    const std::string machine = GetParam();
    const std::string name = machine.substr(0, machine.find('-'));
    if (name != "x86_64") words.insert(words.begin(), {"qemu-" + name, "-L", "/usr/" + machine});
    return run_process(words, {}, Budget{});
  }

  TemporaryDirectory directory_;
  frontend::LoadOptions load_;
};

TEST_P(BoardPrograms, ReadBackIsWhatWasBuilt) {
  load_.checks = program::parse_checks("default,overflow");
  const Subject built = build({"-O2", path("program.c")});
  EXPECT_TRUE(is_board_program(path("program")));
  for (const auto& entry : fs::directory_iterator(directory_.path()))
    if (entry.path() != path("program")) fs::remove_all(entry.path());  // the executable suffices
  const BoardProgram read = read_board_program(path("program"), Budget{});
  EXPECT_EQ(fingerprint(read.subject), fingerprint(built));
  EXPECT_EQ(read.subject.edge_count, built.edge_count);
  EXPECT_EQ(read.subject.sites.size(), built.sites.size());
  EXPECT_EQ(read.subject.regions.size(), built.regions.size());
  EXPECT_EQ(read.subject.externals, built.externals);
  EXPECT_EQ(read.subject.executable, path("program"));
  EXPECT_EQ(read.machine, GetParam());
  EXPECT_EQ(read.load.entry, "main");
  EXPECT_EQ(read.load.checks, load_.checks);
  EXPECT_GT(built.edge_count, 4u);
}

TEST_P(BoardPrograms, RunsOnceWithoutAServerAsItWouldNatively) {
  build({path("program.c")});
  const ProcessResult once = run({path("program"), "zeal"});
  EXPECT_EQ(once.end, ProcessResult::End::Exited);
  EXPECT_EQ(once.code, 5) << once.error;
  EXPECT_EQ(once.output, "zeal weighs -2, x is 0\n") << once.error;
}

TEST_P(BoardPrograms, FunctionWithoutADefinitionIsNamed) {
  write_file(path("open.c"), "int nowhere(int); int main(int n, char** v) { return v[0] ? nowhere(n) : 0; }\n");
  try {
    build({path("open.c")});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(path("program")));
}

INSTANTIATE_TEST_SUITE_P(Machines, BoardPrograms,
                         testing::Values("arm-linux-gnueabihf", "aarch64-linux-gnu", "riscv64-linux-gnu",
                                         "s390x-linux-gnu", "x86_64-linux-gnu"),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

constexpr std::string_view kScript = R"(
ENTRY(Reset_Handler)
SECTIONS {
  . = 0;
  .text : { *(.text*) *(.rodata*) }
  .ARM.exidx : { *(.ARM.exidx*) }
  . = 0x20000000;
  .data : { *(.data*) }
  .bss : { *(.bss*) *(COMMON) }
  end = .;
}
)";
constexpr std::string_view kBoard = R"(
#include <plumb/board.h>
static int32_t receive(uint8_t* bytes, uint32_t size) { (void)bytes; (void)size; return 0; }
static int32_t transmit(const uint8_t* bytes, uint32_t size) { (void)bytes; return (int32_t)size; }
void Reset_Handler(void) {
  struct plumb_board board = {0};
  board.read = receive;
  board.write = transmit;
  plumb_board_main(&board);
}
)";
constexpr std::string_view kStep = R"(
#include <plumb/plumb.h>
#include <string.h>
static int table[8];
int main(void) { return 1; }
int step(void) {
  int i;
  plumb_symbolic(&i, sizeof i, "i");
  if (i >= 0 && i < 8) table[i] = i;
  return memcmp(table, &i, sizeof i) == 0;
}
)";

TEST(BareMetalPrograms, ReadBackIsWhatWasBuilt) {
  if (!find_program("arm-none-eabi-gcc")) GTEST_SKIP() << "needs gcc-arm-none-eabi libnewlib-arm-none-eabi";
  const TemporaryDirectory directory;
  const auto path = [&](const char* name) { return (directory.path() / name).string(); };
  write_file(path("script.ld"), kScript);
  write_file(path("board.c"), kBoard);
  write_file(path("step.c"), kStep);
  const auto drive = [&](Texts words) {
    words.insert(words.begin(), {"--target=arm-none-eabi", "-mcpu=cortex-m3", "-mthumb"});
    const frontend::BoardCommand command = frontend::parse_board_command(words);
    return frontend::run_board_driver(command, false, directory.path(), Budget{});
  };
  ASSERT_EQ(drive({"-fno-plumb", "-c", path("board.c"), "-o", path("board.o")}).code, 0);
  const frontend::BoardLink link =
      drive({"--plumb-entry=step", "-nostartfiles", "-T", path("script.ld"), path("board.o"), path("step.c"),
             "-Wl,--gc-sections", "-o", path("firmware.elf")});
  ASSERT_EQ(link.code, 0);
  frontend::LoadOptions load;
  load.files = {link.plain.string()};
  load.entry = "step";
  constexpr std::uint32_t kArena = 65536;
  const BoardBuild build{"arm-none-eabi", link.machine_flags, link.link_command, link.open_names,
                         kArena,          "0123456789abcdef"};
  const Subject built = build_board_program(load, build, path("firmware.elf"), Budget{});
  const BoardProgram read = read_board_program(path("firmware.elf"), Budget{});
  EXPECT_EQ(fingerprint(read.subject), fingerprint(built));
  EXPECT_EQ(read.subject.edge_count, built.edge_count);
  EXPECT_EQ(read.load.entry, "step");
  EXPECT_EQ(read.machine, "arm-none-eabi");
  EXPECT_NE(read_file(path("firmware.elf")).find("0123456789abcdef"), std::string::npos) << "the token";
}

/// Files that are none.
TEST(BoardProgramFiles, OthersAreRefused) {
  const TemporaryDirectory directory;
  const auto path = [&](const char* name) { return directory.path() / name; };
  write_file(path("text"), "#!/bin/sh\n");
  write_file(path("empty.o"), frontend::empty_object(64));
  write_file(path("other.o"), frontend::with_section(frontend::empty_object(64), ".plumb.board",
                                                     R"({"plumb":"0.0.0","machine":"m","entry":"main","checks":"none",)"
                                                     R"("fingerprint":"","flags":[]})"));
  for (const char* damaged : {"{", "[]", "{}", "3", R"({"plumb":1})"}) {
    write_file(path("damaged.o"), frontend::with_section(frontend::empty_object(64), ".plumb.board", damaged));
    EXPECT_THROW(read_board_program(path("damaged.o"), Budget{}), UserError) << damaged;
  }
  for (const char* name : {"text", "empty.o", "other.o", "missing"}) {
    EXPECT_THROW(read_board_program(path(name), Budget{}), UserError) << name;
    EXPECT_EQ(is_board_program(path(name)), std::string_view(name) == "other.o") << name;
  }
  EXPECT_FALSE(is_board_program(directory.path()));
}

TEST(BoardProgramFiles, TargetProgramIsForSystems) {
  const TemporaryDirectory directory;
  const BoardBuild build{"arm-none-eabi", {}, {}, {}, 0, {}};
  EXPECT_THROW(build_target_program(build, directory.path() / "plumb-target", Budget{}), UserError);
}

}  // namespace
}  // namespace plumb::instrument
