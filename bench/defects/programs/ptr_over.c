// purpose: a heap pointer beyond its block always, another one on a narrow path, and a block that is lost
// seeded: A=2 B=1
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  int code = plumb_symbolic_int("code");
  short* low = malloc(4 * sizeof *low);
  short* high = malloc(4 * sizeof *high);
  if (low == NULL || high == NULL) return 1;
  low[4] = 1;
  if (code >= 500 && code < 510) {
    short* at = high + (code - 500);
    *at = 2;
  }
  free(low);
  return 0;
}
