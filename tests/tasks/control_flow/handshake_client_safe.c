// A client's handshake: data only after keys, keys only after the greeting.
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

enum { START, GREETING_SENT, GREETING_READ, KEYS_SENT, KEYS_READ, READY, CLOSED };

int main(void) {
  int state = START, has_keys = 0, has_greeting = 0, is_resumed = 0;
  while (state != CLOSED) {
    switch (state) {
      case START:
        has_keys = has_greeting = 0;
        is_resumed = __VERIFIER_nondet_bool();
        state = GREETING_SENT;
        break;
      case GREETING_SENT:
        if (__VERIFIER_nondet_int() == 0) {
          has_greeting = 1;
          state = GREETING_READ;
        } else if (__VERIFIER_nondet_bool()) {
          state = CLOSED;
        }
        break;
      case GREETING_READ:
        if (is_resumed) {
          has_keys = 1;
          state = READY;
        } else {
          state = KEYS_SENT;
        }
        break;
      case KEYS_SENT:
        if (__VERIFIER_nondet_int() == 1) state = KEYS_READ;
        else state = CLOSED;
        break;
      case KEYS_READ:
        has_keys = 1;
        state = READY;
        break;
      case READY:
        __VERIFIER_assert(has_keys && has_greeting);
        if (__VERIFIER_nondet_bool()) state = START;
        else if (__VERIFIER_nondet_bool()) state = CLOSED;
        break;
      default:
        reach_error();
    }
  }
  return 0;
}
