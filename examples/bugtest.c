#include <plumb/plumb.h> /* Gao's listing of section 3.5: from here on each line has the number that Table 3.3 gives it. */
#include <stdlib.h>      /* Its lines 1 to 3, a[5] and p = a, are line 3 below, so that there is room for these two. */
int main(void) { int a[5] = {1, 2, 3, 4, 5}, *p = a;
  int *q = (int *)malloc(5 * sizeof(int));
  int *q2 = (int *)malloc(5 * sizeof(int));
  int *q3 = (int *)malloc(5 * sizeof(int));
  int i = 0, j = 0;
  mksymbol_int(i);
  mksymbol_int(j);
  if (i < 10) {
    a[i] = 0;
    if (j < 8) {
      q[j] = 1;
      p[j] = 1;
      p[j] = a[i] + 1;
    } else {
      free(q3);
    }
  }
  free(q2);
  free(q2);
  return 0;
}
