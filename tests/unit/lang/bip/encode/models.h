#pragma once

#include <string>
#include <vector>

#include "lang/bip/model.h"

namespace plumb::bip::models {

inline Model read(const std::string& text, std::uint32_t bits = 4, bool initialize = false) {
  std::vector<Warning> warnings;
  return read_model(text, "test.bip", {.bits = bits, .initialize_variables = initialize, .top = {}}, warnings);
}

/// Fig. 4.1.
inline const std::string kTrafficLight = R"(
package traffic
  port type Sync()
  port type Time(int v)
  atom type Timer(int start)
    data int t, n
    export port Sync timer()
    export port Time done(n)
    place S0
    initial to S0 do { t = 0; n = start; }
    on timer from S0 to S0 provided (t < n) do { t = t + 1; }
    on done from S0 to S0 provided (t >= n) do { t = 0; }
  end
  atom type Light()
    data int m
    export port Time done(m)
    place G, Y, R
    initial to G do { m = 3; }
    on done from G to Y do { m = 5; }
    on done from Y to R do { m = 10; }
    on done from R to G do { m = 3; }
  end
  connector type Single(Sync p)
    define p
  end
  connector type Pass(Time a, Time b)
    define a b
    on a b down { a.v = b.v; }
  end
  compound type Controller()
    component Timer timer(10)
    component Light light()
    connector Single c0(timer.timer)
    connector Pass c1(timer.done, light.done)
    priority change c0:timer.timer < c1:timer.done,light.done
  end
end
)";

/// Triggers, maximal progress and data that the largest interaction moves.
inline const std::string kBroadcast = R"(
package broadcast
  port type Int(int v)
  atom type Sender()
    data int v
    export port Int send(v)
    place S
    initial to S do { v = 0; }
    on send from S to S provided (v < 3) do { v = v + 1; }
    on send from S to S provided (v >= 3) do { v = 0; }
  end
  atom type Receiver(int least)
    data int got
    export port Int take(got)
    place READY, FULL
    initial to READY do { got = least; }
    on take from READY to FULL provided (got < 3) do { if (got > 1) { got = got - 1; } else { got = least; } }
    on take from FULL to READY provided (got >= least)
  end
  connector type Cast(Int s, Int a, Int b)
    define s' a b
    on s a provided (s.v != 2) down { a.v = s.v; }
    on s b down { b.v = s.v; }
    on s a b down { a.v = s.v; b.v = a.v + 1; s.v = b.v; }
  end
  compound type Top()
    component Sender s()
    component Receiver a(0)
    component Receiver b(1)
    connector Cast cast(s.send, a.take, b.take)
  end
end
)";

/// Data goes up and down two levels of connectors; the inner one belongs to a compound with a priority of its own.
inline const std::string kHierarchy = R"(
package hierarchy
  port type Int(int v)
  port type Sync()
  atom type A(int start)
    export data int v
    export port Int p(v)
    export port Sync rest()
    place S, T
    initial to S do { v = start; }
    on p from S to T provided (v >= start) do { v = v - 1; }
    on p from T to T provided (v > 0) do { v = v - 1; }
    on rest from T to S
  end
  connector type Max(Int a, Int b)
    data int m
    export port Int exp(m)
    define a' b
    on a up { m = a.v; } down { a.v = m; }
    on a b provided (a.v != b.v) up { if (a.v > b.v) { m = a.v; } else { m = b.v; } } down { a.v = m; b.v = m; }
  end
  connector type Outer(Int a, Int b)
    data int tmp
    define a' b
    on a provided (a.v != 2) up { tmp = a.v; } down { a.v = tmp; }
    on a b provided (a.v >= b.v - 1) up { tmp = a.v; } down { a.v = b.v; b.v = tmp; }
  end
  connector type One(Sync s)
    define s
  end
  compound type Pair()
    component A x(1)
    component A y(2)
    connector Max inner(x.p, y.p)
    connector One rest(y.rest)
    priority first inner:x.p < rest:y.rest provided (y.v > 1)
    export port inner.exp as e
  end
  compound type Top()
    component Pair pair()
    component A z(3)
    connector Outer outer(pair.e, z.p)
    connector One r(z.rest)
  end
end
)";

/// Internal transitions, some of them with a choice, also at the start; one behind data that was moved.
inline const std::string kInternal = R"(
package inner_steps
  port type Int(int v)
  port type Sync()
  atom type Counter()
    data int n
    export port Int add(n)
    place EVEN, ODD
    initial to ODD do { n = 1; }
    internal from ODD to EVEN provided (n < 3) do { n = n + 1; }
    internal from ODD to EVEN provided (n >= 2) do { n = 0; }
    on add from EVEN to ODD do { n = n + 1; }
  end
  atom type Coin()
    data bool heads
    data int seen
    export port Int flip(seen)
    port Sync again()
    place READY, AIR, DONE
    initial to READY do { heads = false; seen = 0; }
    on flip from READY to AIR
    internal from AIR to DONE do { heads = true; }
    internal from AIR to DONE provided (seen > 1) do { heads = false; }
    internal from AIR to READY provided (seen == 0)
    on again from DONE to READY provided (heads || seen < 3) do { seen = 0; }
  end
  connector type Move(Int a, Int b)
    define a' b
    on a b down { b.v = a.v; }
  end
  compound type Top()
    component Counter left()
    component Coin coin()
    component Counter right()
    connector Move m1(left.add, coin.flip)
    connector Move m2(right.add, coin.flip)
  end
