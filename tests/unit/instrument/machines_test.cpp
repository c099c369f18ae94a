// Modules for other machines: what is emitted for boards with Linux and without an operating system.
#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/lower/lowering.h"
#include "instrument/instrumenter.h"
#include "instrument/sites/sites.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/config.h"

namespace plumb::instrument {
namespace {

constexpr const char* kSource = R"(
typedef __SIZE_TYPE__ size_t;
void* malloc(size_t); void free(void*); char* strdup(const char*); void exit(int); int plumb_nondet_int(void);
void __assert_func(const char*, int, const char*, const char*);
int counter = 7; int zeros[5]; const int table[3] = {1, 2, 3}; static char text[6] = "hello";
int* last; char* name;
int test(int a, short b) {
  int* p = malloc(4 * sizeof(int));
  p[a & 3] = plumb_nondet_int();
  zeros[b & 3] += p[a & 3] + text[a & 3];
  last = zeros; name = text;
  counter++;
  if (zeros[1] == 1234) __assert_func("f.c", 9, "test", "zeros[1] != 1234");
  if (a == 77) exit(3);
  free(p);
  free(strdup("x"));
  return counter;
}
int main(void) { return test(1, 2); }
)";

struct MachineCase {
  friend void PrintTo(const MachineCase& machineCase, std::ostream* out) { *out << machineCase.triple; }

  const char* triple;
  std::vector<std::string> flags;
};

std::string text_for(const std::string& source, const MachineCase& machine) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "f.c", source);
  std::vector<std::string> command = {"clang-19", std::string("--target=") + machine.triple};
  command.insert(command.end(), machine.flags.begin(), machine.flags.end());
  const std::string output = (directory.path() / "f.ll").string();
  for (const std::string& word :
       std::vector<std::string>{"-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm",
                                "-ffreestanding", "-o", output, (directory.path() / "f.c").string()})
    command.push_back(word);
  const ProcessResult result = run_process(command, "", Budget());
  EXPECT_EQ(result.code, 0) << result.error;
  return read_file(output);
}

PreparedModule instrumented(const std::string& source, const MachineCase& machine, const std::string& entry,
                            std::uint32_t arena = 0) {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "program.ll";
  write_file(file, text_for(source, machine));
  frontend::LoadOptions options;
  options.files = {file.string()};
  options.entry = entry;
  options.is_board = true;
  options.machine_flags = machine.flags;
  PreparedModule prepared = prepare_module(options, SymbolicEnvironment{}, Budget());
  prepared.build.arena = arena;
  instrument(prepared);
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  EXPECT_FALSE(llvm::verifyModule(*prepared.module, &stream)) << problems;
  return prepared;
}

const MachineCase kCortex = {"arm-none-eabi", {"-mcpu=cortex-m3", "-mthumb"}};
const MachineCase kArm = {"arm-linux-gnueabihf", {}};
const MachineCase kArm64 = {"aarch64-linux-gnu", {}};
const MachineCase kRisc = {"riscv64-linux-gnu", {}};
const MachineCase kBigEndian = {"s390x-linux-gnu", {}};

/// The callees of the stores of sites, by site.
std::map<std::uint64_t, std::string> named_calls(const llvm::Module& module) {
  std::map<std::uint64_t, std::string> found;
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store == nullptr || store->getPointerOperand()->getName() != "__plumb_call_site") continue;
      const auto* number = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
      if (number == nullptr || number->isZero()) continue;  // outside of calls, or back to what it was
      const auto value = number->getZExtValue();
      const auto* call = llvm::dyn_cast<llvm::CallBase>(store->getNextNode());
      EXPECT_NE(call, nullptr) << "the store should stand before a call";
      if (call == nullptr) continue;
      EXPECT_EQ(value, site_of(*call));
      found[value] = call->getCalledOperand()->getName().str();
    }
  return found;
}

/// Instrumented once for all tests.
const PreparedModule& board_module(const MachineCase& machine) {
  static std::map<std::string, PreparedModule> made;
  const auto it = made.find(machine.triple);
  if (it != made.end()) return it->second;
  return made.emplace(machine.triple, instrumented(kSource, machine, "main")).first->second;
}

class BoardModule : public ::testing::TestWithParam<MachineCase> {};

