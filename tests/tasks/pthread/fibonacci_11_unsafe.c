// Two threads add to each other's number, 11 times each: at most the Fibonacci number 46368 comes out, and it does.
// Fails with: 11027915
#include <assert.h>
#include <pthread.h>

int i = 1, j = 1;

void *first(void *unused) {
  (void)unused;
  for (int k = 0; k < 11; k++) i += j;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (int k = 0; k < 11; k++) j += i;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(i < 46368 && j < 46368);
  return 0;
}
