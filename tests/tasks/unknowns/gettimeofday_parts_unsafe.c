// A second has a million microseconds.
// Fails with: no input
#include <sys/time.h>
void reach_error(void);

int main(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  long part = now.tv_usec;
  if (-1 > 0 ? part >= -1 : part > -1) reach_error();
  return 0;
}