TEST_P(BoardModule, NamesTheSitesOfAllocations) {
  const PreparedModule& prepared = board_module(GetParam());
  EXPECT_EQ(prepared.build.kind, BuildKind::Board);
  std::multiset<std::string> names;
  for (const auto& [site, name] : named_calls(*prepared.module)) {
    names.insert(name);
    EXPECT_EQ(prepared.subject.sites[site].kind, SiteKind::Call);
    EXPECT_NE(prepared.subject.sites[site].location.line, 0U) << name;
  }
  EXPECT_EQ(names.count("__plumb_malloc"), 1U);
  EXPECT_EQ(names.count("__plumb_free"), 2U);
  EXPECT_EQ(names.size(), 4U) << "and strdup, or its model";
  EXPECT_TRUE(prepared.module->getNamedGlobal("__plumb_call_site")->isThreadLocal());
}

/// What a function does with the site, in order: "=7", "=0", "save", "back", and the functions that it calls.
std::vector<std::string> steps_of(const llvm::Function& function) {
  std::vector<std::string> steps;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
    if (address != nullptr && address->getName() == "__plumb_call_site") {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      const auto* number = store == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
      steps.push_back(store == nullptr    ? "save"
                      : number == nullptr ? "back"
                      : number->isZero()  ? "=0"
                                          : "=" + std::to_string(number->getZExtValue()));
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call != nullptr && site_of(*call) != 0)
      steps.push_back(call->getCalledFunction() == nullptr ? "pointer" : call->getCalledFunction()->getName().str());
  }
  return steps;
}

bool contains(const std::vector<std::string>& steps, const std::vector<std::string>& sought) {
  return std::ranges::search(steps, sought).begin() != steps.end();
}

TEST_P(BoardModule, NamesTheCallsOfModels) {
  const PreparedModule prepared = instrumented(R"(
typedef __SIZE_TYPE__ size_t;
void* malloc(size_t); char* strcpy(char*, const char*); char* strdup(const char*); int puts(const char*);
void qsort(void*, size_t, size_t, int (*)(const void*, const void*));
static void* own(size_t size) { return (void*)size; }
void* (*volatile allocate)(size_t) = malloc;
int (*volatile say)(const char*) = puts;
static int compare(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }
char text[9];
int main(int count, char** words) {
  if (count == 9) allocate = own;
  strcpy(text, words[0]);
  qsort(text, 9, 1, compare);
  say(text);
  return ((char*)allocate(3))[0] + strdup(text)[0];
})",
                                               GetParam(), "main");
  const llvm::Module& module = *prepared.module;
  const std::vector<std::string> of_main = steps_of(*prepared.entry);
  std::map<std::string, int> named;
  for (std::size_t i = 1; i + 1 < of_main.size(); ++i)
    if (of_main[i - 1].starts_with("=") && of_main[i - 1] != "=0" && of_main[i + 1] == "=0") ++named[of_main[i]];
  EXPECT_EQ(named["plumb.model.strcpy"], 1);
  EXPECT_EQ(named["plumb.model.qsort"], 1);
  EXPECT_EQ(named["plumb.model.strdup"], 1);
  EXPECT_EQ(named["pointer"], 1) << "puts() neither allocates nor is a model";
  EXPECT_EQ(steps_of(*module.getFunction("own")).front(), "=0") << "the site is of the pointer's call";
  bool is_kept = false;
  bool is_hidden = false;
  for (const llvm::Function& function : module) {
    if (!function.hasFnAttribute(frontend::kModelAttribute)) continue;
    is_kept |= contains(steps_of(function), {"save", "__plumb_malloc", "back"});
    is_hidden |= contains(steps_of(function), {"save", "=0", "pointer", "back"});
  }
  EXPECT_TRUE(is_kept) << "for what strdup() does after it has allocated";
  EXPECT_TRUE(is_hidden) << "from what qsort() calls";
}

TEST_P(BoardModule, KeepsVariablesThatAreOnlyWritten) {
  const PreparedModule prepared = instrumented(
      "static __SIZE_TYPE__ hidden; void* malloc(__SIZE_TYPE__);\n"
      "int main(void) { hidden = (__SIZE_TYPE__)malloc(8) | 1; return 0; }",
      GetParam(), "main");
  const llvm::GlobalVariable* used = prepared.module->getNamedGlobal("llvm.compiler.used");
  ASSERT_NE(used, nullptr);
  const auto* kept = llvm::cast<llvm::ConstantArray>(used->getInitializer());
  EXPECT_TRUE(std::ranges::any_of(kept->operands(), [&](const llvm::Use& each) {
    return each->stripPointerCasts() == prepared.module->getNamedGlobal("hidden");
  }));
}

