// A client's handshake of 6 states; the error is never come to.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int client(void) {
  int s__state = 4352, progress = 0, resumed = 0, tries = 0, message;
  for (;;) {
    if (s__state == 4352) { /* start */
      if (progress == 5 && !resumed && tries == 0) goto ERROR;
      message = __VERIFIER_nondet_int();
      if (message == 297) {
        if (progress == 2) progress = 3;
        if (tries == 3) return -1;
        tries++;
        s__state = 4352;
      } else {
        s__state = 4368;
      }
    } else if (s__state == 4368) { /* hello */
      message = __VERIFIER_nondet_int();
      if (message == 122) {
        if (progress == 4) progress = 5;
        s__state = 4384;
      } else if (message == 150) {
        if (progress == 0) progress = 1;
        if (tries == 3) return -1;
        tries++;
        s__state = 4384;
      } else {
        s__state = 4384;
      }
    } else if (s__state == 4384) { /* hello_reply */
      message = __VERIFIER_nondet_int();
      if (message == 61) {
        if (tries == 3) return -1;
        tries++;
        resumed = 1;
        s__state = 4352;
      } else if (message == 268) {
        if (progress == 1) progress = 2;
        s__state = 4416;
      } else {
        s__state = 4400;
      }
    } else if (s__state == 4400) { /* certificate */
      message = __VERIFIER_nondet_int();
      if (message == 120) {
        if (progress == 3) progress = 4;
        s__state = 4416;
      } else if (message == 287) {
        resumed = 1;
        s__state = 4432;
      } else if (message == 242) {
        if (progress == 3) progress = 4;
        resumed = 1;
        s__state = 4416;
      } else {
        s__state = 4416;
      }
    } else if (s__state == 4416) { /* key_exchange */
      message = __VERIFIER_nondet_int();
      if (message == 66) {
        if (progress == 1) progress = 2;
        if (tries == 3) return -1;
        tries++;
        s__state = 4432;
      } else {
        s__state = 4432;
      }
    } else if (s__state == 4432) { /* request */
      message = __VERIFIER_nondet_int();
      if (message == 181) {
        if (progress == 3) progress = 4;
        s__state = 4432;
      } else if (message == 249) {
        s__state = 4416;
      } else if (message == 34) {
        if (progress == 2) progress = 3;
        s__state = 4432;
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

int main(void) { return client(); }
