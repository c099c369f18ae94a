// Every operator at every width up to 4, on every kind of platform and with and without the checks of arithmetic: what
// it gives and how it faults. The engines get the same small programs; what is right is arithmetic in whole numbers for
// faults and term::evaluate() for values, which native code confirms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "concolic/region/region_template.h"
#include "flatten/flatten.h"
#include "gaps.h"
#include "interpret/interpreter.h"
#include "program/function_builder.h"
#include "program/platform.h"
#include "program/verify.h"
#include "system/graph_run.h"
#include "term/evaluator.h"
#include "unroll/unroll.h"

namespace plumb::term {

void PrintTo(Op op, std::ostream* out) { *out << name(op); }

}  // namespace plumb::term

namespace plumb::check::agreement {
namespace {

using program::Check;
using program::CheckSet;
using program::FaultKind;
using program::FunctionBuilder;
using program::Goal;
using program::GoalKind;
using program::Intrinsic;
using program::Kind;
using program::Program;
using program::ValueId;
using result::Verdict;
using term::Op;

constexpr std::uint16_t kSourceFlags = program::kNoSignedWrap | program::kSourceShift;

using program::Target;

/// All that are known, and one that is not.
std::vector<Target> all_targets() {
  std::vector<Target> all(program::targets().begin(), program::targets().end());
  all.push_back({"mips", program::platform_of("mips-linux-gnu")});
  return all;
}

constexpr std::array kOperators = {
    Op::Not,          Op::And,          Op::Or,           Op::Xor,          Op::Neg,          Op::Add,
    Op::Sub,          Op::Mul,          Op::Udiv,         Op::Urem,         Op::Sdiv,         Op::Srem,
    Op::Smod,         Op::Shl,          Op::Lshr,         Op::Ashr,         Op::RotateLeft,   Op::RotateRight,
    Op::Eq,           Op::Ult,          Op::Ule,          Op::Slt,          Op::Sle,          Op::NegOverflow,
    Op::UaddOverflow, Op::SaddOverflow, Op::UsubOverflow, Op::SsubOverflow, Op::UmulOverflow, Op::SmulOverflow,
    Op::SdivOverflow, Op::Concat,       Op::Extract,      Op::ZeroExtend,   Op::SignExtend,   Op::Repeat,
    Op::Ite};

struct Case {
  Op op;
  std::uint32_t width;
  Target target;
  bool is_checked;

