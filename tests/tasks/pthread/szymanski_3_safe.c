// Szymanski's algorithm for three threads: a waiting room whose door closes behind those who entered.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };
atomic_int flag[THREADS];
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

static int has_other(long self, int least, int most) {
  for (int other = 0; other < THREADS; other++) {
    const int seen = flag[other];
    if (other != self && seen >= least && seen <= most) return 1;
  }
  return 0;
}

void *thread(void *argument) {
  const long self = (long)argument;
  flag[self] = 1;
  while (has_other(self, 3, 4)) {
  }
  flag[self] = 3;
  if (has_other(self, 1, 1)) {
    flag[self] = 2;
    while (!has_other(self, 4, 4)) {
    }
  }
  flag[self] = 4;
  for (int before = 0; before < self; before++)
    while (flag[before] > 1) {
    }
  critical();
  for (int behind = (int)self + 1; behind < THREADS; behind++)
    for (;;) {
      const int seen = flag[behind];
      if (seen != 2 && seen != 3) break;
    }
  flag[self] = 0;
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
