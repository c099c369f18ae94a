// A connection's states: what is sent lies between opening and closing.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

enum { CLOSED, LISTEN, SYN_RECEIVED, SYN_SENT, ESTABLISHED, FIN_WAIT, CLOSE_WAIT, LAST_ACK };
int main(void) {
  int state = CLOSED;
  _Bool was_acknowledged = 0;
  while (1) {
    int event = __VERIFIER_nondet_int();
    if (state == CLOSED && event == 1) state = LISTEN;
    else if (state == CLOSED && event == 2) state = SYN_SENT;
    else if (state == LISTEN && event == 3) state = SYN_RECEIVED;
    else if (state == SYN_RECEIVED && event == 4) { was_acknowledged = 1; state = ESTABLISHED; }
    else if (state == SYN_SENT && event == 5) { was_acknowledged = 1; state = ESTABLISHED; }
    else if (state == SYN_SENT && event == 3) state = SYN_RECEIVED;
    else if (state == ESTABLISHED && event == 6) state = FIN_WAIT;
    else if (state == ESTABLISHED && event == 7) state = CLOSE_WAIT;
    else if (state == FIN_WAIT && event == 4) { was_acknowledged = 0; state = CLOSED; }
    else if (state == CLOSE_WAIT && event == 6) state = LAST_ACK;
    else if (state == LAST_ACK && event == 4) { was_acknowledged = 0; state = CLOSED; }
    else if (event == 8) { was_acknowledged = 0; state = CLOSED; }
    if (state >= ESTABLISHED) __VERIFIER_assert(was_acknowledged);
    else __VERIFIER_assert(!was_acknowledged);
  }
  return 0;
}
