#include "check/ltl_check.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "base/error.h"
#include "base/file.h"

namespace plumb::check {
namespace {

using explore::Reduction;
using result::Verdict;

constexpr const char* kHead = R"(
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
)";

LtlAnswer answer_of(const std::string& source, const std::string& text, bool is_fair,
                    Reduction reduction = Reduction::Dpor) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "source.c", kHead + source);
  frontend::LoadOptions load;
  load.files = {(directory.path() / "source.c").string()};
  const Budget budget = Budget().with_timeout(std::chrono::duration<double>(60));
  const LtlFormula formula(text);
  const LtlProgram program = load_with_formula(load, formula, directory.path(), budget);
  explore::Options options;
  options.reduction = reduction;
  return check_ltl(program, formula, is_fair, options, false, budget);
}

/// By all reductions, which should agree. What is violated is confirmed then.
Verdict agreed(const std::string& source, const std::string& text, bool is_fair = false) {
  std::optional<Verdict> first;
  for (const Reduction reduction : {Reduction::None, Reduction::Tau, Reduction::Dpor}) {
    const LtlAnswer answer = answer_of(source, text, is_fair, reduction);
    if (answer.verdict == Verdict::Unknown) ADD_FAILURE() << text << ": " << answer.reason;
    if (first && *first != answer.verdict) ADD_FAILURE() << "reductions differ on " << text;
    first = answer.verdict;
  }
  return *first;
}

constexpr const char* kServer = R"(
_Atomic int request, served;
void *server(void *p) { for (;;) { while (!request) {} served = 1; request = 0; } }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, server, 0);
  for (;;) { served = 0; request = 1; while (request) {} }
}
)";

TEST(LtlCheck, AServerAnswersIfItIsRunAtAll) {
  EXPECT_EQ(agreed(kServer, "G (request -> F served)"), Verdict::Violated);
  EXPECT_EQ(agreed(kServer, "G (request -> F served)", true), Verdict::Holds);
  EXPECT_EQ(agreed(kServer, "G F served", true), Verdict::Holds);
  EXPECT_EQ(agreed(kServer, "F G served", true), Verdict::Violated);
  EXPECT_EQ(agreed(kServer, "served R !request"), Verdict::Violated);
}

TEST(LtlCheck, OneThreadIsAProgramLikeOthers) {
  const std::string blinks = "int x; int main(void) { for (;;) { x = 1; x = 0; } }";
  EXPECT_EQ(agreed(blinks, "G F x == 1 && G F x == 0"), Verdict::Holds);
  EXPECT_EQ(agreed(blinks, "F G x == 1"), Verdict::Violated);
  const std::string ends = "int x, y; int main(void) { x = 1; y = 1; x = 2; return 0; }";
  EXPECT_EQ(agreed(ends, "F (x == 1 && y == 1)"), Verdict::Holds);
  EXPECT_EQ(agreed(ends, "F G (x == 2)"), Verdict::Holds);
  EXPECT_EQ(agreed(ends, "(x == 0) U (x == 1 && y == 0)"), Verdict::Holds);
  EXPECT_EQ(agreed(ends, "G F (x == 1)"), Verdict::Violated);
}

TEST(LtlCheck, ARunThatEndsStaysInItsLastState) {
  EXPECT_EQ(agreed("int x; int main(void) { x = 1; exit(3); }", "F G x"), Verdict::Holds);
  EXPECT_EQ(agreed("int x; int main(void) { if (__VERIFIER_nondet_int() == 7) abort(); x = 1; }", "F x"),
            Verdict::Violated);
  EXPECT_EQ(agreed("int x; int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n); x = n; }", "F x"),
            Verdict::Holds);
}

TEST(LtlCheck, ADeadlockStaysAsItIs) {
  const std::string program = R"(
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int done;
void *f(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  done = 1;
  return 0;
})";
  const LtlAnswer answer = answer_of(program, "F done", true);
  ASSERT_EQ(answer.verdict, Verdict::Violated) << answer.reason;
  EXPECT_EQ(answer.counterexample->cycle, answer.counterexample->test.schedule.size());
  EXPECT_NE(answer.counterexample->end.find("no thread can go on"), std::string::npos);
  EXPECT_EQ(agreed(program, "F done", true), Verdict::Violated);
}

TEST(LtlCheck, ALoopThatNobodySeesGoesOnForEver) {
  const std::string program = R"(
int x;
void *f(void *p) { for (;;) {} }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; return 0; }
)";
  EXPECT_EQ(agreed(program, "F x"), Verdict::Violated);
  EXPECT_EQ(agreed(program, "F x", true), Verdict::Holds);
  EXPECT_EQ(agreed("int x; int main(void) { for (;;) {} }", "F x"), Verdict::Violated);
  EXPECT_EQ(agreed("int x; int main(void) { x = 1; for (;;) {} x = 2; }", "F x == 2", true), Verdict::Violated);
}

