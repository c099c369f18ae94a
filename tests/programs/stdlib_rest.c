// purpose: rand is a function of its seed, environment variables may be absent, errno has a text
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  srand(7);
  int a = rand(), b = rand();
  srand(7);
  int c = rand(), again = rand();
  printf("%d %d %d\n", a == c, b == again, a >= 0 && a <= RAND_MAX);
  printf("%d\n", getenv("PLUMB_SURELY_NOT_SET") == NULL);
  printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
  div_t d = div(17, 5);
  ldiv_t l = ldiv(-17L, 5L);
  printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
  return (int)strlen("done");
}
