#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <ostream>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "lang/bip/emit/emit.h"
#include "unit/lang/bip/run/models.h"

namespace plumb::bip {
namespace {

using testing::read;

struct Printed {
  std::string text;
  int code = 0;
  std::string error;

  friend bool operator==(const Printed&, const Printed&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Printed& printed) {
    return out << printed.text << "exit code " << printed.code << "\n" << printed.error;
  }
};

/// What `plumb bip --emulate` prints.
Printed emulate(const Model& model, std::optional<std::uint64_t> cycles, std::uint64_t seed,
                const std::optional<std::string>& guide_text, const std::string& guide_file) {
  Printed printed;
  try {
    Guide guide;
    if (guide_text) guide = read_guide(model, *guide_text, guide_file);
    Emulation emulation(model, {cycles, seed, guide_text ? &guide : nullptr});
    printed.text = initial_line(model, emulation.run().state()) + "\n";
    while (const std::optional<EmulationStep> step = emulation.step())
      printed.text += step_line(model, step->number, step->choice, step->before, step->after) + "\n";
    printed.text += end_line(emulation.end(), emulation.interactions()) + "\n";
    const bool is_stuck = emulation.end() == EmulationEnd::Deadlock || emulation.end() == EmulationEnd::Divergence;
    printed.code = is_stuck ? 10 : 0;
  } catch (const UserError& error) {
    printed.code = 2;
    printed.error = std::string(error.what()) + "\n";
  }
  return printed;
}

std::vector<std::string> compilers() {
  std::vector<std::string> found;
  for (const char* name : {"g++", "clang++", "c++"})
    if (find_program(name) && (name != std::string_view("c++") || found.empty())) found.emplace_back(name);
  return found;
}

/// An emitted program; warnings are errors.
class Emitted {
 public:
  Emitted(const Model& model, const std::string& compiler) : model_(model) {
    write_file(path("model.cpp"), to_cpp(model), Sync::No);
    const ProcessResult end =
        run_process({compiler, "-std=c++17", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
                     "-Werror", path("model.cpp"), "-o", path("model")},
                    "", Budget{});
    EXPECT_EQ(end.code, 0) << compiler << "\n" << end.error;
  }

  ProcessResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), path("model"));
    return run_process(arguments, "", Budget{});
  }

  void expect_same(std::optional<std::uint64_t> cycles, std::uint64_t seed,
                   const std::optional<std::string>& guide = std::nullopt) const {
    std::vector<std::string> arguments = {"--seed", std::to_string(seed)};
    if (cycles) arguments.insert(arguments.end(), {"--cycles", std::to_string(*cycles)});
    if (guide) {
      write_file(path("guide.txt"), *guide, Sync::No);
      arguments.push_back("--guide=" + path("guide.txt"));
    }
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.end, ProcessResult::End::Exited);
    EXPECT_EQ((Printed{result.output, result.code, result.error}),
              emulate(model_, cycles, seed, guide, path("guide.txt")));
  }

  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

 private:
  const Model& model_;
  TemporaryDirectory directory_;
};

void expect_same_runs(std::string_view text, const std::string& compiler = compilers().at(0)) {
  const Model model = read(text);
  const Emitted emitted(model, compiler);
  for (std::uint64_t seed = 0; seed < 10; ++seed) emitted.expect_same(40, seed);
}

TEST(EmittedCpp, PrintsWhatEmulationPrintsForTheTrafficLight) { expect_same_runs(testing::kTrafficLight); }

TEST(EmittedCpp, PrintsWhatEmulationPrintsForBroadcasts) { expect_same_runs(testing::kBroadcast); }

TEST(EmittedCpp, PrintsWhatEmulationPrintsForInternalTransitionsAndDeadlocks) { expect_same_runs(testing::kInternal); }

TEST(EmittedCpp, GivesUpOnInternalTransitionsWithoutEnd) {
  const Model model = read(testing::kDivergent);
  Emitted(model, compilers().at(0)).expect_same(3, 1);
}

