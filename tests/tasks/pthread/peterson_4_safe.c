// Peterson's filter: four threads pass 3 levels, at each of which one stays behind.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, LEVELS = THREADS };
atomic_int level[THREADS], last[THREADS];
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

static int is_other_as_high(long self, int at) {
  for (int other = 0; other < THREADS; other++)
    if (other != self && level[other] >= at) return 1;
  return 0;
}

void *thread(void *argument) {
  const long self = (long)argument;
  for (int at = 1; at < LEVELS; at++) {
    level[self] = at;
    last[at] = (int)self;
    while (last[at] == self && is_other_as_high(self, at)) {
    }
  }
  critical();
  level[self] = 0;
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2, t3;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  pthread_create(&t3, NULL, thread, (void *)3);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  return 0;
}
