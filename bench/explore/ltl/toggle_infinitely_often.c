// A bit that toggles is set again and again.
// Formula: G F (x == 1)
// Expected: holds
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
