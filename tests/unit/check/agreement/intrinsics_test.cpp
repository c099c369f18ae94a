// Every intrinsic, in a small program with an input before it and mostly one behind it: the interpreter, unroll,
// flatten and the native program end in the same way on the same inputs, read in the same order, or the gap is listed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "flatten/flatten.h"
#include "frontend/load.h"
#include "gaps.h"
#include "instrument/build_subject.h"
#include "instrument/regions/region_plan.h"
#include "interpret/interpreter.h"
#include "program/function_builder.h"
#include "replay/native_run.h"
#include "runtime/concolic/protocol.h"
#include "semantics/goals.h"
#include "system/graph_run.h"
#include "unroll/unroll.h"

namespace plumb::check::agreement {
namespace {

using program::Intrinsic;
using result::Verdict;

constexpr const char* kPrelude = R"(
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void);
extern void plumb_symbolic(void*, size_t, const char*), plumb_assume(int), plumb_check(int), reach_error(void);
extern void abort(void), exit(int), _exit(int), free(void*);
extern int atexit(void (*)(void));
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void*, size_t), *aligned_alloc(size_t, size_t);
typedef struct { long room[32]; } jump[1];
extern int _setjmp(jump) __attribute__((returns_twice)); extern void longjmp(jump, int) __attribute__((noreturn));
typedef struct { long room[5]; } mutex; typedef struct { long room[6]; } condition;
extern int pthread_create(size_t*, const void*, void* (*)(void*), void*), pthread_join(size_t, void**);
extern void pthread_exit(void*); extern size_t pthread_self(void); extern int sched_yield(void);
extern int pthread_mutex_lock(mutex*), pthread_mutex_trylock(mutex*), pthread_mutex_unlock(mutex*);
extern int pthread_cond_wait(condition*, mutex*), pthread_cond_signal(condition*), pthread_cond_broadcast(condition*);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void plumb_thread_wait(void), plumb_mutex_kind(mutex*, int);
extern int plumb_thread_timed_wait(void), plumb_cond_timed_wait(condition*, mutex*);
extern size_t plumb_host_read(int, void*, size_t), plumb_host_write(int, const void*, size_t);
extern int plumb_host_open(const char*, int), plumb_host_close(int);
extern long plumb_host_seek(int, long, int), plumb_host_clock(int);
extern long long plumb_host_any(long long); extern void plumb_host_gap(const char*);
extern void __assert_fail(const char*, const char*, unsigned, const char*) __attribute__((noreturn));
mutex m, n; condition c; jump j; int g;
void at_end(void);
void* other(void* p) { return p; }
static int sum(int k, ...) {
  __builtin_va_list list; int s = 0;
  __builtin_va_start(list, k);
  while (k-- > 0) s += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return s;
}
)";

