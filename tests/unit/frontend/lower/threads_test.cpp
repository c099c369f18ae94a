#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/file.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"

namespace plumb::frontend {
namespace {

using program::Function;
using program::Instruction;
using program::Intrinsic;
using program::kAcquire;
using program::kAtomic;
using program::Kind;
using program::kRelease;
using program::kSynthetic;

Program load(const std::string& text, std::uint32_t word_size = 64) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "a.c", text);
  LoadOptions options;
  options.files = {(directory.path() / "a.c").string()};
  options.word_size = word_size;
  return load_program(options, {});
}

const Function& function(const Program& program, std::string_view name) {
  return program.functions[*program.find_function(name)];
}

std::vector<Instruction> of_kind(const Function& function, Kind kind) {
  std::vector<Instruction> found;
  std::ranges::copy_if(function.instructions, std::back_inserter(found),
                       [&](const Instruction& i) { return i.kind == kind; });
  return found;
}

std::size_t count(const Function& function, Intrinsic intrinsic) {
  return static_cast<std::size_t>(std::ranges::count_if(function.instructions, [&](const Instruction& i) {
    return i.kind == Kind::Intrinsic && i.intrinsic() == intrinsic;
  }));
}

TEST(LoweringThreads, FunctionsThatAreNamedAtomicAreSections) {
  const Program program = load(
      "int n; void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n"
      "int __VERIFIER_atomic_choose(int x) { if (x) return n; n = x; while (n) n--; return 2; }\n"
      "int plain(void) { __VERIFIER_atomic_begin(); n++; __VERIFIER_atomic_end(); return __VERIFIER_atomic_choose(1); "
      "}\n"
      "int main(void) { return plain(); }\n");
  const Function& section = function(program, "__VERIFIER_atomic_choose");
  EXPECT_EQ(section.instructions[0].intrinsic(), Intrinsic::AtomicBegin);
  EXPECT_EQ(count(section, Intrinsic::AtomicBegin), 1U);
  EXPECT_EQ(count(section, Intrinsic::AtomicEnd), of_kind(section, Kind::Return).size());
  EXPECT_EQ(count(function(program, "plain"), Intrinsic::AtomicBegin), 1U);
  EXPECT_EQ(count(function(program, "plain"), Intrinsic::AtomicEnd), 1U);
}

TEST(LoweringThreads, AtomicAccessesKeepTheirOrder) {
  constexpr std::uint16_t kBoth = kAcquire | kRelease;
  struct Case {
    const char* order;
    std::uint16_t load, store;
  };
  for (const Case& c : {Case{"relaxed", 0, 0}, Case{"acquire", kAcquire, kRelease}, Case{"seq_cst", kBoth, kBoth}}) {
    const std::string order = std::string("memory_order_") + c.order;
    const std::string store_order = std::string(c.order) == "acquire" ? "memory_order_release" : order;
    const Program program =
        load("#include <stdatomic.h>\n_Atomic int n;\nint main(void) { atomic_store_explicit(&n, 1, " + store_order +
             "); return atomic_load_explicit(&n, " + order + "); }\n");
    const Function& main = function(program, "main");
    EXPECT_EQ(of_kind(main, Kind::Load)[0].flags, kAtomic | c.load) << c.order;
    EXPECT_EQ(of_kind(main, Kind::Store)[0].flags, kAtomic | c.store) << c.order;
  }
}

TEST(LoweringThreads, UpdatesAreSectionsThatOrderNothingButByTheirAccesses) {
  const Program program = load(
      "#include <stdatomic.h>\n_Atomic int n;\nint main(void) { atomic_fetch_add_explicit(&n, 1, "
      "memory_order_relaxed);\n"
      "atomic_thread_fence(memory_order_acquire); atomic_signal_fence(memory_order_seq_cst); return 0; }\n");
  const Function& main = function(program, "main");
  EXPECT_EQ(of_kind(main, Kind::Load)[0].flags, kAtomic);
  EXPECT_EQ(of_kind(main, Kind::Store)[0].flags, kAtomic);
  std::vector<std::uint16_t> flags;
  for (const Instruction& i : of_kind(main, Kind::Intrinsic)) flags.push_back(i.flags);
  EXPECT_EQ(flags, (std::vector<std::uint16_t>{kSynthetic, kSynthetic, kAcquire, 0}));
}

TEST(LoweringThreads, InitialValuesSayWhatMutexesAre) {
  for (const std::uint32_t word_size : {32U, 64U}) {
    const std::string fields = word_size == 64
                                   ? "int lock; unsigned count; int owner; unsigned users; int kind; long rest[2];"
                                   : "int lock; unsigned count; int owner; int kind; unsigned rest[2];";
    const Program program = load(
        "typedef union { struct __pthread_mutex_s { " + fields + " } data; char size[" +
            (word_size == 64 ? "40" : "24") +
            "]; } mutex;\n"
            "extern int pthread_mutex_lock(mutex*);\n"
            "mutex plain, checked = {{.kind = 2}}; struct { int n; mutex m[2]; } kept = {1, {{{0}}, {{.kind = 1}}}};\n"
            "int main(void) { return 10 * pthread_mutex_lock(&checked) + pthread_mutex_lock(&checked) +\n"
            "  pthread_mutex_lock(&kept.m[1]) + pthread_mutex_lock(&kept.m[1]) + pthread_mutex_lock(&plain); }\n",
        word_size);
    ASSERT_EQ(program.constructors.size(), 1U);
    EXPECT_EQ(count(program.functions[program.constructors[0]], Intrinsic::MutexKind), 2U);
    EXPECT_EQ(interpret::Interpreter(program).run({.arguments = {"program"}}, {}).exit_code, 35) << word_size;
  }
}

TEST(LoweringThreads, NormalMutexesNeedNoFunction) {
  const Program program = load(
      "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n;\nint x = 4;\n"
      "int main(void) { return pthread_mutex_lock(&m) + pthread_mutex_lock(&n); }\n");
  EXPECT_TRUE(program.constructors.empty());
}

}  // namespace
}  // namespace plumb::frontend
