// Of the base that there is the base comes back.
#include <time.h>
void reach_error(void);

int main(void) {
  struct timespec now = {0, 0};
  if (timespec_get(&now, TIME_UTC) != TIME_UTC) return 0;
  if (now.tv_nsec < 0) reach_error();
  return 0;
}
