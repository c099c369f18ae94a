// Subjects of code for boards: the same source has the same branches on every machine.
#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "base/file.h"
#include "base/subprocess.h"
#include "instrument/instrumenter.h"
#include "instrument/prepared_module.h"

namespace plumb::instrument {
namespace {

constexpr const char* kSource = R"(
int plumb_nondet_int(void);
void plumb_symbolic(void *, __SIZE_TYPE__, const char *);
int atoi(const char *);
__SIZE_TYPE__ strlen(const char *);
struct point { short x, y; };
static struct point moved(struct point p, int by) {
  if (by > 3) p.x += (short)by;
  else p.y -= (short)by;
  return p;
}
static int sum(int count, ...) {
  __builtin_va_list list;
  int total = 0;
  __builtin_va_start(list, count);
  while (count-- > 0) total += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return total;
}
int main(void) {
  char text[8];
  struct point p = {1, 2};
  int a = plumb_nondet_int();
  plumb_symbolic(text, sizeof text, "text");
  text[7] = 0;
  p = moved(p, a);
  if (atoi(text) == 17 && p.x > p.y) return 1;
  if (strlen(text) > 3 && sum(2, a, p.x) == 9) return 2;
  return a > 5 ? 3 : 4;
}
)";

struct SubjectMachine {
  const char* name;
  std::vector<std::string> flags;
};
std::ostream& operator<<(std::ostream& out, const SubjectMachine& machine) { return out << machine.name; }

PreparedModule prepare_for(const std::vector<std::string>& flags, std::string_view text = kSource) {
  const TemporaryDirectory directory;
  const std::string source = directory.path() / "program.c";
  const std::string bitcode = directory.path() / "program.bc";
  write_file(source, text);
  std::vector<std::string> command = {
      "clang-19",           "-g", "-emit-llvm", "-c", source, "-o", bitcode, "-fno-discard-value-names", "-Xclang",
      "-disable-O0-optnone"};
  command.insert(command.end(), flags.begin(), flags.end());
  EXPECT_EQ(run_process(command, {}, {}).code, 0);
  frontend::LoadOptions options;
  options.files = {bitcode};
  options.is_board = true;
  options.machine_flags = flags;
  return prepare_module(options, SymbolicEnvironment{}, Budget());
}

std::uint32_t counted_edges(const Subject& subject) {
  std::uint32_t count = 0;
  for (const Site& site : subject.sites)
    if (site.is_counted) count += site.edge_count;
  return count;
}

class SubjectOfMachine : public testing::TestWithParam<SubjectMachine> {};

TEST_P(SubjectOfMachine, HasTheBranchesAndRegionsOfTheSource) {
  static const PreparedModule reference = prepare_for({"--target=x86_64-linux-gnu"});
  PreparedModule prepared = prepare_for(GetParam().flags);
  EXPECT_EQ(counted_edges(prepared.subject), counted_edges(reference.subject));
  EXPECT_FALSE(prepared.subject.regions.empty());
  instrument(prepared);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  EXPECT_FALSE(llvm::verifyModule(*prepared.module, &stream)) << problem;
}

INSTANTIATE_TEST_SUITE_P(All, SubjectOfMachine,
                         testing::Values(SubjectMachine{"arm_linux", {"--target=arm-linux-gnueabihf"}},
                                         SubjectMachine{"aarch64", {"--target=aarch64-linux-gnu"}},
                                         SubjectMachine{"riscv64", {"--target=riscv64-linux-gnu"}},
                                         SubjectMachine{"s390x", {"--target=s390x-linux-gnu"}},
                                         SubjectMachine{"cortex_m",
                                                        {"--target=arm-none-eabi", "-mcpu=cortex-m3", "-mthumb",
                                                         "-fshort-enums"}}),
                         [](const auto& machine) { return std::string(machine.param.name); });

/// Its bytes are turned around on big-endian machines, so that a test means the same there.
TEST(SubjectsOfMachines, HaveInputsOfTheSizeOfTheMemberThatTheyGoInto) {
  PreparedModule prepared = prepare_for({"--target=s390x-linux-gnu"}, R"(
void plumb_symbolic(void *, __SIZE_TYPE__, const char *);
struct record { char kind; short count; int numbers[3]; unsigned long long serial; } all[2], one;
int main(void) {
  int plain;
  plumb_symbolic(&one.serial, sizeof one.serial, "serial");
  plumb_symbolic(&all[1].count, sizeof all[1].count, "count");
  plumb_symbolic(one.numbers, sizeof one.numbers, "numbers");
  plumb_symbolic(&one.numbers[1], 2 * sizeof(int), "part");
  plumb_symbolic(&one, sizeof one, "one");
  plumb_symbolic(&one.kind, 4, "more than a member");
  plumb_symbolic(&plain, sizeof plain, "plain");
  return one.count + plain;
}
)");
  instrument(prepared);
  std::vector<std::uint64_t> elements;
  for (const llvm::Function& function : *prepared.module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call == nullptr || call->getCalledOperand()->getName() != "__plumb_make_symbolic") continue;
      const auto* element = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(3));
      elements.push_back(element == nullptr ? 0 : element->getZExtValue());
    }
  EXPECT_EQ(elements, (std::vector<std::uint64_t>{8, 2, 4, 4, 1, 1, 4}));
}

TEST(SubjectsOfMachines, AreTheSameEveryTime) {
  const auto text = [](const PreparedModule& prepared) {
    std::string code;
    llvm::raw_string_ostream stream(code);
    for (const llvm::Function& function : *prepared.module) stream << function;
    return code;
  };
  const std::vector<std::string> flags = {"--target=arm-none-eabi", "-mcpu=cortex-m3", "-mthumb"};
  const PreparedModule first = prepare_for(flags);
  const PreparedModule second = prepare_for(flags);
  EXPECT_EQ(text(first), text(second));
  EXPECT_EQ(first.subject.sites.size(), second.subject.sites.size());
  EXPECT_EQ(first.subject.regions.size(), second.subject.regions.size());
}

}  // namespace
}  // namespace plumb::instrument
