// Time that was used may be any: a loop that waits ends or not.
#include <time.h>
void reach_error(void);

int main(void) {
  clock_t start = clock();
  if (start >= 0 && start / 2 > start) reach_error();
  return 0;
}