TEST(LtlCheck, AMutexThatIsTakenAgainAndAgainStarvesFairly) {
  const std::string program = R"(
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int got;
void *greedy(void *p) { for (;;) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, greedy, 0);
  pthread_mutex_lock(&m);
  got = 1;
  pthread_mutex_unlock(&m);
  for (;;) {}
})";
  EXPECT_EQ(agreed(program, "F got", true), Verdict::Violated);
}

TEST(LtlCheck, ThreadsStandAtLabels) {
  const std::string program = R"(
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *f(void *p) { for (int i = 0; i < 2; i++) { LOCK critical: n++; UNLOCK } return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  LOCK
other: n++;
  UNLOCK
  pthread_join(t, 0);
end:
  return 0;
})";
  const std::string with = "#define LOCK pthread_mutex_lock(&m);\n#define UNLOCK pthread_mutex_unlock(&m);\n" + program;
  const std::string without = "#define LOCK\n#define UNLOCK\n" + program;
  EXPECT_EQ(agreed(with, "G !(at(f:critical) && at(main:other))"), Verdict::Holds);
  EXPECT_EQ(agreed(without, "G !(at(f:critical) && at(main:other))"), Verdict::Violated);
  EXPECT_EQ(agreed(with, "F at(main:end)"), Verdict::Holds);
  EXPECT_EQ(agreed(with, "!at(main:end) U at(f:critical)"), Verdict::Holds);
  EXPECT_EQ(agreed(with, "!at(main:other) U at(f:critical)"), Verdict::Violated);
}

TEST(LtlCheck, InputsAreSymbolicAndCyclesRepeatThem) {
  const std::string program = R"(
unsigned char x;
int main(void) { unsigned char step = __VERIFIER_nondet_uchar(); for (;;) { x = __VERIFIER_nondet_uchar(); x = step; } }
)";
  EXPECT_EQ(agreed(program, "G F x == 7"), Verdict::Violated);
  EXPECT_EQ(agreed(program, "F G x == 7"), Verdict::Violated);
  EXPECT_EQ(agreed(program, "G (x == x)"), Verdict::Holds);
}

TEST(LtlCheck, ConditionsAreReadAsTheProgramsTypesSay) {
  const std::string program = R"(
enum { kFull = 3 };
struct { signed char c; int list[4]; } s;
static unsigned char u;
struct node { int value; } *p;
int main(void) { s.c = -1; u = 255; s.list[kFull] = 5; p = malloc(sizeof *p); if (p) p->value = 9; }
)";
  EXPECT_EQ(agreed(program, "F (s.c == -1 && u > 200)"), Verdict::Holds);
  EXPECT_EQ(agreed(program, "F (s.list[kFull] == s.c + 6)"), Verdict::Holds);
  EXPECT_EQ(agreed(program, "F (u < 0 || s.c > 0)"), Verdict::Violated);
  EXPECT_EQ(agreed(program, "F (p != 0 && p->value == 9)"), Verdict::Holds);
  const LtlAnswer null = answer_of(program, "F p->value == 9", false);
  EXPECT_EQ(null.verdict, Verdict::Unknown);
}

TEST(LtlCheck, WhatIsNoConditionIsSaidWithItsColumn) {
  const std::string program = "int x; _Thread_local int own; int f(void) { return 1; } int main(void) { return f(); }";
  const auto column = [&](const std::string& text) -> std::uint32_t {
    try {
      answer_of(program, text, false);
    } catch (const UserError& error) {
      EXPECT_EQ(error.location().file, "--ltl");
      EXPECT_FALSE(error.hint().empty());
      return error.location().column;
    }
    return 0;
  };
  EXPECT_EQ(column("G (x == 1 -> F y)"), 16U);
  EXPECT_EQ(column("G f() == 1"), 3U);
  EXPECT_EQ(column("F x = 1"), 3U);
  EXPECT_EQ(column("F own"), 3U);
  EXPECT_EQ(column("F at(f:nowhere)"), 3U);
  EXPECT_EQ(column("F at(g:l)"), 3U);
}

// --- Random programs against an explicit graph that is made here ---

/// What a thread does, an access each.
struct Statement {
  enum class Kind { Set, Wait, Lock, Unlock } kind = Kind::Set;
  int variable = 0;
  int value = 0;
};
struct Model {
  std::array<std::vector<Statement>, 2> threads;
  std::array<bool, 2> loops{};
};

