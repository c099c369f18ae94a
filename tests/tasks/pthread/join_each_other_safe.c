// A thread joins another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_t a, b;
atomic_int are_known;

void *first(void *unused) {
  (void)unused;
  while (!are_known) {
  }
  pthread_join(b, NULL);
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  while (!are_known) {
  }
  return NULL;
}

int main(void) {
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  are_known = 1;
  pthread_join(a, NULL);
  return 0;
}
