// purpose: a jump back is refused where it happens, after the output up to there
// expect: unsupported longjmp
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

static void fail(int code) { longjmp(place, code); }

int main(void) {
  int code = setjmp(place);
  if (code) {
    printf("caught %d\n", code);
    return code;
  }
  fail(3);
  return 0;
}
