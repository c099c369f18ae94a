/* One number counts down while another counts up. No unrolling proves this: the loop runs up to 4294967295 times.
 * Compiled with -DNUMBER=int it is wrong. */
#include <assert.h>
#include <plumb/plumb.h>

#ifndef NUMBER
#define NUMBER unsigned
#endif

int main(void) {
  NUMBER n = (NUMBER)plumb_nondet_uint();
  NUMBER down = n, up = 0;
  while (down > 0) {
    down--;
    up++;
  }
  assert(up == n);
  return 0;
}
