// Code for machines that are not x86, as programs for boards have it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"
#include "program/printer.h"

namespace plumb::frontend {

using interpret::Interpreter;
using program::Function;
using program::GlobalObject;
using program::HaltReason;
using program::Instruction;
using program::Kind;
using program::print;
using program::Value;
using program::ValueKind;
namespace {

struct Machine {
  const char* name;
  std::vector<std::string> flags;
  std::uint32_t pointer_width;
  bool is_big_endian;
  bool is_bare;
  std::uint64_t list_size;  ///< of a va_list
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) { return out << machine.name; }

const std::vector<Machine>& machines() {
  static const std::vector<Machine> all = {
      {"arm_linux", {"--target=arm-linux-gnueabihf"}, 32, false, false, 4},
      {"aarch64", {"--target=aarch64-linux-gnu"}, 64, false, false, 32},
      {"riscv64", {"--target=riscv64-linux-gnu"}, 64, false, false, 8},
      {"s390x", {"--target=s390x-linux-gnu"}, 64, true, false, 32},
      {"cortex_m", {"--target=arm-none-eabi", "-mcpu=cortex-m3", "-mthumb", "-fshort-enums"}, 32, false, true, 4},
  };
  return all;
}

constexpr const char* kSource = R"(
typedef __SIZE_TYPE__ size_t;
size_t strlen(const char *);
long strtol(const char *, char **, int);
int snprintf(char *, size_t, const char *, ...);
#ifdef BARE
extern const char _ctype_[];
int is_digit(int c) { return (_ctype_ + 1)[c] & 4; }
#endif
enum small { A, B } small = B;
const unsigned short halves[] = {0x0102, 0x0304};
const unsigned words[] = {0x01020304, 0, 0x05060708};
const unsigned long long wide = 0x1122334455667788ull;
const double real = 1.0;
struct mixed { char c; int i; unsigned short h; char text[3]; void *p; };
const struct mixed mixed = {'x', 0x0a0b0c0d, 0x0e0f, "ab", &small};
struct pair { int a, b; };
struct large { long long a[4]; };
struct pair turned(struct pair p) { struct pair q = {p.b, p.a}; return q; }
struct large same(struct large l) { return l; }
int sum(int count, ...) {
  __builtin_va_list list, copy;
  int total = 0;
  __builtin_va_start(list, count);
  __builtin_va_copy(copy, list);
  while (count-- > 0) total += __builtin_va_arg(copy, int);
  __builtin_va_end(copy);
  __builtin_va_end(list);
  return total;
}
int main(void) {
  char text[20];
  struct pair p = {1, 2};
  struct large l = {{1, 2, 3, 4}};
  snprintf(text, sizeof text, "%d", 3);
  return (int)strlen(text) + (int)strtol("12", 0, 10) + turned(p).a + (int)same(l).a[2] + sum(2, 3, 4);
}
)";

Program load_for(const Machine& machine, std::string_view text) {
  const TemporaryDirectory directory;
  const std::string bitcode = directory.path() / "machine.bc";
  write_file(directory.path() / "machine.c", text);
  // From its own directory, so that no place in the program has the directory's name. Of a source outside, clang keeps
  // more or less of the path depending on where the test runs.
  std::vector<std::string> command = {"clang-19", "-g", "-emit-llvm", "-c", "machine.c", "-o", bitcode};
  if (machine.is_bare) command.emplace_back("-DBARE");
  command.insert(command.end(), machine.flags.begin(), machine.flags.end());
  EXPECT_EQ(run_process(command, {}, {}, {}, directory.path()).code, 0);
  LoadOptions options;
  options.files = {bitcode};
  options.is_board = true;
  options.machine_flags = machine.flags;
  return load_program(options, {});
}

/// The source above for the machine, loaded once.
const Program& program_for(const Machine& machine) {
  static std::map<std::string, Program> loaded;
  const auto found = loaded.find(machine.name);
  if (found != loaded.end()) return found->second;
  return loaded.emplace(machine.name, load_for(machine, kSource)).first->second;
}

const Function& function(const Program& program, std::string_view name) {
  const auto found = program.find_function(name);
  EXPECT_TRUE(found) << name;
  return program.functions.at(found.value());
}

std::vector<std::uint8_t> bytes_of(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.globals, name, &GlobalObject::name);
  EXPECT_NE(found, program.globals.end()) << name;
  std::vector<std::uint8_t> bytes = found->bytes;
  bytes.resize(found->size);
  return bytes;
}