std::string source_of(const Model& model) {
  std::string text = "_Atomic unsigned char v[2];\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
  for (int t = 0; t < 2; ++t) {
    text += "void *thread" + std::to_string(t) + "(void *p) {\n";
    const auto thread = static_cast<std::size_t>(t);
    if (model.loops[thread]) text += "for (;;) {\n";
    for (const Statement& s : model.threads[thread]) {
      const std::string v = "v[" + std::to_string(s.variable) + "]", value = std::to_string(s.value);
      switch (s.kind) {
        case Statement::Kind::Set:
          text += v + " = " + value + ";\n";
          break;
        case Statement::Kind::Wait:
          text += "while (" + v + " != " + value + ") {}\n";
          break;
        case Statement::Kind::Lock:
          text += "pthread_mutex_lock(&m);\n";
          break;
        case Statement::Kind::Unlock:
          text += "pthread_mutex_unlock(&m);\n";
          break;
      }
    }
    text += model.loops[thread] ? "}\n}\n" : "return 0;\n}\n";
  }
  return text + R"(int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, thread0, 0);
  pthread_create(&b, 0, thread1, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
})";
}

/// All states of a model: threads 0 and 1, and main as 2.
class Graph {
 public:
  explicit Graph(const Model& model) : model_(model) {
    for (std::vector<State> open{State{}}; !open.empty();) {
      const State s = open.back();
      open.pop_back();
      if (ids_.contains(s)) continue;
      ids_.emplace(s, static_cast<int>(states.size()));
      states.push_back(s);
      for (int t = 0; t < 3; ++t)
        if (const auto next = step(s, t)) open.push_back(*next);
    }
    edges.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (int t = 0; t < 3; ++t)
        if (const auto next = step(states[i], t)) edges[i].push_back({ids_.at(*next), t});
      able.push_back(0);
      for (const Edge& edge : edges[i]) able.back() |= 1 << edge.thread;
      if (edges[i].empty()) edges[i].push_back({static_cast<int>(i), -1});
    }
  }
  struct State {
    std::array<int, 3> at{-1, -1, 0};  ///< of main: what it has done
    std::array<int, 2> v{};
    int owner = -1;
    auto operator<=>(const State&) const = default;
  };
  struct Edge {
    int to = 0;
    int thread = 0;
  };
  std::vector<State> states;
  std::vector<std::vector<Edge>> edges;
  std::vector<int> able;

  using Set = std::function<bool(int)>;
  /// From the initial state, over states of `inside` alone.
  std::vector<bool> reached(const Set& inside, std::vector<int> from = {0}) const {
    std::vector<bool> seen(states.size());
    std::vector<int> open;
    for (const int s : from)
      if (inside(s)) open.push_back(s);
    while (!open.empty()) {
      const int s = open.back();
      open.pop_back();
      if (seen[static_cast<std::size_t>(s)]) continue;
      seen[static_cast<std::size_t>(s)] = true;
      for (const Edge& edge : edges[static_cast<std::size_t>(s)])
        if (inside(edge.to)) open.push_back(edge.to);
    }
    return seen;
  }
  /// Some of the states lies on a walk around inside, that has one of `must`, and is fair if wanted.
  bool has_cycle(const std::vector<bool>& from, const Set& inside, const Set& must, bool is_fair) const {
    for (std::size_t s = 0; s < states.size(); ++s) {
      if (!from[s] || !inside(static_cast<int>(s))) continue;
      // The component of s.
      const std::vector<bool> forth = reached(inside, {static_cast<int>(s)});
      std::vector<int> component;
      for (std::size_t other = 0; other < states.size(); ++other)
        if (forth[other] && reached(inside, {static_cast<int>(other)})[s]) component.push_back(static_cast<int>(other));
      const std::set<int> members(component.begin(), component.end());
      bool has_edge = false, has_must = false;
      int fair = 0;
      for (const int member : component) {
        has_must = has_must || must(member);
        fair |= ~able[static_cast<std::size_t>(member)];
        for (const Edge& edge : edges[static_cast<std::size_t>(member)]) {
          if (!members.contains(edge.to)) continue;
          has_edge = true;
          if (edge.thread >= 0) fair |= 1 << edge.thread;
        }
      }
      if (has_edge && has_must && (!is_fair || (fair & 7) == 7)) return true;
    }
    return false;
  }

 private:
  std::optional<State> step(State s, int t) const {
    if (s.at[2] == 4) return std::nullopt;  // the program is over
    if (t == 2) {
      if (s.at[2] < 2) {
        s.at[static_cast<std::size_t>(s.at[2])] = 0;
      } else if (!has_ended(s, s.at[2] - 2)) {
        return std::nullopt;
      }
      ++s.at[2];
      return s;
    }
    const auto thread = static_cast<std::size_t>(t);
    int& at = s.at[thread];
    if (at < 0 || has_ended(s, t)) return std::nullopt;
    const Statement& next = model_.threads[thread][static_cast<std::size_t>(at)];
    switch (next.kind) {
      case Statement::Kind::Set:
        s.v[static_cast<std::size_t>(next.variable)] = next.value;
        break;
      case Statement::Kind::Wait:
        if (s.v[static_cast<std::size_t>(next.variable)] != next.value) return s;
        break;
      case Statement::Kind::Lock:
        if (s.owner >= 0) return std::nullopt;
        s.owner = t;
        break;
      case Statement::Kind::Unlock:
        s.owner = -1;
        break;
    }
    if (++at == static_cast<int>(model_.threads[thread].size()) && model_.loops[thread]) at = 0;
    return s;
  }
  bool has_ended(const State& s, int t) const {
    const auto thread = static_cast<std::size_t>(t);
    return s.at[thread] == static_cast<int>(model_.threads[thread].size());
  }

  const Model& model_;
  std::map<State, int> ids_;
};

