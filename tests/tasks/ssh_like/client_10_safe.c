// A client's handshake of 10 states; the error is never come to.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int client(void) {
  int s__state = 4352, progress = 0, resumed = 0, tries = 0, message;
  for (;;) {
    if (s__state == 4352) { /* start */
      message = __VERIFIER_nondet_int();
      if (message == 120) {
        if (progress == 1) progress = 2;
        s__state = 4368;
      } else if (message == 133) {
        if (progress == 1) progress = 2;
        s__state = 4400;
      } else {
        s__state = 4368;
      }
    } else if (s__state == 4368) { /* hello */
      message = __VERIFIER_nondet_int();
      if (message == 119) {
        if (progress == 4) progress = 5;
        resumed = 1;
        s__state = 4432;
      } else if (message == 279) {
        if (tries == 3) return -1;
        tries++;
        resumed = 1;
        s__state = 4480;
      } else {
        s__state = 4384;
      }
    } else if (s__state == 4384) { /* hello_reply */
      message = __VERIFIER_nondet_int();
      if (message == 16) {
        if (progress == 2) progress = 3;
        if (tries == 3) return -1;
        tries++;
        s__state = 4400;
      } else if (message == 283) {
        if (progress == 3) progress = 4;
        if (tries == 3) return -1;
        tries++;
        s__state = 4400;
      } else {
        s__state = 4400;
      }
    } else if (s__state == 4400) { /* certificate */
      if (progress == 5 && !resumed && tries == 2) goto ERROR;
      message = __VERIFIER_nondet_int();
      if (message == 251) {
        if (progress == 3) progress = 4;
        if (tries == 3) return -1;
        tries++;
        s__state = 4400;
      } else if (message == 140) {
        if (progress == 0) progress = 1;
        if (tries == 3) return -1;
        tries++;
        s__state = 4432;
      } else {
        s__state = 4416;
      }
    } else if (s__state == 4416) { /* key_exchange */
      message = __VERIFIER_nondet_int();
      if (message == 98) {
        s__state = 4432;
      } else if (message == 226) {
        if (progress == 3) progress = 4;
        s__state = 4432;
      } else {
        s__state = 4432;
      }
    } else if (s__state == 4432) { /* request */
      message = __VERIFIER_nondet_int();
      if (message == 20) {
        if (progress == 3) progress = 4;
        s__state = 4464;
      } else if (message == 58) {
        if (progress == 2) progress = 3;
        s__state = 4464;
      } else {
        s__state = 4448;
      }
    } else if (s__state == 4448) { /* verify */
      message = __VERIFIER_nondet_int();
      if (message == 38) {
        s__state = 4464;
      } else if (message == 291) {
        if (progress == 0) progress = 1;
        resumed = 1;
        s__state = 4464;
      } else {
        s__state = 4464;
      }
    } else if (s__state == 4464) { /* change_cipher */
      message = __VERIFIER_nondet_int();
      if (message == 165) {
        resumed = 1;
        s__state = 4480;
      } else if (message == 1) {
        if (progress == 1) progress = 2;
        if (tries == 3) return -1;
        tries++;
        resumed = 1;
        s__state = 4496;
      } else if (message == 72) {
        if (progress == 2) progress = 3;
        if (tries == 3) return -1;
        tries++;
        s__state = 4464;
      } else {
        s__state = 4480;
      }
    } else if (s__state == 4480) { /* finished */
      message = __VERIFIER_nondet_int();
      if (message == 53) {
        s__state = 4448;
      } else {
        s__state = 4496;
      }
    } else if (s__state == 4496) { /* flush */
      message = __VERIFIER_nondet_int();
      if (message == 233) {
        if (progress == 3) progress = 4;
        if (tries == 3) return -1;
        tries++;
        s__state = 4416;
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
