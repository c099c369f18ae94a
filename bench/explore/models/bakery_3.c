// Lamport's bakery for three threads, each of which enters twice.
// Property: assertions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3, ROUNDS = 2 };
_Atomic unsigned char choosing[THREADS], number[THREADS], inside;

void *thread(void *argument) {
  const unsigned char self = (unsigned char)(long)argument;
  for (unsigned char round = 0; round < ROUNDS; round++) {
    unsigned char most = 0;
    choosing[self] = 1;
    for (unsigned char other = 0; other < THREADS; other++) {
      const unsigned char seen = number[other];
      if (seen > most) most = seen;
    }
    most++;
    number[self] = most;
    choosing[self] = 0;
    for (unsigned char other = 0; other < THREADS; other++) {
      if (other == self) continue;
      while (choosing[other]) {
      }
      for (;;) {
        const unsigned char its = number[other];
        if (its == 0 || its > most || (its == most && other > self)) break;
      }
    }
    inside++;
    assert(inside == 1);
    inside--;
    number[self] = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  thread((void *)0);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
