// A second has a thousand million nanoseconds.
#include <time.h>
void reach_error(void);

int main(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return 0;
  if (now.tv_nsec < 0 || now.tv_nsec >= 1000000000) reach_error();
  return 0;
}