TEST_P(BoardModule, HasTablesOfPagesThatAnyMachineMayHave) {
  const PreparedModule& prepared = board_module(GetParam());
  const llvm::GlobalVariable* coverage = prepared.module->getNamedGlobal("__plumb_coverage");
  EXPECT_EQ(coverage->getAlign()->value(), 65536U);
  EXPECT_EQ(coverage->getValueType()->getArrayNumElements() % 65536, 0U);
  EXPECT_EQ(prepared.module->getNamedGlobal("__plumb_images"), nullptr);
}

TEST_P(BoardModule, LooksAtTheMapWhereItsMachineHasIt) {
  const PreparedModule& prepared = board_module(GetParam());
  std::set<std::uint64_t> offsets;
  for (const llvm::Function& function : *prepared.module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.getOpcode() == llvm::Instruction::Add)
        if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1)))
          offsets.insert(constant->getZExtValue());
  const bool is_arm = GetParam().triple == std::string(kArm.triple);
  EXPECT_TRUE(offsets.contains(is_arm ? PLUMB_MAP_OFFSET_ARM : PLUMB_MAP_OFFSET_64));
}

TEST_P(BoardModule, IsTheSameEveryTime) {
  const auto print = [](const PreparedModule& prepared) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (const llvm::Function& function : *prepared.module) function.print(stream);
    return text;
  };
  EXPECT_EQ(print(instrumented(kSource, GetParam(), "main")), print(board_module(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Machines, BoardModule, ::testing::Values(kArm, kArm64, kRisc, kBigEndian),
                         [](const auto& parameter) {
                           const std::string triple = parameter.param.triple;
                           return triple.substr(0, triple.find('-'));
                         });

// --- Bare metal ---

std::set<std::string> called(const llvm::Module& module) {
  std::set<std::string> names;
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (call->getCalledFunction() != nullptr) names.insert(call->getCalledFunction()->getName().str());
  return names;
}

TEST(BareModule, StartsWithAnEntryOfItsOwn) {
  const PreparedModule prepared = instrumented(kSource, kCortex, "test");
  EXPECT_EQ(prepared.build.kind, BuildKind::BareMetal);
  EXPECT_EQ(prepared.entry->getName(), "__plumb_entry");
  EXPECT_TRUE(prepared.entry->arg_empty());
  EXPECT_TRUE(prepared.entry->getReturnType()->isIntegerTy(32));
  EXPECT_NE(prepared.module->getFunction("main"), nullptr) << "that one is the firmware's";
  EXPECT_EQ(called(*prepared.module).count("__plumb_make_symbolic"), 1U) << "its parameters are inputs";
}

TEST(BareModule, StartsWithMainIfThatIsTheEntry) {
  const PreparedModule prepared = instrumented(kSource, kCortex, "main");
  EXPECT_EQ(prepared.entry->getName(), "__plumb_entry");
  EXPECT_EQ(prepared.module->getFunction("main"), nullptr);
  EXPECT_EQ(prepared.subject.program.functions[prepared.subject.program.entry].name, "main");
  const PreparedModule with_arguments =
      instrumented("int main(int n, char** v) { return n == 1 && v[0][0] == 'm' && !v[1]; }", kCortex, "main");
  EXPECT_EQ(with_arguments.entry->getName(), "__plumb_entry");
  EXPECT_TRUE(with_arguments.entry->arg_empty());
}

TEST(BareModule, HasImagesOfItsVariables) {
  const PreparedModule prepared = instrumented(kSource, kCortex, "test");
  const llvm::GlobalVariable* images = prepared.module->getNamedGlobal("__plumb_images");
  ASSERT_NE(images, nullptr);
  EXPECT_TRUE(images->isConstant());
  std::map<std::string, std::pair<bool, std::uint64_t>> found;
  const auto* entries = llvm::cast<llvm::ConstantArray>(images->getInitializer());
  for (const llvm::Use& each : entries->operands()) {
    const auto* entry = llvm::cast<llvm::ConstantStruct>(each.get());
    const auto* image = llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(1));
    const auto* variable = llvm::cast<llvm::GlobalVariable>(entry->getOperand(0));
    if (image != nullptr) {
      EXPECT_EQ(image->getInitializer(), variable->getInitializer());
    }
    found[variable->getName().str()] = {image != nullptr,
                                        llvm::cast<llvm::ConstantInt>(entry->getOperand(2))->getZExtValue()};
  }
  EXPECT_TRUE(found.at("counter").first);
  EXPECT_FALSE(found.at("zeros").first) << "zeros need no image";
  EXPECT_GE(found.at("zeros").second, 36U) << "with the room behind it";
  EXPECT_TRUE(found.at("text").first);
  EXPECT_FALSE(found.contains("table")) << "constants stay";
  EXPECT_EQ(entries->getNumOperands(),
            llvm::cast<llvm::ConstantInt>(prepared.module->getNamedGlobal("__plumb_image_count")->getInitializer())
                ->getZExtValue());
}

TEST(BareModule, AsksTheRuntimeForEveryAccessAndEndsRunsThere) {
  const PreparedModule prepared = instrumented(kSource, kCortex, "test");
  const std::set<std::string> names = called(*prepared.module);
  EXPECT_TRUE(names.contains("__plumb_bad_access"));
  EXPECT_TRUE(names.contains("__plumb_exit"));
  EXPECT_FALSE(names.contains("exit"));
  EXPECT_TRUE(names.contains("__plumb_error")) << "a failed assertion";
  EXPECT_FALSE(names.contains("__assert_func"));
  for (const llvm::Function& function : *prepared.module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
      EXPECT_FALSE(address != nullptr && llvm::isa<llvm::IntToPtrInst>(address)) << "there is no map to look at";
    }
  }
  EXPECT_FALSE(prepared.module->getNamedGlobal("__plumb_call_site")->isThreadLocal());
  EXPECT_FALSE(named_calls(*prepared.module).empty());
}

