// The alternating bit protocol gives each message once, in order, over channels that lose.
// Fails with: 1 1 1 6 4 0 3 3 5 5 1 6 7 1 3 5 2 5 6 5 3 1 5 1 6 0 5 2 3 1 1 0 1 1 5 5 4 7 5 5 2 1 0 4 1 3 4 3 6 5 1 2 0 7 3 3 3 3 4 0 2 5 1 2 6 0 3 7 4 4 7 3 4 5 7 7 1 5 5 5 7 0 1 2 2 6 3 5 7 6 1 0 2 0 6 7 5 1 1 3 2 4 2 5 1 3 7 7 3 0 6 3 0 6 5 3 7 0 4 2 6 3 4 2 2 4 1 7 7 1 1 7 1 2 1 1 1 4 0 4 1
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  _Bool sender_bit = 0, receiver_bit = 0;
  _Bool has_message = 0, message_bit = 0, has_reply = 0, reply_bit = 0;
  unsigned char sent = 0, received = 0, message = 0;
  while (1) {
    switch (__VERIFIER_nondet_uchar() & 3) {
      case 0: /* send, again or anew */
        has_message = 1;
        message_bit = sender_bit;
        message = sent;
        break;
      case 1: /* receive */
        if (has_message) {
          has_message = 0;
          if (message_bit == receiver_bit) {
            __VERIFIER_assert(message == received);
            received++;
            receiver_bit = !receiver_bit;
          }
          has_reply = 1;
          reply_bit = message_bit;
        }
        break;
      case 2: /* the reply */
        if (has_reply) {
          has_reply = 0;
          if (1) {
            sender_bit = !sender_bit;
            sent++;
          }
        }
        break;
      default: /* loss */
        if (__VERIFIER_nondet_bool()) has_message = 0;
        else has_reply = 0;
    }
  }
  return 0;
}
