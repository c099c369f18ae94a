#pragma once

#include <string>
#include <vector>

#include "lang/bip/syntax/parser.h"

namespace plumb::bip {

/// Every construct that is read.
inline const std::string kEveryConstruct = R"(@cpp(src="x.cpp", include="y.hpp", flag)
package my.lights
  const data int N = 4, M = N + 1
  const data bool ON = true
  port type Sync()
  port type Int(int v)
  port type Both(int v, bool b)
  @tagged
  atom type Timer(int start, bool fast)
    data int t = start * 2, n
    export data bool is_on
    export port Sync tick(), tock() as beat
    export port Int done(n)
    port my.lights.Sync step()
    port Both pair(n, is_on)
    places S0, S1
    initial to S0 do { t = 0; n = start; is_on = ON; }
    on tick from S0 to S0 provided (t < n && !fast) do { t = t + 1; }
    @note(a=b) on done from S0 to S1 provided (t >= n) do { t = 0; { n++; } ; n--; n += 2; n <<= 1; }
    on tock from S1 to S0
    on step from S1 to S1 do {
      if (t == 0) t = 1; else if (t > 3) { t = 2; n = -1; } else { }
      if (is_on) then t = 5; n = 0; else n = 6; fi
    }
    internal from S1 to S0 provided (t == 7 ? is_on : fast) do { t = 0x10; }
    on pair from S0 to S0
    priority slow tick < done provided (n > 0)
    priority rest provided (ON) * < step
  end
  connector type Pass(Int a, Int b, Sync c)
    data int x, y
    export port Int out(x)
    define (a b)' c
    on a b provided (a.v != b.v) up { x = a.v; } down { a.v = x; b.v = y; }
    on a b c
  end
  connector type Single(Sync a) define a' end
  connector type Pair(Int a, Int b) define a b on a, b down { a.v = b.v; } end
  compound type Inner(int k)
    component Timer p(k, false), q(k + N, ON)
    component Timer r(0, k > 2)
    connector Pass c(p.done, q.done, r.beat), d(p.done, r.done, q.beat)
    connector Pair e(c.out, r.done)
    export port d.out, r.done as o
    export port p.beat as beat
    export data p.is_on as is_on
    priority high c:p.done,q.done < e:*
    priority low provided (p.is_on && k > 0) *:* < e:c.out,r.done
  end
  compound type Top()
    component Inner i(3)
    component Timer s(1, true)
    connector Pair link(i.o, s.done)
    connector Single b1(i.beat), b2(s.beat)
    priority g b1:* < b2:* provided (i.is_on || s.is_on)
  end
end
)";

inline Package parse(const std::string& text) {
  std::vector<Warning> warnings;
  return parse_package(text, "m.bip", warnings);
}

/// "accepted" if there is none.
inline std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace plumb::bip
