// Hyman's algorithm for two threads, which was published and is wrong.
// Fails with: 2249876
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

void *thread(void *argument) {
  const long self = (long)argument, other = 1 - self;
  wants[self] = 1;
  while (turn != self) {
    while (wants[other]) {
    }
    turn = (int)self;
  }
  critical();
  wants[self] = 0;
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
