// A server's handshake with numbered states, as such programs are written in C.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int s__state, s__hit, s__version, blast;

int run_server(void) {
  s__state = 8464;
  s__hit = __VERIFIER_nondet_int();
  s__version = __VERIFIER_nondet_int();
  int skip = 0, next_state = 0, rounds = 0;
  while (1) {
    if (s__state == 8464) {
      if (s__version != 3) return -1;
      if (blast == 0) blast = 1;
      s__state = 8480;
    } else if (s__state == 8480) {
      if (__VERIFIER_nondet_int() <= 0) return -1;
      s__state = s__hit ? 8656 : 8496;
    } else if (s__state == 8496) {
      if (blast == 1) blast = 2;
      s__state = 8512;
    } else if (s__state == 8512) {
      skip = __VERIFIER_nondet_bool();
      if (!skip && __VERIFIER_nondet_int() <= 0) return -1;
      s__state = 8528;
    } else if (s__state == 8528) {
      if (blast == 2) blast = 3;
      next_state = 8576;
      s__state = 8448;
    } else if (s__state == 8448) {
      if (__VERIFIER_nondet_int() < 0) return -1;
      s__state = next_state;
    } else if (s__state == 8576) {
      if (blast == 3) blast = 4;
      next_state = 8656;
      s__state = 8448;
    } else if (s__state == 8656) {
      if (blast == 4 && !s__hit) blast = 5;
      s__state = 8672;
    } else if (s__state == 8672) {
      if (s__hit) __VERIFIER_assert(blast == 1);
      else if (blast == 4) reach_error();
      return 0;
    } else {
      return -1;
    }
    rounds++;
  }
}

int main(void) {
  run_server();
  return 0;
}
