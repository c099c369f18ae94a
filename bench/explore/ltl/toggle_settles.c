// A bit that toggles does not stay.
// Formula: F G (x == 0)
// Expected: violated
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char x;

void *first(void *unused) {
  (void)unused;
  for (;;) {
    x = 1;
    x = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t t0;
  pthread_create(&t0, NULL, first, NULL);
  pthread_join(t0, NULL);
  return 0;
}