/// `x` is an input from 0 to 3 when the body begins.
struct Case {
  Intrinsic intrinsic;
  const char* body;
  std::string_view special{};    ///< its name, of a second case of an intrinsic
  std::uint32_t word_size = 64;  ///< of the machine, which is an x86
  std::string_view what() const { return special.empty() ? name(intrinsic) : special; }
  program::Machine machine() const { return word_size == 64 ? program::Machine::X86_64 : program::Machine::X86; }
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.what() << " on x86 of " << c.word_size << " bits"; }
};
const std::vector<Case> kCases = {
    {Intrinsic::Nondet, "int y = __VERIFIER_nondet_int(); plumb_check(x != 2 || y != 7);"},
    {Intrinsic::MakeSymbolic,
     "char b[4]; short s; plumb_symbolic(b, 0, \"e\"); plumb_symbolic(&s, 2, \"s\"); plumb_check(x != 1 || s != 7);"},
    {Intrinsic::Assume, "plumb_assume(x != 3); plumb_check(x != 2); plumb_assume(x != 1);"},
    {Intrinsic::Check, "plumb_check(x != 2); plumb_check(x != 1);"},
    {Intrinsic::AssertFail, "if (x == 2) __assert_fail(\"x\", \"f\", 1, \"main\");"},
    {Intrinsic::Error, "if (x == 2) reach_error();"},
    {Intrinsic::Abort, "if (x & 1) abort(); plumb_check(x != 2 && x != 1);"},
    {Intrinsic::Exit, "if (x & 1) exit(0); plumb_check(x != 2 && x != 1);"},
    {Intrinsic::Exit, "g = x; if (x & 1) exit(0);", "exit-with-destructors"},
    {Intrinsic::QuickExit, "if (x & 1) _exit(0); plumb_check(x != 2 && x != 1);"},
    {Intrinsic::AtExit, "g = x; atexit(at_end);"},
    {Intrinsic::Malloc, "int* p = malloc(8); p[1] = x; plumb_check(p[1] != 2); free(p);"},
    {Intrinsic::Calloc,
     "int* p = calloc(2, 4); plumb_check(p[1] == 0); size_t big = -1UL / 2; p = calloc(big, x + 3); plumb_check(!p && "
     "x != 2);"},
    {Intrinsic::Realloc,
     "int* p = malloc(4); *p = x; p = realloc(p, 16); plumb_check(*p != 2); plumb_check(!realloc(p, 0) && realloc(0, x "
     "& 1));"},
    {Intrinsic::AlignedAlloc,
     "plumb_check(aligned_alloc(3, 8) != 0 && (size_t)aligned_alloc(48, 8) % 64 == 0 && !aligned_alloc(~(-1UL >> 1), "
     "8)); "
     "plumb_check(x != 2);"},
    {Intrinsic::Free, "int* p = malloc(4); free(x == 2 ? 0 : p); free(0); plumb_check(x != 1);"},
    {Intrinsic::StackSave, "for (int i = 0; i < 2; i++) { char b[x + 1]; b[x] = x; plumb_check(b[x] != 2); }"},
    {Intrinsic::StackRestore,
     "{ char b[x + 1]; b[0] = x; g = b[0]; } { char b[x + 2]; b[1] = g; plumb_check(b[1] != 2); }"},
    {Intrinsic::EnterScope, "for (int i = 0; i < 2; i++) { int k = x, *p = &k; k++; plumb_check(*p != 3); }"},
    {Intrinsic::LeaveScope,
     "int *p = &g; if (x == 1) { int k = x; p = &k; plumb_check(*p == x); p = &g; } plumb_check(x != 2); "
     "*p = 1;"},
    {Intrinsic::VaStart, "plumb_check(sum(3, x, 2 * x, 5) != 11);"},
    {Intrinsic::SetJump, "plumb_check(_setjmp(j) == 0 && x != 2);"},
    {Intrinsic::LongJump,
     "volatile int k = 0; if (_setjmp(j) == 0 && x == 2) { k = 1; longjmp(j, 3); } plumb_check(k == 0);"},
    {Intrinsic::ThreadCreate, "size_t t; pthread_create(&t, 0, other, 0); plumb_check(x != 2);"},
    {Intrinsic::ThreadJoin,
     "size_t t; void* r; pthread_create(&t, 0, other, &g); pthread_join(t, &r); plumb_check(r == &g && x != 2);"},
    {Intrinsic::ThreadExit, "plumb_check(x != 2); if (x & 1) pthread_exit(0); plumb_check(x < 9);"},
    {Intrinsic::ThreadSelf, "plumb_check(pthread_self() == pthread_self() && pthread_self() != 0 && x != 2);"},
    {Intrinsic::ThreadYield, "plumb_check(sched_yield() == 0 && x != 2);"},
    {Intrinsic::ThreadWait, "plumb_thread_wait(); plumb_check(x != 2);"},
    {Intrinsic::ThreadTimedWait, "plumb_check(plumb_thread_timed_wait() == 1 && x != 2);"},
    {Intrinsic::MutexKind,
     "plumb_mutex_kind(&m, 1); pthread_mutex_lock(&m); plumb_check(pthread_mutex_lock(&m) == 0 && x != 2);"},
    {Intrinsic::MutexLock, "pthread_mutex_lock(&m); g = x; pthread_mutex_unlock(&m); plumb_check(g != 2);"},
    {Intrinsic::MutexTryLock,
     "mutex* p = x & 1 ? &m : &n; pthread_mutex_lock(p); plumb_check(pthread_mutex_trylock(&m) == (p == &m ? 16 : 0) "
     "&& x != 2);"},
    {Intrinsic::MutexUnlock,
     "pthread_mutex_lock(&m); plumb_check(pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&n) == 1 && x != 2);"},
    {Intrinsic::CondWait, "plumb_check(pthread_cond_wait(&c, &m) == 1 && x != 2);"},
    {Intrinsic::CondTimedWait, "pthread_mutex_lock(&m); plumb_check(plumb_cond_timed_wait(&c, &m) == 110 && x != 2);"},
    {Intrinsic::CondSignal, "plumb_check(pthread_cond_signal(&c) == 0 && x != 2);"},
    {Intrinsic::CondBroadcast, "plumb_check(pthread_cond_broadcast(&c) == 0 && x != 2);"},
    {Intrinsic::AtomicBegin, "__VERIFIER_atomic_begin(); g = x; __VERIFIER_atomic_end(); plumb_check(g != 2);"},
    {Intrinsic::AtomicEnd, "__VERIFIER_atomic_end(); plumb_check(x != 2);"},
    {Intrinsic::Fence, "__sync_synchronize(); plumb_check(x != 2);"},
    {Intrinsic::HostRead, "char b[1]; plumb_check(plumb_host_read(0, b, 1) == 0 && x != 2);"},
    {Intrinsic::HostWrite, "plumb_host_write(1, \"\", 0); plumb_check(x != 2);"},
    {Intrinsic::HostOpen, "plumb_check(plumb_host_open(\"/nowhere/file\", 0) == -1 && x != 2);"},
    {Intrinsic::HostClose, "plumb_host_close(99); plumb_check(x != 2);"},
    {Intrinsic::HostSeek, "plumb_host_seek(99, 0, 0); plumb_check(x != 2);"},
    {Intrinsic::HostClock, "plumb_host_clock(1); plumb_check(x != 2);"},
    {Intrinsic::HostAny, "plumb_host_any(7); plumb_check(x != 2);"},
    {Intrinsic::UnsetValue, "int y; if (x & 1) y = x; int z = y; plumb_check(z == y && x != 2);"},
    {Intrinsic::UnsetMemory,
     "int a[2]; a[x & 1] = x; int z = a[0]; plumb_check(z == a[0] && a[x & 1] == x && x != 2);"},
    {Intrinsic::CheckPointer, "static int h[4]; int* p = h; p += x; plumb_check(p != h + 2);"},
    {Intrinsic::HostGap, "plumb_host_gap(\"the weather\"); plumb_check(x != 2); plumb_check(x < 4);"},
};