TEST(LtlCheck, RandomModelsHaveTheVerdictOfTheirGraph) {
  std::mt19937 random(7);
  const auto choose = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  int violated = 0, held = 0;
  for (int round = 0; round < 24; ++round) {
    Model model;
    for (int t = 0; t < 2; ++t) {
      std::vector<Statement>& body = model.threads[static_cast<std::size_t>(t)];
      const bool locks = choose(3) == 0;
      if (locks) body.push_back({Statement::Kind::Lock});
      for (int i = 0, count = 1 + choose(3); i < count; ++i)
        body.push_back({choose(3) == 0 ? Statement::Kind::Wait : Statement::Kind::Set, choose(2), choose(2)});
      if (locks) body.push_back({Statement::Kind::Unlock});
      model.loops[static_cast<std::size_t>(t)] = choose(2) == 0;
    }
    const Graph graph(model);
    const int pa = choose(2), pb = choose(2), qa = choose(2), qb = choose(2);
    const auto state = [&](int s) { return graph.states[static_cast<std::size_t>(s)]; };
    const auto p = [&](int s) { return state(s).v[static_cast<std::size_t>(pa)] == pb; };
    const auto q = [&](int s) { return state(s).v[static_cast<std::size_t>(qa)] == qb; };
    const auto all = [](int) { return true; };
    const auto no = [](const Graph::Set& set) { return [set](int s) { return !set(s); }; };
    const std::string ptext = "v[" + std::to_string(pa) + "] == " + std::to_string(pb);
    const std::string qtext = "v[" + std::to_string(qa) + "] == " + std::to_string(qb);
    const bool is_fair = round % 2 == 1;
    const std::vector<bool> anywhere = graph.reached(all);
    const auto those = [&](const Graph::Set& set, const std::vector<bool>& of) {
      std::vector<int> list;
      for (std::size_t s = 0; s < of.size(); ++s)
        if (of[s] && set(static_cast<int>(s))) list.push_back(static_cast<int>(s));
      return list;
    };
    const auto goes_on = [&](const std::vector<bool>& from) { return graph.has_cycle(from, all, all, is_fair); };
    std::vector<std::pair<std::string, bool>> wanted;  // and whether it is violated
    wanted.emplace_back("G " + ptext, goes_on(graph.reached(all, those(no(p), anywhere))));
    wanted.emplace_back("F " + ptext, graph.has_cycle(graph.reached(no(p)), no(p), all, is_fair));
    wanted.emplace_back("G F " + ptext, graph.has_cycle(anywhere, no(p), all, is_fair));
    wanted.emplace_back("F G " + ptext, graph.has_cycle(anywhere, all, no(p), is_fair));
    const std::vector<int> asked = those([&](int s) { return p(s) && !q(s); }, anywhere);
    wanted.emplace_back("G (" + ptext + " -> F (" + qtext + "))",
                        graph.has_cycle(graph.reached(no(q), asked), no(q), all, is_fair));
    const std::vector<bool> before = graph.reached(no(q));
    const std::vector<int> late = those([&](int s) { return !p(s) && !q(s); }, before);
    wanted.emplace_back("(" + ptext + ") U (" + qtext + ")",
                        graph.has_cycle(before, no(q), all, is_fair) || goes_on(graph.reached(all, late)));
    for (const auto& [formula, is_violated] : wanted) {
      const Reduction reduction =
          std::array{Reduction::None, Reduction::Tau, Reduction::Dpor}[static_cast<std::size_t>(round % 3)];
      const LtlAnswer answer = answer_of(source_of(model), formula, is_fair, reduction);
      EXPECT_EQ(answer.verdict, is_violated ? Verdict::Violated : Verdict::Holds)
          << formula << (is_fair ? ", fair" : "") << "\n"
          << answer.reason << "\n"
          << source_of(model);
      ++(is_violated ? violated : held);
    }
  }
  EXPECT_GT(violated, 20);
  EXPECT_GT(held, 20);
}

}  // namespace
}  // namespace plumb::check
