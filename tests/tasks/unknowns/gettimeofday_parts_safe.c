// A second has a million microseconds.
#include <sys/time.h>
void reach_error(void);

int main(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  long part = now.tv_usec;
  if (1000000 > 0 ? part >= 1000000 : part > 1000000) reach_error();
  return 0;
}
