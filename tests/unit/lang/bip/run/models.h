#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "lang/bip/run/run.h"

namespace plumb::bip::testing {

/// Fig. 4.1: interaction 0 counts, interaction 1 switches the light and tells the timer how long it lasts.
inline constexpr std::string_view kTrafficLight = R"(package lights
  port type Sync()
  port type Int(int v)
  atom type Timer(int start)
    data int t, n
    export port Sync tick()
    export port Int done(n)
    place S0
    initial to S0 do { t = 0; n = start; }
    on tick from S0 to S0 provided (t < n) do { t = t + 1; }
    on done from S0 to S0 provided (t >= n) do { t = 0; }
  end
  atom type Light()
    data int m
    export port Int done(m)
    place G, Y, R
    initial to G do { m = 3; }
    on done from G to Y do { m = 5; }
    on done from Y to R do { m = 10; }
    on done from R to G do { m = 3; }
  end
  connector type Single(Sync p)
    define p
  end
  connector type Pass(Int a, Int b)
    define a b
    on a b down { a.v = b.v; }
  end
  compound type Top()
    component Timer timer(10)
    component Light light()
    connector Single c0(timer.tick)
    connector Pass c1(timer.done, light.done)
    priority p1 c0:timer.tick < c1:timer.done,light.done
  end
end
)";

/// A sender that may be alone, two receivers that are not always ready, and their priorities: broadcast, maximal
/// progress, several transitions of one port, any value at the start.
inline constexpr std::string_view kBroadcast = R"(package broadcast
  port type Int(int v)
  port type Sync()
  atom type Sender()
    data int x
    data bool even
    export port Int send(x)
    place S
    initial to S do { even = x % 2 == 0; }
    on send from S to S provided (even) do { x = x + 1; even = !even; }
    on send from S to S do { x = x * 3; even = x % 2 == 0; }
  end
  atom type Receiver(int limit)
    data int got
    export data int count
    export port Int receive(got)
    export port Sync rest()
    place Ready, Busy
    initial to Ready do { count = 0; got = 0; }
    on receive from Ready to Busy do { count = count + (got > 0 ? 1 : -1); }
    on receive from Ready to Ready provided (count < limit) do { count += 2; }
    on rest from Busy to Ready
  end
  connector type Single(Sync p)
    define p
  end
  connector type Broadcast(Int s, Int a, Int b)
    define s' a b
    on s a down { a.v = s.v; }
    on s b provided (s.v != 3) down { b.v = s.v; }
    on s a b down { a.v = s.v; b.v = -s.v; }
  end
  compound type Top()
    component Sender s()
    component Receiver r1(2)
    component Receiver r2(5)
    connector Broadcast c(s.send, r1.receive, r2.receive)
    connector Single k1(r1.rest)
    connector Single k2(r2.rest)
    priority p k1:r1.rest < k2:r2.rest provided (r1.count > r2.count)
  end
end
)";

/// Internal transitions that lead to others, one with a choice; ends in a deadlock.
inline constexpr std::string_view kInternal = R"(package steps
  port type Sync()
  atom type Walker(int last)
    data int x
    export port Sync go()
    place A, B, C, D
    initial to A do { x = 0; }
    internal from A to B
    on go from B to C provided (x < last) do { x = x + 1; }
    internal from C to D provided (x > 1) do { x = x + 1; }
    internal from C to B provided (x > 1)
    internal from C to B provided (x <= 1)
    internal from D to A
  end
  connector type Both(Sync a, Sync b)
    define a b
  end
  compound type Top()
    component Walker w(6)
    component Walker u(9)
    connector Both c(w.go, u.go)
  end
end
)";

/// Behind its interaction, internal transitions go on for ever.
inline constexpr std::string_view kDivergent = R"(package divergent
  port type Sync()
  atom type A()
    port Sync p()
    place S, T
    initial to S
    on p from S to T
    internal from T to T
  end
  compound type Top()
    component A a()
  end
end
)";

inline Model read(std::string_view text, const Options& options = {}) {
  std::vector<Warning> warnings;
  return read_model(text, "model.bip", options, warnings);
}

/// A package with one atom type and one compound; `body` is the atom's, behind the port types Sync and Int(int v).
inline Model one_atom(const std::string& body, const Options& options = {}) {
  return read(fmt::format("package p\nport type Sync()\nport type Int(int v)\natom type A()\n{}\nend\n"
                          "compound type Top()\ncomponent A a()\nend\nend\n",
                          body),
              options);
}

inline InteractionId interaction(const Model& model, std::string_view name) {
  for (InteractionId i = 0; i < model.interactions.size(); ++i)
    if (model.interactions[i].name == name) return i;
  ADD_FAILURE() << "no interaction " << name;
  return 0;
}

inline std::int64_t value(const Model& model, const State& state, std::string_view variable) {
  return state.values[model.find_variable(variable).value()];
}

inline const std::string& place(const Model& model, const State& state, std::string_view component) {
  const ComponentId id = model.find_component(component).value();
  return model.components[id].places[state.places[id]];
}

}  // namespace plumb::bip::testing
