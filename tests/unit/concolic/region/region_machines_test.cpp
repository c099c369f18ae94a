// The same source for several machines: what it computes is the same on all of them, and every region's formula says
// so, whatever the order of bytes and the size of pointers.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/file.h"
#include "base/subprocess.h"
#include "concolic/region/region_template.h"
#include "frontend/load.h"
#include "region_check.h"

namespace plumb::concolic {

using instrument::plan_regions;
namespace {

using program::BlockId;
using program::ValueId;

constexpr const char* kSource = R"(
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PLACE(i, n) ((n) - 1 - (i))
#define LITTLE(word) __builtin_bswap32(word)
#else
#define PLACE(i, n) (i)
#define LITTLE(word) (word)
#endif
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;

/* A word is written and its bytes are read, and the other way round. */
u32 bytes_of_words(u32 a, u32 b) {
  union { u32 word[2]; u16 half[4]; u8 byte[8]; u64 all; } u;
  u.all = 0;
  u.word[0] = a;
  if (b & 1) u.byte[PLACE(2, 4)] = (u8)b;
  if (b & 2) u.half[2 + PLACE(1, 2)] = (u16)(a ^ b);
  if (u.byte[PLACE(0, 4)] > 100) u.word[1] += 7;
  else if (b & 4) u.byte[4 + PLACE(3, 4)] ^= 0x80;
  return u.word[0] * 31 + u.word[1] + (u.byte[PLACE(1, 4)] > u.byte[PLACE(3, 4)] ? 1 : 2);
}

const u16 table[8] = {0x0102, 3, 0x8000, 500, 77, 0xffff, 9, 0x1234};
const int numbers[4] = {-5, 70000, 0x01020304, -1};

u32 tables(u32 a, u32 b) {
  u32 sum = 0;
  if (a & 8) sum += table[a & 7];
  else sum -= table[b & 7];
  if (numbers[b & 3] < (int)a) sum ^= 0xff00;
  if (sum & 1) sum += (u32)numbers[a & 3];
  return sum;
}

struct state { u8 kind; u16 count; u32 flags : 5, rest : 27; u64 total; } state;

u32 fields(u32 a, u32 b) {
  state.kind = (u8)a;
  state.count = (u16)b;
  state.flags = b >> 3;
  state.rest = a;
  state.total = (u64)a << 32 | b;
  if (state.flags > 9) state.rest ^= 0x155555;
  if (state.kind < (state.count & 255)) state.total -= state.rest;
  else state.count = (u16)(state.total >> 20);
  return state.kind + state.count + state.flags + state.rest + (u32)(state.total ^ state.total >> 32);
}

u32 copies(u32 a, u32 b) {
  u8 from[12], to[12];
  for (int i = 0; i < 12; ++i) from[i] = (u8)(a >> i);
  __builtin_memset(to, (int)b, sizeof to);
  if (a > b) __builtin_memcpy(to + 3, from + 1, 8);
  else __builtin_memcpy(to, from, 4);
  u32 word;
  __builtin_memcpy(&word, to + 2, 4);
  u32 found = 0;
  if (LITTLE(word) < a) found = 1;
  else if (to[5] & 2) found = LITTLE(word) >> 7;
  return found + ((u32)to[11] << 8);
}

int quotient(int a, int b) {
  int found;
  if (a > b) found = 3;
  else if (a & 1) found = a / b;
  else found = b;
  if (found > 7) found -= b;
  return found;
}

u32 indexed(u32 a, u32 b) {
  u32 words[8];
  for (u32 i = 0; i < 8; ++i) words[i] = a + i * b;
  if (b & 1) words[a & 7] = b;
  if (((u8 *)words)[4 * (b & 7) + PLACE(0, 4)] > 9) words[(a >> 3) & 7] ^= 0x80000001;
  return words[a & 7] + 3 * words[(a >> 3) & 7] + ((u16 *)words)[2 * (b & 7) + PLACE(1, 2)];
}
)";

constexpr const char* kFunctions[] = {"bytes_of_words", "tables", "fields", "copies", "indexed"};

struct Machine {
  const char* name;
  std::vector<std::string> flags;
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) { return out << machine.name; }

program::Program load_for(const Machine& machine) {
  const TemporaryDirectory directory;
  const std::string source = directory.path() / "machine.c";
  const std::string bitcode = directory.path() / "machine.bc";
  write_file(source, kSource);
  std::vector<std::string> command = {"clang-19", "-emit-llvm", "-c",      source,
                                      "-o",       bitcode,      "-Xclang", "-disable-O0-optnone"};
  command.insert(command.end(), machine.flags.begin(), machine.flags.end());
  EXPECT_EQ(run_process(command, {}, {}).code, 0);
  frontend::LoadOptions options;
  options.files = {bitcode};
  options.entry = "";
  options.is_board = true;
  options.machine_flags = machine.flags;
  return frontend::load_program(options, {});
}

/// Runs a function and holds each region that it comes by against its formula; gives what the function returns.
class CheckedRuns {
 public:
  CheckedRuns(const program::Program& program, std::string_view name, std::mt19937& random, CheckCounts& counts)
      : program_(program),
        function_(program.functions[*program.find_function(name)]),
        plans_(plan_regions(program, *program.find_function(name), {})) {
    for (const RegionPlan& plan : plans_)
      checks_[plan.governor] = std::make_unique<RegionCheck>(program, plan, random, counts);
  }