end
)";

/// Several enabled transitions of a port; which are enabled is decided before data is moved.
inline const std::string kSeveral = R"(
package several
  port type Int(int v)
  atom type A()
    data int v
    export port Int p(v)
    place S, T
    initial to S do { v = 0; }
    on p from S to T
    on p from S to T do { v = v + 1; }
    on p from T to S provided (v < 4) do { v = v + 1; }
    on p from T to S provided (v >= 4) do { v = 0; }
  end
  atom type B()
    data int v, got
    export port Int p(v)
    export port Int q(v)
    place S, X, Y, Z
    initial to S do { v = 1; got = 0; }
    on p from S to X provided (v == 1) do { got = v; }
    on p from S to Y provided (v < 3) do { got = v + 1; }
    on p from S to Z provided (v >= 2) do { got = v; }
    on q from X to S do { v = got; }
    on q from Y to S
    on q from Y to X do { v = 3; }
    on q from Z to S do { v = 1; }
  end
  connector type Move(Int a, Int b)
    define a b
    on a b provided (b.v < 4) down { b.v = a.v; }
  end
  connector type One(Int a)
    define a
  end
  compound type Top()
    component A a()
    component B b()
    connector Move m(a.p, b.p)
    connector One o(b.q)
    connector One alone(a.p)
  end
end
)";

/// Priorities: between ports of an atom, with conditions, transitive, of a star.
inline const std::string kPriorities = R"(
package priorities
  port type Sync()
  atom type Cell(int size)
    export data int n
    export port Sync put()
    export port Sync get()
    export port Sync clear()
    place S
    initial to S do { n = 0; }
    on put from S to S provided (n < size) do { n++; }
    on get from S to S provided (n > 0) do { n--; }
    on clear from S to S provided (n > 1) do { n = 0; }
    priority own get < clear provided (n == 3)
  end
  connector type One(Sync p)
    define p
  end
  connector type Two(Sync p, Sync q)
    define p q
  end
  compound type Top()
    component Cell a(3)
    component Cell b(2)
    component Cell c(3)
    connector One pa(a.put)
    connector One ga(a.get)
    connector One pb(b.put)
    connector One ca(a.clear)
    connector One pc(c.put)
    connector One gc(c.get)
    connector Two gb(b.get, a.get)
    priority p1 pa:a.put < pb:b.put provided (b.n == 0)
    priority p2 pb:b.put < gb:* provided (a.n < 3)
    priority p3 gc:* < pc:*
    priority p4 ga:a.get < ca:a.clear provided (c.n > 0)
  end
end
)";

/// Variables that start with any value: read and changed by initial actions, and not touched by them.
inline const std::string kFree = R"(
package free
  port type Int(int v)
  atom type A()
    data int x, y, z
    data bool rises
    export port Int step(x)
    place S, T
    initial to S do { y = x; x = x + 1; if (rises) { z = y; } }
    on step from S to T provided (rises || x < 0) do { x = x + z; }
    on step from S to S provided (!rises) do { x = x - 1; rises = x > 0; }
    on step from T to S provided (y != 1) do { rises = !rises; }
  end
  connector type One(Int a)
    define a
  end
  compound type Top()
    component A a()
    connector One c(a.step)
  end
end
)";

/// Two rings beside each other, with an interaction between them and one that gives way.
inline const std::string kRings = R"(
package rings
  port type Sync()
  atom type Ring()
    data int laps
    export port Sync go()
    export port Sync meet()
    port Sync idle()
    place A, B, C
    initial to A do { laps = 0; }
    on go from A to B
    on go from B to C
    on meet from C to A do { laps = laps + 1; }
    on idle from B to C provided (laps > 0) do { laps = 0; }
    internal from C to A provided (laps == 2) do { laps = 0; }
  end
  connector type One(Sync p)
    define p
  end
  connector type Two(Sync p, Sync q)
    define p q
  end
  compound type Top()
    component Ring x()
    component Ring y()
    component Ring z()
    connector One gx(x.go)
    connector One gy(y.go)
    connector One gz(z.go)
    connector Two m(x.meet, y.meet)
    connector One mz(z.meet)
    priority slow gz:* < m:*
  end
end
)";

struct Named {
  std::string name;
  std::string text;
  std::uint32_t bits = 0;  ///< the fewest that its numbers fit into
};
inline const std::vector<Named> kAll = {{"traffic light", kTrafficLight, 5},
                                        {"broadcast", kBroadcast, 3},
                                        {"hierarchy", kHierarchy, 3},
                                        {"internal", kInternal, 3},
                                        {"several", kSeveral, 4},
                                        {"priorities", kPriorities, 3},
                                        {"free", kFree, 2},
                                        {"rings", kRings, 3}};

}  // namespace plumb::bip::models
