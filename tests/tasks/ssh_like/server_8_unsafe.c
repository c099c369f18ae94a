// A server's handshake of 8 states; the error is come to after many messages.
// Fails with: 239 107 49 244 275 -1 288 107 281 94 -1 288 107 281 94 -1 -1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int server(void) {
  int s__state = 4352, progress = 0, resumed = 0, tries = 0, message;
  for (;;) {
    if (s__state == 4352) { /* start */
      message = __VERIFIER_nondet_int();
      if (message == 155) {
        if (progress == 2) progress = 3;
        if (tries == 3) return -1;
        tries++;
        s__state = 4368;
      } else if (message == 288) {
        if (progress == 4) progress = 5;
        resumed = 1;
        s__state = 4384;
      } else if (message == 239) {
        if (progress == 0) progress = 1;
        s__state = 4384;
      } else {
        s__state = 4368;
      }
    } else if (s__state == 4368) { /* hello */
      if (progress == 5 && resumed && tries == 0) goto ERROR;
      message = __VERIFIER_nondet_int();
      if (message == 150) {
        resumed = 1;
        s__state = 4400;
      } else if (message == 263) {
        if (tries == 3) return -1;
        tries++;
        s__state = 4384;
      } else {
        s__state = 4384;
      }
    } else if (s__state == 4384) { /* hello_reply */
      message = __VERIFIER_nondet_int();
      if (message == 62) {
        if (tries == 3) return -1;
        tries++;
        s__state = 4400;
      } else if (message == 107) {
        if (progress == 1) progress = 2;
        s__state = 4400;
      } else if (message == 244) {
        if (progress == 3) progress = 4;
        s__state = 4416;
      } else {
        s__state = 4400;
      }
    } else if (s__state == 4400) { /* certificate */
      message = __VERIFIER_nondet_int();
      if (message == 49) {
        if (progress == 1) progress = 2;
        s__state = 4416;
      } else if (message == 281) {
        if (progress == 1) progress = 2;
        s__state = 4432;
      } else {
        s__state = 4416;
      }
    } else if (s__state == 4416) { /* key_exchange */
      message = __VERIFIER_nondet_int();
      if (message == 244) {
        if (progress == 2) progress = 3;
        s__state = 4448;
      } else if (message == 263) {
        s__state = 4432;
      } else {
        s__state = 4432;
      }
    } else if (s__state == 4432) { /* request */
      message = __VERIFIER_nondet_int();
      if (message == 94) {
        if (progress == 3) progress = 4;
        s__state = 4464;
      } else if (message == 60) {
        if (progress == 1) progress = 2;
        resumed = 1;
        s__state = 4464;
      } else if (message == 240) {
        if (tries == 3) return -1;
        tries++;
        resumed = 1;
        s__state = 4448;
      } else {
        s__state = 4448;
      }
    } else if (s__state == 4448) { /* verify */
      message = __VERIFIER_nondet_int();
      if (message == 275) {
        s__state = 4464;
      } else {
        s__state = 4464;
      }
    } else if (s__state == 4464) { /* change_cipher */
      message = __VERIFIER_nondet_int();
      if (message == 23) {
        if (progress == 0) progress = 1;
        s__state = 4464;
      } else if (message == 266) {
        if (progress == 2) progress = 3;
        if (tries == 3) return -1;
        tries++;
        s__state = 4464;
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