  BitVector run(std::uint32_t a, std::uint32_t b) {
    ReferenceRun run(program_, function_);
    run.values[function_.parameters[0]] = BitVector(32, a);
    run.values[function_.parameters[1]] = BitVector(32, b);
    for (BlockId block = 0;;) {
      EXPECT_TRUE(run.run_block(block));
      if (const auto check = checks_.find(block); check != checks_.end()) check->second->check(run);
      const auto edge = run.next_edge(block);
      if (!edge) return run.value(function_.operands_of(function_.terminator(block))[0]);
      block = run.take_edge(block, *edge);
    }
  }

 private:
  const program::Program& program_;
  const program::Function& function_;
  std::vector<RegionPlan> plans_;
  std::map<BlockId, std::unique_ptr<RegionCheck>> checks_;
};

class RegionsOfMachine : public testing::TestWithParam<Machine> {};

TEST_P(RegionsOfMachine, ComputeWhatThoseForX86Do) {
  static const program::Program reference = load_for({"x86", {"--target=x86_64-linux-gnu"}});
  const program::Program program = load_for(GetParam());
  std::mt19937 random(11);
  for (const char* name : kFunctions) {
    SCOPED_TRACE(name);
    CheckCounts counts;
    CheckCounts reference_counts;
    CheckedRuns runs(program, name, random, counts);
    CheckedRuns reference_runs(reference, name, random, reference_counts);
    for (int i = 0; i < 60 && !HasFailure(); ++i) {
      const auto a = static_cast<std::uint32_t>(i % 3 == 0 ? random() % 300 : random());
      const auto b = static_cast<std::uint32_t>(i % 2 == 0 ? random() % 300 : random());
      EXPECT_EQ(runs.run(a, b), reference_runs.run(a, b)) << a << ' ' << b;
    }
    EXPECT_GT(counts.regions, 0U);
    EXPECT_GT(counts.destinations, 50U);
  }
}

TEST_P(RegionsOfMachine, FailByAQuotientThatDoesNotFitWhereTheProcessorDoes) {
  const program::Program program = load_for(GetParam());
  term::TermStore store;
  std::size_t zero = 0;
  std::size_t overflow = 0;
  for (const RegionPlan& plan : plan_regions(program, *program.find_function("quotient"), {})) {
    const RegionTemplate formula(program, plan, store);
    for (const RegionFault& fault : formula.faults()) {
      zero += fault.kind == program::FaultKind::DivisionByZero ? 1U : 0U;
      overflow += fault.kind == program::FaultKind::SignedOverflow ? 1U : 0U;
    }
  }
  EXPECT_EQ(zero, 1U);
  EXPECT_EQ(overflow, std::string_view(GetParam().name) == "s390x" ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(All, RegionsOfMachine,
                         testing::Values(Machine{"arm_linux", {"--target=arm-linux-gnueabihf"}},
                                         Machine{"aarch64", {"--target=aarch64-linux-gnu"}},
                                         Machine{"riscv64", {"--target=riscv64-linux-gnu"}},
                                         Machine{"s390x", {"--target=s390x-linux-gnu"}},
                                         Machine{"mips", {"--target=mips-linux-gnu"}},  // big-endian, of 32 bits
                                         Machine{"cortex_m", {"--target=arm-none-eabi", "-mcpu=cortex-m3", "-mthumb"}}),
                         [](const auto& machine) { return std::string(machine.param.name); });

}  // namespace
}  // namespace plumb::concolic
