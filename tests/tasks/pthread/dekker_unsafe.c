// Dekker's algorithm; who has not the turn enters without looking again.
// Fails with: 10749645
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
  for (int round = 0; round < 2; round++) {
    wants[self] = 1;
    if (wants[other]) {
      if (turn != self) {
        wants[self] = 0;
        while (turn != self) {
        }
        wants[self] = 1;
      }
    }
    critical();
    turn = (int)other;
    wants[self] = 0;
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