TEST(EmittedCpp, FollowsGuidesAndRefusesBadOnesAlike) {
  const Model model = read(testing::kBroadcast);
  const Emitted emitted(model, compilers().at(0));
  const std::string all = "c:s.send,r1.receive,r2.receive";
  emitted.expect_same(std::nullopt, 1, "init s.x = 4\n" + all + " s#1 r1#1\n" + all + "\n");
  emitted.expect_same(20, 5, "init s.x = -128 # comment\n\n" + all + "\r\n");
  emitted.expect_same(1, 5, all + "\n" + all + "\n");
  emitted.expect_same(std::nullopt, 1, "");
  for (const char* bad : {"init s.x = 128", "init s.x 1", "init s.x = a", "init r1.got = 1",
                          "init s.x = 1\ninit s.x = 2", "77", "0 s", "0 s#9", "0 s#x", "0 s#0 s#1", "0 r1#0",
                          "internal s#0", "internal", "0", "c:s.send,r1.receive,r2.receive\nk1:r1.rest\nk1:r1.rest"})
    emitted.expect_same(std::nullopt, 1, bad);
}

TEST(EmittedCpp, EveryWrittenGuideIsTheSameRunThere) {
  const Model model = read(testing::kInternal);
  const Emitted emitted(model, compilers().at(0));
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Emulation emulation(model, {20, seed, nullptr});
    std::vector<Choice> choices;
    while (const std::optional<EmulationStep> step = emulation.step()) choices.push_back(step->choice);
    emitted.expect_same(std::nullopt, 99, write_guide(model, {}, choices));
  }
}

constexpr std::string_view kConnectors = R"(package connectors
  port type Int(int v)
  port type Sync()
  const data int N = 3
  atom type A(int start)
    export data int x
    data int any
    export port Int p(x)
    export port Sync q()
    port Sync r()
    place S, T
    initial to S do { x = start; }
    on p from S to T do { x = x + any; any++; }
    on p from T to T provided (x > 0) do { if (x > 50) { x = -x; } else if (x == N) { x--; } else { x -= 7; } }
    on q from T to S do { x = x + 1; }
    on q from S to S provided (x < 0) do { x = 0 - x; }
    on r from T to S provided (any % 4 == 1)
    priority low r < q provided (x < 20)
  end
  connector type Sum(Int a, Int b)
    data int s
    export port Int out(s)
    define a' b
    on a up { s = a.v; } down { a.v = s; }
    on a b provided (a.v < 100) up { s = a.v + b.v; } down { a.v = s; b.v = s - 1; }
  end
  connector type Pair(Int a, Int b)
    data int t
    define a b
    on a b provided (a.v != b.v) up { t = a.v * b.v; } down { a.v = t; b.v = t + 1; }
  end
  connector type One(Sync a)
    define a
  end
  compound type Inside(int n)
    component A a(n)
    component A b(n + 1)
    connector Sum sum(a.p, b.p)
    connector One one(a.q)
    connector One two(b.q)
    export port sum.out as out
    priority inner sum:a.p < sum:a.p,b.p provided (a.x < 30)
  end
  compound type Top()
    component Inside left(1)
    component Inside right(5)
    connector Pair pair(left.out, right.out)
  end
end
)";

TEST(EmittedCpp, PrintsWhatEmulationPrintsForConnectorsOfConnectors) {
  for (const std::string& compiler : compilers()) expect_same_runs(kConnectors, compiler);
}

// Each transition is chosen by hand, or a run would take all the time to meet them.
constexpr std::string_view kOperators = R"(package operators
  port type Sync()
  atom type A()
    data int a, b, c
    data bool p, q
    port Sync step()
    port Sync check()
    place S
    initial to S
    on step from S to S do { c = a + b; a = b; b = c * 3 - 1; p = !q; }
    on step from S to S do { c = a / b; a = a % b; b = -c + 1; q = p == q; }
    on step from S to S do { c = (a << 2) ^ (b >> 1); b = a << b; a = c >> b; p = p != (a < b); }
    on step from S to S do { c = (a & b) | ~c; a = a ^ b; q = a >= b || p && !(b <= c); b = b - 100; }
    on step from S to S do { c = p ? (q ? a : b) : -(-5); a = -128; b = -1; p = a == a && a / b != 127; }
    on step from S to S do { if (p) { if (q) { a = 1; } } else { b = -1; } p = true; q = false; a = a + c % 7; }
    on check from S to S provided (p && q || !p && !q || a * b == c) do { c = a - b - c; b = (a + 1) << (b & 7); }
  end
  compound type Top() component A a() end
