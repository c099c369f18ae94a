// purpose: places of an array are filled up to a count, and looked at one further for counts of more than one
// defect: uninitialised-read line 17
// checks: default,uninitialised
// input: count=2
#include <plumb/plumb.h>

int main(void) {
  int values[4];
  int count = plumb_symbolic_uchar("count") % 4, large = 0;
  for (int i = 0; i < count; ++i) values[i] = i * 10;
#ifdef FIXED
  int last = count - 1;
#else
  int last = count < 2 ? count - 1 : 3;
#endif
  for (int i = 0; i <= last; ++i)
    if (values[i] > 15) large++;
  return large;
}
