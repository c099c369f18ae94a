// Strict alternation: a variable says whose turn it is; the turn is given away before the work.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

void *thread(void *argument) {
  const long self = (long)argument, other = 1 - self;
  for (int round = 0; round < 3; round++) {
    while (turn != self) {
    }
    turn = (int)other;
    critical();
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
