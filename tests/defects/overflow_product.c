// purpose: a product of ints is made before it is widened
// checks: overflow
// defect: signed-overflow line 13
#include <stdio.h>

int main(void) {
  int rows = 65536, columns = 65536;
#ifdef FIXED
  long long cells = (long long)rows *
      columns;
#else
  long long cells =
      rows * columns;
#endif
  printf("%d\n", cells != 0);
  return 0;
}