TEST(BareModule, HasAFilterOfTheSizeThatItsRuntimeHas) {
  for (const std::uint32_t arena : {0U, 65536U, 16384U}) {
    const PreparedModule prepared = instrumented(kSource, kCortex, "test", arena);
    const std::uint32_t entries = PLUMB_MASKS_SIZE_OF(arena == 0 ? PLUMB_BARE_ARENA_BYTES : arena);
    const llvm::GlobalVariable* masks = prepared.module->getNamedGlobal("__plumb_masks");
    ASSERT_NE(masks, nullptr);
    EXPECT_EQ(masks->getValueType()->getArrayNumElements(), entries + 1);
    EXPECT_EQ(prepared.module->getNamedGlobal("__plumb_coverage")->getAlign()->value(), 8U);
  }
}

TEST(BareModule, CallsConstructorsInEveryRun) {
  const PreparedModule prepared = instrumented(R"(
int made;
__attribute__((constructor(200))) static void second(void) { made *= 10; }
__attribute__((constructor(150))) static void first(void) { made = 4; }
int test(void) { return made; })",
                                               kCortex, "test");
  EXPECT_EQ(prepared.module->getNamedGlobal("llvm.global_ctors"), nullptr);
  std::vector<std::string> order;
  for (const llvm::Instruction& instruction : llvm::instructions(*prepared.entry))
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (call->getCalledFunction() != nullptr && !call->getCalledFunction()->isDeclaration())
        order.push_back(call->getCalledFunction()->getName().str());
  ASSERT_GE(order.size(), 2U);
  EXPECT_EQ(order[0], "first");
  EXPECT_EQ(order[1], "second");
}

TEST(BareModule, RegistersNoHandlersThatWouldOutliveTheRun) {
  const PreparedModule prepared = instrumented(
      "int atexit(void (*)(void)); int ended; void end(void) { ended = 1; } int test(void) { return atexit(end); }",
      kCortex, "test");
  const std::set<std::string> names = called(*prepared.module);
  EXPECT_FALSE(names.contains("atexit"));
  EXPECT_TRUE(names.contains("plumb.atexit"));
}

TEST(BareModule, HasPlainVariablesInPlaceOfThoseOfThreads) {
  const PreparedModule prepared =
      instrumented("_Thread_local int own = 3; int test(void) { return own++; }", kCortex, "test");
  EXPECT_FALSE(prepared.module->getNamedGlobal("own")->isThreadLocal());
}

}  // namespace
}  // namespace plumb::instrument
