// Lamport's bakery for three threads; nobody waits for those who are choosing their number.
// Fails with: 10811476
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };
atomic_int choosing[THREADS], number[THREADS];
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

void *thread(void *argument) {
  const long self = (long)argument;
  int most = 0;
  choosing[self] = 1;
  for (int other = 0; other < THREADS; other++) {
    const int seen = number[other];
    if (seen > most) most = seen;
  }
  number[self] = most + 1;
  choosing[self] = 0;
  for (int other = 0; other < THREADS; other++) {
    if (other == self) continue;
    for (;;) {
      const int its = number[other];
      if (its == 0 || its > most + 1 || (its == most + 1 && other > self)) break;
    }
  }
  critical();
  number[self] = 0;
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
