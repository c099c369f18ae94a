// The bytes of a word are different places.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union {
  uint32_t word;
  uint8_t byte[4];
} shared;

void *first(void *unused) {
  (void)unused;
  shared.byte[0] = 1;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  shared.byte[3] = 2;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