end
)";

TEST(EmittedCpp, AllOperatorsMeanTheSame) {
  const Model model = read(kOperators);
  const Emitted emitted(model, compilers().at(0));
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    emitted.expect_same(300, seed, "init a.a = 100\ninit a.b = -77\ninit a.q = true\n");
}

TEST(EmittedCpp, AllOperatorsMeanTheSameInWideInts) {
  const Model model = read(kOperators, {.bits = 62, .initialize_variables = false, .top = {}});
  const Emitted emitted(model, compilers().at(0));
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    emitted.expect_same(300, seed, "init a.a = -2305843009213693952\ninit a.b = -1\n");
}

constexpr std::string_view kNames = R"(package keywords
  port type Sync()
  atom type wchar()
    data int t, int64_t, v, while, NULL, unused__name
    data bool delete, _x, __x
    port Sync class()
    export port Sync new()
    place template, place_, _Exit
    initial to template do { t = t; v = t; while = 0; NULL = 1; }
    on class from template to place_ provided (true) do { if (true) { } }
    on class from template to place_ provided (t == t && v != v || !delete && _x == __x)
    on new from place_ to template provided (while == 0) do { NULL = NULL; }
  end
  atom type plain()
    data int b_t, t
    port Sync tick()
    export port Sync go()
    place S
    initial to S do { b_t = 0; t = 0; }
    on tick from S to S do { b_t = b_t + 1; }
    on go from S to S
  end
  connector type main(Sync a, Sync b)
    define a b
  end
  compound type Top()
    component wchar wchar()
    component wchar static()
    component plain a()
    component plain a_b()
    connector main std(wchar.new, a.go)
    connector main emulator(static.new, a_b.go)
  end
end
)";

TEST(EmittedCpp, NamesOfTheModelClashWithNothing) {
  for (const std::string& compiler : compilers()) expect_same_runs(kNames, compiler);
}

TEST(EmittedCpp, DeepExpressionsStayWithinTheLimitsOfCompilers) {
  std::string sum = "x";
  std::string condition = "x != 100";
  for (int i = 1; i < 400; ++i) {
    sum += fmt::format(" {} x", i % 3 == 0 ? "-" : "+");
    condition = fmt::format("{} {} x {} {}", condition, i % 2 == 0 ? "&&" : "||", i % 5 == 0 ? "==" : "<", i % 128);
  }
  const std::string text = fmt::format(
      "package deep\nport type Sync()\natom type A()\ndata int x\nport Sync p()\nplace S\ninitial to S do {{ x = 1; "
      "}}\n"
      "on p from S to S provided ({}) do {{ x = {}; x = x * 3 + 1; }}\nend\ncompound type Top() component A a() "
      "end\nend\n",
      condition, sum);
  for (const std::string& compiler : compilers()) expect_same_runs(text, compiler);
}

TEST(EmittedCpp, StopsQuietlyWhenNobodyReads) {
  const Model model = read(testing::kTrafficLight);
  const Emitted emitted(model, compilers().at(0));
  const Budget budget = Budget{}.with_timeout(std::chrono::seconds(20));
  const ProcessResult result = run_process(
      {"bash", "-c", emitted.path("model") + " --cycles -1 | head -n 1; echo ${PIPESTATUS[0]}"}, "", budget);
  EXPECT_EQ(result.output, "0  initial  timer.place S0, timer.t 0, timer.n 10, light.place G, light.m 3\n0\n");
  EXPECT_EQ(result.error, "");
}

TEST(EmittedCpp, BadUsageEndsInExitCode2) {
  const Model model = read(testing::kTrafficLight);
  const Emitted emitted(model, compilers().at(0));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--cycle", "3"},
                                                    {"--cycles"},
                                                    {"--seed", "-1"},
                                                    {"--cycles=x"},
                                                    {"--guide", "/no/such/file"}}) {
    const ProcessResult result = emitted.run(arguments);
    EXPECT_EQ(result.code, 2) << arguments[0];
    EXPECT_NE(result.error, "");
    EXPECT_EQ(result.output, "");
  }
  EXPECT_EQ(emitted.run({"--help"}).output, "usage: emulator [--guide FILE] [--seed N] [--cycles N]\n");
}

}  // namespace
}  // namespace plumb::bip
