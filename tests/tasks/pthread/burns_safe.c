// Burns' algorithm: one bit per thread, and those with smaller numbers go first.
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

static int has_smaller(long self) {
  for (int other = 0; other < self; other++)
    if (flag[other]) return 1;
  return 0;
}

void *thread(void *argument) {
  const long self = (long)argument;
  for (;;) {
    flag[self] = 0;
    while (has_smaller(self)) {
    }
    flag[self] = 1;
    if (!has_smaller(self)) break;
  }
  for (int other = (int)self + 1; other < THREADS; other++)
    while (flag[other]) {
    }
  critical();
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
