// purpose: a jump back into a function that has returned
// defect: use-after-return line 17
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf place;

static int prepare(void) { return setjmp(place); }

int main(void) {
#ifdef FIXED
  if (setjmp(place) != 0) return 0;
#else
  if (prepare() != 0) return 0;
#endif
  volatile int answer = 42;
  if (answer == 42) longjmp(place, 1);
  return prepare();
}