/// Numbers one after the other, of these sizes, in the order of the machine.
std::vector<std::uint8_t> numbers(const Machine& machine, std::uint32_t size, std::vector<std::uint64_t> values) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t value : values)
    for (std::uint32_t i = 0; i < size; ++i)
      bytes.push_back(static_cast<std::uint8_t>(value >> 8 * (machine.is_big_endian ? size - 1 - i : i)));
  return bytes;
}

class ProgramForMachine : public testing::TestWithParam<Machine> {};

TEST_P(ProgramForMachine, HasItsLayout) {
  const Program& program = program_for(GetParam());
  EXPECT_EQ(program.layout.pointer_width, GetParam().pointer_width);
  EXPECT_EQ(program.layout.is_big_endian, GetParam().is_big_endian);
  EXPECT_EQ(bytes_of(program, "small").size(), GetParam().is_bare ? 1U : 4U);
}

TEST_P(ProgramForMachine, HasItsBytesInConstants) {
  const Machine& machine = GetParam();
  const Program& program = program_for(machine);
  EXPECT_EQ(bytes_of(program, "halves"), numbers(machine, 2, {0x0102, 0x0304}));
  EXPECT_EQ(bytes_of(program, "words"), numbers(machine, 4, {0x01020304, 0, 0x05060708}));
  EXPECT_EQ(bytes_of(program, "wide"), numbers(machine, 8, {0x1122334455667788}));
  EXPECT_EQ(bytes_of(program, "real"), numbers(machine, 8, {0x3ff0000000000000}));
  std::vector<std::uint8_t> mixed = bytes_of(program, "mixed");
  mixed.resize(13);
  std::vector<std::uint8_t> expected = {'x', 0, 0, 0};
  const auto add = [&](const std::vector<std::uint8_t>& more) {
    expected.insert(expected.end(), more.begin(), more.end());
  };
  add(numbers(machine, 4, {0x0a0b0c0d}));
  add(numbers(machine, 2, {0x0e0f}));
  add({'a', 'b', 0});
  EXPECT_EQ(mixed, expected);
  const auto& object = *std::ranges::find(program.globals, "mixed", &GlobalObject::name);
  ASSERT_EQ(object.relocations.size(), 1U);
  EXPECT_EQ(object.relocations[0].offset, 16U);
}

TEST_P(ProgramForMachine, HasTheModelsOfItsLibrary) {
  const Program& program = program_for(GetParam());
  for (const char* name : {"strlen", "strtol"}) {
    EXPECT_TRUE(function(program, name).has_body()) << name;
    EXPECT_TRUE(function(program, name).is_model) << name;
  }
  // What depends on glibc is left to newlib itself, whose errno and table of characters are used.
  EXPECT_EQ(function(program, "snprintf").has_body(), !GetParam().is_bare);
  EXPECT_EQ(program.find_function("__errno").has_value(), GetParam().is_bare);
  EXPECT_EQ(program.find_function("__errno_location").has_value(), !GetParam().is_bare);
  if (!GetParam().is_bare) return;
  const std::vector<std::uint8_t> table = bytes_of(program, "_ctype_");
  ASSERT_EQ(table.size(), 257U);
  EXPECT_EQ(table[1 + '7'], 4U);
}

