// A barrier of a counter and a sense that turns around, used twice; the sense does not turn.
// Fails with: 9505350
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2 };
atomic_int arrived, sense, step[THREADS];

static void barrier(int mine) {
  if (atomic_fetch_add(&arrived, 1) == THREADS - 1) {
    arrived = 0;
    sense = mine;
  } else {
    while (sense != mine) {
    }
  }
}

void *thread(void *argument) {
  const long self = (long)argument, other = 1 - self;
  for (int round = 1; round <= 2; round++) {
    step[self] = round;
    barrier(1);
    assert(step[other] >= round);
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
