// purpose: a callee compares with a limit that its caller left open for negative levels
// defect: uninitialised-read line 8
// checks: default,uninitialised
// input: level=-1
#include <plumb/plumb.h>

static int is_over(int level, const int* limit) {
  if (level + 10 > *limit) return 1;
  return 0;
}

int main(void) {
  int level = plumb_symbolic_int("level");
#ifdef FIXED
  int limit = 0;
#else
  int limit;
#endif
  if (level >= 0) limit = 20;
  if (level < -5 || level > 100) return 2;
  return is_over(level, &limit);
}