TEST_P(ProgramForMachine, HasNoPartThatCannotBeLowered) {
  const Program& program = program_for(GetParam());
  for (const Function& f : program.functions)
    for (const Instruction& instruction : f.instructions)
      EXPECT_FALSE(instruction.kind == Kind::Halt && instruction.halt_reason() == HaltReason::Unsupported)
          << f.name << ": " << program.messages[instruction.parameter];
}

TEST_P(ProgramForMachine, CopiesAWholeArgumentList) {
  const Function& sum = function(program_for(GetParam()), "sum");
  const auto copy = std::ranges::find(sum.instructions, Kind::CopyMemory, &Instruction::kind);
  ASSERT_NE(copy, sum.instructions.end());
  EXPECT_EQ(sum.constant(sum.operands_of(*copy)[2]).to_uint64(), GetParam().list_size);
}

TEST_P(ProgramForMachine, IsNotInterpreted) { EXPECT_THROW(Interpreter{program_for(GetParam())}, Unsupported); }

TEST(ProgramsForMachines, GoOnBehindAssemblyWithValuesFromOutside) {
  const auto machine = std::ranges::find(machines(), std::string_view("cortex_m"), &Machine::name);
  const Program program = load_for(*machine, R"(
int main(void) {
  int mask;
  __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(mask) : : "memory");
  __asm volatile("dsb");
  if (__builtin_arm_rbit(mask) > 3) return 1;
  return 2;
}
)");
  const Function& main = function(program, "main");
  EXPECT_FALSE(std::ranges::any_of(main.instructions, [](const Instruction& i) { return i.kind == Kind::Halt; }));
  EXPECT_TRUE(std::ranges::any_of(main.values, [](const Value& v) { return v.kind == ValueKind::Undefined; }));
  EXPECT_EQ(std::ranges::count(main.instructions, Kind::Branch, &Instruction::kind), 1);
}

INSTANTIATE_TEST_SUITE_P(All, ProgramForMachine, testing::ValuesIn(machines()),
                         [](const auto& machine) { return std::string(machine.param.name); });

TEST(ProgramsForMachines, AreTheSameEveryTime) {
  const Machine& machine = machines().back();
  const auto text = [&] {
    std::ostringstream out;
    print(out, load_for(machine, kSource));
    return out.str();
  };
  const std::string first = text();
  EXPECT_EQ(first, text());
  EXPECT_EQ(first.find("/plumb-"), std::string::npos) << "a temporary directory";
}

TEST(ProgramsForMachines, NameAFlagThatTheCompilerDoesNotKnowOnce) {
  const TemporaryDirectory directory;
  const std::string source = directory.path() / "a.c";
  const std::string bitcode = directory.path() / "a.bc";
  write_file(source, "int main(void) { return 0; }");
  ASSERT_EQ(run_process({"clang-19", "--target=arm-none-eabi", "-emit-llvm", "-c", source, "-o", bitcode}, {}, {}).code,
            0);
  LoadOptions options;
  options.files = {bitcode};
  options.is_board = true;
  options.machine_flags = {"--target=arm-none-eabi", "-mcpu=nothing"};
  try {
    load_program(options, {});
    FAIL() << "there is no such processor";
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("nothing"), std::string::npos) << text;
    EXPECT_EQ(text.find("nothing"), text.rfind("nothing")) << text;
  }
}

TEST(ProgramsForMachines, OfAnUnknownPointerSizeAreRefusedByName) {
  const TemporaryDirectory directory;
  const std::string source = directory.path() / "a.c";
  const std::string bitcode = directory.path() / "a.bc";
  write_file(source, "int main(void) { return 0; }");
  ASSERT_EQ(run_process({"clang-19", "--target=avr", "-emit-llvm", "-c", source, "-o", bitcode}, {}, {}).code, 0);
  LoadOptions options;
  options.files = {bitcode};
  options.is_board = true;
  try {
    load_program(options, {});
    FAIL() << "pointers of 16 bits were taken";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("'avr'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace plumb::frontend
