/* A resolution advisory as the Traffic Alert and Collision Avoidance System gives it: whether to climb, to descend or neither, from
 * two altitudes, the separations that either manoeuvre is expected to give, and what the other aircraft says. Written from the
 * system's published logic. -DWRONG forgets one comparison: a separation of just the threshold counts as too little. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);

enum advisory { None, Climb, Descend };
enum intent { NoIntent, DoNotClimb, DoNotDescend };

enum { MaxRate = 600, MinSeparation = 300, NoCrossing = 100 };

static const int thresholds[4] = {400, 500, 640, 740}; /* by layer of altitude */

struct situation {
  int own_altitude, other_altitude;         /* feet */
  int own_rate;                             /* feet a minute */
  int up_separation, down_separation;       /* expected behind a climb and behind a descent */
  int vertical_separation;                  /* now */
  int layer;
  enum intent other_intent;
  _Bool has_system, is_confident, climb_is_inhibited, two_of_three_reports;
};

static int threshold(const struct situation* s) { return thresholds[s->layer]; }

static int climb_separation(const struct situation* s) {
  return s->climb_is_inhibited ? s->up_separation + NoCrossing : s->up_separation;
}

static _Bool own_below(const struct situation* s) { return s->own_altitude < s->other_altitude; }
static _Bool own_above(const struct situation* s) { return s->other_altitude < s->own_altitude; }

static _Bool is_safe(const struct situation* s, int separation) {
#ifdef WRONG
  return separation > threshold(s);
#else
  return separation >= threshold(s);
#endif
}

static _Bool no_crossing_climb(const struct situation* s) {
  if (climb_separation(s) > s->down_separation) return !own_below(s) || !is_safe(s, s->down_separation);
  return own_above(s) && s->vertical_separation >= MinSeparation && is_safe(s, s->up_separation);
}

static _Bool no_crossing_descend(const struct situation* s) {
  if (climb_separation(s) > s->down_separation)
    return own_below(s) && s->vertical_separation >= MinSeparation && is_safe(s, s->down_separation);
  return !own_above(s) || (own_above(s) && is_safe(s, s->up_separation));
}

static enum advisory advise(const struct situation* s) {
  _Bool is_enabled = s->is_confident && s->own_rate <= MaxRate && s->vertical_separation > MaxRate;
  _Bool is_unequipped = !s->has_system || s->other_intent == NoIntent;
  if (!is_enabled || (s->has_system && !is_unequipped) || (!s->has_system && !s->two_of_three_reports)) return None;
  _Bool climb = no_crossing_climb(s) && own_below(s);
  _Bool descend = no_crossing_descend(s) && own_above(s);
  if (climb && descend) return None;
  return climb ? Climb : descend ? Descend : None;
}

int main(void) {
  struct situation s;
  s.own_altitude = __VERIFIER_nondet_int();
  s.other_altitude = __VERIFIER_nondet_int();
  s.own_rate = __VERIFIER_nondet_int();
  s.up_separation = __VERIFIER_nondet_int();
  s.down_separation = __VERIFIER_nondet_int();
  s.vertical_separation = __VERIFIER_nondet_int();
  s.layer = __VERIFIER_nondet_int();
  s.other_intent = __VERIFIER_nondet_int();
  s.has_system = __VERIFIER_nondet_bool();
  s.is_confident = __VERIFIER_nondet_bool();
  s.climb_is_inhibited = __VERIFIER_nondet_bool();
  s.two_of_three_reports = __VERIFIER_nondet_bool();
  __VERIFIER_assume(s.own_altitude >= 0 && s.own_altitude <= 100000 && s.other_altitude >= 0 && s.other_altitude <= 100000);
  __VERIFIER_assume(s.up_separation >= 0 && s.up_separation <= 100000 && s.down_separation >= 0 && s.down_separation <= 100000);
  __VERIFIER_assume(s.layer >= 0 && s.layer < 4);
  __VERIFIER_assume(s.other_intent == NoIntent || s.other_intent == DoNotClimb || s.other_intent == DoNotDescend);
  enum advisory given = advise(&s);
  int limit = thresholds[s.layer];
  /* Where climbing alone keeps enough distance nobody is told to descend, nor the other way round. */
  assert(!(s.up_separation >= limit && s.down_separation < limit && given == Descend));
  assert(!(s.up_separation < limit && s.down_separation >= limit && given == Climb));
  /* No advice makes the aircraft cross the other's altitude. */
  assert(given != Climb || s.own_altitude < s.other_altitude);
  assert(given != Descend || s.own_altitude > s.other_altitude);
  assert(given == None || (s.is_confident && s.vertical_separation > MaxRate));
  return 0;
}
