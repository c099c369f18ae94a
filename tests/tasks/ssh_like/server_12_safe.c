// A server's handshake of 12 states; the error is never come to.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int server(void) {
  int s__state = 4352, progress = 0, resumed = 0, tries = 0, message;
  for (;;) {
    if (s__state == 4352) { /* start */
      message = __VERIFIER_nondet_int();
      if (message == 6) {
        s__state = 4384;
      } else {
        s__state = 4368;
      }
    } else if (s__state == 4368) { /* hello */
      message = __VERIFIER_nondet_int();
      if (message == 164) {
        if (progress == 4) progress = 5;
        if (tries == 3) return -1;
        tries++;
        s__state = 4400;
      } else {
        s__state = 4384;
      }
    } else if (s__state == 4384) { /* hello_reply */
      message = __VERIFIER_nondet_int();
      if (message == 224) {
        if (progress == 4) progress = 5;
        s__state = 4400;
      } else {
        s__state = 4400;
      }
    } else if (s__state == 4400) { /* certificate */
      message = __VERIFIER_nondet_int();
      if (message == 115) {
        if (progress == 3) progress = 4;
        if (tries == 3) return -1;
        tries++;
        s__state = 4432;
      } else if (message == 200) {
        if (progress == 1) progress = 2;
        s__state = 4432;
      } else {
        s__state = 4416;
      }
    } else if (s__state == 4416) { /* key_exchange */
      message = __VERIFIER_nondet_int();
      if (message == 33) {
        if (tries == 3) return -1;
        tries++;
        s__state = 4432;
      } else if (message == 266) {
        s__state = 4448;
      } else if (message == 90) {
        if (progress == 4) progress = 5;
        s__state = 4432;
      } else {
        s__state = 4432;
      }
    } else if (s__state == 4432) { /* request */
      if (progress == 0 && resumed && tries == 0) goto ERROR;
      message = __VERIFIER_nondet_int();
      if (message == 22) {
        if (progress == 1) progress = 2;
        s__state = 4464;
      } else if (message == 294) {
        if (progress == 4) progress = 5;
        s__state = 4448;
      } else {
        s__state = 4448;
      }
    } else if (s__state == 4448) { /* verify */
      message = __VERIFIER_nondet_int();
      if (message == 278) {
        if (progress == 2) progress = 3;
        if (tries == 3) return -1;
        tries++;
        s__state = 4464;
      } else {
        s__state = 4464;
      }
    } else if (s__state == 4464) { /* change_cipher */
      message = __VERIFIER_nondet_int();
      if (message == 15) {
        if (progress == 2) progress = 3;
        s__state = 4496;
      } else {
        s__state = 4480;
      }
    } else if (s__state == 4480) { /* finished */
      message = __VERIFIER_nondet_int();
      if (message == 6) {
        if (progress == 2) progress = 3;
        s__state = 4512;
      } else {
        s__state = 4496;
      }
    } else if (s__state == 4496) { /* flush */
      message = __VERIFIER_nondet_int();
      if (message == 185) {
        if (progress == 2) progress = 3;
        s__state = 4528;
      } else {
        s__state = 4512;
      }
    } else if (s__state == 4512) { /* renegotiate */
      message = __VERIFIER_nondet_int();
      if (message == 73) {
        if (progress == 0) progress = 1;
        resumed = 1;
        s__state = 4528;
      } else if (message == 205) {
        if (progress == 3) progress = 4;
        s__state = 4528;
      } else if (message == 30) {
        if (progress == 0) progress = 1;
        if (tries == 3) return -1;
        tries++;
        resumed = 1;
        s__state = 4528;
      } else {
        s__state = 4528;
      }
    } else if (s__state == 4528) { /* closing */
      message = __VERIFIER_nondet_int();
      if (message == 140) {
        if (progress == 3) progress = 4;
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

int main(void) { return server(); }