  CheckSet checks() const {
    CheckSet set = CheckSet::defaults();
    if (is_checked) set.add(Check::Overflow);
    if (is_checked) set.add(Check::Shift);
    return set;
  }
  std::uint32_t result_width() const {
    switch (op) {
      case Op::Concat:
      case Op::Repeat:
        return 2 * width;
      case Op::Extract:
        return 1;
      case Op::ZeroExtend:
      case Op::SignExtend:
        return width + 2;
      default:
        return term::is_predicate(op) ? 1 : width;
    }
  }
  std::uint32_t parameter() const { return op == Op::Extract ? width - 1 : 0; }
  std::string text() const {
    return fmt::format("{} of width {} on {}{}", name(op), width, target.prefix, is_checked ? ", checked" : "");
  }
};

bool is_division(Op op) {
  return op == Op::Udiv || op == Op::Urem || op == Op::Sdiv || op == Op::Srem || op == Op::Smod;
}

TEST(OperatorAgreementCases, HaveEveryOperatorButLeavesAndThoseOfArrays) {
  const std::set<Op> others = {Op::Constant, Op::Variable, Op::Select, Op::Store, Op::ConstantArray};
  for (int i = 0; i < term::kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    EXPECT_EQ(std::ranges::count(kOperators, op), others.contains(op) ? 0 : 1) << name(op);
  }
}

/// How the operator goes wrong, in whole numbers.
std::optional<GoalKind> wrong(const Case& c, std::uint64_t x, std::uint64_t y) {
  const std::int64_t a = BitVector(c.width, x).to_int64();
  const std::int64_t b = BitVector(c.width, y).to_int64();
  const std::int64_t least = -(std::int64_t{1} << (c.width - 1));
  const auto fits = [&](std::int64_t n) { return least <= n && n < -least; };
  if (is_division(c.op)) {
    if (y == 0) return GoalKind::Division;
    const bool is_signed = c.op != Op::Udiv && c.op != Op::Urem;
    if (is_signed && a == least && b == -1 && (c.target.platform.traps_on_quotients || c.is_checked))
      return GoalKind::Overflow;
    return std::nullopt;
  }
  if (!c.is_checked) return std::nullopt;
  const bool overflows = (c.op == Op::Add && !fits(a + b)) || (c.op == Op::Sub && !fits(a - b)) ||
                         (c.op == Op::Mul && !fits(a * b)) || (c.op == Op::Neg && !fits(-a));
  if (overflows) return GoalKind::Overflow;
  const bool is_shift = c.op == Op::Shl || c.op == Op::Lshr || c.op == Op::Ashr;
  return is_shift && y >= c.width ? std::optional(GoalKind::Shift) : std::nullopt;
}

BitVector value(const Case& c, std::uint64_t x, std::uint64_t y) {
  const BitVector a(c.width, x), b(c.width, y), low(1, x & 1);
  std::vector<const BitVector*> operands = {&a, &b};
  if (term::arity(c.op) == 1) operands = {&a};
  if (c.op == Op::Ite) operands = {&low, &a, &b};
  return term::evaluate(c.op, operands, c.result_width(), c.parameter());
}

ValueId apply(FunctionBuilder& b, const Case& c, ValueId x, ValueId y) {
  if (c.op == Op::Ite) return b.op(c.op, {b.op(Op::Extract, {x}, 1, 0), x, y}, c.result_width(), 0, kSourceFlags);
  if (term::arity(c.op) == 1) return b.op(c.op, {x}, c.result_width(), c.parameter(), kSourceFlags);
  return b.op(c.op, {x, y}, c.result_width(), c.parameter(), kSourceFlags);
}

Program empty_program(const Case& c) {
  Program program;
  program.layout = {c.target.platform.pointer_width, c.target.platform.is_big_endian,
                    fmt::format("{}-linux-gnu", c.target.prefix)};
  program.checks = c.checks();
  program.entry = 0;
  return program;
}

constexpr std::uint32_t kSlot = 8;  ///< bits of a table's element, as results have at most that many

ValueId look_up(FunctionBuilder& b, const BitVector& table, ValueId index, std::uint32_t width) {
  const ValueId amount = b.op(Op::ZeroExtend, {b.op(Op::Concat, {index, b.constant(3, 0)})}, table.width());
  return b.op(Op::Extract, {b.op(Op::Lshr, {b.constant(table), amount})}, width, 0);
}

/// Of all pairs of operands, by the second above the first.
BitVector table(const Case& c, const std::function<std::uint64_t(std::uint64_t x, std::uint64_t y)>& element) {
  std::vector<std::uint64_t> words(std::max<std::size_t>(1, (std::size_t{1} << 2 * c.width) * kSlot / 64));
  for (std::uint64_t y = 0; y < 1U << c.width; ++y)
    for (std::uint64_t x = 0; x < 1U << c.width; ++x) {
      const std::uint64_t at = ((y << c.width) + x) * kSlot;
      words[at / 64] |= element(x, y) << at % 64;
    }
  return BitVector::from_words(static_cast<std::uint32_t>((std::size_t{1} << 2 * c.width) * kSlot), words);
}

/// Asks for two operands. Where the table says that the operator faults, it is applied and must not be survived;
/// elsewhere its result must be that of the table. The goals: those of the operator where it faults and where not, and
/// the two checks. `twisted`: the pair of operands for which the table is wrong.
struct Subject {
  explicit Subject(const Case& c, std::optional<std::pair<std::uint64_t, std::uint64_t>> twisted = {})
      : program(empty_program(c)) {
    FunctionBuilder b("main");
    b.add_result(32);
    for (int i = 0; i < 3; ++i) b.add_block();
    b.select(0);
    const auto ask = [&] {
      return b.emit(Kind::Intrinsic, static_cast<std::uint8_t>(Intrinsic::Nondet), {}, std::array{c.width});
    };
    const ValueId x = ask();
    const ValueId y = ask();
    const ValueId index = b.op(Op::Concat, {y, x});
    const BitVector faults = table(c, [&](auto p, auto q) { return wrong(c, p, q) ? 1U : 0U; });
    const BitVector results =
        table(c, [&](auto p, auto q) { return value(c, p, q).to_uint64() ^ (twisted == std::pair(p, q) ? 1U : 0U); });
    b.branch(look_up(b, faults, index, 1), {1, {}}, {2, {}});
    const auto check = [&](ValueId condition) {
      b.emit(Kind::Intrinsic, static_cast<std::uint8_t>(Intrinsic::Check), std::array{condition});
      b.return_values(std::array{b.constant(32, 0)});
    };
    b.select(1);
    apply(b, c, x, y);
    check(b.constant(1, 0));
    b.select(2);
    const ValueId result = apply(b, c, x, y);
    check(b.op(Op::Eq, {result, look_up(b, results, index, c.result_width())}));
    program.functions.push_back(b.finish());
    EXPECT_TRUE(program::verify(program).empty()) << program::verify(program)[0];
    find_goals(c);
  }

