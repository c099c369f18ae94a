// purpose: an assertion about an invariant of a loop
// defect: assertion line 14
#include <assert.h>

int main(void) {
  int low = 0, high = 10;
#ifdef FIXED
  int step = 1;
#else
  int step = 3;
#endif
  while (low < high) {
    low += step;
    assert(low <= 10);
  }
  return 0;
}
