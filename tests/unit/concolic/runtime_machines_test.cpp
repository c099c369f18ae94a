// The core of the runtime on machines of both byte orders: what it writes there, the engine understands here. Machines
// that are not this one are emulated.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "base/subprocess.h"
#include "concolic/trace/trace_builder.h"
#include "trace/sample_stream.h"

namespace plumb::concolic {
namespace {

namespace fs = std::filesystem;

struct Machine {
  const char* name;
  const char* target;
  const char* emulator;  ///< none for this machine
  bool is_big_endian;
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) { return out << machine.name; }

/// All but what needs a host of its own, as in tests/CMakeLists.txt.
std::vector<std::string> core_sources() {
  std::vector<std::string> sources;
  for (const char* folder : {"runtime/concolic", "runtime/checks"})
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(PLUMB_SOURCES) / folder)) {
      const std::string stem = entry.path().stem().string();
      const bool is_host = stem.starts_with("host") || stem.starts_with("replay") || stem.starts_with("interpose") ||
                           stem.starts_with("operators");
      if (entry.path().extension() == ".c" && !is_host) sources.push_back(entry.path().string());
    }
  std::ranges::sort(sources);
  return sources;
}

class RuntimeOfMachine : public testing::TestWithParam<Machine> {
 protected:
  /// Why the program cannot be made here, or nothing.
  std::string build() const {
    std::vector<std::string> command = {"clang-19", std::string("--target=") + GetParam().target, "-std=gnu99", "-O1"};
    command.insert(command.end(), {"-static", "-I" PLUMB_SOURCES, "-o", program(),
                                   PLUMB_SOURCES "/tests/unit/concolic/machines/core.c"});
    const std::vector<std::string> sources = core_sources();
    command.insert(command.end(), sources.begin(), sources.end());
    const ProcessResult made = run_process(command, "", Budget{});
    return made.end == ProcessResult::End::Exited && made.code == 0 ? "" : made.error;
  }
  bool has_library() const {
    const fs::path empty = directory_.path() / "empty.c";
    write_file(empty, "#include <stdio.h>\nint main(void) { return 0; }\n");
    return run_process({"clang-19", std::string("--target=") + GetParam().target, "-static", empty.string(), "-o",
                        (directory_.path() / "empty").string()},
                       "", Budget{})
               .code == 0;
  }
  std::vector<std::uint32_t> run() const {
    std::vector<std::string> command;
    if (GetParam().emulator != nullptr) command.emplace_back(GetParam().emulator);
    command.push_back(program());
    const ProcessResult result = run_process(command, "", Budget{});
    EXPECT_EQ(result.end, ProcessResult::End::Exited);
    EXPECT_EQ(result.code, 0) << result.error;
    std::vector<std::uint32_t> words;
    std::istringstream lines(result.output);
    for (std::uint32_t word = 0; lines >> word;) words.push_back(word);
    return words;
  }

 private:
  std::string program() const { return (directory_.path() / "core").string(); }
  TemporaryDirectory directory_;
};

TEST_P(RuntimeOfMachine, WritesRecordsOfTheValuesThatItsMemoryHas) {
  if (GetParam().emulator != nullptr && !find_program(GetParam().emulator))
    GTEST_SKIP() << GetParam().emulator << " is not installed";
  if (!has_library()) GTEST_SKIP() << "there is no C library for " << GetParam().target;
  const std::string problem = build();
  ASSERT_EQ(problem, "");
  const std::vector<std::uint32_t> words = run();
  ASSERT_FALSE(words.empty());
  Subject subject = sample_subject();
  subject.program.layout.is_big_endian = GetParam().is_big_endian;
  term::TermStore store;
  TraceBuilder builder(subject, store);
  const Trace trace = builder.build(words);
  EXPECT_TRUE(trace.is_complete) << trace.problem;
  EXPECT_EQ(builder.first_false_node(trace), trace.nodes.size());
  EXPECT_EQ(trace.region_visits, 1U);
  EXPECT_GT(std::ranges::count(trace.nodes, PathNode::Kind::Branch, &PathNode::kind), 150);
  // A test means the same on every machine.
  ASSERT_GT(trace.inputs.size(), 100U);
  EXPECT_EQ(trace.inputs[0].bytes, (std::vector<std::uint8_t>{7, 0, 0, 0}));
  static const std::vector<result::TestInput> first = trace.inputs;
  ASSERT_EQ(first.size(), trace.inputs.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].bytes, trace.inputs[i].bytes) << i;
}

/// The same records of a machine of the other byte order are not true: the test above can fail.
TEST(RuntimeOfThisMachine, IsNotTakenForOneOfAnotherByteOrder) {
  StreamWriter w;
  const std::uint32_t x = w.input("x", {1, 2, 3, 4}, 4);
  const std::uint32_t index = w.input("i", {0}, 1);
  const std::uint32_t address =
      w.operation(term::Op::Add, 64, w.operation(term::Op::ZeroExtend, 64, index), w.constant(64, 0x1000));
  const std::uint32_t byte = w.read(8, address, 0x1000, {0x1000, {1, 2, 3, 4}, {{0, x, 0, 4, 4}}, 0});
  w.branch(kBranchSite, 0, w.operation(term::Op::Eq, 1, byte, w.constant(8, 1)));
  Subject subject = sample_subject();
  for (const bool is_big_endian : {false, true}) {
    subject.program.layout.is_big_endian = is_big_endian;
    term::TermStore store;
    TraceBuilder builder(subject, store);
    const Trace trace = builder.build(w.words);
    ASSERT_TRUE(trace.is_complete) << trace.problem;
    EXPECT_EQ(builder.first_false_node(trace) < trace.nodes.size(), is_big_endian);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RuntimeOfMachine,
                         testing::Values(Machine{"x86_64", "x86_64-linux-gnu", nullptr, false},
                                         Machine{"s390x", "s390x-linux-gnu", "qemu-s390x", true},
                                         Machine{"aarch64", "aarch64-linux-gnu", "qemu-aarch64", false},
                                         Machine{"riscv64", "riscv64-linux-gnu", "qemu-riscv64", false}),
                         [](const auto& machine) { return std::string(machine.param.name); });

}  // namespace
}  // namespace plumb::concolic