  void find_goals(const Case& c) {
    const program::Function& main = program.functions[0];
    for (const program::BlockId block : {1U, 2U})
      for (std::uint32_t i = 0; i < main.blocks[block].instruction_count; ++i) {
        const program::InstructionId id = main.blocks[block].first_instruction + i;
        const program::Instruction& instruction = main.instructions[id];
        if (instruction.kind == Kind::Intrinsic) goals.push_back({GoalKind::Assertion, {0, id}});
        if (instruction.kind != Kind::Operator || instruction.op() != c.op || instruction.flags != kSourceFlags)
          continue;
        for (const GoalKind kind : {GoalKind::Division, GoalKind::Overflow, GoalKind::Shift})
          goals.push_back({kind, {0, id}});
      }
    ASSERT_EQ(goals.size(), 8U);
  }

  Program program;
  std::vector<Goal> goals;
};
constexpr std::array kKinds = {GoalKind::Division, GoalKind::Overflow, GoalKind::Shift};

/// The goal that a run on these operands should violate.
std::optional<std::size_t> expected_goal(const Case& c, std::uint64_t x, std::uint64_t y) {
  const std::optional<GoalKind> kind = wrong(c, x, y);
  if (!kind) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::find(kKinds, *kind) - kKinds.begin());
}

std::optional<std::size_t> interpreted(const Subject& subject, std::uint64_t x, std::uint64_t y) {
  interpret::InterpreterOptions options;
  std::vector<std::uint8_t> given = {static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(x)};
  options.inputs = [&](std::string_view, std::size_t) {
    const std::vector<std::uint8_t> next = {given.back()};
    given.pop_back();
    return next;
  };
  const interpret::RunResult run = interpret::Interpreter(subject.program).run(options, {});
  EXPECT_TRUE(given.empty());
  if (run.faults.empty()) return std::nullopt;
  for (std::size_t g = 0; g < subject.goals.size(); ++g)
    if (subject.goals[g].at == run.stack.front() && is_violation(subject.goals[g], run.faults.front().kind)) return g;
  return subject.goals.size();
}

std::optional<std::size_t> flattened(const flatten::Flattened& flat, std::uint64_t x, std::uint64_t y) {
  std::vector<std::uint64_t> given = {y, x};
  const auto source = [&](std::size_t input) -> term::Value {
    const BitVector next(flat.graph.store().width(flat.graph.inputs[input]), given.back());
    given.pop_back();
    return next;
  };
  system::GraphRun run(flat.graph, source);
  while (run.step())
    for (const std::size_t property : run.failed())
      if (property < flat.cover_property(0)) return property;
  return std::nullopt;
}

void expect_unrolled(const Case& c, const Subject& subject) {
  std::array<bool, 3> happens{};
  for (std::uint64_t x = 0; x < 1U << c.width; ++x)
    for (std::uint64_t y = 0; y < 1U << c.width; ++y)
      if (const auto goal = expected_goal(c, x, y)) happens[*goal] = true;
  const unroll::Outcome outcome = unroll::unroll(subject.program, subject.goals, {}, {});
  for (std::size_t g = 0; g < subject.goals.size(); ++g) {
    const bool is_violated = outcome.answers[g].verdict == Verdict::Violated;
    EXPECT_EQ(is_violated, g < 3 && happens[g]) << c.text() << ", goal " << g;
    EXPECT_TRUE(is_violated || (result::is_proof(outcome.answers[g].verdict) && outcome.answers[g].gaps.empty()))
        << c.text() << ", goal " << g << outcome.answers[g].reason;
    if (!is_violated) continue;
    const auto& inputs = outcome.answers[g].test->inputs;
    ASSERT_EQ(inputs.size(), 2U);
    EXPECT_EQ(expected_goal(c, inputs[0].bytes[0], inputs[1].bytes[0]), g) << c.text();
  }
}

/// Of a table that is wrong in one place the engines must say so: there, and with the operands in their order.
void expect_twist_found(const Case& c) {
  const std::uint64_t last = (std::uint64_t{1} << c.width) - 1;
  const std::pair<std::uint64_t, std::uint64_t> twist = {last / 2, 1};
  if (wrong(c, twist.first, twist.second)) return;
  const Subject subject(c, twist);
  const unroll::Outcome outcome = unroll::unroll(subject.program, subject.goals, {}, {});
  ASSERT_EQ(outcome.answers[7].verdict, Verdict::Violated) << c.text();
  EXPECT_EQ(outcome.answers[7].test->inputs[0].bytes[0], twist.first) << c.text();
  EXPECT_EQ(outcome.answers[7].test->inputs[1].bytes[0], twist.second) << c.text();
  const flatten::Flattened flat = flatten::flatten(subject.program, subject.goals, {}, {});
  EXPECT_EQ(flattened(flat, twist.first, twist.second), 7U) << c.text();
}

/// A region whose one block applies the operator.
void expect_region(const Case& c) {
  Program program = empty_program(c);
  FunctionBuilder b("f");
  b.add_result(c.result_width());
  const ValueId choice = b.add_parameter(1);
  const ValueId x = b.add_parameter(c.width);
  const ValueId y = b.add_parameter(c.width);
  for (int i = 0; i < 4; ++i) b.add_block();
  const ValueId joined = b.add_block_argument(3, c.result_width());
  b.select(0);
  b.branch(choice, {1, {}}, {2, {}});
  b.select(1);
  b.jump({3, {apply(b, c, x, y)}});
  b.select(2);
  b.jump({3, {b.constant(c.result_width(), 0)}});
  b.select(3);
  b.return_values(std::array{joined});
  program.functions.push_back(b.finish());
  const auto plans = instrument::plan_regions(program, 0, {});
  ASSERT_EQ(plans.size(), 1U) << c.text();
  term::TermStore store;
  concolic::RegionTemplate region(program, plans[0], store);
  for (std::uint64_t p = 0; p < 1U << c.width; ++p)
    for (std::uint64_t q = 0; q < 1U << c.width; ++q) {
      concolic::RegionVisit visit;
      for (const ValueId in : plans[0].ins)
        visit.ins.push_back(in == choice ? store.boolean(true) : store.constant(c.width, in == x ? p : q));
      const concolic::RegionInstance instance = region.instantiate(visit);
      std::optional<GoalKind> found;
      for (std::size_t f = 0; f < instance.fault_guards.size(); ++f)
        if (store.is_true(instance.fault_guards[f])) found = program::violated_kind(region.faults()[f].kind);
      ASSERT_EQ(found, wrong(c, p, q)) << c.text() << " on " << p << ", " << q;
      ASSERT_EQ(store.is_true(instance.destination_guards[0]), !found);
      if (!found) ASSERT_EQ(store.value(region.outs(0).values[0]), value(c, p, q)) << c.text();
    }
}

class OperatorAgreement : public testing::TestWithParam<Op> {};

TEST_P(OperatorAgreement, OfInterpreterRegionsUnrollAndFlattenOnAllOperands) {
  for (const Target& target : all_targets())
    for (const bool is_checked : {false, true})
      for (std::uint32_t width = 1; width <= 4; ++width) {
        const Case c{GetParam(), width, target, is_checked};
        const Subject subject(c);
        if (HasFailure()) return;
        expect_region(c);
        expect_unrolled(c, subject);
        if (!is_checked && target.prefix == "x86_64") expect_twist_found(c);
        const bool is_interpreted = !is_gap(Engine::Interpreter, "operators", target.platform.machine);
        if (!is_interpreted) EXPECT_THROW(interpreted(subject, 0, 0), UserError) << c.text();
        const flatten::Flattened flat = flatten::flatten(subject.program, subject.goals, {}, {});
        for (std::uint64_t x = 0; x < 1U << width; ++x)
          for (std::uint64_t y = 0; y < 1U << width; ++y) {
            const auto expected = expected_goal(c, x, y);
            ASSERT_EQ(flattened(flat, x, y), expected) << c.text() << " on " << x << ", " << y;
            if (!is_interpreted) continue;
            ASSERT_EQ(interpreted(subject, x, y), expected) << c.text() << " on " << x << ", " << y;
          }
        if (HasFailure()) return;
      }
}

INSTANTIATE_TEST_SUITE_P(All, OperatorAgreement, testing::ValuesIn(kOperators), [](const auto& parameter) {
  std::string text(name(parameter.param));
  std::ranges::replace(text, '-', '_');
  return text;
});

constexpr program::Machine kHost = program::Machine::X86_64;

/// The operator in C, of U x, y and S a, b (the same numbers, signed) of W bits; "" if it has none.
std::string c_expression(Op op) {
  static const std::map<Op, std::string> kExpressions = {{Op::Not, "~x"},
                                                         {Op::And, "x & y"},
                                                         {Op::Or, "x | y"},
                                                         {Op::Xor, "x ^ y"},
                                                         {Op::Neg, "-x"},
                                                         {Op::Add, "x + y"},
                                                         {Op::Sub, "x - y"},
                                                         {Op::Mul, "x * y"},
                                                         {Op::Udiv, "x / y"},
                                                         {Op::Urem, "x % y"},
                                                         {Op::Sdiv, "a / b"},
                                                         {Op::Srem, "a % b"},
                                                         {Op::Shl, "x << y"},
                                                         {Op::Lshr, "x >> y"},
                                                         {Op::Ashr, "a >> y"},
                                                         {Op::Eq, "x == y"},
                                                         {Op::Ult, "x < y"},
                                                         {Op::Ule, "x <= y"},
                                                         {Op::Slt, "a < b"},
                                                         {Op::Sle, "a <= b"},
                                                         {Op::NegOverflow, "__builtin_sub_overflow((S)0, a, &s)"},
                                                         {Op::UaddOverflow, "__builtin_add_overflow(x, y, &u)"},
                                                         {Op::SaddOverflow, "__builtin_add_overflow(a, b, &s)"},
                                                         {Op::UsubOverflow, "__builtin_sub_overflow(x, y, &u)"},
                                                         {Op::SsubOverflow, "__builtin_sub_overflow(a, b, &s)"},
                                                         {Op::UmulOverflow, "__builtin_mul_overflow(x, y, &u)"},
                                                         {Op::SmulOverflow, "__builtin_mul_overflow(a, b, &s)"},
                                                         {Op::SdivOverflow, "a == (S)((U)1 << (W - 1)) && b == (S)-1"},
                                                         {Op::Concat, "(unsigned)x << W | (unsigned)y"},
                                                         {Op::Extract, "x >> (W - 1)"},
                                                         {Op::ZeroExtend, "(unsigned)x"},
                                                         {Op::SignExtend, "(unsigned)(int)a & ((1u << (W + 2)) - 1)"},
                                                         {Op::Repeat, "(unsigned)x << W | (unsigned)x"},
                                                         {Op::Ite, "x & 1 ? x : y"}};
  const auto found = kExpressions.find(op);
  return found == kExpressions.end() ? "" : found->second;
}

/// On operands that C defines, or that the machine stops at.
bool is_compared(const Case& c, std::uint64_t x, std::uint64_t y) {
  const bool is_shift = c.op == Op::Shl || c.op == Op::Lshr || c.op == Op::Ashr;
  if (is_division(c.op) && wrong(c, x, y)) return !is_gap(Engine::Native, "quotient-faults", kHost, c.width);
  return !(is_shift && y >= c.width);
}

TEST(OperatorAgreement, OfNativeCodeHasTheGapsOfItsList) {
  for (const Target& target : all_targets())
    EXPECT_EQ(is_gap(Engine::Native, "operators", target.platform.machine), target.platform.machine != kHost)
        << target.prefix;
  const TemporaryDirectory directory;
  for (const std::uint32_t width : {1U, 2U}) {
    write_file(directory.path() / "number.c", fmt::format("signed _BitInt({}) number;\n", width));
    const ProcessResult built =
        run_process({"clang-19", "-std=c23", "-fsyntax-only", (directory.path() / "number.c").string()}, "", {});
    EXPECT_EQ(built.code != 0, is_gap(Engine::Native, "operators", kHost, width)) << width;
  }
}

TEST(OperatorAgreement, OfNativeCode) {
  std::ostringstream source;
  source << "#include <stdio.h>\n#include <signal.h>\n#include <unistd.h>\n#include <sys/wait.h>\n"
            "static int traps(int a, int b, int is_rest) {\n"
            "  int status; volatile int p = a, q = b, r; fflush(stdout);\n"
            "  if (fork() == 0) { r = is_rest ? p % q : p / q; _exit(0); }\n"
            "  wait(&status); return WIFSIGNALED(status) && WTERMSIG(status) == SIGFPE; }\n"
            "int main(void) {\n";
  std::vector<std::uint64_t> expected;
  for (const Op op : kOperators) {
    const std::string expression = c_expression(op);
    EXPECT_EQ(expression.empty(), is_gap(Engine::Native, name(op))) << name(op);
    if (expression.empty()) continue;
    for (std::uint32_t width = 1; width <= 4; ++width) {
      if (is_gap(Engine::Native, "operators", kHost, width)) continue;
      const Case c{op, width, program::targets().front(), false};
      std::string is_left_out;
      for (std::uint64_t x = 0; x < 1U << width; ++x)
        for (std::uint64_t y = 0; y < 1U << width; ++y) {
          is_left_out += is_compared(c, x, y) ? '0' : '1';
          if (is_compared(c, x, y)) expected.push_back(value(c, x, y).to_uint64());
        }
      source << fmt::format(
          "{{ enum {{ W = {} }}; typedef unsigned _BitInt(W) U; typedef signed _BitInt(W) S; U u; S s; (void)u; "
          "(void)s;\n"
          "for (int i = 0; i < 1 << 2 * W; i++) {{ if (\"{}\"[i] == '1') continue;\n"
          "volatile U vx = (U)(i >> W), vy = (U)i; U x = vx, y = vy; S a = (S)x, b = (S)y; (void)a; (void)b; (void)y;\n"
          "printf(\"%u\\n\", (unsigned)({}) & {}u); }} }}\n",
          width, is_left_out, expression, (1U << c.result_width()) - 1);
    }
  }
  // What ends the program does so at the widths that the machine divides.
  source << "for (int i = 0; i < 2; i++) printf(\"%d\\n%d\\n%d\\n\", traps(-2147483647 - 1, -1, i), traps(7, 0, i), "
            "traps(7, "
            "2, i));\nreturn 0; }\n";
  for (int i = 0; i < 2; ++i) expected.insert(expected.end(), {1, 1, 0});
  const TemporaryDirectory directory;
  write_file(directory.path() / "operators.c", source.str());
  const std::string program = (directory.path() / "operators").string();
  const ProcessResult built = run_process(
      {"clang-19", "-std=c23", "-O0", "-w", "-fwrapv", "-o", program, (directory.path() / "operators.c").string()}, "",
      {});
  ASSERT_EQ(built.code, 0) << built.error;
  const ProcessResult run = run_process({program}, "", {});
  std::istringstream output(run.output);
  std::size_t compared = 0;
  for (std::uint64_t found = 0; output >> found; ++compared) ASSERT_EQ(found, expected.at(compared)) << compared;
  EXPECT_EQ(compared, expected.size());
}

}  // namespace
}  // namespace plumb::check::agreement
