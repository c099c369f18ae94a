// A server's handshake of 6 states; the error is come to after many messages.
// Fails with: -1 257 8 -1 162 -1 -1 198 8 -1 41 -1 -1 198 8 -1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int server(void) {
  int s__state = 4352, progress = 0, resumed = 0, tries = 0, message;
  for (;;) {
    if (s__state == 4352) { /* start */
      message = __VERIFIER_nondet_int();
      if (message == 19) {
        if (progress == 0) progress = 1;
        if (tries == 3) return -1;
        tries++;
        resumed = 1;
        s__state = 4384;
      } else if (message == 155) {
        if (progress == 4) progress = 5;
        resumed = 1;
        s__state = 4384;
      } else {
        s__state = 4368;
      }
    } else if (s__state == 4368) { /* hello */
      message = __VERIFIER_nondet_int();
      if (message == 257) {
        if (progress == 2) progress = 3;
        s__state = 4384;
      } else if (message == 198) {
        if (tries == 3) return -1;
        tries++;
        s__state = 4384;
      } else {
        s__state = 4384;
      }
    } else if (s__state == 4384) { /* hello_reply */
      message = __VERIFIER_nondet_int();
      if (message == 23) {
        if (progress == 4) progress = 5;
        resumed = 1;
        s__state = 4416;
      } else if (message == 8) {
        s__state = 4400;
      } else {
        s__state = 4400;
      }
    } else if (s__state == 4400) { /* certificate */
      message = __VERIFIER_nondet_int();
      if (message == 94) {
        if (progress == 1) progress = 2;
        resumed = 1;
        s__state = 4400;
      } else {
        s__state = 4416;
      }
    } else if (s__state == 4416) { /* key_exchange */
      if (progress == 1 && !resumed && tries == 3) goto ERROR;
      message = __VERIFIER_nondet_int();
      if (message == 162) {
        if (progress == 0) progress = 1;
        s__state = 4432;
      } else if (message == 41) {
        if (tries == 3) return -1;
        tries++;
        s__state = 4432;
      } else {
        s__state = 4432;
      }
    } else if (s__state == 4432) { /* request */
      message = __VERIFIER_nondet_int();
      if (message == 250) {
        s__state = 4432;
      } else if (message == 47) {
        s__state = 4432;
      } else if (message == 238) {
        if (tries == 3) return -1;
        tries++;
        resumed = 1;
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

int main(void) { return server(); }
