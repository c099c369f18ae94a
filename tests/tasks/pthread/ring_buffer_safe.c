// One producer and one consumer with a ring and two counters.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

enum { PLACES = 2, ITEMS = 3 };
unsigned char ring[PLACES], values[ITEMS];
atomic_uint head, tail;

void *producer(void *unused) {
  (void)unused;
  for (unsigned k = 0; k < ITEMS; k++) {
    while (tail - head == PLACES) {
    }
    ring[tail % PLACES] = values[k];
    tail++;
  }
  return NULL;
}

void *consumer(void *unused) {
  (void)unused;
  for (unsigned k = 0; k < ITEMS; k++) {
    while (tail == head) {
    }
    const unsigned char got = ring[head % PLACES];
    head++;
    assert(got == values[k]);
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  for (int k = 0; k < ITEMS; k++) values[k] = __VERIFIER_nondet_uchar();
  pthread_create(&t0, NULL, producer, NULL);
  pthread_create(&t1, NULL, consumer, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
