// purpose: the caller lets a level through that the table of the function that it calls does not have
// defect: array-out-of-bounds line 10
// input: level=5 is_debug=1
#include <plumb/plumb.h>

static int counts[5];

static void count(int level) {
  if (level < 0) return;
  counts[level]++;
}

static void log_message(int level, int is_debug) {
#ifdef FIXED
  int highest = is_debug ? 4 : 3;
#else
  int highest = is_debug ? 5 : 3;
#endif
  if (level <= highest) count(level);
}

int main(void) {
  int level = plumb_symbolic_int("level");
  log_message(level, plumb_symbolic_int("is_debug") != 0);
  return counts[0];
}
