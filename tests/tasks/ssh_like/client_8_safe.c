// A client's handshake of 8 states; the error is never come to.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int client(void) {
  int s__state = 4352, progress = 0, resumed = 0, tries = 0, message;
  for (;;) {
    if (s__state == 4352) { /* start */
      if (progress == 4 && !resumed && tries == 2) goto ERROR;
      message = __VERIFIER_nondet_int();
      if (message == 139) {
        if (tries == 3) return -1;
        tries++;
        s__state = 4368;
      } else if (message == 237) {
        if (progress == 1) progress = 2;
        s__state = 4368;
      } else if (message == 54) {
        if (progress == 4) progress = 5;
        resumed = 1;
        s__state = 4368;
      } else {
        s__state = 4368;
      }
    } else if (s__state == 4368) { /* hello */
      message = __VERIFIER_nondet_int();
      if (message == 108) {
        if (progress == 0) progress = 1;
        resumed = 1;
        s__state = 4384;
      } else if (message == 131) {
        if (progress == 4) progress = 5;
        s__state = 4400;
      } else {
        s__state = 4384;
      }
    } else if (s__state == 4384) { /* hello_reply */
      message = __VERIFIER_nondet_int();
      if (message == 273) {
        if (tries == 3) return -1;
        tries++;
        s__state = 4400;
      } else {
        s__state = 4400;
      }
    } else if (s__state == 4400) { /* certificate */
      message = __VERIFIER_nondet_int();
      if (message == 191) {
        s__state = 4432;
      } else if (message == 269) {
        if (progress == 2) progress = 3;
        s__state = 4432;
      } else {
        s__state = 4416;
      }
    } else if (s__state == 4416) { /* key_exchange */
      message = __VERIFIER_nondet_int();
      if (message == 235) {
        if (progress == 4) progress = 5;
        s__state = 4416;
      } else {
        s__state = 4432;
      }
    } else if (s__state == 4432) { /* request */
      message = __VERIFIER_nondet_int();
      if (message == 153) {
        s__state = 4464;
      } else if (message == 37) {
        s__state = 4464;
      } else {
        s__state = 4448;
      }
    } else if (s__state == 4448) { /* verify */
      message = __VERIFIER_nondet_int();
      if (message == 3) {
        resumed = 1;
        s__state = 4464;
      } else if (message == 229) {
        if (progress == 2) progress = 3;
        s__state = 4464;
      } else {
        s__state = 4464;
      }
    } else if (s__state == 4464) { /* change_cipher */
      message = __VERIFIER_nondet_int();
      if (message == 61) {
        if (progress == 2) progress = 3;
        resumed = 1;
        s__state = 4464;
      } else if (message == 86) {
        if (progress == 3) progress = 4;
        s__state = 4464;
      } else if (message == 148) {
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

int main(void) { return client(); }
