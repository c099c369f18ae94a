// A server's handshake of 10 states; the error is never come to.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int server(void) {
  int s__state = 4352, progress = 0, resumed = 0, tries = 0, message;
  for (;;) {
    if (s__state == 4352) { /* start */
      message = __VERIFIER_nondet_int();
      if (message == 109) {
        if (progress == 2) progress = 3;
        s__state = 4384;
      } else if (message == 221) {
        if (progress == 3) progress = 4;
        s__state = 4480;
      } else if (message == 82) {
        if (progress == 3) progress = 4;
        s__state = 4368;
      } else {
        s__state = 4368;
      }
    } else if (s__state == 4368) { /* hello */
      message = __VERIFIER_nondet_int();
      if (message == 102) {
        if (progress == 4) progress = 5;
        resumed = 1;
        s__state = 4384;
      } else {
        s__state = 4384;
      }
    } else if (s__state == 4384) { /* hello_reply */
      message = __VERIFIER_nondet_int();
      if (message == 264) {
        s__state = 4416;
      } else {
        s__state = 4400;
      }
    } else if (s__state == 4400) { /* certificate */
      if (progress == 0 && !resumed && tries == 1) goto ERROR;
      message = __VERIFIER_nondet_int();
      if (message == 199) {
        s__state = 4432;
      } else if (message == 269) {
        resumed = 1;
        s__state = 4416;
      } else if (message == 268) {
        if (progress == 0) progress = 1;
        s__state = 4432;
      } else {
        s__state = 4416;
      }
    } else if (s__state == 4416) { /* key_exchange */
      message = __VERIFIER_nondet_int();
      if (message == 25) {
        if (progress == 1) progress = 2;
        resumed = 1;
        s__state = 4448;
      } else if (message == 239) {
        if (progress == 2) progress = 3;
        s__state = 4448;
      } else {
        s__state = 4432;
      }
    } else if (s__state == 4432) { /* request */
      message = __VERIFIER_nondet_int();
      if (message == 171) {
        if (progress == 1) progress = 2;
        s__state = 4448;
      } else if (message == 188) {
        if (progress == 0) progress = 1;
        if (tries == 3) return -1;
        tries++;
        s__state = 4464;
      } else if (message == 172) {
        if (progress == 0) progress = 1;
        s__state = 4384;
      } else {
        s__state = 4448;
      }
    } else if (s__state == 4448) { /* verify */
      message = __VERIFIER_nondet_int();
      if (message == 79) {
        s__state = 4352;
      } else {
        s__state = 4464;
      }
    } else if (s__state == 4464) { /* change_cipher */
      message = __VERIFIER_nondet_int();
      if (message == 261) {
        resumed = 1;
        s__state = 4448;
      } else if (message == 221) {
        s__state = 4480;
      } else if (message == 13) {
        if (progress == 0) progress = 1;
        resumed = 1;
        s__state = 4480;
      } else {
        s__state = 4480;
      }
    } else if (s__state == 4480) { /* finished */
      message = __VERIFIER_nondet_int();
      if (message == 122) {
        s__state = 4416;
      } else if (message == 199) {
        if (progress == 0) progress = 1;
        s__state = 4496;
      } else if (message == 161) {
        s__state = 4496;
      } else {
        s__state = 4496;
      }
    } else if (s__state == 4496) { /* flush */
      message = __VERIFIER_nondet_int();
      if (message == 58) {
        if (progress == 0) progress = 1;
        if (tries == 3) return -1;
        tries++;
        s__state = 4384;
      } else if (message == 40) {
        if (progress == 0) progress = 1;
        if (tries == 3) return -1;
        tries++;
        resumed = 1;
        s__state = 4496;
      } else {
        s__state = 4352;
      }
    } else {
      return -1;
    }
  }
ERROR:
  reach_error();
  return -1;
}

int main(void) { return server(); }
