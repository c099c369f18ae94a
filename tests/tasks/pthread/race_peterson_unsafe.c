// Peterson's algorithm with atomic variables protects a plain one; with volatile ones it does not, as C says.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int flag[2], turn;
int counter;

void *thread(void *argument) {
  const long self = (long)argument, other = 1 - self;
  flag[self] = 1;
  turn = (int)other;
  while (flag[other] && turn == other) {
  }
  counter++;
  flag[self] = 0;
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
