// A client's handshake of 12 states; the error is never come to.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int client(void) {
  int s__state = 4352, progress = 0, resumed = 0, tries = 0, message;
  for (;;) {
    if (s__state == 4352) { /* start */
      message = __VERIFIER_nondet_int();
      if (message == 142) {
        if (progress == 1) progress = 2;
        if (tries == 3) return -1;
        tries++;
        s__state = 4368;
      } else if (message == 11) {
        if (progress == 1) progress = 2;
        if (tries == 3) return -1;
        tries++;
        s__state = 4352;
      } else if (message == 109) {
        s__state = 4368;
      } else {
        s__state = 4368;
      }
    } else if (s__state == 4368) { /* hello */
      message = __VERIFIER_nondet_int();
      if (message == 131) {
        if (progress == 3) progress = 4;
        s__state = 4400;
      } else if (message == 287) {
        if (progress == 1) progress = 2;
        resumed = 1;
        s__state = 4496;
      } else if (message == 54) {
        if (progress == 1) progress = 2;
        if (tries == 3) return -1;
        tries++;
        s__state = 4384;
      } else {
        s__state = 4384;
      }
    } else if (s__state == 4384) { /* hello_reply */
      message = __VERIFIER_nondet_int();
      if (message == 20) {
        if (progress == 4) progress = 5;
        s__state = 4400;
      } else if (message == 115) {
        s__state = 4400;
      } else if (message == 246) {
        s__state = 4416;
      } else {
        s__state = 4400;
      }
    } else if (s__state == 4400) { /* certificate */
      message = __VERIFIER_nondet_int();
      if (message == 278) {
        s__state = 4416;
      } else if (message == 174) {
        if (progress == 0) progress = 1;
        resumed = 1;
        s__state = 4416;
      } else if (message == 48) {
        if (progress == 3) progress = 4;
        if (tries == 3) return -1;
        tries++;
        s__state = 4416;
      } else {
        s__state = 4416;
      }
    } else if (s__state == 4416) { /* key_exchange */
      message = __VERIFIER_nondet_int();
      if (message == 287) {
        if (progress == 4) progress = 5;
        s__state = 4432;
      } else if (message == 113) {
        if (progress == 3) progress = 4;
        s__state = 4368;
      } else if (message == 41) {
        s__state = 4432;
      } else {
        s__state = 4432;
      }
    } else if (s__state == 4432) { /* request */
      if (progress == 2 && !resumed && tries == 1) goto ERROR;
      message = __VERIFIER_nondet_int();
      if (message == 295) {
        if (progress == 4) progress = 5;
        s__state = 4448;
      } else {
        s__state = 4448;
      }
    } else if (s__state == 4448) { /* verify */
      message = __VERIFIER_nondet_int();
      if (message == 65) {
        s__state = 4464;
      } else {
        s__state = 4464;
      }
    } else if (s__state == 4464) { /* change_cipher */
      message = __VERIFIER_nondet_int();
      if (message == 203) {
        if (progress == 1) progress = 2;
        s__state = 4528;
      } else {
        s__state = 4480;
      }
    } else if (s__state == 4480) { /* finished */
      message = __VERIFIER_nondet_int();
      if (message == 97) {
        s__state = 4512;
      } else {
        s__state = 4496;
      }
    } else if (s__state == 4496) { /* flush */
      message = __VERIFIER_nondet_int();
      if (message == 69) {
        if (progress == 3) progress = 4;
        s__state = 4448;
      } else {
        s__state = 4512;
      }
    } else if (s__state == 4512) { /* renegotiate */
      message = __VERIFIER_nondet_int();
      if (message == 265) {
        s__state = 4432;
      } else if (message == 248) {
        if (progress == 2) progress = 3;
        if (tries == 3) return -1;
        tries++;
        s__state = 4528;
      } else if (message == 30) {
        if (progress == 3) progress = 4;
        resumed = 1;
        s__state = 4528;
      } else {
        s__state = 4528;
      }
    } else if (s__state == 4528) { /* closing */
      message = __VERIFIER_nondet_int();
      if (message == 263) {
        if (progress == 3) progress = 4;
        if (tries == 3) return -1;
        tries++;
        s__state = 4528;
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
