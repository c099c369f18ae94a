// purpose: percentages of a whole that the caller does not test when it is in another unit
// defect: division-by-zero line 7
// input: part=1 whole=500 is_kilo=1
#include <plumb/plumb.h>

static int percent(int part, int whole) {
  return part * 100 / whole;
}

static int share(int part, int whole, int is_kilo) {
  if (whole <= 0) return -1;
  if (is_kilo) whole /= 1024;
#ifdef FIXED
  if (whole == 0) return -1;
#endif
  return percent(part, whole);
}

int main(void) {
  int part = plumb_symbolic_uchar("part"), whole = plumb_symbolic_int("whole");
  return share(part, whole, plumb_symbolic_int("is_kilo")) > 50;
}
