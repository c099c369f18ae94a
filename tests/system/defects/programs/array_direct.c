// purpose: the twelve months have the numbers 0 to 11 in the table, and 12 passes the test
// defect: array-out-of-bounds line 15
// input: month=12
#include <plumb/plumb.h>

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
  int month = plumb_symbolic_int("month");
#ifdef FIXED
  if (month < 0 || month >= 12) return 1;
#else
  if (month < 0 || month > 12) return 1;
#endif
  if (days[month] == 31) return 2;
  return 0;
}