/// How a run ends: a goal is violated, an assumption does not hold, or neither. A gap is none of them.
enum class End : std::uint8_t { Passes, Fails, Skipped, Gap };

constexpr std::array<std::uint64_t, 2> kSecond = {0, 7};

class IntrinsicAgreement : public testing::TestWithParam<Case> {
 protected:
  IntrinsicAgreement() {
    write_file(directory_.path() / "p.c",
               std::string(kPrelude) + (GetParam().special.empty() ? "" : "__attribute__((destructor)) ") +
                   "void at_end(void) { plumb_check(g != 2 && g != 1); }\n"
                   "int main(void) { int x = __VERIFIER_nondet_int(); plumb_assume(x >= 0 && x < 4);\n" +
                   GetParam().body + " return 0; }\n");
    load_.files = {(directory_.path() / "p.c").string()};
    load_.word_size = GetParam().word_size;
    load_.marks_unset = true;
    if (GetParam().intrinsic == Intrinsic::CheckPointer) load_.checks.add(program::Check::PointerArithmetic);
    program_ = frontend::load_program(load_, {});
    goals_ = semantics::find_goals(program_, {});
  }

  End interpreted(std::uint64_t x, std::uint64_t y) {
    interpret::InterpreterOptions options;
    std::vector<std::uint64_t> given = {y, x};
    options.inputs = [&](std::string_view, std::size_t size) {
      std::vector<std::uint8_t> bytes(size);
      if (given.empty()) return bytes;
      for (std::size_t i = 0; i < size && i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(given.back() >> 8 * i);
      given.pop_back();
      return bytes;
    };
    options.arguments = {"program"};
    const interpret::RunResult run = interpret::Interpreter(program_).run(options, {});
    EXPECT_NE(run.end, interpret::RunResult::End::Unsupported) << run.reason;
    if (run.end == interpret::RunResult::End::AssumeFailed) return End::Skipped;
    const auto is_violation = [](const program::Fault& fault) {
      return fault.kind != program::FaultKind::Leak && program::violated_kind(fault.kind).has_value();
    };
    return std::ranges::any_of(run.faults, is_violation) ? End::Fails : End::Passes;
  }

  End flattened(const flatten::Flattened& flat, std::uint64_t x, std::uint64_t y) {
    std::vector<std::uint64_t> given = {y, x};
    const auto source = [&](std::size_t input) -> term::Value {
      const term::Term variable = flat.graph.inputs[input];
      if (!flat.inputs[input].is_asked || given.empty()) return term::zero_value(flat.graph.store().sort(variable));
      const BitVector next(flat.graph.store().width(variable), given.back());
      given.pop_back();
      return next;
    };
    system::GraphRun run(flat.graph, source);
    while (run.step())
      for (const std::size_t property : run.failed())
        if (property < flat.cover_property(0)) return property < flat.goal_count ? End::Fails : End::Gap;
    return End::Passes;
  }

  End native(const std::filesystem::path& executable, std::uint64_t x, std::uint64_t y) {
    result::TestCase test;
    for (const std::uint64_t value : {x, y}) {
      std::vector<std::uint8_t> bytes(4);
      for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
      test.inputs.push_back({"", bytes});
    }
    replay::RunLimits limits;
    if (is_gap(Engine::Native, GetParam().what())) limits.time = std::chrono::duration<double>(0.2);
    const replay::NativeRun run = replay::run_natively(executable, test, limits, directory_.path(), {});
    if (is_same_end({replay::RunEnd::AssumeFailed}, run.ending)) return End::Skipped;
    const int code = run.ending.code;
    const bool is_error = code == PLUMB_ERROR_ASSERT || code == PLUMB_ERROR_CHECK || code == PLUMB_ERROR_REACHED;
    return run.ending.end == replay::RunEnd::Error && is_error ? End::Fails : End::Passes;
  }

  TemporaryDirectory directory_;
  frontend::LoadOptions load_;
  program::Program program_{};
  std::vector<program::Goal> goals_;
};

TEST_P(IntrinsicAgreement, OfInterpreterUnrollFlattenAndNativeCode) {
  const std::string_view what = GetParam().what();
  const bool is_native = !is_gap(Engine::Native, "intrinsics", GetParam().machine());
  bool does_fail = false, flattened_gap = false, native_differs = false;
  const flatten::Flattened flat = flatten::flatten(program_, goals_, {}, {});
  std::optional<std::filesystem::path> executable;
  try {
    if (is_native) executable = instrument::build_replay(load_, directory_.path(), {});
  } catch (const UserError&) {
    EXPECT_TRUE(is_gap(Engine::Native, what));
  }
  for (std::uint64_t x = 0; x < 4; ++x)
    for (const std::uint64_t y : kSecond) {
      const End expected = interpreted(x, y);
      does_fail = does_fail || expected == End::Fails;
      const End graph = flattened(flat, x, y);
      flattened_gap = flattened_gap || graph == End::Gap;
      // A graph does not tell what is skipped from what ends.
      if (graph != End::Gap) EXPECT_EQ(graph == End::Fails, expected == End::Fails) << "flatten on " << x << ", " << y;
      if (!executable || native_differs) continue;
      const End ran = native(*executable, x, y);
      native_differs = native_differs || ran != expected;
      if (!is_gap(Engine::Native, what)) EXPECT_EQ(ran, expected) << "native on " << x << ", " << y;
    }
  EXPECT_TRUE(does_fail) << "the case should have a run that fails";
  EXPECT_EQ(flattened_gap, is_gap(Engine::Flatten, what));
  if (is_native) EXPECT_EQ(native_differs || !executable, is_gap(Engine::Native, what));
  bool is_violated = false, has_gap = false;
  for (const unroll::GoalResult& answer : unroll::unroll(program_, goals_, {}, {}).answers) {
    has_gap = has_gap || !answer.gaps.empty();
    if (answer.verdict != Verdict::Violated) continue;
    is_violated = true;
    std::vector<std::uint64_t> values;
    for (const result::TestInput& input : answer.test->inputs) {
      values.push_back(0);
      for (std::size_t i = input.bytes.size(); i-- > 0;) values.back() = values.back() << 8 | input.bytes[i];
    }
    EXPECT_EQ(interpreted(values[0], values.size() > 1 ? values[1] : 0), End::Fails) << "unroll's counterexample";
  }
  EXPECT_EQ(has_gap, is_gap(Engine::Unroll, what));
  if (!has_gap) EXPECT_EQ(is_violated, does_fail);
}

/// On both machines.
std::vector<Case> all_cases() {
  std::vector<Case> all = kCases;
  for (Case c : kCases) {
    c.word_size = 32;
    all.push_back(c);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, IntrinsicAgreement, testing::ValuesIn(all_cases()), [](const auto& parameter) {
  std::string text = fmt::format("{}_{}", parameter.param.what(), parameter.param.word_size);
  std::ranges::replace(text, '-', '_');
  return text;
});

/// One way of a branch is empty, on the other stands the instruction that `add` makes.
bool has_region(const std::function<void(program::FunctionBuilder& b)>& add) {
  program::FunctionBuilder b("f");
  const program::ValueId choice = b.add_parameter(1);
  for (int i = 0; i < 4; ++i) b.add_block();
  b.select(0);
  b.branch(choice, {1, {}}, {2, {}});
  b.select(1);
  add(b);
  b.jump({3, {}});
  b.select(2);
  b.jump({3, {}});
  b.select(3);
  b.return_values({});
  program::Program program;
  program.functions.push_back(b.finish());
  return !instrument::plan_regions(program, 0, {}).empty();
}

TEST(IntrinsicAgreementCases, AreInNoRegion) {
  EXPECT_TRUE(has_region([](program::FunctionBuilder&) {}));
  for (int i = 0; i < program::kIntrinsicCount; ++i) {
    const auto add = [&](program::FunctionBuilder& b) {
      b.emit(program::Kind::Intrinsic, static_cast<std::uint8_t>(i), {}, {});
    };
    EXPECT_FALSE(has_region(add)) << name(static_cast<Intrinsic>(i));
  }
}

TEST(IntrinsicAgreementCases, HaveEveryIntrinsicOnce) {
  std::set<Intrinsic> found;
  for (const Case& c : kCases) EXPECT_TRUE(!c.special.empty() || found.insert(c.intrinsic).second);
  EXPECT_EQ(found.size(), static_cast<std::size_t>(program::kIntrinsicCount));
}

TEST(Gaps, AreOfKnownCases) {
  std::set<std::string_view> known(kGroups.begin(), kGroups.end());
  for (const Case& c : kCases) known.insert(c.what());
  for (int i = 0; i < term::kOpCount; ++i) known.insert(term::name(static_cast<term::Op>(i)));
  for (int i = 0; i < program::kFaultKindCount; ++i) known.insert(program::name(static_cast<program::FaultKind>(i)));
  for (const Gap& gap : kGaps) EXPECT_TRUE(known.contains(gap.what)) << gap.what;
}

}  // namespace
}  // namespace plumb::check::agreement
