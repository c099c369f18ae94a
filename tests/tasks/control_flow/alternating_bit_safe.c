// The alternating bit protocol gives each message once, in order, over channels that lose.
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
          if (reply_bit == sender_bit) {
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
