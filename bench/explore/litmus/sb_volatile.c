// Store buffering with volatile variables.
// Allowed: sc=no tso=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x, y;
int r0, r1;

void *first(void *unused) {
  (void)unused;
  x = 1;
  r0 = y;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  y = 1;
  r1 = x;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(!(r0 == 0 && r1 == 0));
  return 0;
}
